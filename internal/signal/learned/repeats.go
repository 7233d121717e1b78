package learned

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"preceptor/internal/llm"
	"preceptor/internal/platform/text/compare"
)

// nearComplaint is the cosine from which a complaint may be about a wish with which it shares a word: "Where are the
// headings?" and "Always add headings to long reports" have 0.66.
const nearComplaint = 0.65

// told is a wish that is told of: "I asked you never to …".
var told = regexp.MustCompile(`(?i)^\W*(?:I|we)(?:['’]ve)?(?:\s+\pL+){1,2}\s+you\b(?:\s+to\b)?`)

// Repeat is a part of a message that asks again for one of what an agent was given.
type Repeat struct {
	Given int
	Span  [2]int
}

// Has reports whether a learning is of that part.
func (r Repeat) Has(l Learning) bool { return l.Span[0] < r.Span[1] && r.Span[0] < l.Span[1] }

// Repeats finds what a message asks for again of what an agent was given: a part of it says the same, or nearly, with
// the same denied; or it is said of something that failed, asks for nothing ("You left out the headings", "Where are
// the headings?") and is nearest to that in meaning. list is what Extract gave of the message.
func (e *Embedded) Repeats(ctx context.Context, m llm.Embedder, c compare.Func, message string, list []Learning,
	given []string) (out []Repeat, err error) {
	if len(given) == 0 || len(message) > mostReaction {
		return nil, nil
	}
	own, parts := Units(message)
	for _, u := range parts {
		part, r := u.In(own), Repeat{Span: [2]int{u.Start, u.End}}
		if at := told.FindStringIndex(part); at != nil && !states.MatchString(part[:at[1]]) {
			part = part[at[1]:]
		}
		wishes := slices.ContainsFunc(list, func(l Learning) bool { return l.Category != Pattern && r.Has(l) })
		said, near := "", []int(nil)
		tells := agent.MatchString(part) && !states.MatchString(part)
		asks := strings.HasSuffix(strings.TrimSpace(message[u.Start:min(u.End+1, len(message))]), "?")
		for i, g := range given {
			n, against := compare.Common(g, part)
			if n == 0 {
				continue
			}
			if said == "" {
				if said, err = e.Reaction(ctx, part); err != nil {
					return nil, err
				}
			}
			failed, how := said == Heard[2], c.Of(g, part)
			same := how == compare.Same || how == compare.Differs && (compare.Within(g, part) || Ends(g, part))
			switch {
			case !failed && !wishes || how == compare.Excepts:
			case how == compare.Contradicts && tells, same && !tells && (wishes || !asks):
				out = append(out, Repeat{i, r.Span})
			case failed && !same && (tells || asks && !against):
				near = append(near, i)
			}
		}
		if len(near) > 0 && m != nil && (len(out) == 0 || out[len(out)-1].Span != r.Span) {
			texts := []string{part}
			for _, i := range near {
				texts = append(texts, given[i])
			}
			v, err := m.Embed(ctx, texts)
			if err != nil {
				return nil, err
			}
			best, at := nearComplaint, -1
			for k, i := range near {
				if d := llm.Dot(v[0], v[k+1]); d >= best {
					best, at = d, i
				}
			}
			if at >= 0 {
				out = append(out, Repeat{at, r.Span})
			}
		}
	}
	return out, nil
}
