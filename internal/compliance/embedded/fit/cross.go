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

// cross leaves out one fold of authors after the other, prints how the rest reads them, and gives the weights of all.
func (t *training) cross(quiet, write bool) (*embedded.Weights, error) {
	s := t.stages(t.apart())
	t.measured(s, quiet)
	if !write {
		return nil, nil
	}
	all := without(none)
	w := t.models(none)
	w.Judges, w.Codes, w.From, w.Clear = t.judges(s.weighed, all), t.codes(s.docs, all), t.thresholds(s.probability, all), t.clear(s.together, all)
	shifted(w.Clear, t.shift(s.views, all)-clearFresh)
	w.Version, w.Trained = "3", fmt.Sprintf("%d texts of %d authors and %d sentences", len(t.items), len(t.authors), len(t.steers)+len(t.acts))
	return w, nil
}

// apart scores each item by models of sentences that never saw its author.
func (t *training) apart() []embedded.Scores {
	out := make([]embedded.Scores, len(t.items))
	eachFold(func(k int) {
		w := t.models(k)
		for i, r := range t.items {
			if r.fold == k {
				out[i] = w.Read(r.e)
			}
		}
	})
	return out
}

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

// measured prints how each fold's models read its authors.
func (t *training) measured(s *stages, quiet bool) {
	by := map[string]*figures{}
	var all figures
	for i, r := range t.items {
		got := t.verdict(s.w[r.fold], r, s.scores[i])
		if by[r.author] == nil {
			by[r.author] = &figures{}
		}
		by[r.author].add(r.item, got)
		all.add(r.item, got)
		if !quiet {
			show(r.item, got)
		}
	}
	for _, author := range t.authors {
		by[author].line(author)
	}
	if !quiet {
		t.misread(s.scores)
	}
	all.print("authors left out in turn")
	all.ranked()
	t.sentencesApart(s.scores)
	t.byCode(s.w, s.docs, s.scores)
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
		out[n] = fit(data, settings{classes: 3, dims: len(embedded.WeighedFeatures), epochs: judgeEpochs, l2: judgeL2, per: embedded.Penalty(n)})
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
			rows.Weights = append(rows.Weights, odds(data, settings{dims: dims, epochs: codeEpochs, l2: codeL2}))
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
	if compliance.Stopped(r.checked) {
		return t.v.Conclude(r.checked, nil)
	}
	var votes []compliance.Vote
	for _, n := range embedded.Names {
		votes = append(votes, w.Vote(n, r.e, s, &r.subject))
	}
	return t.v.Conclude(r.checked, votes)
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
