package embedded

import (
	"bufio"
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/refit"
	"preceptor/internal/interaction"
)

// labelled is a text of testdata with what its author says of it.
type labelled struct {
	Question, Guidance string
	Label              compliance.Label
	Customer           json.RawMessage
	about              interaction.Consultation
	subject            compliance.Subject
}

func texts(t *testing.T, file, packName string) (out []labelled) {
	t.Helper()
	f, err := os.Open("../testdata/blind/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	v, lines := validator(), bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l labelled
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		l.about = interaction.Consultation{Pack: packName, Question: l.Question}
		if len(l.Customer) > 0 {
			l.about.Customer = interaction.CustomerLoosely(l.Customer)
		}
		l.subject = v.Subject(l.Guidance, l.about)
		out = append(out, l)
	}
	return out
}

// scored is a text with what a judge, or a part of one, gives it.
type scored struct {
	score float64
	bad   bool
}

// area is the chance that a violation gets more than a compliant text (AUC); of equal scores half are in order.
func area(list []scored) float64 {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b scored) int { return cmp.Compare(a.score, b.score) })
	fine, won, bad := 0.0, 0.0, 0.0
	for from := 0; from < len(list); {
		tied := [2]float64{}
		to := from
		for ; to < len(list) && list[to].score == list[from].score; to++ {
			if list[to].bad {
				tied[1]++
			} else {
				tied[0]++
			}
		}
		won += tied[1] * (fine + tied[0]/2)
		fine, bad, from = fine+tied[0], bad+tied[1], to
	}
	return won / (fine * bad)
}

// auc leaves borderline texts out.
func auc(t *testing.T, j compliance.Judge, list []labelled) float64 {
	t.Helper()
	var all []scored
	for _, l := range list {
		v, err := j.Judge(t.Context(), l.subject)
		if err != nil {
			t.Fatal(err)
		}
		if l.Label != compliance.Borderline {
			all = append(all, scored{v.Violation(), l.Label == compliance.NonCompliant})
		}
	}
	return area(all)
}

// On a trade that the encoder was never tuned on, the judge ranks well without one label, and what it learns from one
// author's labels doesn't spoil it for another's texts (card.md has the figures).
func TestATradeThatItNeverSaw(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 540 texts; make check runs it")
	}
	v, u := texts(t, "vet_v.jsonl", "general"), texts(t, "vet_u.jsonl", "general")
	for name, c := range map[string]struct{ from, on []labelled }{"v, tested on u": {v, u}, "u, tested on v": {u, v}} {
		plain := Judges(nil)[0].(*judge)
		var list []refit.Example
		for _, l := range c.from {
			x, odds, err := plain.Features(t.Context(), l.subject)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, refit.Example{X: x, Odds: odds, Now: odds, Violation: l.Label != compliance.Compliant})
		}
		head := refit.Fit(list)
		before := auc(t, plain, c.on)
		after := auc(t, Judges(func(string) (*refit.Head, int) { return &head, 1 })[0], c.on)
		r := refit.Measure(list)
		t.Logf("%s: measured by its own labels %.3f, then %.3f (gain at least %.3f), curve %+v", name, r.Before.AUC,
			r.After.AUC, r.Low, r.Curve)
		t.Logf("%s: AUC %.3f without a label, %.3f with %d", name, before, after, len(list))
		if before < 0.8 || after < before-0.01 {
			t.Errorf("%s: %.3f, then %.3f", name, before, after)
		}
	}
}
