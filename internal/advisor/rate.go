package advisor

import (
	"maps"
	"slices"
	"strings"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/text"
)

// alsoFrom is how near a second case must be, against the nearest, to be told where there is room; measured, as all here, by
// TestDraftsAnswerTheQuestion. Cases rank as recall ranks them: by words, and by a reader that reads question and answer together, other
// cases came first and were wrong more often.
const alsoFrom = 0.97

// answersFrom is the cosine of the nearest case from which it answers, for an embedder that knows the domain: of 143 questions that no
// page answers 138 are told so, of 727 others 23.
const answersFrom = 0.72

// rate ranks the cases of the sentences.
func rate(list []passage, r Request) {
	near := nearness(r.Recall.Cases)
	for i := range list {
		list[i].near = near[list[i].item]
	}
}

// meets is how many of the question's telling words some sentences have, their heading's aside.
func meets(s pack.Situation, list []passage) int {
	question, have := pack.ContentStems(s.Question), map[string]bool{}
	for _, p := range list {
		maps.Copy(have, p.stems)
	}
	return text.Common(question, have)
}

// nearness is how near each case is to the question, the nearest 1: by meaning, and by recall's score where nothing embeds.
func nearness(cases []knowledge.Item) []float64 {
	of := func(it knowledge.Item) float64 { return it.Legs.Cosine }
	if !slices.ContainsFunc(cases, func(it knowledge.Item) bool { return it.Legs.Cosine > 0 }) {
		of = func(it knowledge.Item) float64 { return it.Score }
	}
	most, out := 0.0, make([]float64, len(cases))
	for _, it := range cases {
		most = max(most, of(it))
	}
	for i, it := range cases {
		if most > 0 {
			out[i] = of(it) / most
		}
	}
	return out
}

// topicStems are the telling words of a topic's phrase and examples.
func topicStems(t pack.Topic) map[string]bool {
	return pack.ContentStems(t.Phrase + "\n" + strings.Join(t.Questions, "\n"))
}

// foreign tells whether a sentence speaks of something that the pack's fields know, and that the customer neither has nor asks about.
func foreign(t string, r Request, p *pack.Pack, topic pack.Topic) bool {
	asked := r.Situation.Question + "\n" + topic.Phrase
	return slices.ContainsFunc(p.Fields, func(f pack.Field) bool {
		have, known := r.Situation.Field(f.Name)
		return known && slices.ContainsFunc(p.Said(f.Name, t), func(v string) bool {
			return !slices.Contains(have, v) && !slices.Contains(p.Said(f.Name, asked), v)
		})
	})
}
