package learning

import (
	"context"
	"crypto/sha256"

	"preceptor/internal/pack"
)

// draftAnswer is what a model says of one draft of a pair.
type draftAnswer struct {
	Meets *bool `json:"meets"`
	Harms *bool `json:"harms"`
}

var (
	draftSchema = object(field{"meets", kind("boolean")}, field{"harms", kind("boolean")})
	pairSchema  = object(field{"reasoning", kind("string")}, field{"draft_a", draftSchema}, field{"draft_b", draftSchema})
)

// pairOf are the two drafts of a trial: what the advisor writes without the rule, or wrote where a person corrected it, and what it
// writes with the rule.
func pairOf(t Trial) (without, with string, ok bool) {
	if t.Kind != TestExemplar || t.Arms == nil {
		return "", "", false
	}
	return firstText(t.Negative, t.Arms.Without), t.Arms.With, true
}

// pair asks about both arms at once and blind: the model is not told which draft had the rule, and their order is drawn, by the case
// and the principle, so that the same trial is asked the same way again.
func (p *Prompted) pair(ctx context.Context, t Trial) (Finding, error) {
	without, with, _ := pairOf(t)
	if without == with {
		return Finding{Silent, true, "The advisor's draft is the same with the rule and without."}, nil
	}
	withFirst := orderOf(t)
	first, second := without, with
	if withFirst {
		first, second = with, without
	}
	point := t.Principle
	if pr, err := pack.ParsePrinciple(t.Principle); err == nil {
		point = pr.Action
	}
	var a struct {
		Reasoning string      `json:"reasoning"`
		A         draftAnswer `json:"draft_a"`
		B         draftAnswer `json:"draft_b"`
	}
	data := map[string]any{"customer": t.Summary, "point": point, "approved_guidance": t.Approved, "draft_a": first, "draft_b": second}
	if err := p.ask(ctx, "pair", pairSchema, nil, data, &a); err != nil {
		return Finding{}, err
	}
	if a.A.Meets == nil || a.A.Harms == nil || a.B.Meets == nil || a.B.Harms == nil {
		return Finding{}, nonsense("a pair of drafts lacks an answer")
	}
	w, wo := a.B, a.A
	if withFirst {
		w, wo = a.A, a.B
	}
	f := Finding{Fired: true, Why: noTokens(a.Reasoning), Verdict: pairVerdict(*w.Meets && !*w.Harms, *wo.Meets && !*wo.Harms)}
	if *w.Harms && !*wo.Harms {
		f.Verdict = Hurt
	}
	return f, nil
}

// orderOf tells whether the draft with the rule comes first.
func orderOf(t Trial) bool {
	sum := sha256.Sum256([]byte(t.Principle + "\x00" + t.Summary + "\x00" + t.Approved))
	return sum[0]&1 == 0
}
