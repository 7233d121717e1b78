package embedded

import (
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/lexicon"
	"preceptor/internal/pack"
)

// Evidence is what a text shows, before anything is weighed.
type Evidence struct {
	Vectors [][]Feature // by sentence, in order
	rest    []float64   // what the whole text shows beside its sentences
	topics  []lexicon.Set
	classes []lexicon.Class // of topicClasses

	asks, holds, frail, scam, moves, low, grade float64 // of the customer and the matter
}

// Gather reads a subject.
func Gather(s *compliance.Subject) *Evidence { return gather(s, new([]Feature)) }

// gather is Gather with the vectors in room, which grows where it is too small.
func gather(s *compliance.Subject, room *[]Feature) *Evidence {
	r := sentenceReader()
	read := s.Reading()
	who := personOf(*s)
	quotes := pack.QuotedSpans(read.Text)
	e := &Evidence{Vectors: make([][]Feature, len(read.Sentences)), rest: Rest(s), classes: named(topicClasses), topics: make([]lexicon.Set, len(read.Sentences))}
	for i := range read.Sentences {
		free := (*room)[len(*room):]
		x := r.vector(read, i, who, quotes, free)
		if len(x) <= cap(free) {
			*room = (*room)[:len(*room)+len(x)]
		} else {
			*room = make([]Feature, 0, 2*(cap(*room)+len(x)))
		}
		e.Vectors[i] = x[:len(x):len(x)]
		e.topics[i] = read.Sentences[i].Set
	}
	yes := func(b bool) float64 {
		if b {
			return 1
		}
		return 0
	}
	e.asks, e.holds, e.scam = yes(who.asks), yes(s.Situation.HoldsSafeguarded()), yes(s.Situation.ScamSigns())
	e.low = yes(s.Situation.Reads() == "low")
	e.frail = yes(e.low > 0 || s.Situation.Vulnerable)
	e.moves = yes(s.Situation.AsksOfMoving() || pack.DiscussesMoving(read.Text))
	e.grade = min(compliance.Grade(read), 20) / 20
	return e
}
