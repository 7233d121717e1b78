package knowledge

import (
	"context"
	"strings"

	"preceptor/internal/llm"
	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

// Likeness to an example question from which a condition "like these" holds, near and wide, for embedders that name no floor of
// their own.
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
	return rule.Match(st, b.subject(ctx, s))
}

func (b *Base) subject(ctx context.Context, s pack.Situation) rule.Subject {
	on := rule.Subject{Pack: pack.Of(s.Pack), Situation: s, Scopes: s.Scopes}
	if !llm.IsLocal(b.embedder) || s.Question == "" {
		return on
	}
	var asked []float32
	on.Like = func(example string) (likeness, near, wide float64) {
		if asked == nil {
			v, err := b.embedder.Embed(ctx, []string{s.Question})
			if err != nil {
				return -1, nearExample, wideExample
			}
			asked = v[0]
		}
		v, err := b.embedder.Embed(ctx, []string{example})
		if err != nil {
			return -1, nearExample, wideExample
		}
		return dot(asked, v[0]), nearExample, wideExample
	}
	return on
}

func dot(a, b []float32) (sum float64) {
	for i := range min(len(a), len(b)) {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
