package reviews

import (
	"strings"
	"time"

	"preceptor/internal/review"
	"preceptor/views/ui"
)

// ProgressView is how far people are.
type ProgressView struct {
	Mine   *PersonProgress // nil for somebody who decides nothing
	Teams  []TeamProgress  // mine
	Lead   bool            // sees everybody
	People []PersonProgress
	Since  time.Time // when the week began
}

// PersonProgress is one person's line.
type PersonProgress struct {
	Name     string
	Disabled bool
	review.Progress
}

// TeamProgress is what waits for a team.
type TeamProgress struct {
	Name    string
	Waiting int
}

// kinds says what the week's work was.
func (p PersonProgress) kinds() string {
	var out []string
	for _, k := range []struct {
		n    int
		word string
	}{{p.Approved, "approved"}, {p.Revised, "revised"}, {p.Rejected, "rejected"}, {p.Returned, "sent back"},
		{p.Seconded, "approved second"}} {
		if k.n > 0 {
			out = append(out, ui.Thousands(k.n)+" "+k.word)
		}
	}
	s := strings.Join(out, ", ")
	if p.Pending > 0 {
		s += "; of those you decided first, " + ui.Count(p.Pending, "waits", "wait") + " for a second approval"
	}
	return s
}

func (p PersonProgress) given() string {
	if p.Given == 0 {
		return ""
	}
	return ui.Thousands(p.Given) + " of those assigned to you were done this week"
}

func (p PersonProgress) signed() string {
	if p.Signed == 0 {
		return ""
	}
	return ui.Count(p.Signed, "review that you approved is", "reviews that you approved are") +
		" waiting for a second supervisor"
}
