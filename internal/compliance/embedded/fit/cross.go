package main

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/embedded"
)

// cross leaves out one author after the other, prints how the rest reads them, and gives the weights of all.
func (t *training) cross(quiet, write bool) (*embedded.Weights, error) {
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
	// Both stages: the issues, then the labels from issues whose probabilities no item's own author has shaped.
	folds := make([]*embedded.Weights, len(t.authors))
	for k := range t.authors {
		wait.Go(func() {
			gate <- true
			defer func() { <-gate }()
			folds[k] = &embedded.Weights{Codes: t.codes(docs, func(r *readItem) bool { return r.fold != k })}
		})
	}
	wait.Wait()
	probability := make([][]float64, len(t.items))
	weighed := map[string][][]embedded.Feature{}
	for _, n := range embedded.Names {
		weighed[n] = make([][]embedded.Feature, len(t.items))
	}
	for i, r := range t.items {
		probability[i] = make([]float64, len(embedded.Codes))
		for _, n := range embedded.Names {
			codes := folds[r.fold].Codes[n].Each(docs[n][i])
			weighed[n][i] = embedded.Weigh(codes, docs[n][i])
			for c, p := range codes {
				probability[i][c] += p / float64(len(embedded.Names))
			}
		}
	}
	for k := range t.authors {
		folds[k].Judges = t.judges(weighed, func(r *readItem) bool { return r.fold != k })
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
	t.byCode(folds, docs, scores)
	if !write {
		return nil, nil
	}
	w := t.models("")
	everyone := func(*readItem) bool { return true }
	w.Judges, w.Codes, w.From = t.judges(weighed, everyone), t.codes(docs, everyone), t.thresholds(probability, everyone)
	w.Version, w.Trained = "2", fmt.Sprintf("%d texts of %d authors and %d sentences", len(t.items), len(t.authors), len(t.steers)+len(t.acts))
	return w, nil
}

// judges fits the labels of the three judges on the items that use lets in.
func (t *training) judges(weighed map[string][][]embedded.Feature, use func(*readItem) bool) map[string]embedded.Softmax {
	out := map[string]embedded.Softmax{}
	for _, n := range embedded.Names {
		var data []example
		for i, r := range t.items {
			if use(r) {
				data = append(data, example{weighed[n][i], r.label, dear[r.label] * r.trust()})
			}
		}
		out[n] = fit(data, 3, len(embedded.WeighedFeatures), judgeEpochs, judgeL2, embedded.Penalty(n))
	}
	return out
}

// codes fits for each judge how likely a text has each issue.
func (t *training) codes(docs map[string][][]embedded.Feature, use func(*readItem) bool) map[string]embedded.Softmax {
	out := map[string]embedded.Softmax{}
	dims := len(embedded.DocumentFeatures)
	for _, n := range embedded.Names {
		rows := embedded.Softmax{}
		for c := range embedded.Codes {
			var data []example
			for i, r := range t.items {
				if !use(r) {
					continue
				}
				k := 0
				if r.codes[c] {
					k = 1
				}
				data = append(data, example{docs[n][i], k, r.trust()})
			}
			m := fit(data, 2, dims, codeEpochs, codeL2, nil)
			row := m.Weights[1]
			for i := range row {
				row[i] -= m.Weights[0][i]
			}
			rows.Weights = append(rows.Weights, row)
		}
		out[n] = rows
	}
	return out
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

// sentencesApart prints how well the models tell sentences apart, and the mean of them by class.
func (t *training) sentencesApart(scores []embedded.Scores) {
	for j, n := range append(slices.Clone(embedded.Names), "mean") {
		pos, neg := make([][]float64, len(embedded.Classes)), []float64{}
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
					pos[c%pointed] = append(pos[c%pointed], v)
				case c == 0:
					neg = append(neg, v)
				}
			}
		}
		all := slices.Concat(pos...)
		fmt.Printf("  sentences as %s sees them: area under the curve %.4f (%d against %d)\n", n, area(all, neg), len(all), len(neg))
		for c := 1; j == len(embedded.Names) && c < len(pos); c++ {
			fmt.Printf("      %-28s %.3f (%d)\n", embedded.Classes[c], area(pos[c], neg), len(pos[c]))
		}
	}
}

// byCode prints, for each code, how well the texts that carry it stand apart from the compliant ones: by the judges' probability
// of a violation, and by the strongest sentence alone.
func (t *training) byCode(folds []*embedded.Weights, docs map[string][][]embedded.Feature, scores []embedded.Scores) {
	risk, top, own := make([]float64, len(t.items)), make([]float64, len(t.items)), make([][]float64, len(t.items))
	for i, r := range t.items {
		own[i] = make([]float64, len(embedded.Codes))
		for _, n := range embedded.Names {
			codes := folds[r.fold].Codes[n].Each(docs[n][i])
			risk[i] += 1 - folds[r.fold].Judges[n].Scores(embedded.Weigh(codes, docs[n][i]))[0]
			for c, p := range codes {
				own[i][c] += p
			}
		}
		for k := range r.text {
			v := 0.0
			for j := range embedded.Names {
				v += 1 - scores[i].Steers[j][k][0]
			}
			top[i] = max(top[i], v)
		}
	}
	for c, code := range append(append([]string{}, embedded.Codes...), "all") {
		var a, b, e [2][]float64
		for i, r := range t.items {
			side := -1
			if r.label == 0 {
				side = 1
			} else if c < len(embedded.Codes) && r.codes[c] || c == len(embedded.Codes) && r.label == 2 {
				side = 0
			}
			if side < 0 {
				continue
			}
			a[side], b[side] = append(a[side], risk[i]), append(b[side], top[i])
			if c < len(embedded.Codes) {
				e[side] = append(e[side], own[i][c])
			}
		}
		fmt.Printf("  %-28s %3d, against the compliant: by the judges %.3f, by the strongest sentence %.3f, by the code's own model %.3f\n", code, len(a[0]), area(a[0], a[1]), area(b[0], b[1]), area(e[0], e[1]))
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
				v += (1 - scores[i].Steers[m][k][0]) / float64(len(embedded.Names))
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

// trust is how much an item counts where checks are weighed: the checks were written by people who had read some authors, and are
// surer on those than on anybody else.
func (r *readItem) trust() float64 {
	if slices.Contains(unread, r.author) {
		return unreadWeight
	}
	return 1
}
