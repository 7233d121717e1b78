package main

import (
	"fmt"
	"math"
	"sort"
	"sync"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/embedded"
)

// cross leaves out one author after the other, prints how the rest reads them, and gives the weights of all.
func (t *training) cross(quiet bool) (*embedded.Weights, error) {
	scores := make([]embedded.Scores, len(t.items)) // by models that never saw the author
	var wait sync.WaitGroup
	gate := make(chan bool, 2)
	for k, author := range t.authors {
		wait.Go(func() {
			gate <- true
			defer func() { <-gate }()
			w := t.models(author)
			for i, r := range t.items {
				if r.fold == k {
					scores[i] = w.Read(r.e)
				}
			}
		})
	}
	wait.Wait()
	docs := map[string][][]embedded.Feature{}
	for j, n := range embedded.Names {
		docs[n] = make([][]embedded.Feature, len(t.items))
		for i, r := range t.items {
			docs[n][i] = embedded.Document(scores[i].Steers[j], scores[i].Acts, r.e)
		}
	}
	// What a code needs to be named is chosen on probabilities that no item's own author has shaped.
	folds := make([]*embedded.Weights, len(t.authors))
	probability := make([][]float64, len(t.items))
	for k := range t.authors {
		wait.Go(func() {
			gate <- true
			defer func() { <-gate }()
			folds[k] = t.judges(docs, func(r *readItem) bool { return r.fold != k })
		})
	}
	wait.Wait()
	for i, r := range t.items {
		probability[i] = make([]float64, len(embedded.Codes))
		for _, n := range embedded.Names {
			for c, p := range folds[r.fold].Codes[n].Each(docs[n][i]) {
				probability[i][c] += p / float64(len(embedded.Names))
			}
		}
	}
	var all figures
	for k, author := range t.authors {
		w := folds[k]
		w.From = t.thresholds(probability, func(r *readItem) bool { return r.fold != k })
		var f figures
		for i, r := range t.items {
			if r.fold != k {
				continue
			}
			got := t.verdict(w, r, scores[i])
			f.add(r.item, got)
			all.add(r.item, got)
			if !quiet {
				show(r.item, got)
			}
		}
		f.line(author)
	}
	if !quiet {
		t.misread(scores)
	}
	all.print("authors left out in turn")
	all.ranked()
	t.sentencesApart(scores)
	w := t.models("")
	full := t.judges(docs, func(*readItem) bool { return true })
	w.Judges, w.Codes, w.From = full.Judges, full.Codes, t.thresholds(probability, func(*readItem) bool { return true })
	w.Version, w.Trained = "2", fmt.Sprintf("%d texts of %d authors and %d sentences", len(t.items), len(t.authors), len(t.steers)+len(t.acts))
	return w, nil
}

// judges fits the three judges and their codes on the items that use lets in.
func (t *training) judges(docs map[string][][]embedded.Feature, use func(*readItem) bool) *embedded.Weights {
	w := &embedded.Weights{Judges: map[string]embedded.Softmax{}, Codes: map[string]embedded.Softmax{}}
	dims := len(embedded.DocumentFeatures)
	for _, n := range embedded.Names {
		var data []example
		of := make([][]example, len(embedded.Codes))
		for i, r := range t.items {
			if !use(r) {
				continue
			}
			data = append(data, example{docs[n][i], r.label, 1})
			for c := range of {
				k := 0
				if r.codes[c] {
					k = 1
				}
				of[c] = append(of[c], example{docs[n][i], k, 1})
			}
		}
		w.Judges[n] = fit(data, 3, dims, *judgeEpochs, *judgeL2, embedded.Penalty(n))
		rows := embedded.Softmax{}
		for c := range of {
			m := fit(of[c], 2, dims, *judgeEpochs/2, *codeL2, nil)
			row := m.Weights[1]
			for i := range row {
				row[i] -= m.Weights[0][i]
			}
			rows.Weights = append(rows.Weights, row)
		}
		w.Codes[n] = rows
	}
	return w
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

func (t *training) verdict(w *embedded.Weights, r *readItem, s embedded.Scores) compliance.Verdict {
	checked := t.v.Checks().Check(r.Guidance, r.consult.Situation())
	if compliance.Stopped(checked) {
		return t.v.Conclude(checked, nil)
	}
	var votes []compliance.Vote
	for _, n := range embedded.Names {
		votes = append(votes, w.Vote(n, r.e, s, &r.subject))
	}
	return t.v.Conclude(checked, votes)
}

// sentencesApart prints how well the models tell sentences apart.
func (t *training) sentencesApart(scores []embedded.Scores) {
	for j, n := range append(append([]string{}, embedded.Names...), "mean") {
		var pos, neg []float64
		for i, r := range t.items {
			for k, c := range r.class {
				v := 0.0
				for m := range embedded.Names {
					if m == j || j == len(embedded.Names) {
						v += 1 - scores[i].Steers[m][k][0]
					}
				}
				switch {
				case c > 0:
					pos = append(pos, v)
				case c == 0:
					neg = append(neg, v)
				}
			}
		}
		fmt.Printf("  sentences as %s sees them: area under the curve %.3f (%d against %d)\n", n, area(pos, neg), len(pos), len(neg))
	}
}

// misread prints the sentences that models which never saw their author misread most.
func (t *training) misread(scores []embedded.Scores) {
	type line struct {
		p    float64
		text string
	}
	var high, low []line
	for i, r := range t.items {
		for k, c := range r.class {
			v := 0.0
			for m := range embedded.Names {
				v += (1 - scores[i].Steers[m][k][0]) / 3
			}
			switch {
			case c == 0 && r.label == 0:
				high = append(high, line{v, r.author + " " + r.ID + ": " + r.text[k]})
			case c >= pointed:
				low = append(low, line{v, r.author + " " + r.ID + " " + embedded.Classes[c-pointed] + ": " + r.text[k]})
			}
		}
	}
	sort.Slice(high, func(a, b int) bool { return high[a].p > high[b].p })
	sort.Slice(low, func(a, b int) bool { return low[a].p < low[b].p })
	for _, l := range high[:min(200, len(high))] {
		fmt.Printf("HIGH %.2f %s\n", l.p, l.text)
	}
	for _, l := range low[:min(300, len(low))] {
		fmt.Printf("LOW  %.2f %s\n", l.p, l.text)
	}
}
