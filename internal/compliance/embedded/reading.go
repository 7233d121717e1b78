package embedded

import (
	"strings"
	"sync"

	"preceptor/internal/compliance"
	"preceptor/internal/phrase"
)

// Evidence is what a text shows, before anything is weighed.
type Evidence struct {
	Vectors   [][]Feature // by sentence, in order
	paragraph []int       // by sentence, in which paragraph it stands
	topics    []phrase.Set
	classes   []phrase.Class // of topicClasses
	rest      []float64      // of the text beside its sentences
	found     []float64      // by code, whether a check found it
	stopped   [2]float64     // whether a critical check found something that is said, and something that is missing
	customer  []float64      // customerNames

	asks, holds, frail, scam, moves, low, grade float64 // of the customer and the matter
}

// Gather reads a subject.
func Gather(s *compliance.Subject) *Evidence { return gather(s, new([]Feature)) }

// gather is Gather with the vectors in room, which grows where it is too small.
func gather(s *compliance.Subject, room *[]Feature) *Evidence {
	r := sentenceReader()
	read := s.Reading()
	who := personOf(*s)
	n := len(read.Sentences)
	e := &Evidence{Vectors: make([][]Feature, n), rest: rest(s), classes: named(topicClasses), topics: make([]phrase.Set, n), paragraph: make([]int, n), found: make([]float64, len(Codes))}
	for i := range read.Sentences {
		free := (*room)[len(*room):]
		x := r.vector(read, i, who, read.Quotes, free)
		if len(x) <= cap(free) {
			*room = (*room)[:len(*room)+len(x)]
		} else {
			*room = make([]Feature, 0, 2*(cap(*room)+len(x)))
		}
		e.Vectors[i] = x[:len(x):len(x)]
		e.topics[i] = read.Sentences[i].Set
		if i > 0 {
			e.paragraph[i] = e.paragraph[i-1]
			if strings.Contains(read.Text[read.Sentences[i-1].End:read.Sentences[i].Start], "\n\n") {
				e.paragraph[i]++
			}
		}
	}
	for _, issue := range s.Found {
		for k, code := range Codes {
			if issue.Code != code {
				continue
			}
			e.found[k] = 1
			if issue.Severity == compliance.Critical {
				e.stopped[min(k/firstDue, 1)] = 1
			}
		}
	}
	e.asks, e.holds, e.scam = number(who.asks), number(s.Situation.HoldsSafeguarded()), number(s.Situation.ScamSigns())
	e.low = number(s.Situation.Reads() == "low")
	e.frail = number(e.low > 0 || s.Situation.Vulnerable)
	e.moves = number(s.Situation.AsksOfMoving() || pensions().Holds(read, "d_moving"))
	e.grade = hardest(read)
	e.customer = []float64{e.low, number(s.Situation.Vulnerable), e.asks, e.holds, e.scam}
	return e
}

var namedOnce sync.Map

// named looks up classes by their names, once for each list.
func named(names []string) []phrase.Class {
	if v, ok := namedOnce.Load(&names[0]); ok {
		return v.([]phrase.Class)
	}
	out := make([]phrase.Class, len(names))
	for i, n := range names {
		out[i] = pensions().Find(n)
	}
	namedOnce.Store(&names[0], out)
	return out
}
