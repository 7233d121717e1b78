// Command fit fits what the embedded judges and the check for relevance weigh, on labelled texts, and measures both on authors whom they
// did not read.
//
//	go run ./tools/fit            the judges: cross-validation, some authors left out at a time
//	go run ./tools/fit -answers   whether a draft answers its question: the same
//	... -write                    and the weights of all authors
//
// Nothing here runs in the product, and what is built in is measured by `preceptor judges evaluate`. It is deterministic: the same texts
// give the same weights.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/embedded"
)

// Settings of the fit, chosen by cross-validation.
const (
	sentenceEpochs = 14
	sentenceL2     = 3e-4
	sentenceDrop   = 0.5
	judgeEpochs    = 120
	judgeL2        = 6e-4
	codeEpochs     = 60
	codeL2         = 3e-3
	clearMissed    = 0.05 // the share of violations that may be cleared, on authors whom no model has seen
	pointWeight    = 4    // of a sentence that a person pointed at, beside one that nobody did
	ownWeight      = 3    // of a sentence written by itself that steers
	plainWeight    = 1.5  // and of one that does not
	unreadWeight   = 2.5  // of a text whose author those who wrote the rules had not read: rules are as sure on others as nowhere else
)

// dear is what an error costs by the label: a violation that goes by costs more than a false alarm.
var dear = []float64{1, 1.5, 1.2}

// unread are the authors whom nobody read who wrote the rules.
var unread = []string{"m", "r", "t3", "v1", "v2", "v3", "v4", "x1", "x2", "x3"}

func main() {
	dir := flag.String("dir", "internal/compliance/testdata", "folder of texts/, pairs/, sentences/, acts.tsv, facts.tsv and evidence.tsv")
	form := flag.Bool("answers", false, "fit whether a draft answers its question")
	write := flag.Bool("write", false, "write the weights that ship")
	flag.Parse()
	fit := judges
	if *form {
		fit = answers
	}
	if err := fit(*dir, *write); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func judges(dir string, write bool) error {
	today := func() time.Time { return time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) }
	v := compliance.New(compliance.NewChecker(today), compliance.Panel{Judges: embedded.Judges(nil)})
	v.Checks().Quick = true // whether a text answers its question is fitted by itself
	t, err := gather(v, dir)
	if err != nil {
		return err
	}
	w, err := t.cross(write)
	if err != nil || !write {
		return err
	}
	if err := t.writePrecedents("internal/compliance/embedded/precedents.txt.gz"); err != nil {
		return err
	}
	small, large, err := w.Encode()
	if err != nil {
		return err
	}
	if err := os.WriteFile("internal/compliance/embedded/sentences.bin", large, 0o644); err != nil {
		return err
	}
	return os.WriteFile("internal/compliance/embedded/weights.json", small, 0o644)
}

// training is everything there is to learn from.
type training struct {
	v      *compliance.Validator
	items  []*readItem
	steers []single
	acts   []single
}

func gather(v *compliance.Validator, dir string) (*training, error) {
	items, err := load(filepath.Join(dir, "texts", "*.jsonl"))
	if err != nil {
		return nil, err
	}
	t := &training{v: v}
	t.items = prepare(v, items)
	if err := point(t.items, filepath.Join(dir, "evidence.tsv")); err != nil {
		return nil, err
	}
	if t.steers, err = alone(v, dir, "sentences/*.tsv", "CPDNGUF", ownWeight, plainWeight); err != nil {
		return nil, err
	}
	facts, err := alone(v, dir, "facts.tsv", "C.....F", ownWeight, plainWeight)
	if err != nil {
		return nil, err
	}
	t.steers = append(t.steers, facts...)
	t.acts, err = alone(v, dir, "acts.tsv", "ORWSKA", 1, 1)
	return t, err
}

// folds are the authors who are left out together: one after the other would take three times as long and says the same.
var folds = [...]string{"train", "a f q t1 v2 x3", "b i r v4 x1", "c j m t2 v3", "d k n v1 x2", "e l test t3"}

// none is no fold.
const none = -1

// foldOf is where an author is left out; a new one joins by the letter.
func foldOf(author string) int {
	for k, f := range folds {
		if slices.Contains(strings.Fields(f), author) {
			return k
		}
	}
	return int(author[0]) % len(folds)
}

// models fits the sentences' models without the texts and sentences of the authors of a fold; none leaves nobody out.
func (t *training) models(fold int) *embedded.Weights {
	var items []*readItem
	for _, r := range t.items {
		if r.fold != fold {
			items = append(items, r)
		}
	}
	var mine, acts []example
	for _, s := range t.steers {
		if foldOf(s.author) != fold {
			mine = append(mine, s.example)
		}
	}
	for _, s := range t.acts {
		acts = append(acts, s.example)
	}
	return (&embedded.Weights{Steers: steers(items, mine), Acts: sentences(acts, len(embedded.Acts))}).Pack()
}

// steers fits the model of sentences; unknown ones are settled in rounds.
func steers(items []*readItem, mine []example) embedded.Softmax {
	own := make([]*readItem, len(items)) // settled by this model alone
	for i, r := range items {
		c := *r
		c.class = slices.Clone(r.class)
		own[i] = &c
	}
	clean := slices.DeleteFunc(slices.Clone(own), func(r *readItem) bool { return r.label > 0 && !r.pointed() })
	data := append(slices.Clone(mine), sentenceExamples(clean)...)
	m := fit(data, settings{classes: len(embedded.Classes), dims: embedded.Dimensions, epochs: 5, l2: sentenceL2})
	settle(own, func(r *readItem) [][]float64 {
		out := make([][]float64, len(r.e.Vectors))
		for i, x := range r.e.Vectors {
			out[i] = m.Scores(x)
		}
		return out
	})
	return sentences(append(slices.Clone(mine), sentenceExamples(own)...), len(embedded.Classes))
}
