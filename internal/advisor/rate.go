package advisor

import (
	"maps"
	"slices"
	"strings"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/text"
	"preceptor/internal/rule"
)

// How cases rank, measured by TestDraftsAnswerTheQuestion and on the demo's questions: by meaning, a little as the
// question was asked, and by recall's own order, which knows words, too. tie is how near a second case is that may
// answer as well.
const (
	byAsked  = 0.25
	byRecall = 0.15
	tie      = 0.01
)

// Cosines of the nearest case from which it answers, for an embedder that knows the domain: lower for a question whose
// words tell one of the pack's topics. Of the 205 questions that no page answers and they were chosen with 195 are told
// so, of 806 others 29. New questions lose more: 6 of 22, while 8 of 8 were rightly told so. A margin to the next case
// or words in common tell no more.
const (
	answersFrom      = 0.72
	answersTopicFrom = 0.70
)

func floor(topic pack.Topic) float64 {
	if topic.Name == "" || topic.Name == pack.General {
		return answersFrom
	}
	return answersTopicFrom
}

// rate ranks the cases of the sentences.
func rate(list []passage, r Request) {
	for i := range list {
		list[i].near = nearness(r.Recall.Cases[list[i].item])
	}
}

// nearness is how near a case is to the question: by meaning, and by recall's score where nothing embeds.
func nearness(it knowledge.Item) float64 {
	if it.Legs.Cosine > 0 {
		return it.Legs.Cosine + byAsked*it.Legs.Own + byRecall*it.Legs.Fused
	}
	return byRecall * it.Score
}

// meets is how many of the question's telling words some sentences have, their heading's aside.
func meets(s pack.Situation, list []passage) int {
	question, have := pack.ContentStems(s.Question), map[string]bool{}
	for _, p := range list {
		maps.Copy(have, p.stems)
	}
	return text.Common(question, have)
}

// topicStems are the telling words of a topic's phrase and examples.
func topicStems(t pack.Topic) map[string]bool {
	return pack.ContentStems(t.Phrase + "\n" + strings.Join(t.Questions, "\n"))
}

// fitting leaves out sentences that speak of something that the pack's fields know, and that the customer neither has
// nor asks about, and what leans on them; a case whose heading does, or most of which, is for others. What all have
// some day stays in a sentence.
func fitting(list []passage, r Request, p *pack.Pack, topic pack.Topic) (out []passage) {
	for _, c := range groups(list, func(p passage) int { return p.item }) {
		of := r.Recall.Cases[c[0].item]
		if foreign, _ := foreignIn(of.Title, r, p, topic); len(foreign) > 0 && !released(of) {
			continue
		}
		left := standing(slices.DeleteFunc(slices.Clone(c), func(one passage) bool {
			foreign, common := foreignIn(one.text, r, p, topic)
			return len(foreign) > 0 && !common
		}))
		if 2*len(left) > len(c) {
			out = append(out, left...)
		}
	}
	return out
}

// foreignIn is what a sentence speaks of that makes it for others, and whether it is only what all have some day. The
// values of a choice, other than those of a list, leave each other out, and the customer's own words tell one too.
func foreignIn(t string, r Request, p *pack.Pack, topic pack.Topic) (foreign []string, common bool) {
	asked := r.Situation.Question + "\n" + topic.Phrase
	common = true
	for _, f := range p.Fields {
		have, known := r.Situation.Field(f.Name)
		if len(f.Said) > 0 && known {
			if bound := contradicted(t, f, r.Situation); bound != "" {
				foreign, common = append(foreign, f.Label+" "+bound), false
			}
		}
		if f.Kind == "choice" {
			have = slices.DeleteFunc(slices.Clone(have), func(v string) bool { return f.Of(v).Value == "" })
			known = len(have)+len(p.Said(f.Name, asked)) > 0
		}
		said := p.Said(f.Name, t)
		theirs := func(v string) bool { return slices.Contains(have, v) }
		if !known || f.Kind == "choice" && slices.ContainsFunc(said, theirs) {
			continue
		}
		for _, v := range said {
			if !theirs(v) && !slices.Contains(p.Said(f.Name, asked), v) {
				foreign, common = append(foreign, p.ValueLabel(f.Name, v)), common && soon(t, f.Of(v), r.Situation)
			}
		}
	}
	return foreign, common
}

// contradicted is a bound by which a sentence speaks of readers whose number isn't this customer's; "" for none.
func contradicted(t string, f pack.Field, s pack.Situation) string {
	for _, c := range rule.Bounds(strings.ReplaceAll(t, "’", "'"), f.Name, f.Said) {
		if rule.Match(rule.Statement{When: []rule.Condition{c}}, rule.Subject{Situation: s}).State == rule.NotMet {
			return c.Op + " " + c.Values[0]
		}
	}
	return ""
}

// soon reports whether what all have some day may be told as to all: the customer may have it, or the sentence names
// an age.
func soon(t string, v pack.Value, s pack.Situation) bool {
	ofAge := func(f pack.Figure) bool { return f.Kind == "age" }
	return v.Common && (s.Age == 0 || s.Age >= v.Due || slices.ContainsFunc(pack.FindFigures(t), ofAge))
}
