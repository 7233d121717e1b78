package knowledge

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"preceptor/internal/llm"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
	"preceptor/internal/privacy"
	"preceptor/internal/rule"
)

// RuleOf is the text of a rule that was stated: its sentence and parts are rendered, nothing else is set.
func RuleOf(st rule.Statement, p *pack.Pack) RuleText {
	w := rule.Words(st, p)
	return RuleText{Title: title(w.Action), Principle: rule.Sentence(st, p), Situation: w.Situation, Action: w.Action,
		Because: w.Because,
		Lead:    st.Do.Kind == rule.Include && st.Do.Place == rule.AtStart, Statement: st}
}

// title is the first words of an act.
func title(action string) string {
	const most = 9
	ws := strings.Fields(action)
	if len(ws) > most {
		return pack.Upper(strings.Join(ws[:most], " ")) + " …"
	}
	return pack.Upper(strings.Join(ws, " "))
}

// Match holds a statement's conditions against a customer, as recall does. What compares questions needs a local
// embedder; without one such a condition is not decided.
func (b *Base) Match(ctx context.Context, st rule.Statement, s pack.Situation) rule.Result {
	return matchOf(st, b.subject(s))
}

// Bars are the conditions of a statement that keep a customer's question out whatever it is like.
func (b *Base) Bars(st rule.Statement, s pack.Situation) []rule.Condition {
	return rule.Bars(st, b.subject(s))
}

// Alike is how alike a customer's question is to a statement's examples, or to asked where it has none; 0 where nobody
// can tell.
func (b *Base) Alike(st rule.Statement, asked string, s pack.Situation) (likeness float64) {
	on := b.subject(s)
	if on.Like == nil {
		return 0
	}
	examples := []string{asked}
	if i := slices.IndexFunc(st.When, func(c rule.Condition) bool {
		return c.Kind == rule.Like && !c.Not && !c.Also
	}); i >= 0 {
		examples = st.When[i].Values
	}
	likeness, _, _ = on.Like(examples)
	return likeness
}

func (b *Base) subject(s pack.Situation) rule.Subject {
	on := rule.Subject{Pack: pack.Of(s.Pack), Situation: s, Scopes: s.Scopes}
	e, ok := b.embedder.(Reader)
	if !b.local || !ok || s.Question == "" {
		return on
	}
	near, wide := e.Alike()
	var asked []float32
	on.Like = func(examples []string) (best, _, _ float64) {
		if asked == nil {
			asked = asExample(e, s.Question)
		}
		best = -1
		all := make([]float32, len(asked))
		for _, example := range examples {
			v := b.exampleVector(e, example)
			best = max(best, llm.Dot(asked, v))
			for i := range min(len(all), len(v)) {
				all[i] += v[i]
			}
		}
		if n := math.Sqrt(llm.Dot(all, all)); n > 0 {
			best = max(best, llm.Dot(asked, all)/n)
		}
		return best, near, wide
	}
	return on
}

// exampleVector is the vector of an example question; those of rules in use are kept, what somebody types in a form is
// not.
func (b *Base) exampleVector(e Reader, example string) []float32 {
	c := b.rules.Load()
	key := e.Name() + "\n" + example
	if c != nil {
		if v, ok := c.like.Load(key); ok {
			return v.([]float32)
		}
	}
	v := asExample(e, example)
	if c != nil && c.asked[example] {
		c.like.Store(key, v)
	}
	return v
}

// asExample is the vector of a question among questions. Who is local fails only when the context ends, and this one
// doesn't.
func asExample(e Reader, text string) []float32 { return asWritten(e, anyones(text)) }

// asWritten is the vector of a text as it stands.
func asWritten(e Reader, text string) []float32 {
	v, err := e.Embed(context.Background(), []string{text})
	if err != nil || len(v) != 1 {
		return nil
	}
	return v[0]
}

// anyones is a question as any customer may ask it: whose matter it is decides no likeness. It goes without what is
// personal, numbers with what is written against them ("44121", "£1,204.50", "SF-20931"), and a sentence of which a
// label is left ("Order 44121").
func anyones(text string) string {
	safe, _ := privacy.New().Pseudonymise(text)
	var out []string
	for _, sp := range phrase.Sentences(safe) {
		words := strings.Fields(sp.In(safe))
		rest := slices.DeleteFunc(slices.Clone(words), ofOneMatter)
		if len(rest) == len(words) || len(rest) > longestLabel {
			out = append(out, rest...)
		}
	}
	if len(out) == 0 {
		return text
	}
	return strings.Join(out, " ")
}

const longestLabel = 2 // words: "Order", "Customer number"

// ofOneMatter reports whether a word begins with a number or has a long one, or stands for what was taken out.
func ofOneMatter(word string) bool {
	digits, letters, led := 0, 0, false
	for _, r := range word {
		switch {
		case unicode.IsDigit(r):
			led, digits = led || letters == 0, digits+1
		case unicode.IsLetter(r):
			letters++
		}
	}
	return led || digits > 3 || digits > 0 && strings.Contains(word, "[") || // a pseudonym
		letters == 0 && strings.Contains(word, "…")
}
