package sentence

import "strings"

// The cosine that the best answer to a question reaches; below it nothing answers. A question lies nearer to another question than to
// a page that answers it, so there are two floors, and neither serves a base of both kinds well.
const (
	// ExamplesFloor is for questions compared with questions. It was set on the examples of testdata/intents.txt and half of
	// testdata/unrelated.txt; TestFloor measures it on the rest.
	ExamplesFloor = 0.48
	// SectionsFloor is for questions compared with pages and sections: about two in five of the unrelated questions of internal/knowledge's
	// recall test fall below it, and one in ten of those that have an answer.
	SectionsFloor = 0.25
)

// Alike are the cosines from which two questions are one, and on one topic. Of the pairs of testdata/intents.txt with one intent three in ten
// reach the first and half the second; of those of one walk of life one in a hundred and one in eleven; of others none and one in 130.
func (*Embedder) Alike() (near, wide float64) { return 0.58, 0.40 }

// Ask reads a question once for all that a search wants to know: its vector, the words to ask a full-text index for, which are its
// own, and the floor.
func (e *Embedder) Ask(text string) (vector []float32, words string, floor float64) {
	text = strings.Join(strings.Fields(text), " ")
	return loaded().vector(text), text, e.floor
}
