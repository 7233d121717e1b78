package agreement_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/dataset/agreement"
)

// same reports whether two rows of results are equal but for rounding; left out are measures that want fails for.
func same(t *rapid.T, a, b []agreement.Result, want func(agreement.Measure) bool) {
	t.Helper()
	for i := range a {
		if want(a[i].Measure) && (a[i].Defined() != b[i].Defined() || math.Abs(a[i].Value-b[i].Value) > 1e-9 ||
			a[i].Items != b[i].Items) {
			t.Errorf("%s: %+v, then %+v", a[i].Measure, a[i], b[i])
		}
	}
}

func every(agreement.Measure) bool { return true }

var points = agreement.Options{Rounds: -1}

func TestTheNamesOfLabelsDoNotMatterToNominalMeasures(t *testing.T) {
	nominal := agreement.Options{Measures: agreement.UpTo(agreement.LevelNominal), Rounds: -1}
	rapid.Check(t, func(t *rapid.T) {
		rows, order, _ := drawn(t)
		others := rapid.Permutation(order).Draw(t, "renamed")
		names := map[string]string{"": ""}
		for i := range order {
			names[order[i]] = "label " + others[i]
		}
		var renamed [][]string
		for _, row := range rows {
			var r []string
			for _, cell := range row {
				r = append(r, names[cell])
			}
			renamed = append(renamed, r)
		}
		var scale []string
		for _, o := range order {
			scale = append(scale, "label "+o)
		}
		same(t, agreement.Over(build(t, rows, order...), nominal), agreement.Over(build(t, renamed, scale...), nominal),
			every)
	})
}

func TestTurningTheScaleOverChangesNothingButRatios(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, order, _ := drawn(t)
		turned := map[string]string{"": ""}
		var scale []string
		for i := range order {
			turned[order[i]] = fmt.Sprintf("-%s.0", order[i])
			scale = append([]string{turned[order[i]]}, scale...)
		}
		var other [][]string
		for _, row := range rows {
			var r []string
			for _, cell := range row {
				r = append(r, turned[cell])
			}
			other = append(other, r)
		}
		same(t, agreement.Over(build(t, rows, order...), points), agreement.Over(build(t, other, scale...), points),
			func(m agreement.Measure) bool { return m != agreement.AlphaRatio })
	})
}

func TestTheOrderOfRatersAndItemsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, order, _ := drawn(t)
		columns := rapid.Permutation(indices(len(rows[0]))).Draw(t, "columns")
		var other [][]string
		for _, i := range rapid.Permutation(indices(len(rows))).Draw(t, "rows") {
			var r []string
			for _, c := range columns {
				r = append(r, rows[i][c])
			}
			other = append(other, r)
		}
		same(t, agreement.Over(build(t, rows, order...), points), agreement.Over(build(t, other, order...), points),
			every)
	})
}

func indices(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

// Every item twice leaves all measures as they are but alpha, whose N-1 corrects for small samples: with N labels on
// pairable items, 1-α becomes (1-α)(2N-1)/(2N-2). For the ordinal metric too, as every rank doubles.
func TestEveryItemTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, order, _ := drawn(t)
		n := 0
		for _, row := range rows {
			if given := len(strings.Fields(strings.Join(row, " "))); given > 1 {
				n += given
			}
		}
		once := agreement.Over(build(t, rows, order...), points)
		twice := agreement.Over(build(t, append(rows[:len(rows):len(rows)], rows...), order...), points)
		for i, r := range once {
			want := r.Value
			if strings.HasPrefix(string(r.Measure), "krippendorff") && r.Defined() {
				want = 1 - (1-want)*float64(2*n-1)/float64(2*n-2)
			}
			if twice[i].Defined() != r.Defined() || math.Abs(twice[i].Value-want) > 1e-9 ||
				twice[i].Items != 2*r.Items {
				t.Errorf("%+v, then %+v, want %v", r, twice[i], want)
			}
		}
	})
}

// What nobody can pair changes nothing but how common Gwet and Fleiss take labels to be.
func TestItemsWithoutAPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, order, _ := drawn(t)
		before := agreement.Over(build(t, rows, order...), points)
		blank := make([]string, len(rows[0]))
		lone := append([]string{rapid.SampledFrom(order).Draw(t, "lone label")}, blank[1:]...)
		same(t, before, agreement.Over(build(t, append(rows, blank), order...), points), every)
		if before[0].Raters < 2 {
			return
		}
		after := agreement.Over(build(t, append(rows, lone), order...), points)
		if after[0].Raters > before[0].Raters { // the first had said nothing until now
			return
		}
		same(t, before, after, func(m agreement.Measure) bool {
			return m != agreement.Fleiss && !strings.HasPrefix(string(m), "gwet")
		})
	})
}

func TestMeasuresStayInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, order, _ := drawn(t)
		for _, r := range agreement.Over(build(t, rows, order...),
			agreement.Options{Rounds: 30, Seed: rapid.Uint64().Draw(t, "seed")}) {
			least := math.Inf(-1) // alpha and the kappas have no fixed lower end
			switch r.Measure {
			case agreement.Percent:
				least = 0
			case agreement.AC1, agreement.Cohen, agreement.Scott:
				least = -1
			}
			bad := func(x float64) bool { return math.IsNaN(x) || x < least-1e-12 || x > 1+1e-12 }
			if bad(r.Value) {
				t.Errorf("%+v", r)
			}
			if in := r.Interval; in != nil && in.Missing == "" &&
				(bad(in.Low) || bad(in.High) || in.Low > in.High || in.Rounds != 30 || in.Undefined > 15) {
				t.Errorf("%s: %+v", r.Measure, in)
			}
			if r.Interval != nil && !r.Defined() {
				t.Errorf("%s is undefined and has an interval", r.Measure)
			}
		}
	})
}

func TestPerfectAgreementIsOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, order, _ := drawn(t)
		for i, row := range rows {
			label := order[i%len(order)]
			for j := range row {
				row[j] = label
			}
		}
		for _, r := range agreement.Over(build(t, rows, order...), points) {
			if r.Defined() && r.Value != 1 {
				t.Errorf("%+v", r)
			}
		}
	})
}

func TestReasons(t *testing.T) {
	for name, c := range map[string]struct {
		rows    [][]string
		measure agreement.Measure
		want    string
	}{
		"one label":         {[][]string{{"1", "1"}, {"1", "1"}}, agreement.AlphaNominal, "p_e = 1"},
		"one label, kappa":  {[][]string{{"1", "1"}, {"1", "1"}}, agreement.CohenQuadratic, "p_e = 1"},
		"one label, Fleiss": {[][]string{{"1", "1", "1"}, {"1", "1", ""}}, agreement.Fleiss, "p_e = 1"},
		"one label, Gwet":   {[][]string{{"1", "1"}, {"1", "1"}}, agreement.AC1, "only one label"},
		"no pairs":          {[][]string{{"1", ""}, {"", "2"}}, agreement.AlphaNominal, "two labels"},
		"no pairs, percent": {[][]string{{"1", ""}, {"", "2"}}, agreement.Percent, "two labels"},
		"one rater":         {[][]string{{"1", ""}, {"2", ""}}, agreement.Percent, "fewer than two raters"},
		"nothing":           {[][]string{{"", ""}}, agreement.AlphaRatio, "fewer than two raters"},
		"three raters":      {[][]string{{"1", "1", "2"}}, agreement.Cohen, "pairs"},
		"words, ordinal":    {[][]string{{"a", "b"}, {"c", "a"}}, agreement.AlphaOrdinal, "without an order"},
		"words, interval":   {[][]string{{"1", "b"}, {"2", "1"}}, agreement.AlphaInterval, `"b" is not a number`},
		"below zero":        {[][]string{{"1", "-2"}, {"2", "1"}}, agreement.AlphaRatio, "there is -2"},
		"unknown":           {[][]string{{"1", "2"}, {"2", "1"}}, "magic", "no such measure"},
	} {
		if got := one(t, build(t, c.rows), c.measure); !strings.Contains(got.Undefined, c.want) || got.Value != 0 {
			t.Errorf("%s: %+v, want %q", name, got, c.want)
		}
	}
	if got := one(t, build(t, [][]string{{"low", "high"}, {"mid", "mid"}, {"high", "high"}}, "low", "mid", "high"),
		agreement.AlphaOrdinal); !got.Defined() {
		t.Errorf("words with an order: %+v", got)
	}
	// Two of many columns with labels are two raters.
	if got := one(t, build(t, [][]string{{"", "1", "1", ""}, {"", "2", "1", ""}, {"", "2", "2", ""}}),
		agreement.Cohen); !got.Defined() || got.Raters != 2 {
		t.Errorf("two of four columns: %+v", got)
	}
}

func TestNumbers(t *testing.T) {
	table := build(t, [][]string{{"1", "1.0"}, {"01", "+1e0"}, {"10", "2"}, {"-0", "0"}})
	if got := strings.Join(table.Scale.Labels, " "); len(table.Scale.Labels) != 4 || !strings.HasSuffix(got, " 2 10") {
		t.Errorf("the scale is %q", got)
	}
	for _, word := range []string{"NaN", "inf", "0x10", "1_000", "1e999", "--1"} {
		if got := one(t, build(t, [][]string{{"1", word}, {"2", "2"}}), agreement.AlphaInterval); got.Defined() {
			t.Errorf("%s is read as a number", word)
		}
	}
	// Far from zero, and as wide as numbers go: a shift and a stretch change no interval alpha.
	plain := one(t, build(t, [][]string{{"0", "0"}, {"1", "2"}, {"4", "4"}, {"3", "4"}}), agreement.AlphaInterval)
	far := one(t,
		build(t, [][]string{{"100000000000", "100000000000"}, {"100000000001", "100000000002"},
			{"100000000004", "100000000004"}, {"100000000003", "100000000004"}}), agreement.AlphaInterval)
	if math.Abs(far.Value-plain.Value) > 1e-9 {
		t.Errorf("far from zero %v, want %v", far.Value, plain.Value)
	}
	wide := one(t, build(t, [][]string{{"-1.7e308", "-1.7e308"}, {"1.7e308", "1.7e308"}, {"0", "1.7e308"}}),
		agreement.AlphaInterval)
	if !wide.Defined() || math.IsNaN(wide.Value) || math.IsInf(wide.Value, 0) {
		t.Errorf("%+v", wide)
	}
}
