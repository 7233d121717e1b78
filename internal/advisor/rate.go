package advisor

import (
	"cmp"
	"context"
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
	byKind   = 0.1 // more for a section of a topic by which the question's kind is answered
	tie      = 0.01
)

// Cosines of the nearest case from which it answers, for an embedder that knows the domain: lower for a question whose
// words tell one of the pack's topics. Of an author left out of all fitting (a4 of knowledge's testdata/lead, 365
// questions) .73 are answered and .53 from the right section, and of 202 questions that no page answers .16 (.72, .30
// and .20 before a tuned encoder led questions). Nothing at hand tells the two apart better: not the cosine of the
// question as asked, alone or beside these, margins to the next case or words in common.
const (
	answersFrom      = 0.74
	answersTopicFrom = 0.72
)

func floor(topic pack.Topic) float64 {
	if topic.Name == "" || topic.Name == pack.General {
		return answersFrom
	}
	return answersTopicFrom
}

// Outside of a known domain a question is answered from a line on of what it has in common with the nearest case: half
// their cosine, half that of the nearest sentence of the three nearest, and a little by the share of its telling words.
// The line was chosen on knowledge's testdata/trades, between .54 and .55, where by kept vectors .56 and .46 of the
// questions are answered (.43 before, when a cosine from .52 on and one word in common were asked for) at as many false
// answers: .33 and .26 with the question's section taken out (.29), .20 and .16 to questions of another trade (.16).
// The furniture shop, which it wasn't chosen on: .95 and .83 of 60 (.82).
// Nothing at hand tells the two apart well (area under the curve at most .65 and .75): not the margin to the next cases
// or to all of a base, nor its own sections asked for by their headings, nor the words' rarity, nor the judge's head
// "answers", nor heads fitted on pairs of the other trades' questions and sections.
const (
	bySentence = 0.5
	byWords    = 0.05
	anyFrom    = 0.545
)

// far is the nearest case where none that a draft may use is near enough to answer, outside of a known domain; nil
// where one is, or nobody can tell.
func (s *Service) far(ctx context.Context, r *Request) (*knowledge.Item, error) {
	cases := slices.SortedStableFunc(slices.Values(r.Recall.Cases), func(a, b knowledge.Item) int {
		return cmp.Compare(asAsked(b), asAsked(a))
	})
	p := pack.Of(r.Situation.Pack)
	if p.Concept || len(cases) == 0 || asAsked(cases[0]) == 0 {
		return nil, nil
	}
	nearest, used := cases[0], map[string]bool{}
	for _, one := range usedFor(*r, p, topicOf(p, r.Situation)) {
		used[r.Recall.Cases[one.item].ID] = true
	}
	if cases = slices.DeleteFunc(cases, func(it knowledge.Item) bool { return !used[it.ID] }); len(cases) == 0 {
		return &nearest, nil
	}
	sentence, err := s.knowledge.Closest(ctx, r.Situation, cases[:min(3, len(cases))])
	if err != nil || sentence == 0 {
		return nil, err
	}
	asked := pack.ContentStems(r.Situation.Question)
	common := text.Common(asked, pack.ContentStems(cases[0].Title+"\n"+cases[0].Text))
	near := (1-bySentence)*asAsked(cases[0]) + bySentence*sentence +
		byWords*float64(common)/float64(max(1, len(asked)))
	if near >= anyFrom {
		return nil, nil
	}
	return &nearest, nil
}

// usedFor are the sentences that a draft may be made of.
func usedFor(r Request, p *pack.Pack, topic pack.Topic) []passage {
	return fitting(named(standing(passages(r, p)), r), r, p, topic)
}

// asAsked is how near a case is to the question before anything led it to its answers.
func asAsked(it knowledge.Item) float64 { return cmp.Or(it.Legs.Own, it.Legs.Cosine) }

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
// an age, as "State Pension age".
func soon(t string, v pack.Value, s pack.Situation) bool {
	return v.Common && (s.Age == 0 || s.Age >= v.Due ||
		slices.ContainsFunc(pack.FindFigures(t), func(f pack.Figure) bool { return f.Kind == "age" }) ||
		slices.ContainsFunc(v.Said, func(w string) bool { return pack.HasPhrase(t, w+" age") }))
}
