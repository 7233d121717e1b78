// Package packs are the pages where packs are made: the report on a period, the evidence pack of one piece
// of guidance, and the check of a pack that somebody holds. The packs themselves are made by internal/evidence and use
// none of this.
package packs

import (
	"strconv"
	"strings"
	"time"

	"preceptor/internal/evidence"
	"preceptor/internal/evidence/duty"
	"preceptor/internal/evidence/history"
	"preceptor/internal/feedback"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/review"
	"preceptor/views/ui"
)

// Periods is the page of reports on periods.
type Periods struct {
	Offers  []duty.Offer
	Past    []duty.Made
	From    string `form:"from"` // as typed
	To      string `form:"to"`
	Error   string
	Errors  map[string]string
	Checked *evidence.Report // of a pack that was given
	File    string           // its name
}

// Evidence is the page of one piece of guidance.
type Evidence struct {
	history.Standing
	MayOpen bool   // its case
	Refused string // why this person gets no pack now; "" when they do
}

func days(p duty.Period) string { return p.String() }

func value(o duty.Offer, last bool) string {
	first, end, _ := strings.Cut(o.Subject(), "/")
	if last {
		return end
	}
	return first
}

// subjectWords is a period of the log for people.
func subjectWords(subject string) string { return strings.ReplaceAll(subject, "/", " to ") }

// hashHead names what the hash of a pack is of: its proof, which holds the hash, comes after.
const hashHead = "SHA-256 without the proof"

// hashCheck is the command that prints the hash of a file on record.
func hashCheck(bytes int, file string) string {
	return "head -c " + strconv.Itoa(bytes) + " " + file + " | sha256sum"
}

func about(v Evidence) string {
	return v.Agent + " on " + strings.ToLower(pack.Label(v.Task)) + ", " + v.Status
}

// underLaw names the law that asks for a report.
func underLaw(r pack.Report) string {
	if r.Law == "" {
		return ""
	}
	return " (" + r.Law + ")"
}

func kindWords(kind string) string {
	if kind == evidence.Period {
		return "Report on a period"
	}
	return "Evidence report"
}

// found are the facts of a pack that was checked.
func found(r evidence.Report) []ui.Fact {
	facts := []ui.Fact{
		{Label: "File", Value: kindWords(r.Kind) + ", " + r.Title},
		{Label: "Created", Value: evidence.When(r.MadeAt) + " by " + r.MadeBy},
		{Label: "Sealed as row", Value: strconv.FormatInt(r.Seal.Seq, 10)},
		{Label: "Parts", Value: strconv.Itoa(r.Parts)},
	}
	if r.Kind == evidence.Interaction {
		facts = append(facts, ui.Fact{Label: "Rows of the log", Value: strconv.Itoa(r.Rows)},
			ui.Fact{Label: "Texts that a row recorded", Value: strconv.Itoa(r.Texts)})
	}
	return facts
}

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

// undecided says why there is no decision.
func (v Review) undecided() string {
	switch {
	case v.In.Status == interaction.Waiting:
		return "Waiting for a supervisor."
	case v.In.Status == interaction.Withdrawn:
		return "The agent withdrew it before a decision."
	case v.In.Status == interaction.Expired:
		return "It expired before a decision."
	case !v.In.ErasedAt.IsZero():
		return "Erased before a decision."
	}
	return "Not decided yet."
}

// ReviewPath is its address.
func ReviewPath(id string) string { return "/interactions/" + id }

// decided is what a decision was, in a word.
func decided(d review.Decision) (tone ui.Tone, icon, word string) {
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

// fell says what ended a decision, in words before who did; "" where it stands.
func fell(d review.Decision) (tone ui.Tone, word string) {
	switch d.State {
	case review.Undone:
		return ui.Neutral, "Undone"
	case review.Overruled:
		return ui.Neutral, "Overruled by a second supervisor"
	case review.Recalled:
		return ui.Red, "Recalled after it was sent"
	}
	return "", ""
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

// why is the reason that a decision gives, without what ended it; "" without one.
func why(d review.Decision) string {
	s := pack.ReasonOf(d.ReasonCode).Label
	for _, more := range []string{d.Reason, d.Feedback} {
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
