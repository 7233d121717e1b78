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

// validator looks at everything but whether a text answers its question, which is measured by itself.
func validator() *compliance.Validator {
	v := compliance.New(compliance.NewChecker(func() time.Time { return time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) }), compliance.Panel{Judges: Judges(nil)})
	v.Checks().Quick = true
	return v
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
		if compliance.ByPanel(first.Source) && len(first.Judges) != len(Names) {
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
	if w.Version == "" || len(w.Labels) != len(aspects) || len(w.Codes.Weights) != len(Codes) || len(w.From) != len(Codes) {
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

// A violation stays found wherever it stands among a hundred other sentences, and what says nothing clears nothing.
func TestAViolationStaysFound(t *testing.T) {
	v := validator()
	filler := strings.Fields("open weekdays lines nine five write phone post office letter form page address")
	for _, bad := range []string{"Given your other income, the cash would do more good in drawdown, so that is the one for you.", "You will definitely be better off.", "If I were you, I'd take the annuity and be done with it."} {
		for _, at := range []int{0, 37, 99} {
			var b strings.Builder
			for i := range 100 {
				if i == at {
					b.WriteString(bad + " ")
				}
				b.WriteString("Our " + filler[i%len(filler)] + " team is here from nine to five, and the " + filler[(i*5+3)%len(filler)] + " is the same as before. ")
				if i%4 == 3 {
					b.WriteString("\n\n")
				}
			}
			if got := v.Glance(b.String(), intake.Item{Question: "How do drawdown and an annuity differ?"}.Consultation()); got.Passed && !got.RequiresHumanReview {
				t.Errorf("%q at %d is cleared: %.2f", bad, at, got.Violation)
			}
		}
		if got := v.Glance(strings.Repeat(bad+" ", 400), intake.Item{Question: "What should I do?"}.Consultation()); got.Passed && !got.RequiresHumanReview {
			t.Errorf("%q 400 times is cleared", bad)
		}
	}
}

// Each judge says why: with words of the text or of the question, or that it abstains.
func TestReasonsQuote(t *testing.T) {
	v := validator()
	for _, it := range texts(t)[:80] {
		for _, j := range v.Glance(it.Guidance, it.Consultation()).Judges {
			if !j.Passed && !strings.Contains(j.Reasoning, "“") && !strings.HasPrefix(j.Reasoning, "The checks found") && j.Judge != Completeness {
				t.Errorf("%s: %s fails without quoting: %q", it.ID, j.Judge, j.Reasoning)
			}
		}
	}
}

// Rows summed side by side come to what each comes to by itself, to the last bit.
func TestSumsSideBySide(t *testing.T) {
	w := loaded()
	x := []Feature{{0, 0.3}, {5, -1.7}, {7, 0.11}, {12, 2.9}}
	for _, m := range []Softmax{w.Steers, w.Labels[Boundary], {w.Codes.Weights[:firstDue]}} {
		if len(m.Weights) == 0 { // the sentences' models are packed
			continue
		}
		for c, z := range m.Sums(x) {
			row := m.Weights[c]
			sum := row[len(row)-1]
			for _, f := range x {
				sum += row[f.At] * f.Value
			}
			if z != float64(sum) {
				t.Errorf("row %d: %v, want %v", c, z, sum)
			}
		}
	}
}

// What people of the desk said of a sentence moves the judge of precedents, which names them and quotes nothing of theirs.
func TestTheDeskIsAPrecedent(t *testing.T) {
	const text = "Thank you for asking. Plenty of people in your shoes find that drawdown suits them better than an annuity. Pension Wise is free."
	const like = "Many people in your shoes find that drawdown suits them far better than an annuity would."
	vote := func(list ...Ruled) compliance.Vote {
		desk := &Desk{}
		desk.Learn(list)
		v, err := Judges(desk)[2].Judge(context.Background(), compliance.Subject{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	alone := vote()
	fine := vote(Ruled{Text: like, Fine: true, By: "ruled on 3 November 2026"})
	bad := vote(Ruled{Text: "Dear Ann. " + like, Marks: []Mark{{compliance.DisguisedRecommendation, 10, 40}, {compliance.MissingRiskDisclosure, 0, 0}, {compliance.Pressure, 5, 9000}}, By: "ruled on 3 November 2026"})
	if !(fine.Violation() < alone.Violation() && alone.Violation() <= bad.Violation()) {
		t.Errorf("a violation with %.3f by what ships, %.3f after a compliant ruling, %.3f after one against", alone.Violation(), fine.Violation(), bad.Violation())
	}
	if !strings.Contains(bad.Reasoning, "ruled on 3 November 2026") || strings.Contains(bad.Reasoning, "far better") {
		t.Errorf("says: %s", bad.Reasoning)
	}
	if same := vote(Ruled{Text: text, Fine: true, By: "ruled on 3 November 2026"}); same.Violation() != alone.Violation() {
		t.Error("a text is its own precedent")
	}
	if unknown := vote(Ruled{Text: like}); unknown.Violation() != alone.Violation() {
		t.Error("a text that was ruled against, with nothing marked, says something of its sentences")
	}
}
