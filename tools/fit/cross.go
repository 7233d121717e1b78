package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/embedded"
	"preceptor/internal/compliance/measure"
)

// stages are what is made of the sentences' scores, one upon the other: the issues, and the labels from issues whose probabilities no
// item's own author has shaped.
type stages struct {
	scores      []embedded.Scores
	docs        map[string][][]embedded.Feature // by aspect, the items' vectors
	w           []*embedded.Weights             // by the fold that is left out
	probability [][]float64                     // of each item's issues
	weighed     map[string][][]embedded.Feature
	precedent   []compliance.Vote
	shift       float64 // for the weights of all
}

// cross leaves out one fold of authors after the other, prints how the rest reads them, and gives the weights of all.
func (t *training) cross(write bool) (*embedded.Weights, error) {
	s := t.stages()
	if err := t.measured(s); err != nil || !write {
		return nil, err
	}
	all := without(none)
	w := t.models(none)
	w.Codes, w.From = t.codes(s.docs, all), t.thresholds(s.probability, all)
	w.Labels = t.labels(s.weighed, all)
	w.Shift = s.shift
	authors := map[string]bool{}
	for _, r := range t.items {
		authors[r.author] = true
	}
	w.Version, w.Trained = "4", fmt.Sprintf("%d texts of %d authors and %d sentences", len(t.items), len(authors), len(t.steers)+len(t.acts))
	return w, nil
}

// without lets in the items of all folds but one.
func without(fold int) func(*readItem) bool {
	return func(r *readItem) bool { return r.fold != fold }
}

func (t *training) stages() *stages {
	s := &stages{scores: make([]embedded.Scores, len(t.items)), docs: map[string][][]embedded.Feature{}, weighed: map[string][][]embedded.Feature{}, w: make([]*embedded.Weights, len(folds)),
		probability: make([][]float64, len(t.items)), precedent: make([]compliance.Vote, len(t.items))}
	list, authors := t.precedents()
	eachFold(func(k int) {
		w := t.models(k)
		precedents := embedded.NewPrecedents(w, list)
		for i, r := range t.items {
			if r.fold == k {
				s.scores[i] = w.Read(r.e)
				s.precedent[i] = w.Recall(precedents, r.e, s.scores[i], &r.subject, func(at int) bool { return foldOf(authors[at]) != k })
			}
		}
	})
	for _, aspect := range aspects {
		for i, r := range t.items {
			s.docs[aspect] = append(s.docs[aspect], embedded.Document(aspect, s.scores[i], r.e))
		}
	}
	for k := range folds {
		s.w[k] = &embedded.Weights{Codes: t.codes(s.docs, without(k))}
	}
	for i, r := range t.items {
		for _, aspect := range aspects {
			from, to := embedded.Of(aspect)
			codes := embedded.Softmax{Weights: s.w[r.fold].Codes.Weights[from:to]}.Each(s.docs[aspect][i])
			s.probability[i] = append(s.probability[i], codes...)
			s.weighed[aspect] = append(s.weighed[aspect], embedded.Weigh(aspect, codes, s.docs[aspect][i]))
		}
	}
	for k, w := range s.w {
		w.Labels, w.From = t.labels(s.weighed, without(k)), t.thresholds(s.probability, without(k))
	}
	shifts := make([]float64, len(folds))
	for k := range folds {
		shifts[k] = t.shift(s, without(k))
	}
	s.shift = t.shift(s, without(none)) // all before any is set: they are measured on votes as they were cast
	for k, w := range s.w {
		w.Shift = shifts[k]
	}
	return s
}

var aspects = []string{embedded.Boundary, embedded.Completeness}

// eachFold does something for every fold, two at a time.
func eachFold(do func(k int)) {
	var wait sync.WaitGroup
	gate := make(chan bool, 2)
	for k := range folds {
		wait.Go(func() {
			gate <- true
			defer func() { <-gate }()
			do(k)
		})
	}
	wait.Wait()
}

// labels fits the labels by aspect on the items that use lets in.
func (t *training) labels(weighed map[string][][]embedded.Feature, use func(*readItem) bool) map[string]embedded.Softmax {
	out := map[string]embedded.Softmax{}
	for _, aspect := range aspects {
		var data []example
		for i, r := range t.items {
			if use(r) {
				data = append(data, example{weighed[aspect][i], r.aspect[aspect], dear[r.aspect[aspect]] * r.trust()})
			}
		}
		out[aspect] = fit(data, settings{classes: 3, dims: len(embedded.WeighedFeatures[aspect]), epochs: judgeEpochs, l2: judgeL2})
	}
	return out
}

// codes fits how likely a text has each issue, by what its aspect shows.
func (t *training) codes(docs map[string][][]embedded.Feature, use func(*readItem) bool) (rows embedded.Softmax) {
	for _, aspect := range aspects {
		from, to := embedded.Of(aspect)
		for c := from; c < to; c++ {
			var data []example
			for i, r := range t.items {
				if !use(r) {
					continue
				}
				k := 0
				if r.codes[c] {
					k = 1
				}
				data = append(data, example{docs[aspect][i], k, r.trust()})
			}
			rows.Weights = append(rows.Weights, odds(data, settings{dims: len(embedded.Features[aspect]), epochs: codeEpochs, l2: codeL2}))
		}
	}
	return rows
}

// thresholds are, for each code, the probability from which naming it does best by F1, and no lower than a coin's half of it.
func (t *training) thresholds(probability [][]float64, use func(*readItem) bool) []float64 {
	out := make([]float64, len(embedded.Codes))
	for c := range out {
		type one struct {
			p    float64
			have bool
		}
		var list []one
		total := 0
		for i, r := range t.items {
			if use(r) {
				list = append(list, one{probability[i][c], r.codes[c]})
				if r.codes[c] {
					total++
				}
			}
		}
		sort.Slice(list, func(a, b int) bool { return list[a].p > list[b].p })
		best, tp := 0.0, 0
		out[c] = 0.5
		for i, l := range list {
			if l.have {
				tp++
			}
			if f := 2 * float64(tp) / float64(i+1+total); f > best && l.p > 0.15 {
				best, out[c] = f, math.Round(l.p*1000)/1000
			}
		}
	}
	return out
}

// votes are the panel's on an item, by models that never saw its author.
func (s *stages) votes(i int, r *readItem) []compliance.Vote {
	var votes []compliance.Vote
	for _, aspect := range aspects {
		votes = append(votes, s.w[r.fold].Vote(aspect, r.e, s.scores[i], &r.subject))
	}
	precedent := s.precedent[i]
	if !precedent.Abstained {
		precedent.Decide(embedded.Shifted(precedent.Violation(), s.w[r.fold].Shift), precedent.Boundary == compliance.Advice)
	}
	return append(votes, precedent)
}

// shift is the least by which the log odds of a violation must be higher for no more than clearMissed of the violations to be cleared.
func (t *training) shift(s *stages, use func(*readItem) bool) float64 {
	var votes [][]compliance.Vote
	var items []*readItem
	for i, r := range t.items {
		if r.label == 2 && use(r) && !r.held {
			votes, items = append(votes, s.votes(i, r)), append(items, r)
		}
	}
	n := 0
	for _, r := range t.items {
		if r.label == 2 && use(r) {
			n++
		}
	}
	for shift := -2.0; ; shift += 0.05 {
		missed := 0
		for i, r := range items {
			moved := slices.Clone(votes[i])
			for k := range moved {
				if !moved[k].Abstained {
					moved[k].Decide(embedded.Shifted(moved[k].Violation(), shift), moved[k].Boundary == compliance.Advice)
				}
			}
			if v := t.v.Conclude(r.checked, moved); v.Passed && !v.RequiresHumanReview {
				missed++
			}
		}
		if float64(missed) <= clearMissed*float64(n) || shift > 5 {
			return shift
		}
	}
}

// measured prints how each fold's models read its authors.
func (t *training) measured(s *stages) error {
	by := map[string][]measure.Answer{}
	var all []measure.Answer
	for i, r := range t.items {
		a := answered(r.item, t.v.Conclude(r.checked, s.votes(i, r)))
		by[r.author], all = append(by[r.author], a), append(all, a)
	}
	for _, author := range slices.Sorted(maps.Keys(by)) {
		if err := report(author, by[author]); err != nil {
			return err
		}
	}
	return report("all", all)
}

// trust is how much an item counts where checks are weighed: the checks were written by people who had read some authors, and are
// surer on those than on anybody else.
func (r *readItem) trust() float64 {
	if slices.Contains(unread, r.author) {
		return unreadWeight
	}
	return 1
}

// precedents are the labelled sentences with their authors: those written by themselves, and those at which a text's author pointed.
func (t *training) precedents() (list []embedded.Labelled, authors []string) {
	add := func(author, text string, class int) {
		list, authors = append(list, embedded.Labelled{Class: class, Text: strings.Join(strings.Fields(text), " ")}), append(authors, author)
	}
	for _, s := range t.steers {
		add(s.author, s.text, s.class)
	}
	for _, r := range t.items {
		for i, c := range r.class {
			if c >= pointed {
				add(r.author, r.text[i], c-pointed)
			} else if c == 0 && r.label == 0 && len(strings.Fields(r.text[i])) > 6 {
				add(r.author, r.text[i], 0)
			}
		}
	}
	return list, authors
}

func (t *training) writePrecedents(path string) error {
	list, _ := t.precedents()
	slices.SortFunc(list, func(a, b embedded.Labelled) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Text, b.Text))
	})
	list = slices.Compact(list)
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	for _, one := range list {
		fmt.Fprintf(z, "%c\t%s\n", embedded.Letters[one.Class], one.Text)
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
