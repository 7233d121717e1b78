package embedded

import (
	"math/rand/v2"
	"slices"
	"testing"

	"preceptor/internal/compliance"
)

// Takes the parts of a verdict out one at a time, on texts that the encoder was not tuned on, and logs what each costs
// in AUC, with an interval of 95 % by a paired bootstrap over the texts (1,000 draws, seed 1). What the judge reads
// must cost some for certain; the words that carry a violation are needed for the quote, and the checks for what the
// law demands and for dated facts, whatever they cost.
func TestEachPartIsNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 360 texts; make check runs it")
	}
	parts := []string{"", "checks", "label", "words", "encoder", "stopping"} // what is left out
	m, v, j := loaded(), validator(), Judges(nil)[0]
	var all [][]scored // by text, then by part
	for _, name := range []string{"mixed_fourth", "traps_fourth", "letters_fourth"} {
		for _, l := range texts(t, name+".jsonl", "pension") {
			if l.Label == compliance.Borderline {
				continue
			}
			about, text, sentences := shown(&l.subject)
			r, err := m.read(t.Context(), about, text, sentences, m.pension)
			if err != nil {
				t.Fatal(err)
			}
			vote, err := j.Judge(t.Context(), l.subject)
			if err != nil {
				t.Fatal(err)
			}
			checked := v.Checks().Check(l.Guidance, l.about.Situation())
			stops := func(checked compliance.Verdict, odds float64) float64 {
				if compliance.Stopped(v.Conclude(checked, []compliance.Vote{vote}, "pension")) {
					return odds + 100
				}
				return odds
			}
			found := 0.0
			for _, i := range checked.Issues {
				found += map[string]float64{compliance.Critical: 10, compliance.Major: 1}[i.Severity]
			}
			var row []scored
			for _, score := range []float64{
				stops(checked, m.odds(r)),
				stops(compliance.Verdict{Label: compliance.Compliant, Passed: true}, m.odds(r)),
				stops(checked, m.Span*max(r.span, -10)),
				stops(checked, m.Label*r.label),
				found,
				m.odds(r),
			} {
				row = append(row, scored{score, l.Label == compliance.NonCompliant})
			}
			all = append(all, row)
		}
	}
	without := func(list [][]scored, part int) float64 {
		of := make([]scored, len(list))
		for i, row := range list {
			of[i] = row[part]
		}
		return area(of)
	}
	for part := 1; part < len(parts); part++ {
		rng, lost := rand.New(rand.NewPCG(1, 1)), make([]float64, 1000)
		for i := range lost {
			drawn := make([][]scored, len(all))
			for k := range drawn {
				drawn[k] = all[rng.IntN(len(all))]
			}
			lost[i] = without(drawn, 0) - without(drawn, part)
		}
		slices.Sort(lost)
		name, low, high := parts[part], lost[len(lost)/40], lost[len(lost)-len(lost)/40]
		t.Logf("without %-8s AUC %.3f instead of %.3f; it costs %.3f (%.3f to %.3f)",
			name, without(all, part), without(all, 0), without(all, 0)-without(all, part), low, high)
		if (name == "encoder" || name == "label") && low <= 0 {
			t.Errorf("%s isn't needed for certain", name)
		}
	}
}
