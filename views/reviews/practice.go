package reviews

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/pack"
	"preceptor/internal/practice/drill"
	"preceptor/internal/review"
	"preceptor/views/ui"
)

// PracticeHome is where one begins to practise, and finds one's results.
const PracticeHome = "/reviews/practice"

// Practice is the round that a made-up case belongs to, and what was answered to the case.
type Practice struct {
	Round  *drill.Round
	Answer *drill.Answer
}

// PracticeView are a person's rounds, and the packs in which they may practise.
type PracticeView struct {
	Rounds []drill.Round
	Packs  []string
	Now    time.Time
}

// PracticeResult is a round that is done.
type PracticeResult struct {
	Round *drill.Round
	Now   time.Time
}

// PracticeCase is a made-up case as the desk shows any other. What was wrong with it is told when the round is done.
func PracticeCase(r *drill.Round, a *drill.Answer, by review.Person, mode string, now time.Time) Case {
	c := &a.Case
	v := Case{Mode: mode, Viewer: by.ID, Now: now, Practice: &Practice{r, a}, Total: len(r.Answers)}
	v.Item = &review.Item{Row: review.Row{ID: strconv.Itoa(a.N), State: "waiting"}, Text: c.Draft}
	v.In = c.Interaction()
	v.Assessment, v.Form.Text = review.Assessment{Passed: true}, c.Draft // the checks say nothing
	for i, other := range r.Answers {
		if other.N != a.N {
			continue
		}
		v.Pos = i + 1
		if i > 0 {
			v.Prev = strconv.Itoa(r.Answers[i-1].N)
		}
		if i+1 < len(r.Answers) {
			v.Next = strconv.Itoa(r.Answers[i+1].N)
		}
	}
	if a.Kind != "" {
		v.Item.State = "decided"
		v.Item.Decision = &review.Decision{Kind: a.Kind, By: by, Text: a.Text, Reason: a.Reason,
			ReasonCode: a.ReasonCode, DecidedAt: a.At}
	}
	if r.Done() {
		v.Flags = faultFlags(c)
		v.Assessment = review.Assessment{Passed: true, Label: string(compliance.Compliant), Flags: v.Flags}
	}
	return v
}

// faultFlags are the known faults of a case, at their words.
func faultFlags(c *drill.Case) (flags []review.Flag) {
	for _, f := range c.Faults {
		info, _ := compliance.InfoOf(f.Code)
		start, end := f.Place(c.Draft)
		flags = append(flags, review.Flag{Code: f.Code, Severity: cmp.Or(info.Severity, review.Major), Why: f.Why,
			Reference: f.Source, Quote: f.Words, Start: start, End: end})
	}
	return flags
}

func (p *Practice) href(id string) string { return PracticeHome + "/" + p.Round.ID + "/" + id }

// nextHref leads to the next case without an answer, or to the result.
func (p *Practice) nextHref() string {
	if n := p.Round.Next(p.Answer.N); n > 0 {
		return p.href(strconv.Itoa(n))
	}
	return roundHref(p.Round)
}

func roundHref(r *drill.Round) string { return PracticeHome + "/" + r.ID }

// skipHref is what Skip leads to: a made-up case just comes again at the end.
func (v Case) skipHref() string {
	if v.Practice != nil {
		return v.Practice.nextHref()
	}
	return v.mode(ModeSkip)
}

// beginLabel says whether a round of a pack begins or goes on.
func beginLabel(v PracticeView, packName string) string {
	label := pack.Title(packName) + " · " + ui.Count(len(drill.Cases(packName)), "case", "cases")
	if slices.ContainsFunc(v.Rounds, func(r drill.Round) bool { return r.Pack == packName && !r.Done() }) {
		return "Continue " + label
	}
	return "Start " + label
}

// outcomes are in the order in which they are shown.
var outcomes = []string{drill.Missed, drill.OverCorrected, drill.OtherReason, drill.Caught, drill.Passed}

// outcomeWords are the tone, sign, name and meaning of an outcome.
var outcomeWords = map[string]struct {
	tone                 ui.Tone
	icon, label, meaning string
}{
	drill.Missed:        {ui.Red, "cross", "Missed", "You approved a fault, or it is still in your revision."},
	drill.OverCorrected: {ui.Amber, "pencil", "Over-corrected", "Nothing was wrong, and you changed or stopped it."},
	drill.OtherReason: {ui.Amber, "flag", "Stopped for another reason",
		"It would not have been sent, but the reason you chose isn't what was wrong."},
	drill.Caught: {ui.Green, "check", "Caught", "You stopped the fault or corrected it."},
	drill.Passed: {ui.Green, "check", "Correctly passed", "Nothing was wrong, and you approved it."},
}

// of are the answers with an outcome, in the order of the round.
func (v PracticeResult) of(outcome string) []drill.Answer {
	return slices.DeleteFunc(slices.Clone(v.Round.Answers), func(a drill.Answer) bool { return a.Outcome != outcome })
}

// faulty counts the cases with a fault.
func faulty(r *drill.Round) (n int) {
	for _, a := range r.Answers {
		if len(a.Case.Faults) > 0 {
			n++
		}
	}
	return n
}

// summary is a result in one line.
func summary(r *drill.Round) string {
	bad := faulty(r)
	return "Caught " + strconv.Itoa(r.Count(drill.Caught)) + " of " + strconv.Itoa(bad) + " with a fault, missed " +
		strconv.Itoa(r.Count(drill.Missed)) + "; over-corrected " +
		strconv.Itoa(r.Count(drill.OverCorrected)) + " of " + strconv.Itoa(len(r.Answers)-bad) + " without"
}

// did is what somebody answered, as "You rejected it: Wrong facts or figures".
func did(a *drill.Answer) string {
	d := review.Decision{Kind: a.Kind}
	said := "You " + didIt(d)
	if a.ReasonCode != "" {
		said += ": " + pack.ReasonOf(a.ReasonCode).Label
	}
	return said
}

// still reports whether a fault was left in a revision.
func still(a *drill.Answer, i int) bool { return a.Kind == review.Revise && slices.Contains(a.Left, i) }
