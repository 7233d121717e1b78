package learning

import (
	"fmt"
	"slices"
	"strconv"

	"preceptor/internal/learning"
	"preceptor/views/ui"
)

// Several is one act on the lessons that are selected on the board.
type Several struct {
	Ticked  []learning.Seen
	Ticks   []string        `form:"id"` // as they are sent: an id and the version that was on the screen
	Act     string          `form:"act"`
	Reason  string          `form:"reason"`
	Done    string          // what the act before did
	Left    []learning.Left // what it left as it was
	Errors  map[string]string
	Message string
}

// Preview is what an act would accept.
type Preview struct {
	Rules []learning.Lesson
	Left  []learning.Left
}

// seen is a lesson as it stands on the page.
func seen(l learning.Lesson) string { return l.ID + ":" + strconv.Itoa(l.Version) }

func (v Several) ticked(l learning.Lesson) bool {
	return slices.ContainsFunc(v.Ticked, func(s learning.Seen) bool { return s.ID == l.ID })
}

// settleable reports whether the act on several can be done with a lesson of the board.
func (v Board) settleable(l learning.Lesson) bool {
	return v.MaySettle && (l.State == learning.Failed || l.CaseState == learning.CaseFailed ||
		l.State == learning.Waiting && l.Stage == learning.StageAccept)
}

func triedWords(l learning.Lesson) string {
	return fmt.Sprintf("helped in %d of %s", l.Helpful, ui.Count(l.Tried, "case", "cases"))
}
