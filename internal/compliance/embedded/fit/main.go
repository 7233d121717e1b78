// Command fit fits the weights of the embedded judges on labelled texts, with cross-validation grouped by family, and measures.
//
//	go run ./internal/compliance/embedded/fit -dir internal/compliance/testdata          cross-validation figures
//	go run ./internal/compliance/embedded/fit -dir internal/compliance/testdata -write   and the weights of all
//	go run ./internal/compliance/embedded/fit -eval FILE                                 figures of what is built in
//
// Nothing here runs in the product. It is deterministic: the same texts give the same weights.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/embedded"
)

func main() {
	eval := flag.String("eval", "", "measure the built-in judges on this file")
	quiet := flag.Bool("quiet", false, "figures only, no texts")
	dir := flag.String("dir", "internal/compliance/testdata", "folder of dev_train.jsonl and own_sentences.tsv")
	write := flag.Bool("write", false, "write weights.json")
	flag.Parse()
	if err := run(*eval, *dir, *quiet, *write); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(eval, dir string, quiet, write bool) error {
	today := func() time.Time { return time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) }
	v := compliance.New(compliance.NewChecker(today), compliance.Panel{Judges: embedded.Judges()})
	if eval != "" {
		items, err := load(eval)
		if err != nil {
			return err
		}
		var f figures
		for _, it := range items {
			got := v.Validate(context.Background(), it.Guidance, it.consult)
			f.add(it, got)
			if !quiet {
				show(it, got)
			}
		}
		f.print(eval)
		return nil
	}
	return train(v, dir, quiet, write)
}

func train(v *compliance.Validator, dir string, quiet, write bool) error {
	raw, err := load(filepath.Join(dir, "dev_train.jsonl"))
	if err != nil {
		return err
	}
	items := prepare(v, raw, folds)
	if err := point(items, filepath.Join(dir, "evidence.tsv")); err != nil {
		return err
	}
	mine, err := own(v, filepath.Join(dir, "own_sentences.tsv"))
	if err != nil {
		return err
	}
	out := map[string][][][]float64{} // by judge: sentences' classes as a model said that never saw the family
	docs := map[string][][]embedded.Feature{}
	for _, n := range embedded.Names {
		out[n] = make([][][]float64, len(items))
		for k := range folds {
			m := sentences(n, items, mine, func(r *readItem) bool { return r.fold != k })
			for i, r := range items {
				if r.fold == k {
					out[n][i] = scores(m, r)
				}
			}
		}
		docs[n] = documents(items, out[n])
	}
	var f figures
	for k := range folds {
		judges := judgesOf(items, docs, func(r *readItem) bool { return r.fold != k })
		for i, r := range items {
			if r.fold != k {
				continue
			}
			got := verdict(v, r, i, judges, docs, out)
			f.add(r.item, got)
			if !quiet {
				show(r.item, got)
			}
		}
	}
	f.print("cross-validation")
	for _, wb := range []float64{0.8, 1, 1.2, 1.5, 2} {
		var g figures
		for k := range folds {
			judges := judgesOf(items, docs, func(r *readItem) bool { return r.fold != k })
			for i, r := range items {
				if r.fold != k {
					continue
				}
				var mean [3]float64
				for _, n := range embedded.Names {
					for l, p := range judges[n].Scores(docs[n][i]) {
						mean[l] += p
					}
				}
				mean[1] *= wb
				best := 0
				for l := range mean {
					if mean[l] > mean[best] {
						best = l
					}
				}
				got := verdict(v, r, i, judges, docs, out)
				if got.Source == compliance.Consensus {
					got.Label = labels[best]
				}
				g.add(r.item, got)
			}
		}
		fmt.Printf("  by the greatest, borderline times %.1f: macro F1 %.3f %v\n", wb, g.macroF1(), g.confusion)
	}
	f.ranked()
	var pos, neg []float64
	for i, r := range items {
		for k, c := range r.class {
			v := 0.0
			for _, n := range embedded.Names {
				v += 1 - out[n][i][k][0]
			}
			switch {
			case c > 0 || c <= -10:
				pos = append(pos, v)
			case c == 0:
				neg = append(neg, v)
			}
		}
	}
	fmt.Printf("  sentences: area under the curve %.3f (%d against %d)\n", area(pos, neg), len(pos), len(neg))
	if !quiet {
		told(items, out[embedded.Understanding])
	}
	if !write {
		return nil
	}
	all := func(*readItem) bool { return true }
	every := map[string]embedded.Softmax{}
	for _, n := range embedded.Names {
		every[n] = sentences(n, items, mine, all)
	}
	b, err := embedded.Encode("1", fmt.Sprintf("%d texts in %s and %d sentences", len(items), "dev_train.jsonl", len(mine)), every, judgesOf(items, docs, all))
	if err != nil {
		return err
	}
	return os.WriteFile("internal/compliance/embedded/weights.json", append(b, '\n'), 0o644)
}

// Settings of the fit, chosen by cross-validation.
var (
	sentenceEpochs = flag.Int("se", 40, "")
	sentenceL2     = flag.Float64("sl2", 5e-4, "")
	judgeEpochs    = flag.Int("je", 120, "")
	judgeL2        = flag.Float64("jl2", 6e-4, "")
)

const (
	folds = 6
)

// sentences fits the sentences' model on the items that use lets in; unknown sentences are settled in rounds.
func sentences(judge string, items []*readItem, mine []example, use func(*readItem) bool) embedded.Softmax {
	dims := embedded.Dimensions
	var mineOnly []*readItem
	for _, r := range items {
		if use(r) {
			mineOnly = append(mineOnly, r)
		}
		for i := range r.class { // unsettle
			if r.class[i] <= -10 {
				r.class[i] = -1
			}
		}
	}
	data := append(append([]example{}, mine...), sentenceExamples(cleanOnly(mineOnly), use)...)
	m := fit(seen(judge, data), len(embedded.Classes), dims, 8, *sentenceL2, nil)
	for range 2 {
		settle(mineOnly, func(r *readItem) [][]float64 { return scores(m, r) })
		data = append(append([]example{}, mine...), sentenceExamples(mineOnly, use)...)
		m = fit(seen(judge, data), len(embedded.Classes), dims, *sentenceEpochs, *sentenceL2, nil)
	}
	return m
}

func cleanOnly(items []*readItem) []*readItem {
	var out []*readItem
	for _, r := range items {
		if r.label == 0 {
			out = append(out, r)
		}
	}
	return out
}

func scores(m embedded.Softmax, r *readItem) [][]float64 {
	out := make([][]float64, len(r.x))
	for i, x := range r.x {
		out[i] = m.Scores(x)
	}
	return out
}

func documents(items []*readItem, sentences [][][]float64) [][]embedded.Feature {
	out := make([][]embedded.Feature, len(items))
	for i, r := range items {
		out[i] = embedded.Document(sentences[i], embedded.Rest(&r.subject))
	}
	return out
}

// seen leaves of each vector what a judge's model uses.
func seen(judge string, data []example) []example {
	out := make([]example, len(data))
	for i, e := range data {
		out[i] = e
		out[i].x = nil
		for _, f := range e.x {
			if embedded.Sees(judge, f.At) {
				out[i].x = append(out[i].x, f)
			}
		}
	}
	return out
}

func judgesOf(items []*readItem, docs map[string][][]embedded.Feature, use func(*readItem) bool) map[string]embedded.Softmax {
	out := map[string]embedded.Softmax{}
	for _, n := range embedded.Names {
		var data []example
		for i, r := range items {
			if use(r) {
				data = append(data, example{docs[n][i], r.label, 1})
			}
		}
		out[n] = fit(data, 3, len(embedded.DocumentFeatures), *judgeEpochs, *judgeL2, embedded.Penalty(n))
	}
	return out
}

func verdict(v *compliance.Validator, r *readItem, i int, judges map[string]embedded.Softmax, docs map[string][][]embedded.Feature, out map[string][][][]float64) compliance.Verdict {
	checked := v.Checks().Check(r.Guidance, r.consult.Situation())
	if compliance.Stopped(checked) {
		return v.Conclude(checked, nil)
	}
	var votes []compliance.Vote
	for _, n := range embedded.Names {
		votes = append(votes, embedded.Vote(n, judges[n].Scores(docs[n][i]), out[n][i], &r.subject))
	}
	return v.Conclude(checked, votes)
}

func show(it item, v compliance.Verdict) {
	want := map[string]bool{}
	for _, c := range it.Codes {
		want[c] = true
	}
	if string(v.Label) != it.Label {
		p := []float64{}
		for _, j := range v.Judges {
			p = append(p, j.Violation())
		}
		fmt.Printf("LABEL %s is %s, got %s by %s, judges %.2f\n", it.ID, it.Label, v.Label, v.Source, p)
	}
	for _, i := range v.Issues {
		if !want[i.Code] {
			fmt.Printf("   FALSE %s (%s) %s/%s: %q\n", it.ID, it.Label, i.Code, i.Severity, i.Quote)
		}
		delete(want, i.Code)
	}
	for c := range want {
		fmt.Printf("   MISS  %s %s: %s\n", it.ID, c, it.Note)
	}
}

func (f *figures) print(name string) {
	fmt.Printf("%s: n %d\n  truth\\verdict  comp  bord  non\n", name, f.n)
	for i, l := range labels {
		fmt.Printf("  %-20s %4d %4d %4d\n", l, f.confusion[i][0], f.confusion[i][1], f.confusion[i][2])
	}
	fmt.Printf("  missed violations %d of %d; cleared compliant %d of %d; macro F1 %.3f; code micro F1 %.3f (tp %d fp %d fn %d)\n",
		f.missed, f.violations, f.cleared, f.clean, f.macroF1(), f1(f.tp, f.fp, f.fn), f.tp, f.fp, f.fn)
	var codes []string
	for c := range f.byCode {
		codes = append(codes, c)
	}
	sort.Strings(codes)
	for _, c := range codes {
		x := f.byCode[c]
		fmt.Printf("    %-28s tp %3d fp %3d fn %3d\n", c, x[0], x[1], x[2])
	}
}

// told prints the sentences that a model which never saw the family misread most.
func told(items []*readItem, out [][][]float64) {
	type line struct {
		p    float64
		text string
	}
	var high, low []line
	for i, r := range items {
		for k, c := range r.class {
			v := 1 - out[i][k][0]
			switch {
			case c == 0 && r.label == 0:
				high = append(high, line{v, r.text[k]})
			case c <= -10:
				low = append(low, line{v, embedded.Classes[-10-c] + ": " + r.text[k]})
			case c >= pointed:
				low = append(low, line{v, embedded.Classes[c-pointed] + ": " + r.text[k]})
			}
		}
	}
	sort.Slice(high, func(a, b int) bool { return high[a].p > high[b].p })
	sort.Slice(low, func(a, b int) bool { return low[a].p < low[b].p })
	for _, l := range high[:min(60, len(high))] {
		fmt.Printf("HIGH %.2f %s\n", l.p, l.text)
	}
	for _, l := range low[:min(80, len(low))] {
		fmt.Printf("LOW  %.2f %s\n", l.p, l.text)
	}
}
