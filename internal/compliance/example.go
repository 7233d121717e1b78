package compliance

import (
	"slices"
	"strings"

	"preceptor/internal/phrase"
	"preceptor/internal/platform/text"
)

// restated are the issues of sentences that say what an example of a built-in check of the text's pack says, in nearly
// its words: what a check gives as not to be said is told, however a judge reads it. What experts ruled goes first.
func (h heed) restated(found []Issue) (out []Issue) {
	read := h.s.Reading()
	for _, info := range registry {
		if !info.Read || info.Pack != h.pack || !ofWords(info.Code) || slices.Contains(h.book.Off, info.Code) {
			continue
		}
		for _, example := range info.Finds {
			parts, words := len(phrase.Sentences(example)), text.Set(text.Words(example))
			for at := 0; at+parts <= len(read.Sentences); at++ {
				from, to := read.Sentences[at].Start, read.Sentences[at+parts-1].End
				said := strings.TrimSpace(read.Text[from:to])
				if text.Jaccard(text.Set(text.Words(said)), words) < sharedWords ||
					!paraphrases(h.ctx, example, said) {
					continue
				}
				why := info.Suspicion + " It says what an example of this check says."
				i := h.s.Issue(info.Code, Major, why, from, to)
				i.Reference = "" // the check's says only who reads for it
				if r, ruled := h.ruling(i, true); ruled && !r.Right ||
					slices.ContainsFunc(slices.Concat(found, out), func(f Issue) bool { return same(f, i) }) {
					continue
				}
				out = append(out, i)
			}
		}
	}
	return out
}
