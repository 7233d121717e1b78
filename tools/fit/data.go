package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"

	"preceptor/internal/compliance"
	"preceptor/internal/interaction"
)

// item is one labelled text.
type item struct {
	ID       string                         `json:"id"`
	Family   string                         `json:"family"`
	Pair     string                         `json:"pair"`
	Customer json.RawMessage                `json:"customer"`
	Question string                         `json:"question"`
	Guidance string                         `json:"guidance"`
	Label    string                         `json:"label"`
	Codes    []string                       `json:"codes"`
	Note     string                         `json:"note"`
	Evidence map[string]string              `json:"evidence"` // by code, the sentence that carries it
	Spans    []struct{ Code, Quote string } // the same, several for a code
	author   string
	consult  interaction.Consultation
}

func load(author, path string) ([]item, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []item
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		if len(lines.Bytes()) < 3 {
			continue
		}
		var it item
		if err := json.Unmarshal(lines.Bytes(), &it); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		it.author = author
		for code, quote := range it.Evidence {
			it.Spans = append(it.Spans, struct{ Code, Quote string }{code, quote})
		}
		it.consult = interaction.Consultation{Question: it.Question, Customer: interaction.CustomerLoosely(it.Customer)}
		out = append(out, it)
	}
	return out, lines.Err()
}

// figures are what the product is measured by.
type figures struct {
	n, tp, fp, fn     int
	confusion         [3][3]int // truth, verdict
	missed, cleared   int
	violations, clean int
	byCode            map[string]*[3]int // tp, fp, fn
	checks            map[string][2]int  // tp, fp of the checks alone
	risks             [2][]float64       // of the violations and of the clean texts: how likely the verdict holds a violation
}

var labels = []compliance.Label{compliance.Compliant, compliance.Borderline, compliance.NonCompliant}

func (f *figures) add(it item, v compliance.Verdict) {
	if f.byCode == nil {
		f.byCode, f.checks = map[string]*[3]int{}, map[string][2]int{}
	}
	f.n++
	t, p := 0, 0
	for i, l := range labels {
		if string(l) == it.Label {
			t = i
		}
		if l == v.Label {
			p = i
		}
	}
	f.confusion[t][p]++
	risk := v.Violation
	if len(v.Judges) == 0 {
		risk = 1
	}
	risk += float64(len(v.Issues)) // an issue always brings a person
	switch t {
	case 0:
		f.risks[1] = append(f.risks[1], risk)
	case 2:
		f.risks[0] = append(f.risks[0], risk)
	}
	clear := v.Passed && !v.RequiresHumanReview
	switch t {
	case 0:
		f.clean++
		if clear {
			f.cleared++
		}
	case 2:
		f.violations++
		if clear {
			f.missed++
		}
	}
	got := map[string]bool{}
	for _, i := range v.Issues {
		got[i.Code] = true
	}
	want := map[string]bool{}
	for _, c := range it.Codes {
		want[c] = true
		f.code(c)
		if got[c] {
			f.tp++
			f.code(c)[0]++
		} else {
			f.fn++
			f.code(c)[2]++
		}
	}
	for _, i := range v.Issues {
		if n := f.checks[i.Code]; i.By == "" {
			k := 1
			if want[i.Code] {
				k = 0
			}
			n[k]++
			f.checks[i.Code] = n
		}
	}
	for c := range got {
		if !want[c] {
			f.fp++
			f.code(c)[1]++
		}
	}
}

func (f *figures) code(c string) *[3]int {
	if f.byCode[c] == nil {
		f.byCode[c] = &[3]int{}
	}
	return f.byCode[c]
}

func (f *figures) macroF1() float64 {
	sum := 0.0
	for k := range 3 {
		tp, fp, fn := f.confusion[k][k], 0, 0
		for o := range 3 {
			if o != k {
				fp += f.confusion[o][k]
				fn += f.confusion[k][o]
			}
		}
		sum += f1(tp, fp, fn) / 3
	}
	return sum
}

func f1(tp, fp, fn int) float64 {
	if tp == 0 {
		return 0
	}
	return 2 * float64(tp) / float64(2*tp+fp+fn)
}

// ranked prints how many clean texts could be cleared at the best, for a share of missed violations.
func (f *figures) ranked() {
	bad, good := f.risks[0], f.risks[1]
	sort.Float64s(bad)
	for _, share := range []float64{0.033, 0.05, 0.1} {
		t := bad[int(share*float64(len(bad)))]
		n := 0
		for _, g := range good {
			if g < t {
				n++
			}
		}
		fmt.Printf("  with %.1f %% missed, %d of %d clean texts could be cleared (below %.3f)\n", 100*share, n, len(good), t)
	}
	fmt.Printf("  area under the curve %.3f\n", area(bad, good))
}

// area is the probability that one of pos lies above one of neg.
func area(pos, neg []float64) float64 {
	n := 0.0
	for _, p := range pos {
		for _, q := range neg {
			if p > q {
				n++
			} else if p == q {
				n += 0.5
			}
		}
	}
	return n / float64(len(pos)*len(neg))
}
