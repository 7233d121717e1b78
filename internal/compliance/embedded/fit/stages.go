package main

import "preceptor/internal/compliance/embedded"

// stages are what is made of the sentences' scores, one upon the other: the issues; the labels, from issues whose probabilities no
// item's own author has shaped; and what is cleared.
type stages struct {
	scores      []embedded.Scores
	docs        map[string][][]embedded.Feature // by judge, the items' vectors
	together    [][]embedded.Feature            // and as all judges see them together
	w           []*embedded.Weights             // by the fold that is left out
	probability [][]float64                     // of each item's issues
	weighed     map[string][][]embedded.Feature
	views       []view
}

func (t *training) stages(scores []embedded.Scores) *stages {
	s := &stages{scores: scores, docs: map[string][][]embedded.Feature{}, weighed: map[string][][]embedded.Feature{}, w: make([]*embedded.Weights, len(folds))}
	for j, n := range embedded.Names {
		for i, r := range t.items {
			s.docs[n] = append(s.docs[n], embedded.Document(scores[i].Steers[j], scores[i].Acts, r.e))
		}
	}
	for i, r := range t.items {
		s.together = append(s.together, embedded.Document(embedded.Together(scores[i].Steers), scores[i].Acts, r.e))
	}
	eachFold(func(k int) { s.w[k] = &embedded.Weights{Codes: t.codes(s.docs, without(k))} })
	s.weigh(t.items)
	for k, w := range s.w {
		w.Judges, w.Clear, w.From = t.judges(s.weighed, without(k)), t.clear(s.together, without(k)), t.thresholds(s.probability, without(k))
	}
	s.views = make([]view, len(t.items))
	for i, r := range t.items {
		s.views[i].clear = s.w[r.fold].Clear.Sums(s.together[i])[0]
		for j, n := range embedded.Names {
			s.views[i].own[j] = 1 - s.w[r.fold].Judges[n].Scores(s.weighed[n][i])[0]
		}
	}
	for k, w := range s.w {
		shifted(w.Clear, t.shift(s.views, without(k)))
	}
	return s
}

// weigh makes of the issues what the labels are weighed by.
func (s *stages) weigh(items []*readItem) {
	s.probability = make([][]float64, len(items))
	for i, r := range items {
		s.probability[i] = make([]float64, len(embedded.Codes))
		for _, n := range embedded.Names {
			codes := s.w[r.fold].Codes[n].Each(s.docs[n][i])
			s.weighed[n] = append(s.weighed[n], embedded.Weigh(codes, s.docs[n][i]))
			for c, p := range codes {
				s.probability[i][c] += p / float64(len(embedded.Names))
			}
		}
	}
}
