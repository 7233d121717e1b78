// Package agreement measures how far people who labelled the same items agree.
//
// It is pure: no tables, no clock, no randomness but the seed it is given. A Builder collects items × raters of
// optional labels into a Table; Over gives every coefficient over it, PerLabel (one label against the rest), PerPair
// and OverTime the same over its parts. Each comes with a percentile bootstrap interval over items.
//
// What it promises. A figure is a number or "undefined" with a plain reason, never NaN, infinity or a silent 1. One
// seed gives the same intervals on every machine and in any order of calls. Rounds of the bootstrap in which a measure
// is undefined are left out and counted. Time is linear in the number of different rows, not of items, per round: equal
// rows are counted once and resampled by their counts. The published values are reproduced (known_test.go).
//
// Definitions, for item i with r_i labels, r_ik of them k, and K labels on the scale:
//
//   - Items with fewer than two labels are not pairable. Items is the number of pairable ones. Gwet's measures and
//     Fleiss' kappa also use single labels for how common each label is, as Gwet (2014) does; nothing else does.
//   - Percent agreement: mean over pairable items of the share of pairs of labels that are equal.
//   - Cohen (1960; weighted 1968): two raters, items labelled by both. Weights are 1-|k-l|/(K-1) or its square's
//     counterpart, k and l being places on the scale, not numbers. For more raters look at the pairs.
//   - Scott (1955): as Cohen, with one distribution of labels for both.
//   - Fleiss (1971), for items with different numbers of labels as Gwet (2014, ch. 2) generalises it.
//   - Krippendorff's alpha as in "Computing Krippendorff's Alpha-Reliability" (2011). The ordinal metric is there a sum
//     of frequencies between two labels; it is the difference of their mid-ranks, and is computed as that.
//   - Gwet's AC1 (2008) and AC2 (2014): chance agreement is T_w/(K(K-1)) · Σ π_k(1-π_k), T_w being the sum of weights,
//     π_k the mean over items of r_ik/r_i.
//
// Decided against: one headline figure (kappa falls when one label is rare, AC1 does not: both are shown); reading
// words as an ordered scale from their alphabet (weighted measures are undefined until an order is given); verbal
// grades such as "substantial" (Landis and Koch themselves called them arbitrary).
package agreement

import "encoding/json"

// Measure names one coefficient.
type Measure string

// The measures, in the order they are shown.
const (
	Percent        Measure = "percent_agreement"
	Cohen          Measure = "cohen_kappa"
	CohenLinear    Measure = "cohen_kappa_linear"
	CohenQuadratic Measure = "cohen_kappa_quadratic"
	Scott          Measure = "scott_pi"
	Fleiss         Measure = "fleiss_kappa"
	AlphaNominal   Measure = "krippendorff_alpha_nominal"
	AlphaOrdinal   Measure = "krippendorff_alpha_ordinal"
	AlphaInterval  Measure = "krippendorff_alpha_interval"
	AlphaRatio     Measure = "krippendorff_alpha_ratio"
	AC1            Measure = "gwet_ac1"
	AC2Linear      Measure = "gwet_ac2_linear"
	AC2Quadratic   Measure = "gwet_ac2_quadratic"
)

// Level is what may be said of two different labels: that they differ, which is more, by how much, and in what
// proportion.
type Level int

// The levels of measurement (Stevens). What makes sense at one makes sense at those above.
const (
	LevelNominal Level = iota
	LevelOrdinal
	LevelInterval
	LevelRatio
)

var catalogue = []struct {
	measure Measure
	title   string
	level   Level
}{
	{Percent, "Percent agreement", LevelNominal},
	{Cohen, "Cohen's kappa", LevelNominal},
	{CohenLinear, "Cohen's kappa, linear", LevelOrdinal},
	{CohenQuadratic, "Cohen's kappa, quadratic", LevelOrdinal},
	{Scott, "Scott's pi", LevelNominal},
	{Fleiss, "Fleiss' kappa", LevelNominal},
	{AlphaNominal, "Krippendorff's alpha, nominal", LevelNominal},
	{AlphaOrdinal, "Krippendorff's alpha, ordinal", LevelOrdinal},
	{AlphaInterval, "Krippendorff's alpha, interval", LevelInterval},
	{AlphaRatio, "Krippendorff's alpha, ratio", LevelRatio},
	{AC1, "Gwet's AC1", LevelNominal},
	{AC2Linear, "Gwet's AC2, linear", LevelOrdinal},
	{AC2Quadratic, "Gwet's AC2, quadratic", LevelOrdinal},
}

// places says where in catalogue, and in every row of figures, a measure stands.
var places = func() map[Measure]int {
	m := map[Measure]int{}
	for i, c := range catalogue {
		m[c.measure] = i
	}
	return m
}()

// UpTo are the measures that make sense at level l, in the order they are shown. UpTo(LevelRatio) is all of them.
func UpTo(l Level) (list []Measure) {
	for _, c := range catalogue {
		if c.level <= l {
			list = append(list, c.measure)
		}
	}
	return list
}

// Title is the measure's name for people.
func (m Measure) Title() string {
	if i, ok := places[m]; ok {
		return catalogue[i].title
	}
	return string(m)
}

// Why a measure is undefined.
const (
	fewRaters   = "fewer than two raters gave a label"
	noPairs     = "no item has two labels"
	oneLabel    = "only one label was used, so agreement by chance is certain (p_e = 1)"
	oneOnScale  = "the scale has only one label"
	twoRaters   = "it is for two raters; see the pairs"
	noOrder     = "the labels are words without an order"
	tooVaried   = "there are too many different numbers"
	mostlyVoid  = "it is undefined in more than half of the resamples"
	noSpread    = "every resample gives the same value, as where nobody disagrees"
	slowRatio   = "there are too many different numbers to resample"
	notNumbers  = "%q is not a number"
	belowZero   = "a ratio needs numbers from 0 up, and there is %s"
	notMeasured = "there is no such measure"
)

// Result is one measure over one table.
type Result struct {
	Measure   Measure
	Value     float64   // when Undefined is empty; 0 otherwise
	Undefined string    // why there is no value, for a person; a clause without capital and full stop
	Interval  *Interval // nil when it was not asked for, or there is none
	Items     int       // pairable: with two labels or more
	Raters    int       // who gave at least one label
}

// Defined reports whether there is a value.
func (r Result) Defined() bool { return r.Undefined == "" }

// Interval is a 95 % percentile bootstrap interval over items.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Rounds is how many resamples were drawn, Undefined in how many of them the measure had no value; those are left
	// out.
	Rounds    int `json:"rounds"`
	Undefined int `json:"undefined_rounds"`
	// Missing is why there is no interval; Low and High are then 0.
	Missing string `json:"-"`
}

// MarshalJSON writes an undefined value, and an interval that is missing, as null beside the reason.
func (r Result) MarshalJSON() ([]byte, error) {
	var value *float64
	if r.Defined() {
		value = &r.Value
	}
	known, missing := r.Interval, ""
	if known != nil && known.Missing != "" {
		known, missing = nil, known.Missing
	}
	return json.Marshal(struct {
		Measure  Measure   `json:"measure"`
		Value    *float64  `json:"value"`
		Reason   string    `json:"reason,omitempty"`
		Interval *Interval `json:"interval"`
		Missing  string    `json:"interval_reason,omitempty"`
		Items    int       `json:"items"`
		Raters   int       `json:"raters"`
	}{r.Measure, value, r.Undefined, known, missing, r.Items, r.Raters})
}

// Rounds is how many resamples an interval is made of when Options don't say.
const Rounds = 1000

// Options say what to measure and how the intervals are drawn.
type Options struct {
	Measures []Measure // all when empty
	Seed     uint64
	Rounds   int // 0 means Rounds, less than 0 no intervals
}

func (o Options) measures() []Measure {
	if len(o.Measures) == 0 {
		return UpTo(LevelRatio)
	}
	return o.Measures
}

func (o Options) rounds() int {
	if o.Rounds == 0 {
		return Rounds
	}
	return max(o.Rounds, 0)
}

// Over gives the asked measures over the whole table.
func Over(t *Table, o Options) []Result { return newCounter(t).results(o) }
