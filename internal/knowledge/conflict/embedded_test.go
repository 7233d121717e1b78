package conflict

import (
	"os"
	"strings"
	"testing"
)

// labelled is a pair of testdata/pairs.tsv.
type labelled struct{ set, label, left, right string }

func readPairs(t *testing.T) (list []labelled) {
	t.Helper()
	b, err := os.ReadFile("testdata/pairs.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(b)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		p := strings.Split(line, "\t")
		if len(p) != 4 {
			t.Fatalf("%d columns: %s", len(p), line)
		}
		list = append(list, labelled{p[0], p[1], p[2], p[3]})
	}
	return list
}

// The floors hold on each half. "tune" was looked at while the detector was made, "held" was not.
func TestEmbeddedOnLabelledPairs(t *testing.T) {
	floors := map[string]map[string][2]float64{ // precision, recall
		"tune": {FoundDuplicate: {0.95, 0.85}, FoundContradiction: {0.95, 0.9}},
		"held": {FoundDuplicate: {0.85, 0.8}, FoundContradiction: {0.8, 0.75}},
	}
	e := NewEmbedded()
	type tally struct{ hit, said, true int }
	sums := map[string]map[string]*tally{"tune": {}, "held": {}}
	for _, p := range readPairs(t) {
		want := p.label
		if want == "narrower" {
			want = FoundNarrower
		}
		for _, turned := range []bool{false, true} {
			left, right := p.left, p.right
			if turned {
				left, right = right, left
			}
			f := e.compare(left, right)
			for _, kind := range []string{FoundDuplicate, FoundContradiction, FoundNarrower} {
				s := sums[p.set][kind]
				if s == nil {
					s = &tally{}
					sums[p.set][kind] = s
				}
				if f.Kind == kind {
					s.said++
				}
				if want == kind {
					s.true++
				}
				if f.Kind == kind && want == kind {
					s.hit++
				}
			}
			if f.Kind != want && !turned && (p.set == "tune" || os.Getenv("PAIRS") == "held") {
				t.Logf("%s: %s, not %s (%s)\n\t%s\n\t%s", p.set, f.Kind, want, f.Why, p.left, p.right)
			}
		}
	}
	for set, kinds := range sums {
		for kind, s := range kinds {
			precision, recall := 1.0, float64(s.hit)/float64(max(1, s.true))
			if s.said > 0 {
				precision = float64(s.hit) / float64(s.said)
			}
			t.Logf("%s %s: precision %.2f, recall %.2f of %d", set, kind, precision, recall, s.true/2)
			if f, ok := floors[set][kind]; ok && (precision < f[0] || recall < f[1]) {
				t.Errorf("%s %s: precision %.2f (floor %.2f), recall %.2f (floor %.2f)", set, kind, precision, f[0], recall, f[1])
			}
		}
	}
}
