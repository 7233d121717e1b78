package embedded

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/intake"
)

func validator() *compliance.Validator {
	return compliance.New(compliance.NewChecker(func() time.Time { return time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) }), compliance.Panel{Judges: Judges()})
}

func texts(t testing.TB) []intake.Item {
	t.Helper()
	f, err := os.Open("../testdata/texts/train.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []intake.Item
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		it, err := intake.Read(lines.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, it)
	}
	return out
}

func TestPanelIsSoundAndSteady(t *testing.T) {
	v := validator()
	for _, it := range texts(t)[:60] {
		first := v.Validate(context.Background(), it.Guidance, it.Consultation())
		again := validator().Validate(context.Background(), it.Guidance, it.Consultation())
		a, _ := json.Marshal(first)
		b, _ := json.Marshal(again)
		if string(a) != string(b) {
			t.Fatalf("%s: %s\n%s", it.ID, a, b)
		}
		if first.Source == compliance.Consensus && len(first.Judges) != len(Names) {
			t.Errorf("%s: %d judges", it.ID, len(first.Judges))
		}
		runes := []rune(it.Guidance)
		for _, j := range first.Judges {
			if j.Abstained || j.Reasoning == "" || j.Confidence < 0.33 || j.Confidence > 1 {
				t.Errorf("%s: %+v", it.ID, j)
			}
			for _, i := range j.Issues {
				if string(runes[i.Span[0]:i.Span[1]]) != i.Quote || i.Why == "" || i.Reference == "" || !strings.Contains(it.Guidance, i.Quote) {
					t.Errorf("%s: %+v", it.ID, i)
				}
			}
		}
	}
}

func TestPlainCases(t *testing.T) {
	v := validator()
	for text, want := range map[string]bool{
		"In drawdown your money stays invested, so it can fall and may run out. An annuity pays an income for life, and you can't change your mind later. We can't tell you which suits you. Pension Wise is free.":                               true,
		"Both are possible. In drawdown the money stays invested and may fall or run out. Given your other income, the cash would do more good working in drawdown than sitting in the scheme, so that is the one for you. Pension Wise is free.": false,
	} {
		got := v.Glance(text, intake.Item{Question: "How do drawdown and an annuity differ?"}.Consultation())
		if got.Passed != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// What the whole file says of the texts that it was fitted on is no measure of quality, only that the weights and the features
// still belong together; the measure is the cross-validation of fit and the untouched file.
func TestWeightsFitTheFeatures(t *testing.T) {
	w := loaded()
	if w.Version == "" || len(w.Judges) != len(Names) || len(w.Codes) != len(Names) || len(w.From) != len(Codes) || len(w.Clear.Weights) != 1 {
		t.Fatal("weights.json is not whole")
	}
	missed := 0
	v := validator()
	all := texts(t)
	for _, it := range all {
		if got := v.Glance(it.Guidance, it.Consultation()); got.Passed && !got.RequiresHumanReview {
			missed++
		}
	}
	if missed < len(all)/6 || missed > len(all)/2 {
		t.Errorf("%d of %d texts are cleared", missed, len(all))
	}
}

func BenchmarkValidate(b *testing.B) {
	v := validator()
	items := texts(b)
	for i := 0; b.Loop(); i++ {
		it := items[i%len(items)]
		v.Glance(it.Guidance, it.Consultation())
	}
}

func FuzzJudges(f *testing.F) {
	f.Add("You’d do better to stay.\u200b Why? - £5", "x")
	v := validator()
	f.Fuzz(func(t *testing.T, text, question string) {
		got := v.Glance(text, intake.Item{Question: question}.Consultation())
		for _, j := range got.Judges {
			if j.Abstained {
				t.Fatalf("%+v", j)
			}
		}
	})
}

// A judge's doubt follows what all see together and its own view, and neither takes the other's word away.
func TestDoubtFollowsBoth(t *testing.T) {
	if got := Doubt(0, 0.5); got != 0.5 {
		t.Errorf("even odds give %f", got)
	}
	if Doubt(1, 0.5) <= Doubt(0, 0.5) || Doubt(0, 0.6) <= Doubt(0, 0.5) {
		t.Error("more doubt gives less")
	}
	if sure, wild := Doubt(-1e9, 0.5), Doubt(0, 0); sure < 0.01 || wild < 0.01 {
		t.Errorf("one of them decides alone: %f, %f", sure, wild)
	}
}

func TestTogetherIsTheMean(t *testing.T) {
	none, steer := make([]float64, len(Classes)), make([]float64, len(Classes))
	none[0], steer[1] = 1, 1
	got := Together([][][]float64{{none, steer}, {steer, steer}})
	if got[0][0] != 0.5 || got[0][1] != 0.5 || got[1][0] != 0 || got[1][1] != 1 {
		t.Error(got)
	}
}

// Rows summed side by side come to what each comes to by itself, to the last bit.
func TestSumsSideBySide(t *testing.T) {
	w := loaded()
	x := []Feature{{0, 0.3}, {5, -1.7}, {17, 0.11}, {40, 2.9}}
	for _, name := range Names {
		m := w.Codes[name]
		for c, z := range m.Sums(x) {
			row := m.Weights[c]
			sum := row[len(row)-1]
			for _, f := range x {
				sum += row[f.At] * f.Value
			}
			if z != float64(sum) {
				t.Errorf("%s, %s: %v, want %v", name, Codes[c], z, sum)
			}
		}
	}
}
