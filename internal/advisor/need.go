package advisor

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
)

// How near a part of a question and a case must be, measured with pairs of testdata/recall_z9.jsonl's questions:
// clearly is by how much a case of its own must be nearer to it than that of the whole question, and about how much
// farther one may be from a part that isn't marked as a question than that of the whole is from the whole: what is only
// told is no need.
const (
	clearly = 0.015
	about   = 0.06
)

const (
	mostNeeds = 3 // that one text answers
	mostParts = 6 // of a question that are looked up
)

// markRE is where a sentence is cut; not within a sum of money.
var markRE = regexp.MustCompile(`\s*[,;–—]\s+`)

// partsOf cuts a question at its marks; one that is of one piece has none.
func partsOf(question string) (parts []string) {
	for _, sp := range phrase.Sentences(question) {
		for _, part := range markRE.Split(sp.In(question), -1) {
			if len(pack.ContentStems(part)) > 0 && len(strings.Fields(part)) >= 3 {
				parts = append(parts, part)
			}
		}
	}
	if len(parts) < 2 {
		return nil
	}
	return parts
}

// needs adds to the recall what answers a part of the question that the case of the whole doesn't, and notes both in
// the order asked.
func (s *Service) needs(
	ctx context.Context, agentID string, r *Request, without knowledge.Withhold,
) error {
	parts := partsOf(r.Situation.Question)
	main, ok := nearest(r.Recall.Cases)
	if !ok || len(parts) == 0 || !pack.Of(r.Situation.Pack).Concept {
		return nil
	}
	answered := 0
	for _, part := range parts[:min(len(parts), mostParts)] {
		situation := r.Situation
		situation.Question, situation.Task = part, ""
		found, err := s.recall(ctx, agentID, situation, "", r.Known, without)
		if err != nil {
			return err
		}
		own, ok := nearest(found.Cases)
		if !ok || own.Legs.Cosine < floor(topicOf(pack.Of(situation.Pack), situation)) {
			continue
		}
		if !strings.HasSuffix(part, "?") && nearness(own) < nearness(main)-about {
			continue
		}
		answered++
		i := slices.IndexFunc(found.Cases, func(it knowledge.Item) bool { return it.ID == main.ID })
		if i >= 0 && nearness(found.Cases[i]) > nearness(own)-clearly {
			own = found.Cases[i]
		}
		if slices.Contains(r.Needs, own.ID) || len(r.Needs) == mostNeeds {
			continue
		}
		r.Needs = append(r.Needs, own.ID)
		if !slices.ContainsFunc(r.Recall.Cases, func(it knowledge.Item) bool { return it.ID == own.ID }) {
			r.Recall.Cases = append(r.Recall.Cases, own)
			r.Recall.Items = append(r.Recall.Items, own)
		}
	}
	if answered < len(parts) && len(r.Needs) > 0 && !slices.Contains(r.Needs, main.ID) {
		r.Needs = append([]string{main.ID}, r.Needs...)
	}
	r.Needs = r.Needs[:min(len(r.Needs), mostNeeds)]
	return nil
}

// ofKind adds to the recall the nearest section of each topic by which the question's kind is answered, where it has
// none: a question that is all story names no topic.
func (s *Service) ofKind(ctx context.Context, agentID string, r *Request, without knowledge.Withhold) error {
	p := pack.Of(r.Situation.Pack)
	for _, name := range kindOf(p, r.Situation, topicOf(p, r.Situation)).Sections {
		other := func(it knowledge.Item) bool { return released(it) || it.Case.Task != name }
		topic, ok := p.Topic(name)
		if !ok || slices.ContainsFunc(r.Recall.Cases, func(it knowledge.Item) bool { return !other(it) }) {
			continue
		}
		situation := r.Situation
		situation.Question, situation.Task = pack.Upper(topic.Phrase)+". "+r.Situation.Question, name
		found, err := s.recall(ctx, agentID, situation, name, r.Known, without)
		if err != nil {
			return err
		}
		if own, ok := nearest(slices.DeleteFunc(found.Cases, other)); ok {
			r.Recall.Cases, r.Recall.Items = append(r.Recall.Cases, own), append(r.Recall.Items, own)
		}
	}
	return nil
}

// nearest is the document's case that is nearest.
func nearest(cases []knowledge.Item) (best knowledge.Item, ok bool) {
	for _, it := range cases {
		if !released(it) && (!ok || nearness(it) > nearness(best)) {
			best, ok = it, true
		}
	}
	return best, ok
}
