package compliance

import (
	"slices"
	"strings"
	"sync"

	"preceptor/internal/phrase"
	"preceptor/internal/platform/text"
)

// example is a sentence or more of what a built-in check finds.
type example struct {
	of        CheckInfo
	text      string
	sentences int
	words     map[string]bool
}

// examples are those of checks that no rule carries out.
var examples = sync.OnceValue(func() (out []example) {
	for _, c := range registry {
		for _, t := range c.Finds {
			if c.Read && ofWords(c.Code) {
				out = append(out, example{c, t, len(phrase.Sentences(t)), text.Set(text.Words(t))})
			}
		}
	}
	return out
})

// restated are the issues of sentences that say what an example of a built-in check of the text's pack says, in nearly
// its words: what a check gives as not to be said is told, however a judge reads it. What experts ruled goes first.
func (h heed) restated(found []Issue) (out []Issue) {
	read := h.s.Reading()
	for _, e := range examples() {
		if e.of.Pack != h.pack || slices.Contains(h.book.Off, e.of.Code) {
			continue
		}
		for at := 0; at+e.sentences <= len(read.Sentences); at++ {
			from, to := read.Sentences[at].Start, read.Sentences[at+e.sentences-1].End
			said := strings.TrimSpace(read.Text[from:to])
			if text.Jaccard(text.Set(text.Words(said)), e.words) < sharedWords || !paraphrases(h.ctx, e.text, said) {
				continue
			}
			i := h.s.Issue(e.of.Code, Major, e.of.Suspicion+" It says what an example of this check says.", from, to)
			i.Reference = "" // the check's says only who reads for it
			if r, ruled := h.ruling(i, true); ruled && !r.Right ||
				slices.ContainsFunc(slices.Concat(found, out), func(f Issue) bool { return same(f, i) }) {
				continue
			}
			out = append(out, i)
		}
	}
	return out
}
