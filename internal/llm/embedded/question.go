package embedded

import "strings"

// canonical is how many of a concept's phrases, the plain ones that guidance itself uses, are added to the words of a question.
const canonical = 2

// plainShare is what a concept found in the plain words counts beside one found in the words themselves.
const plainShare = 0.9

// tellingConcept is how much of a concept a question has before its plain words are looked up too.
const tellingConcept = 0.6

// How alike the best answer to a question must be before there is one. The development half of the labelled questions in
// internal/knowledge/testdata showed them; they are cosines.
const (
	ownFloor       = 0.12 // the question speaks of what we know
	plainFloor     = 0.25 // it speaks of nothing that the thesaurus has
	elsewhereFloor = 0.6  // it speaks of other walks of life
	strangeWord    = 0.08 // what each word adds of which we know nothing, when there is little else
	little         = 0.25 // of concepts: less is none
	some           = 1.3  // of concepts: more is plenty
	clearly        = 1.5  // so many times what lies elsewhere must be ours
)

// question is a question as it was read.
type question struct {
	tokens []token   // as they were meant to be typed
	plain  []token   // the plain words that stand for everyday ones
	counts []float64 // of the concepts, in both
}

func (t *tables) question(text string) question {
	q := question{counts: make([]float64, len(t.names))}
	q.tokens, _ = t.typed.reword(t.tokens(text))
	for i := range q.tokens {
		q.tokens[i].reworded = false // that is what was typed
	}
	t.count(q.tokens, 1, q.counts)
	reworded, changed := t.said.reword(q.tokens)
	if !changed {
		return q
	}
	again := make([]float64, len(t.names))
	t.count(reworded, plainShare, again)
	for i, n := range again {
		q.counts[i] = max(q.counts[i], n)
	}
	for _, k := range reworded {
		if k.reworded {
			q.plain = append(q.plain, k)
		}
	}
	return q
}

// Ask reads a question once, for all that a search wants to know: its vector, the words to ask a full-text index for, and the cosine
// that the best answer reaches; when none does there is no answer.
func (e *Embedder) Ask(text string) (vector []float32, words string, floor float64) {
	text = strings.ReplaceAll(text, "\n", " ")
	q := e.t.question(text)
	return e.t.vector(nil, q.tokens, q.plain, q.counts), e.t.expand(q), e.t.floor(q)
}

// Expand gives the words to look a question up by: its own, mended, and the plain words for what it speaks of, so that a
// full-text index is asked for "die" when somebody kicks the bucket.
func (e *Embedder) Expand(text string) string { return e.t.expand(e.t.question(text)) }

func (t *tables) expand(q question) string {
	var b strings.Builder
	for _, k := range q.tokens {
		b.WriteString(k.fixed + " ")
	}
	for _, k := range q.plain {
		b.WriteString(k.fixed + " ")
	}
	for i, n := range q.counts {
		if t.weights[i]*n >= tellingConcept && !t.elsewhere(i) {
			b.WriteString(t.plain[i] + " ")
		}
	}
	return strings.TrimSpace(b.String())
}

// floor asks more of the answer to a question about trains than of one about a pension.
func (t *tables) floor(q question) float64 {
	own, off, strange := t.evidence(q)
	switch {
	case off > 0 && own < clearly*off:
		return elsewhereFloor
	case own < little:
		return plainFloor
	case own < some:
		return min(plainFloor, ownFloor+strangeWord*float64(strange))
	}
	return ownFloor
}

// evidence is how much of our concepts and of those that lie elsewhere is in a question, and how many words we know nothing of.
func (t *tables) evidence(q question) (own, off float64, strange int) {
	for i, n := range q.counts {
		if t.elsewhere(i) {
			off += n * t.weights[i]
		} else {
			own += n * t.weights[i]
		}
	}
	for _, k := range q.tokens {
		if !stopStems[k.stem] && len(k.stem) > 2 && !t.ours[k.stem] {
			strange++
		}
	}
	return own, off, strange
}

// elsewhere tells whether a concept is of another walk of life.
func (t *tables) elsewhere(concept int) bool { return strings.HasPrefix(t.names[concept], "off_") }

// learnOurs notes which stems our concepts are made of.
func (t *tables) learnOurs() {
	t.ours = map[string]bool{}
	for s := range t.terms {
		t.ours[s] = true
	}
	for s := range t.said {
		t.ours[s] = true
	}
	for _, list := range t.phrases {
		for _, p := range list {
			for _, s := range p.steps {
				if !t.elsewhere(p.concept) {
					t.ours[s.stem] = true
				}
			}
		}
	}
}
