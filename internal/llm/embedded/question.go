package embedded

import "strings"

// canonical is how many of a concept's phrases, the plain ones that guidance itself uses, are added to the words of a question.
const canonical = 2

// plainShare is what a concept found in the plain words counts beside one found in the words themselves.
const plainShare = 0.9

// tellingConcept is how much of a concept a question has before its plain words are looked up too.
const tellingConcept = 0.6

// How alike the best answer to a question must be before there is one: a straight line through what the question speaks of, between
// two bounds. A logistic regression on the 750 labelled questions of internal/knowledge/testdata (without y8; 83 have no answer) gave the
// line, at odds of 2 to 3; left out by author, it kept silent on 77 of 83 and wrongly on 5 of 667.
const (
	leastFloor = 0.12 // below it likeness means nothing
	mostFloor  = 0.9
	baseFloor  = -1.03
	ownFloor   = -0.60 // for each concept of ours, up to evidenceCap
	offFloor   = 1.01  // for each concept of another walk of life, up to evidenceCap
	anyOff     = 1.09  // once, when there is one
	strangest  = 1.10  // times the share of words of which we know nothing

	evidenceCap = 4.0
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

// Alike are the cosines from which two questions are one, and on one topic: two wordings of one lie around .75, two on one topic around .5.
func (*Embedder) Alike() (near, wide float64) { return 0.62, 0.45 }

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
	floor := baseFloor + ownFloor*min(own, evidenceCap) + offFloor*min(off, evidenceCap) + strangest*strange
	if off > 0 {
		floor += anyOff
	}
	return min(mostFloor, max(leastFloor, floor))
}

// Evidence is what speaks for and against there being an answer to a question: how much of our concepts and of those that lie elsewhere is
// in it, up to evidenceCap, and the share of its words that we know nothing of.
func (e *Embedder) Evidence(text string) []float32 {
	own, off, strange := e.t.evidence(e.t.question(strings.ReplaceAll(text, "\n", " ")))
	return []float32{float32(min(own, evidenceCap)), float32(min(off, evidenceCap)), float32(strange)}
}

// evidence is how much of our concepts and of those that lie elsewhere is in a question, and the share of its words that we know nothing of.
func (t *tables) evidence(q question) (own, off, strange float64) {
	for i, n := range q.counts {
		if t.elsewhere(i) {
			off += n * t.weights[i]
		} else {
			own += n * t.weights[i]
		}
	}
	telling := 0.0
	for _, k := range q.tokens {
		if stopStems[k.stem] || len(k.stem) <= 2 {
			continue
		}
		telling++
		if !t.ours[k.stem] {
			strange++
		}
	}
	return own, off, strange / max(1, telling)
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
