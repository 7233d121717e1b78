package observe

import (
	"context"
	"slices"
	"strings"

	"preceptor/internal/llm"
	"preceptor/internal/platform/text/compare"
	"preceptor/internal/signal/learned"
)

// Hearing reads what users say to what was done. Without an embedder only an action that has no name tells that a wish
// is about something else.
type Hearing struct {
	Reader   *learned.Embedded
	Embedder llm.Embedder
}

// Told is what the encoder makes of a reaction to an action that no key word tells; "" where one does. A wish that has
// nothing to do with what was done blames nothing.
func (h Hearing) Told(ctx context.Context, action, reaction string) (string, error) {
	if action == "" || reaction == "" {
		return "", nil
	}
	one := []Observation{{Action: action, Said: reaction}}
	err := h.All(ctx, one)
	return one[0].Told, err
}

// Wished is an observation with what its user's words ask for.
func (h Hearing) Wished(ctx context.Context, o Observation) (Observation, error) {
	list, err := h.Reader.Extract(ctx, o.Said, learned.Limits{LeastMessage: 1})
	for _, l := range list {
		if l.Lasting() && l.Category != learned.Pattern && o.Wish == "" {
			o.Wish = l.Content
		}
		o.Once = o.Once || l.Once
	}
	if o.Once = o.Once && o.Wish == ""; o.Wish == "" || err != nil {
		return o, err
	}
	did := mask(o.Action)
	if o.Aside = !strings.Contains(did, " "); o.Aside || h.Embedder == nil {
		return o, nil
	}
	v, err := h.Embedder.Embed(ctx, []string{did, o.Wish})
	o.Aside = err == nil && llm.Dot(v[0], v[1]) < about
	return o, err
}

// All hears what was said in a session. What a user said again to the same behaviour is about it, however far it seems.
func (h Hearing) All(ctx context.Context, list []Observation) (err error) {
	again := map[string]int{}
	key := func(o Observation) string { return masked(o) + "\n" + asked(o) }
	for i := range list {
		o := &list[i]
		if Unsure(o.Said) {
			if o.Told, err = h.Reader.Reaction(ctx, o.Said); err != nil {
				return err
			}
		}
		if o.Kind == Failure || o.Told == Failure {
			if *o, err = h.Wished(ctx, *o); err != nil {
				return err
			}
		}
		if o.Aside && strings.Contains(masked(*o), " ") {
			again[key(*o)]++
		}
	}
	for i := range list {
		o := &list[i]
		if again[key(*o)] >= leastCorrected {
			o.Aside = false
		}
		if o.Aside && o.Told == Failure {
			o.Told = Neutral
		}
		if o.Kind == Neutral && o.Told != "" {
			o.Kind = o.Told
		}
	}
	return nil
}

// Wished reports whether all orders of a proposal are among wishes.
func (p Proposal) Wished(c compare.Func, wishes []string) bool {
	return len(p.Orders) > 0 && !slices.ContainsFunc(p.Orders, func(order string) bool {
		return !slices.ContainsFunc(wishes, func(w string) bool { return w != "" && learned.Same(c, w, order) })
	})
}
