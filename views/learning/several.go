package learning

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"preceptor/internal/learning"
)

// Several are the lessons that one act can settle.
type Several struct {
	Waiting []learning.Lesson // to be accepted, those that wait longest first
	Failed  []learning.Lesson
	Ticked  []learning.Seen
	Ticks   []string        `form:"lesson"` // as they are sent: an id and the version that was on the screen
	Act     string          `form:"act"`
	Reason  string          `form:"reason"`
	Done    string          // what the act before did
	Left    []learning.Left // what it left as it was
	Errors  map[string]string
	Message string
	Now     time.Time
}

// Preview is what an act would let in.
type Preview struct {
	Rules []learning.Lesson
	Left  []learning.Left
}

// seen is a lesson as it stands on the page.
func seen(l learning.Lesson) string { return l.ID + "." + strconv.Itoa(l.Version) }

func (v Several) ticked(l learning.Lesson) bool {
	return slices.ContainsFunc(v.Ticked, func(s learning.Seen) bool { return s.ID == l.ID })
}

func alone(l learning.Lesson) string {
	switch {
	case l.Domain == learning.RegulatoryCompliance:
		return "compliance: on its own page"
	case l.Guessed:
		return "guessed: on its own page"
	}
	return "not stated: on its own page"
}

func triedWords(l learning.Lesson) string {
	return fmt.Sprintf("helped in %d of %d cases", l.Helpful, l.Tried)
}
