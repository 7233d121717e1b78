package knowledge

import (
	"context"
	"fmt"
	"strings"

	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

// The cosine of a question and an example from which a condition "like these" holds. With our embedder two wordings of one question lie
// around .75 and two questions on one topic around .5, so that near is the same question and wide the same topic.
const (
	nearExample = 0.62
	wideExample = 0.45
)

// RuleOf is the text of a rule that was stated: its sentence and parts are rendered, nothing else is set.
func RuleOf(st rule.Statement, p *pack.Pack) RuleText {
	w := rule.Words(st, p)
	return RuleText{Title: title(w.Action), Principle: rule.Sentence(st, p), Situation: w.Situation, Action: w.Action, Because: w.Because,
		Lead: st.Do.Kind == rule.Include && st.Do.Place == rule.AtStart, Statement: st}
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

// Match holds a statement's conditions against a customer, as recall does. What compares questions needs a local embedder; without
// one such a condition is not decided.
func (b *Base) Match(ctx context.Context, st rule.Statement, s pack.Situation) rule.Result {
	return matchOf(st, b.subject(ctx, s))
}

func (b *Base) subject(ctx context.Context, s pack.Situation) rule.Subject {
	on := rule.Subject{Pack: pack.Of(s.Pack), Situation: s, Scopes: s.Scopes}
	if !b.local || s.Question == "" {
		return on
	}
	var asked []float32
	on.Like = func(example string) (likeness, near, wide float64) {
		if asked == nil {
			asked = b.vectorOf(ctx, s.Question)
		}
		return dot(asked, b.vectorOf(ctx, example)), nearExample, wideExample
	}
	return on
}

// vectorOf is the vector of a question; those of the rules' examples are in the cache. Nothing is like a question that can't be embedded.
func (b *Base) vectorOf(ctx context.Context, question string) []float32 {
	if c := b.rules.Load(); c != nil && c.like[question] != nil {
		return c.like[question]
	}
	v, err := b.embedder.Embed(ctx, []string{question})
	if err != nil || len(v) != 1 {
		return []float32{}
	}
	return v[0]
}

// embedExamples fills in the vectors of the examples, where the embedder is here.
func (b *Base) embedExamples(ctx context.Context, c *ruleCache) error {
	list := c.examples()
	if !b.local || len(list) == 0 {
		return nil
	}
	vectors, err := b.embedder.Embed(ctx, list)
	if err != nil {
		return fmt.Errorf("knowledge: embed example questions: %w", err)
	}
	c.like = map[string][]float32{}
	for i := range min(len(list), len(vectors)) {
		c.like[list[i]] = vectors[i]
	}
	return nil
}

func dot(a, b []float32) (sum float64) {
	for i := range min(len(a), len(b)) {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
