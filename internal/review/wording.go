package review

import (
	"context"
	"slices"
	"strings"

	"preceptor/internal/pack"
)

// maxWorded is the longest text, in bytes, for which approved wordings are tried: each is a check of the whole.
const maxWorded = 20_000

// Wordings are the approved texts, by code, with which a text would lose one of its flags and get none that blocks it.
// What the check would still miss is not offered.
func (q *Queue) Wordings(ctx context.Context, id, text string, flags []Flag) (map[string]string, error) {
	if len(text) > maxWorded || len(flags) == 0 {
		return nil, nil
	}
	it, r, _, _, err := q.read(ctx, id, nil)
	if err != nil {
		return nil, err
	}
	p, out := pack.Of(it.Consultation.Pack), map[string]string{}
	for _, f := range flags {
		for _, words := range p.WordingsOf(f.Code) {
			worse := func(after Flag) bool {
				return after.Code == f.Code || after.Stops &&
					!slices.ContainsFunc(flags, func(before Flag) bool { return before.Code == after.Code })
			}
			if out[f.Code] == "" && !slices.ContainsFunc(q.assess(PutIn(text, words, p.Frames.Sources), it, r).Flags,
				worse) {
				out[f.Code] = words
			}
		}
	}
	return out, nil
}

// PutIn adds words to a text as a paragraph of their own: at its end, or before the list of its sources, which begins
// with a line.
func PutIn(text, words, sources string) string {
	text = lines(text)
	if at := pack.ListOfSources(text, sources); at < len(text) {
		return strings.TrimRight(text[:at], "\n") + "\n\n" + words + "\n" + text[at:]
	}
	return strings.TrimLeft(strings.TrimRight(text, "\n")+"\n\n"+words, "\n")
}
