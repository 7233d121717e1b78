package agreement_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/dataset/agreement"
	"preceptor/internal/platform/fault"
)

// three raters who agree on about three in four.
func sample(rng *rand.Rand, items, labels int) (rows [][]string) {
	for range items {
		truth := rng.IntN(labels)
		var row []string
		for range 3 {
			said := truth
			if rng.Float64() < 0.25 {
				said = rng.IntN(labels)
			}
			row = append(row, strconv.Itoa(said))
		}
		rows = append(rows, row)
	}
	return rows
}

func TestASeedGivesTheSameIntervals(t *testing.T) {
	table := build(t, sample(rand.New(rand.NewPCG(1, 1)), 80, 3))
	o := agreement.Options{Seed: 5, Rounds: 200}
	first := agreement.Over(table, o)
	if !reflect.DeepEqual(first, agreement.Over(table, o)) {
		t.Error("the same seed gave other intervals")
	}
	if o.Seed = 6; reflect.DeepEqual(first, agreement.Over(table, o)) {
		t.Error("another seed gave the same intervals")
	}
	o.Seed, o.Measures = 5, []agreement.Measure{agreement.AC1}
	for _, r := range first {
		if r.Measure == agreement.AC1 && !reflect.DeepEqual(r, agreement.Over(table, o)[0]) {
			t.Error("a measure asked for alone has another interval")
		}
	}
}

// The interval must cover the value of the whole from which items are drawn, about as often as it says. Few patterns
// and many are drawn in different ways; both are tried.
func TestIntervalsCover(t *testing.T) {
	for name, labels := range map[string]int{"few patterns": 2, "many patterns": 30} {
		rng := rand.New(rand.NewPCG(2, uint64(labels)))
		o := agreement.Options{Measures: []agreement.Measure{agreement.AlphaNominal}, Rounds: 300}
		whole := one(t, build(t, sample(rng, 60_000, labels)), agreement.AlphaNominal).Value
		covered := 0
		const tries = 200
		for range tries {
			r := agreement.Over(build(t, sample(rng, 250, labels)), o)[0]
			if r.Interval.Low <= whole && whole <= r.Interval.High {
				covered++
			}
		}
		if covered < 176 || covered > 199 { // 190 expected, deviation 3
			t.Errorf("%s: %d of %d intervals cover", name, covered, tries)
		}
	}
}

// Percent agreement of n items is a binomial share, whose deviation is known.
func TestTheWidthIsRight(t *testing.T) {
	var rows [][]string
	for i := range 10_000 {
		rows = append(rows, []string{"a", map[bool]string{true: "a", false: "b"}[i%4 > 0]})
	}
	in := agreement.Over(build(t, rows),
		agreement.Options{Measures: []agreement.Measure{agreement.Percent}, Rounds: 4000})[0].Interval
	want := 2 * 1.96 * math.Sqrt(0.75*0.25/10_000)
	if got := in.High - in.Low; math.Abs(got-want) > 0.06*want {
		t.Errorf("%v wide, want %v", got, want)
	}
}

func TestUndefinedRoundsAreCounted(t *testing.T) {
	// Drawn four times from these four, the one b is missing in (3/4)⁴ of the rounds.
	rows := [][]string{{"a", "a"}, {"a", "a"}, {"a", "a"}, {"b", "a"}}
	in := agreement.Over(build(t, rows),
		agreement.Options{Measures: []agreement.Measure{agreement.AlphaNominal}, Rounds: 2000})[0].Interval
	if share := float64(in.Undefined) / float64(in.Rounds); in.Missing != "" || math.Abs(share-0.3164) > 0.04 {
		t.Errorf("%+v", in)
	}
	rows = [][]string{{"a", "a"}, {"b", "b"}}
	for range 20 {
		rows = append(rows, []string{"", "a"})
	}
	in = agreement.Over(build(t, rows),
		agreement.Options{Measures: []agreement.Measure{agreement.AlphaNominal}, Rounds: 400})[0].Interval
	if !strings.Contains(in.Missing, "half") || in.Undefined < 200 { // both pairs have to be drawn: 0.4
		t.Errorf("two pairs among many single labels: %+v", in)
	}
}

// Ten texts on which two people agree do not show that they always do.
func TestNobodyDisagreed(t *testing.T) {
	rows := [][]string{{"a", "a"}, {"b", "b"}, {"a", "a"}, {"b", "b"}, {"a", "a"}, {"b", "b"}, {"a", "a"}, {"b", "b"},
		{"a", "a"}, {"b", "b"}}
	for _, r := range agreement.Over(build(t, rows),
		agreement.Options{Measures: agreement.UpTo(agreement.LevelNominal), Rounds: 100}) {
		if r.Value != 1 || r.Interval == nil || r.Interval.Missing == "" || r.Interval.High != 0 {
			t.Errorf("%s: %+v, %+v", r.Measure, r, r.Interval)
		}
		if text, err := r.MarshalJSON(); err != nil ||
			!strings.Contains(string(text), `"interval":null,"interval_reason":"every resample`) {
			t.Errorf("%s, %v", text, err)
		}
	}
}

func TestBinomialsAreBinomial(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, c := range []struct {
		n int
		p float64
	}{{1, 0.3}, {19, 0.5}, {30, 0.2}, {100, 0.5}, {1000, 0.013}, {1000, 0.37}, {100_000, 0.9}, {50, 0.21}} {
		const draws = 40_000
		var sum, squares float64
		at := map[int]float64{}
		for range draws {
			k := agreement.Binomial(rng, c.n, c.p)
			if k < 0 || k > c.n {
				t.Fatalf("%d of %d", k, c.n)
			}
			d := float64(k) - float64(c.n)*c.p
			sum, squares = sum+d, squares+d*d
			at[k]++
		}
		spread := float64(c.n) * c.p * (1 - c.p)
		if mean := sum / draws; math.Abs(mean) > 5*math.Sqrt(spread/draws) {
			t.Errorf("%+v: the mean is off by %v", c, mean)
		}
		if got := squares / draws; math.Abs(got-spread) > 0.05*spread {
			t.Errorf("%+v: variance %v, want %v", c, got, spread)
		}
		chi, cells := 0.0, 0.0
		for k := range c.n + 1 {
			if want := draws * term(c.n, k, c.p); want > 20 {
				chi += (at[k] - want) * (at[k] - want) / want
				cells++
			}
		}
		if chi > cells+5*math.Sqrt(2*cells)+5 {
			t.Errorf("%+v: chi-squared %v over %v cells", c, chi, cells)
		}
	}
}

func term(n, k int, p float64) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return math.Exp(a - b - c + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

func TestPerLabel(t *testing.T) {
	table := build(t, [][]string{{"a", "a", "b"}, {"b", "b", "b"}, {"c", "", "a"}, {"a", "a", "a"}})
	got, err := agreement.PerLabel(table, agreement.Options{Rounds: -1})
	if err != nil || len(got) != 3 || got[0].Label != "a" || got[0].Items != 3 || got[0].Labels != 6 ||
		got[2].Items != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	yes := map[string]string{"a": "yes", "b": "no", "c": "no", "": ""}
	var rows [][]string
	for _, r := range [][]string{{"a", "a", "b"}, {"b", "b", "b"}, {"c", "", "a"}, {"a", "a", "a"}} {
		rows = append(rows, []string{yes[r[0]], yes[r[1]], yes[r[2]]})
	}
	if want := one(t, build(t, rows), agreement.AlphaNominal); got[0].Results[6].Value != want.Value ||
		got[0].Results[6].Measure != want.Measure {
		t.Errorf("alpha on a: %+v, want %+v", got[0].Results[6], want)
	}
	var many [][]string
	for i := range agreement.MaxLabelTables + 1 {
		many = append(many, []string{strconv.Itoa(i), "0"})
	}
	if _, err := agreement.PerLabel(build(t, many), agreement.Options{Rounds: -1}); !fault.Is(err, fault.Invalid) {
		t.Errorf("a scale of numbers: %v", err)
	}
}

// A pair's figures are those of a table with the two columns alone.
func TestPerPairIsATableOfTwo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, order, _ := drawn(t)
		for _, p := range agreement.PerPair(build(t, rows, order...), points) {
			var two [][]string
			for _, row := range rows {
				if row[p.First] != "" && row[p.Second] != "" {
					two = append(two, []string{row[p.First], row[p.Second]})
				}
			}
			if p.Items != len(two) || p.Items == 0 {
				t.Fatalf("%+v over %d items", p, len(two))
			}
			same(t, agreement.Over(build(t, two, order...), points), p.Results, every)
		}
	})
}

func TestOverTime(t *testing.T) {
	table := build(t, [][]string{{"a", "a"}, {"b", "b"}, {"a", "b"}, {"b", "a"}, {"a", "a"}})
	day := func(n int) time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) }
	at := []time.Time{day(1), day(1), day(2), day(2), day(9)}
	got, err := agreement.OverTime(table, at,
		[]agreement.Window{{"first", day(1), day(2)}, {"second", day(2), day(3)}, {"empty", day(4), day(5)}},
		agreement.Options{Measures: []agreement.Measure{agreement.Cohen}, Rounds: -1})
	if err != nil || got[0].Items != 2 || got[0].Results[0].Value != 1 || got[1].Results[0].Value != -1 ||
		got[2].Items != 0 || got[2].Results[0].Defined() {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := agreement.OverTime(table, at[1:], nil, agreement.Options{}); err == nil {
		t.Error("fewer times than items were taken")
	}
}
