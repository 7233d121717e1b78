package measure_test

import (
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/compliance/measure"
	"preceptor/internal/dataset/agreement"
)

func row(s string) (out []measure.Error) {
	for _, c := range s {
		out = append(out, map[rune]measure.Error{'.': measure.Right, 'x': measure.Wrong, '-': measure.Abstained}[c])
	}
	return out
}

func TestEffectiveVotes(t *testing.T) {
	for name, c := range map[string]struct {
		rows    []string
		want    float64
		defined bool
	}{
		"three that are one":          {[]string{"xx..", "xx..", "xx.."}, 1, true},
		"two that are independent":    {[]string{"xx..", "x.x."}, 2, true},
		"two that avoid each other":   {[]string{"xx..", "..xx"}, 2, true},
		"one is always right":         {[]string{"....", "x.x."}, 0, false},
		"one judge":                   {[]string{"x..."}, 1, true},
		"nobody":                      {nil, 0, false},
		"they never answer together":  {[]string{"x.--", "--x."}, 0, false},
		"abstentions are left out":    {[]string{"xx..x", "xx..-"}, 1, true},
		"half the errors are common":  {[]string{"xx......", "x.x....."}, 2 / (1 + 1.0/3), true},
		"one pair of three is a pair": {[]string{"xx..", "xx..", "...."}, 1, true},
	} {
		var rows [][]measure.Error
		for _, r := range c.rows {
			rows = append(rows, row(r))
		}
		if v := measure.EffectiveVotes(rows); v.Effective.Defined() != c.defined ||
			!near(v.Effective.Value, c.want, 1e-12) {
			t.Errorf("%s: %+v, want %v", name, v, c.want)
		}
	}
}

func TestVotesAreBetweenOneAndAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, items := rapid.IntRange(1, 6).Draw(t, "judges"), rapid.IntRange(0, 12).Draw(t, "items")
		rows := make([][]measure.Error, n)
		for i := range rows {
			rows[i] = rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 2), func(i int) measure.Error {
				return measure.Error(i)
			}), items, items).Draw(t, "errors")
		}
		v := measure.EffectiveVotes(rows)
		if v.Effective.Defined() && (v.Effective.Value < 1 || v.Effective.Value > float64(n)) {
			t.Errorf("%+v", v)
		}
		w := measure.EffectiveVotes(rapid.Permutation(rows).Draw(t, "others first"))
		if !near(v.Effective.Value, w.Effective.Value, 1e-9) {
			t.Errorf("%+v, and in another order %+v", v, w)
		}
	})
}

func TestBesideExperts(t *testing.T) {
	b := agreement.NewBuilder([]string{"Ann", "Bob", "judge"})
	for _, r := range [][]string{{"y", "y", "y"}, {"n", "n", "n"}, {"y", "n", "y"}, {"n", "n", "y"}, {"y", "y", ""},
		{"n", "", "n"}} {
		if err := b.Add(r...); err != nil {
			t.Fatal(err)
		}
	}
	table, err := b.Table()
	if err != nil {
		t.Fatal(err)
	}
	got := measure.BesideExperts(table, 2, agreement.Options{Measures: []agreement.Measure{agreement.AC1}, Rounds: -1})
	if got.Judge != "judge" || len(got.Experts) != 1 || got.Experts[0].Items != 5 || len(got.Pairs) != 2 {
		t.Fatalf("%+v", got)
	}
	// Ann and the judge on 5 items: 4 equal; by chance (2·3+3·2)/25. Bob and the judge on 4: 2 equal; by chance
	// (1·3+3·1)/16.
	ann, bob := (0.8-12.0/25)/(1-12.0/25), (0.5-6.0/16)/(1-6.0/16)
	if !near(got.WithExperts.Value, (ann+bob)/2, 1e-12) {
		t.Errorf("with experts %+v, want %v", got.WithExperts, (ann+bob)/2)
	}
	if want := (0.8 - 12.0/25) / (1 - 12.0/25); !near(got.AmongExperts.Value, want, 1e-12) {
		t.Errorf("among experts %+v, want %v", got.AmongExperts, want)
	}
	if alone := measure.BesideExperts(table.Without(0).Without(0), 0,
		agreement.Options{}); alone.WithExperts.Defined() || alone.AmongExperts.Defined() {
		t.Errorf("without experts: %+v", alone)
	}
}
