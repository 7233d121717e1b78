package embedded

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"preceptor/internal/compliance"
	"preceptor/internal/interaction"
)

// Takes the parts of a verdict out one at a time, on texts that the encoder was not tuned on, and logs what each costs in AUC, with an
// interval of 95 % by a paired bootstrap over the texts (2,000 draws, seed 1). What the judge reads must cost some for certain; the words
// that carry a violation are needed for the quote, and the checks for what the law demands and for dated facts, whatever they cost.
func TestEachPartIsNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 360 texts; make check runs it")
	}
	type scores struct {
		bad bool
		by  map[string]float64
	}
	m, v, j := loaded(), validator(), Judges(nil)[0]
	var all []scores
	for _, name := range []string{"mixed_fourth", "traps_fourth", "letters_fourth"} {
		f, err := os.Open("../testdata/blind/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var l struct {
				Question, Guidance string
				Label              compliance.Label
				Customer           json.RawMessage
			}
			if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
				t.Fatal(err)
			}
			if l.Label == compliance.Borderline {
				continue
			}
			c := interaction.Consultation{Pack: "pension", Question: l.Question, Customer: interaction.CustomerLoosely(l.Customer)}
			s := v.Subject(l.Guidance, c)
			about, text, sentences := shown(&s)
			r, err := m.read(t.Context(), about, text, sentences, m.pension)
			if err != nil {
				t.Fatal(err)
			}
			vote, err := j.Judge(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			checked := v.Checks().Check(l.Guidance, c.Situation())
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
			all = append(all, scores{l.Label == compliance.NonCompliant, map[string]float64{
				"":         stops(checked, m.odds(r)),
				"checks":   stops(compliance.Verdict{Label: compliance.Compliant, Passed: true}, m.odds(r)),
				"label":    stops(checked, m.Span*max(r.span, -10)),
				"words":    stops(checked, m.Label*r.label),
				"encoder":  found,
				"stopping": m.odds(r),
			}})
		}
		f.Close()
	}
	area := func(list []scores, without string) float64 {
		var good, bad []float64
		for _, s := range list {
			if s.bad {
				bad = append(bad, s.by[without])
			} else {
				good = append(good, s.by[without])
			}
		}
		slices.Sort(good)
		won := 0.0
		for _, b := range bad {
			below, _ := slices.BinarySearch(good, b)
			to := below
			for to < len(good) && good[to] == b {
				to++
			}
			won += float64(below) + float64(to-below)/2
		}
		return won / float64(len(good)*len(bad))
	}
	for _, part := range []string{"checks", "label", "words", "encoder", "stopping"} {
		rng, lost := rand.New(rand.NewPCG(1, 1)), make([]float64, 2000)
		for i := range lost {
			drawn := make([]scores, len(all))
			for k := range drawn {
				drawn[k] = all[rng.IntN(len(all))]
			}
			lost[i] = area(drawn, "") - area(drawn, part)
		}
		slices.Sort(lost)
		low := lost[len(lost)/40]
		t.Logf("without %-8s AUC %.3f instead of %.3f; it costs %.3f (%.3f to %.3f)", part, area(all, part), area(all, ""),
			area(all, "")-area(all, part), low, lost[len(lost)-len(lost)/40])
		if (part == "encoder" || part == "label") && low <= 0 {
			t.Errorf("%s isn't needed for certain", part)
		}
	}
}
