package packs

import (
	"time"

	"preceptor/internal/feedback"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/review"
	"preceptor/views/ui"
)

// Review is a piece of guidance for those who don't decide: what was asked, drafted, decided and said of it. It changes
// nothing.
type Review struct {
	In        *interaction.Interaction
	Decisions []review.Decision // oldest first
	Votes     []feedback.Vote
	MayRead   bool // the texts
	Refused   string
	Now       time.Time
}

// ReviewPath is its address.
func ReviewPath(id string) string { return "/interactions/" + id }

// decided is what a decision came to, in a word.
func decided(d review.Decision) (tone ui.Tone, icon, word string) {
	switch d.State {
	case review.Undone:
		return ui.Neutral, "undo", "Undone"
	case review.Overruled:
		return ui.Neutral, "undo", "Overruled by a second supervisor"
	case review.Recalled:
		return ui.Red, "undo", "Recalled after it was sent"
	}
	switch d.Kind {
	case review.Approve:
		return ui.Green, "check", "Approved unchanged"
	case review.Revise:
		return ui.Amber, "pencil", "Revised"
	case review.Reject:
		return ui.Red, "cross", "Rejected"
	case review.Return:
		return ui.Amber, "undo", "Sent back to the agent"
	}
	return ui.Neutral, "check", "Sent by sampling"
}

// signed says who signed a decision.
func signed(d review.Decision) string {
	s := d.By.Name
	if s == "" {
		s = "the review policy"
	}
	switch {
	case d.Second.Name != "":
		s += " and " + d.Second.Name
	case d.NeedsSecond && d.State == review.Pending:
		s += ", 1 of 2 approved"
	}
	return s
}

// why is the reason that a decision gives; "" without one.
func why(d review.Decision) string {
	s := ""
	if r, ok := review.ReasonByCode(d.ReasonCode); ok {
		s = r.Label
	}
	for _, more := range []string{d.Reason, d.Feedback, d.SettledWhy} {
		if more != "" && s != "" {
			s += ". "
		}
		s += more
	}
	return s
}

// final is the text that went out; "" when none did.
func (v Review) final() string { return v.In.Delivered() }

func (v Review) title() string { return pack.Label(v.In.Consultation.TaskType) }

// flags are the names of what the checks found, once each.
func (v Review) flags() (out []string) {
	seen := map[string]bool{}
	for _, d := range v.Decisions {
		for _, f := range d.Flags {
			if name := pack.IssueName(f.Code); !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}

func (v Review) counted() (good, bad int) {
	for _, one := range v.Votes {
		switch {
		case one.Norm > .5:
			good++
		case one.Norm < .5:
			bad++
		}
	}
	return good, bad
}
