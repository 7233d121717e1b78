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

// clearly is by how much a part of a question must be nearer to a case of its own than to that of the whole question.
const clearly = 0.03

const (
	mostNeeds = 3 // that one text answers
	mostParts = 6 // of a question that are looked up
)

// askRE begins a question; nextAskRE is where a second one begins within a sentence.
var (
	askRE     = regexp.MustCompile(`(?i)^(?:and |so |but )?` + askWords + `\b`)
	nextAskRE = regexp.MustCompile(`(?i)(?:,| and| or|,? but)\s+(` + askWords + `\s+\w+)`)
)

const askWords = `(?:what|how|when|where|who|why|which|can|could|do|does|will|would|is|are)`

// asked are the parts of a question that ask something, in order; a question with one has none. What is only told is no
// need.
func asked(question string) (parts []string) {
	for _, sp := range phrase.Sentences(question) {
		sentence, from := sp.In(question), 0
		if !strings.HasSuffix(sentence, "?") && !askRE.MatchString(sentence) {
			continue
		}
		for _, m := range nextAskRE.FindAllStringSubmatchIndex(sentence, -1) {
			parts, from = append(parts, sentence[from:m[0]]), m[2]
		}
		parts = append(parts, sentence[from:])
	}
	parts = slices.DeleteFunc(parts, func(p string) bool {
		return len(pack.ContentStems(p)) == 0 || len(strings.Fields(p)) < 3
	})
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
	parts := asked(r.Situation.Question)
	main, ok := nearest(r.Recall.Cases)
	if !ok || len(parts) == 0 || !pack.Of(r.Situation.Pack).Concept {
		return nil
	}
	answered := 0
	for _, part := range parts[:min(len(parts), mostParts)] {
		situation := r.Situation
		situation.Question, situation.Task = part, ""
		found, err := s.recall(ctx, agentID, situation, r.Known, without)
		if err != nil {
			return err
		}
		own, ok := nearest(found.Cases)
		if !ok || own.Legs.Cosine < floor(topicOf(pack.Of(situation.Pack), situation)) {
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

// nearest is the document's case that is nearest.
func nearest(cases []knowledge.Item) (best knowledge.Item, ok bool) {
	for _, it := range cases {
		if !released(it) && (!ok || nearness(it) > nearness(best)) {
			best, ok = it, true
		}
	}
	return best, ok
}
