package conflict

import (
	"context"
	"strings"

	"preceptor/internal/llm"
	"preceptor/internal/pack"
	"preceptor/internal/platform/text"
	"preceptor/internal/platform/text/compare"
	"preceptor/internal/rule"
)

// Embedded compares rules as data: for whom they hold (rule.Overlaps), and whether a draft can do what both ask for
// (rule.Clash). It needs no network, answers the same every time, and says what it saw. Texts in words are compared by
// Texts alone; what that can't tell is left to a model and to people.
type Embedded struct {
	Texts    compare.Func // what two texts are to each other
	Meanings llm.Embedder // tells values that shut each other out; nil for none
}

const (
	// sameSubject, sameSort and sameNamed are the cosines from which two instructions ask for the same but for a value,
	// two values are of one sort, and two are with the word behind them ("metric units" and "imperial units"). Of 22
	// pairs as "in French" and "in English" 21 reach the first and one of the others, of 14 as "the source" and "the
	// date" of one thing 5.
	sameSubject = 0.7
	sameSort    = 0.62
	sameNamed   = 0.7
	// saysSame is the cosine from which a person is asked whether two wishes are one.
	saysSame = 0.8
)

// Valued finds two instructions that ask for the same with another value.
func (e *Embedded) Valued(ctx context.Context, left, right string) (why string, err error) {
	x, y, behind, ok := compare.Value(left, right)
	if !ok || e.Meanings == nil {
		return "", nil
	}
	v, err := e.Meanings.Embed(ctx, []string{left, right, x, y, x + " " + behind, y + " " + behind})
	if err != nil || llm.Dot(v[0], v[1]) < sameSubject || llm.Dot(v[2], v[3]) < sameSort &&
		(behind == "" || llm.Dot(v[4], v[5]) < sameNamed) {
		return "", err
	}
	return opposites(x, y), nil
}

func opposites(x, y string) string { return "One says “" + x + "” and the other “" + y + "”." }

// Name is stored with its answers.
func (e *Embedded) Name() string { return "embedded detector" }

// How sure a comparison of data is. What holds for the same customers is sure; where only some may meet both, a person
// should look.
const (
	sureSame = 0.95
	sureSome = 0.75
	unsure   = 0.5
)

// Compare looks whether both can hold for one customer, and then whether a draft could follow both.
func (e *Embedded) Compare(ctx context.Context, left, right Text) (Finding, error) {
	f := e.compare(left, right)
	if f.Kind != FoundNothing || left.act() == "" || right.act() == "" {
		return f, nil
	}
	why, err := e.Valued(ctx, left.act(), right.act())
	o := rule.Overlaps(left.Statement.When, right.Statement.When)
	if why == "" && err == nil && left.Noticed && right.Noticed && o.Equal() {
		var same bool
		if same, err = e.nearly(ctx, left.act(), right.act()); same {
			f.Kind, f.Why = FoundDuplicate, "Both are near in meaning, and apply to the same customers."
		}
	}
	if why != "" && !o.Apart {
		f.Kind, f.Why = FoundContradiction, why+
			" Both can hold if they are about different things, or mean the same."
	}
	return f, err
}

// nearly reports whether two wishes in other words may say the same. The same words but for a value say something else.
func (e *Embedded) nearly(ctx context.Context, left, right string) (bool, error) {
	if _, _, _, valued := compare.Value(left, right); valued || e.Meanings == nil || !compare.Near(left, right) {
		return false, nil
	}
	v, err := e.Meanings.Embed(ctx, []string{left, right})
	return err == nil && llm.Dot(v[0], v[1]) >= saysSame, err
}

// act is what a rule asks for where that is an instruction in words.
func (t Text) act() string {
	switch {
	case t.Statement.Empty():
		return t.Principle
	case t.Statement.Do.Kind == rule.Other:
		return t.Statement.Do.Text
	}
	return ""
}

func (e *Embedded) compare(left, right Text) Finding {
	l, r := left.Statement, right.Statement
	nothing := Finding{Kind: FoundNothing, Confidence: unsure, By: e.Name()}
	if l.Empty() || r.Empty() {
		switch e.Texts.Of(left.Principle, right.Principle) {
		case compare.Same:
			return Finding{Kind: FoundDuplicate, Confidence: sureSame, By: e.Name(), Why: "Both use the same words."}
		case compare.Contradicts, compare.Excepts:
			return Finding{Kind: FoundContradiction, Confidence: sureSome, By: e.Name(),
				Why: opposites(left.Principle, right.Principle)}
		}
		return nothing
	}
	o := rule.Overlaps(l.When, r.When)
	if o.Apart {
		nothing.Why = "No customer meets the conditions of both."
		return nothing
	}
	if why := rule.Clash(l.Do, r.Do, e.Texts); why != "" {
		sure := sureSome
		if o.LeftNarrower || o.RightNarrower {
			sure = sureSame
		}
		return Finding{Kind: FoundContradiction, Confidence: sure, By: e.Name(), Why: whom(o) + " " + why}
	}
	inRight, inLeft := rule.Within(l.Do, r.Do), rule.Within(r.Do, l.Do)
	switch {
	case inRight && inLeft && o.Equal():
		return Finding{Kind: FoundDuplicate, Confidence: sureSame, By: e.Name(),
			Why: "Both apply to the same customers and ask for the same."}
	case inRight && o.LeftNarrower:
		return Finding{Kind: FoundNarrower, Narrower: Left, Confidence: sureSame, By: e.Name(),
			Why: "The rule on the right asks for everything the one on the left does, for the same customers and more."}
	case inLeft && o.RightNarrower:
		return Finding{Kind: FoundNarrower, Narrower: Right, Confidence: sureSame, By: e.Name(),
			Why: "The rule on the left asks for everything the one on the right does, for the same customers and more."}
	}
	return nothing
}

func whom(o rule.Overlap) string {
	switch {
	case o.Equal():
		return "Both apply to the same customers."
	case o.LeftNarrower:
		return "The rule on the right applies wherever the one on the left does."
	case o.RightNarrower:
		return "The rule on the left applies wherever the one on the right does."
	}
	return "Some customers may meet the conditions of both."
}

// near reports whether two rules are worth asking a model about: the share of words that they have in common, where one
// customer can meet both.
func (e *Embedded) near(left, right Text) float64 {
	if !left.Statement.Empty() && !right.Statement.Empty() &&
		rule.Overlaps(left.Statement.When, right.Statement.When).Apart {
		return 0
	}
	return text.Jaccard(stems(left), stems(right))
}

// stems are the words of a rule's act of four letters and more, in any inflection.
func stems(t Text) map[string]bool {
	act := t.Principle
	if !t.Statement.Empty() {
		act = strings.Join(append(t.Statement.Do.Texts(), t.Statement.Do.Phrases...), " ")
	}
	out := map[string]bool{}
	for _, w := range text.Words(act) {
		if len(w) > 3 {
			out[pack.Inflect(w)] = true
		}
	}
	return out
}
