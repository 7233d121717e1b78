package feedback

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/approval"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/nightly"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/estimate"
	"preceptor/views/ui"
)

// Examples is a page of exemplars.
type Examples struct {
	List      []feedback.Exemplar
	Next      string // cursor
	State     string `form:"state"` // of the filter, as the next two
	AgentType string `form:"agent"`
	Cursor    string `form:"cursor"`
	Agents    []string
	MayRetire bool
	MayOpen   bool              // the pages of answers
	Wrong     string            // id of the exemplar whose form was wrong
	Why       string            `form:"why"` // as it was typed there
	Error     string            // what is wrong with it
	Unread    map[string]string // what of the address can't be read, by its name: state, cursor
	Now       time.Time
}

// Href is the page with another cursor.
func (v Examples) Href(cursor string) string {
	return ui.Address("/feedback/examples", Examples{State: v.State, AgentType: v.AgentType, Cursor: cursor})
}

func (v Examples) pages() (p ui.Pages) {
	if v.Next != "" {
		p.Next = v.Href(v.Next)
	}
	if v.Cursor != "" {
		p.First = v.Href("")
	}
	return p
}

// states of exemplars as people read them, for the filter.
var exampleStates = []ui.Option{{Value: "", Label: "All states"}, {Value: feedback.Active, Label: "In use"},
	{Value: feedback.Demoted, Label: "Withdrawn"},
	{Value: feedback.Replaced, Label: "Replaced"}, {Value: feedback.Retired, Label: "Retired"},
	{Value: feedback.Erased, Label: "Erased"}}

func stateWords(state string) string {
	for _, o := range exampleStates {
		if o.Value == state && state != "" {
			return strings.ToLower(o.Label)
		}
	}
	return state
}

func stateTone(state string) ui.Tone {
	if state == feedback.Active {
		return ui.Green
	}
	return ui.Amber
}

// standingWords says how an exemplar stands in numbers.
func standingWords(e feedback.Exemplar) string {
	return fmt.Sprintf("%+.0f users, weight %.2f, used %s", e.Score, e.Weight, ui.Times(e.UseCount))
}

// Nights is a page of summaries.
type Nights struct {
	List    []nightly.Night
	Prompts []nightly.PromptChange
	Now     time.Time
	Next    string
	Cursor  string
	Unread  map[string]string // as in Examples
}

// promptTitle names a version of a prompt file; one that nobody agreed to has no number.
func promptTitle(c nightly.PromptChange) string {
	if c.Version == 0 {
		return c.Agent
	}
	return c.Agent + ", version " + strconv.Itoa(c.Version)
}

// promptDone says what became of it and who decided that.
func promptDone(c nightly.PromptChange) string {
	if c.State == approval.Agreed {
		return c.Word() + ", approved by " + c.Decided.Name
	}
	return c.State + " by " + c.Decided.Name
}

func (v Nights) pages() (p ui.Pages) {
	if v.Next != "" {
		p.Next = "/feedback/nightly?cursor=" + url.QueryEscape(v.Next)
	}
	if v.Cursor != "" {
		p.First = "/feedback/nightly"
	}
	return p
}

// shareWords is a day's satisfaction with its interval: a bare percentage of few votes would mislead.
func shareWords(n nightly.Night) string {
	rate, ok := n.Share()
	if !ok {
		return "no votes"
	}
	low, high := estimate.Wilson(n.Positive, n.Positive+n.Negative, estimate.Z95)
	return fmt.Sprintf("%.0f%% (%.0f to %.0f%%)", 100*rate, 100*low, 100*high)
}

// patternWords says a pattern in figures.
func patternWords(p nightly.Pattern) string {
	if p.Low > 0 {
		return fmt.Sprintf("Liked answers more often %s: %d of %d, disliked ones %d of %d%s.", p.Label, p.Liked,
			p.OfLiked, p.Disliked, p.OfDis, window(p))
	}
	return fmt.Sprintf("Disliked answers more often %s: %d of %d, liked ones %d of %d%s.", p.Label, p.Disliked, p.OfDis,
		p.Liked, p.OfLiked, window(p))
}

// window names the days that a pattern was looked for in, where it was not the day alone.
func window(p nightly.Pattern) string {
	if p.Days <= 1 {
		return ""
	}
	return fmt.Sprintf(", over the %d days up to that day", p.Days)
}

func sure(list []nightly.Pattern) (out []nightly.Pattern) {
	for _, p := range list {
		if p.Sure() {
			out = append(out, p)
		}
	}
	return out
}

func dayWords(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.Format("Monday 2 January 2006")
}

// usedHref is the page of a piece of knowledge.
func usedHref(u knowledge.UsedItem) string { return "/knowledge/" + u.Kind + "s/" + u.ID }
