package learning

import (
	"context"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/fault"
	"preceptor/internal/pack"
)

// Embedded is the reasoner that needs no model. It is deterministic: what a reviewer said weighs most, then what they did
// to the text, read as the domain's moves. It can't understand; what it has no name for it takes in the reviewer's own
// words or leaves alone, and says so.
type Embedded struct {
	check *compliance.Checker
}

// NewEmbedded makes the reasoner; check is used to see that a rule leads to no text that the checks would refuse.
func NewEmbedded(check *compliance.Checker) *Embedded { return &Embedded{check: check} }

// Name is "embedded reasoner".
func (*Embedded) Name() string { return "embedded reasoner" }

// Reflect picks the one lesson of a revision or rejection that matters most.
func (*Embedded) Reflect(_ context.Context, s Source) (Reflection, error) {
	if s.Kind == Approve || s.Kind == "" {
		return Reflection{}, fault.New(fault.Invalid, "There is nothing to reflect on in a decision of kind %q.", s.Kind)
	}
	if n, ok := s.note(StageReflect); ok {
		return reflectNoted(s, n)
	}
	e := evidenceOf(s)
	if s.Kind == Revise && e.slight() && len(instructions(s.Feedback, true)) == 0 {
		return e.nothing(), nil
	}
	best, ok := e.best()
	if !ok {
		return e.nothing(), nil
	}
	r := e.reflection(best)
	r.Figures = e.figuresChanged()
	if c := causeOf(s.Kind); c == CauseRuling || c == CauseVerdict {
		r.Domain = RegulatoryCompliance // where the line runs is what experts and judges speak of
	}
	return r, nil
}

// Refine gives a principle its reason and the wording of the book of moves, where it has one.
func (*Embedded) Refine(_ context.Context, r Reflection) (string, error) {
	if r.Note != nil {
		return refineNoted(*r.Note)
	}
	pr, err := pack.ParsePrinciple(r.Principle)
	if err != nil {
		return "", err
	}
	situation, action, reason := pr.Situation, pr.Action, pr.Because
	if m, ok := bookMove(action); ok {
		action = m.full
		if reason == "" {
			reason = m.because
		}
	}
	if situation == "" {
		situation = anyDraft
	}
	if reason == "" {
		reason = moveReason(pr)
	}
	if reason == "" {
		reason = plainReason(action)
	}
	return "When " + lowerFirst(situation) + ", " + lowerFirst(action) + " because " + lowerFirst(reason), nil
}

// bookMove is the entry of the book that an action was taken from.
func bookMove(action string) (move, bool) {
	for _, name := range order {
		if m := movebook[name]; strings.EqualFold(action, m.short) || strings.EqualFold(action, m.full) {
			return m, true
		}
	}
	return move{}, false
}

// moveReason is the book's reason for what the action does, where the reviewer put the action in words of their own.
func moveReason(pr pack.Principle) string {
	for _, name := range pr.Moves() {
		if m, ok := movebook[name]; ok {
			return m.because
		}
	}
	return ""
}

// plainReason is said where nobody gave a reason and the book has none.
func plainReason(action string) string {
	switch {
	case negative(action) && !tellsRE.MatchString(action) || strings.Contains(action, " rather than "):
		return "the earlier wording could be misunderstood"
	case strings.HasPrefix(action, "ask"):
		return "the answer decides what guidance is of use"
	}
	return "people need to know it before they decide"
}

// Validate looks whether guidance that people approved speaks for the rule or against it.
func (e *Embedded) Validate(_ context.Context, t Trial) (Finding, error) {
	pr, err := pack.ParsePrinciple(t.Principle)
	if err != nil {
		return Finding{}, err
	}
	fires, why := pr.Applies(t.Situation)
	because := ""
	if len(why) > 0 {
		because = " (the customer " + joinAnd(why) + ")"
	}
	switch {
	case t.Kind == TestMustNotFire && fires:
		return Finding{Hurt, true, "It fires" + because + ", though it is not meant for this customer."}, nil
	case t.Kind == TestMustNotFire:
		return Finding{Helped, false, "It stays quiet, as it must."}, nil
	case !fires:
		return Finding{Hurt, false, "Its situation does not fit this customer, whom it is meant for."}, nil
	case t.Kind == TestOrigin:
		return origin(pr, t), nil
	}
	return e.exemplar(pr, t), nil
}

func origin(pr pack.Principle, t Trial) Finding {
	switch {
	case t.Approved == "":
		return Finding{Helped, true, "It fires on the rejected draft's customer."}
	case pr.Present(t.Approved) && !pr.Present(t.Negative):
		return Finding{Helped, true, "The corrected text does what it asks, and the draft did not."}
	case pr.Present(t.Approved):
		return Finding{Helped, true, "It fires, and the corrected text does what it asks."}
	}
	return Finding{Helped, true, "It fires and asks for what the reviewer said."}
}

// opposite tells whether a text says what a rule wants left out.
func opposite(pr pack.Principle, text string) bool {
	if !negative(pr.Action) {
		return false
	}
	want := pack.ContentStems(pr.Action)
	for _, verb := range []string{"avoid", "say", "mention", "never"} {
		delete(want, verb)
	}
	for _, s := range sentences(text) {
		if have := pack.ContentStems(s); covered(want, have) >= 0.8 {
			return true
		}
	}
	return false
}

// Judge answers the four questions from the rule's words.
func (e *Embedded) Judge(_ context.Context, c Candidate) (Judgement, error) {
	pr, err := pack.ParsePrinciple(c.Rule)
	if err != nil {
		return Judgement{}, err
	}
	j := Judgement{Accept: true, Heads: []Head{e.boundary(pr, c.Regulation), actionable(pr), general(pr), addsValue(pr, c.Known)}}
	for _, h := range j.Heads {
		if !h.Pass {
			j.Accept = false
			j.Why = strings.TrimSpace(j.Why + " " + h.Why)
		}
	}
	for _, k := range c.Known {
		if sameRule(k.Text, c.Rule) {
			j.SameAs = k.ID
			break
		}
	}
	if j.Accept {
		j.Why = "It keeps to guidance, can be followed, holds beyond the one case and adds something."
	}
	return j, nil
}
