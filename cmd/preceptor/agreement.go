package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"preceptor/internal/dataset/agreement"
	"preceptor/internal/fault"
	"preceptor/internal/terminal"
	"preceptor/internal/text"
)

type agreementCmd struct {
	File   string   `arg:"" name:"file" help:"A CSV file: a row per item, a column per rater, a blank cell where there is no label, the raters' names on the first line; - for standard input."`
	Level  string   `enum:"nominal,ordinal,interval,ratio,all" default:"all" help:"Only measures that make sense for labels of this kind: nominal, ordinal, interval, ratio or all."`
	Order  []string `placeholder:"LABEL" help:"The labels from least to most, for the measures that need an order. Numbers have one."`
	Ignore []string `placeholder:"COLUMN" help:"Columns that are not raters, such as an id."`
	Seed   uint64   `default:"1" help:"Of the random numbers behind the intervals; the same seed gives the same intervals."`
	Rounds int      `default:"1000" help:"Resamples for each interval; 0 for no intervals."`
	JSON   bool     `name:"json" help:"As JSON."`
}

// maxRounds bounds --rounds: more adds nothing to the second digit.
const maxRounds = 100_000

// agreementReport is what --json prints.
type agreementReport struct {
	Items    int                     `json:"items"` // rows of the file
	Raters   []string                `json:"raters"`
	Labels   []string                `json:"labels"`
	Ordered  bool                    `json:"ordered"`
	Seed     uint64                  `json:"seed"`
	Rounds   int                     `json:"rounds"`
	Measures []agreement.Result      `json:"measures"`
	PerLabel []agreement.LabelResult `json:"per_label"`
	PerPair  []agreement.PairResult  `json:"per_pair"`
	Notes    []string                `json:"notes"`
}

// maxShownLabels bounds the list of labels in the report; a scale of numbers may have as many as items.
const maxShownLabels = 1000

// Run reads the file and prints every measure of agreement. It needs no database.
func (c *agreementCmd) Run(t *terminal.Terminal) error {
	if c.Rounds < 0 || c.Rounds > maxRounds {
		return fault.New(fault.Invalid, "The rounds are 0 to %d.", maxRounds)
	}
	table, err := c.read(t)
	if err != nil {
		return err
	}
	r := c.measure(table)
	if c.JSON {
		return t.JSON(r)
	}
	return printAgreement(t, r)
}

func (c *agreementCmd) read(t *terminal.Terminal) (*agreement.Table, error) {
	in, err := t.Input(c.File)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return agreement.ReadCSV(stopping{t, in}, c.Ignore, c.Order)
}

// stopping ends a long read when the person interrupts it.
type stopping struct {
	t *terminal.Terminal
	r io.Reader
}

func (s stopping) Read(p []byte) (int, error) {
	if err := s.t.Ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}

func (c *agreementCmd) options() agreement.Options {
	levels := map[string]agreement.Level{"nominal": agreement.LevelNominal, "ordinal": agreement.LevelOrdinal, "interval": agreement.LevelInterval,
		"ratio": agreement.LevelRatio, "all": agreement.LevelRatio}
	o := agreement.Options{Measures: agreement.UpTo(levels[c.Level]), Seed: c.Seed, Rounds: c.Rounds}
	if c.Rounds == 0 {
		o.Rounds = -1
	}
	return o
}

func (c *agreementCmd) measure(table *agreement.Table) agreementReport {
	o := c.options()
	r := agreementReport{
		Items: table.Items(), Raters: table.Raters, Labels: table.Scale.Labels, Ordered: table.Scale.Ordered, Seed: c.Seed, Rounds: c.Rounds,
		Measures: agreement.Over(table, o), PerLabel: []agreement.LabelResult{}, PerPair: []agreement.PairResult{}, Notes: []string{},
	}
	if n := len(r.Labels); n > maxShownLabels {
		r.Labels = r.Labels[:maxShownLabels]
		r.Notes = append(r.Notes, fmt.Sprintf("There are %d different labels; the first %d are named.", n, maxShownLabels))
	}
	for _, name := range table.LikeIDs() {
		r.Notes = append(r.Notes, fmt.Sprintf("The column %q is different in every row. If it is no rater, leave it out: --ignore %q.", name, name))
	}
	nominal := o
	nominal.Measures = agreement.UpTo(agreement.LevelNominal) // a label against the rest has no order
	if labels, err := agreement.PerLabel(table, nominal); err != nil {
		r.Notes = append(r.Notes, fault.Message(err))
	} else {
		r.PerLabel = labels
	}
	r.PerPair = agreement.PerPair(table, o)
	if c.Rounds > 0 && len(r.PerPair) > 0 && !slices.ContainsFunc(r.PerPair, hasInterval) {
		r.Notes = append(r.Notes, fmt.Sprintf("No intervals are drawn for pairs: there are more than %d pairs, or too many different rows.", agreement.MaxPairIntervals))
	}
	return r
}

// short are the names of the measures that are shown per label and per pair.
var short = map[agreement.Measure]string{
	agreement.Percent: "percent", agreement.Cohen: "Cohen's kappa", agreement.CohenQuadratic: "quadratic", agreement.Fleiss: "Fleiss' kappa",
	agreement.AlphaNominal: "alpha", agreement.AC1: "AC1",
}

// hasInterval tells whether resamples were drawn; percent agreement has a value for every pair.
func hasInterval(p agreement.PairResult) bool { return p.Results[0].Interval != nil }

func printAgreement(t *terminal.Terminal, r agreementReport) error {
	w := t.Columns(0)
	fmt.Fprintf(w, "measure\tvalue\t95 %% interval\titems\traters\tnote\n")
	for _, m := range r.Measures {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\n", m.Measure.Title(), value(m), span(m), m.Items, m.Raters, note(m, r.Rounds))
	}
	asked := func(m agreement.Measure) bool {
		return slices.ContainsFunc(r.Measures, func(x agreement.Result) bool { return x.Measure == m })
	}
	section := func(title string, columns []agreement.Measure) {
		fmt.Fprintf(w, "\n%s", title)
		for _, m := range columns {
			fmt.Fprintf(w, "\t%s\t95 %%", short[m])
		}
		fmt.Fprintf(w, "\titems\n")
	}
	if len(r.PerLabel) > 0 {
		shown := []agreement.Measure{agreement.Percent, agreement.Fleiss, agreement.AlphaNominal, agreement.AC1}
		section("label against the rest", shown)
		for _, l := range r.PerLabel {
			fmt.Fprintf(w, "%s", plainCell(l.Label))
			cells(w, l.Results, shown)
			fmt.Fprintf(w, "\t%d\n", l.Items)
		}
	}
	if len(r.PerPair) > 0 {
		shown := []agreement.Measure{agreement.Percent, agreement.Cohen, agreement.CohenQuadratic, agreement.AC1}
		shown = slices.DeleteFunc(shown, func(m agreement.Measure) bool { return !asked(m) })
		section("pair", shown)
		for _, p := range r.PerPair {
			fmt.Fprintf(w, "%s and %s", plainCell(p.A), plainCell(p.B))
			cells(w, p.Results, shown)
			fmt.Fprintf(w, "\t%d\n", p.Items)
		}
	}
	for _, n := range r.Notes {
		t.Say("%s", n)
	}
	return w.Flush()
}

func cells(w io.Writer, results []agreement.Result, shown []agreement.Measure) {
	for _, m := range shown {
		found := agreement.Result{Undefined: "it was not asked for"}
		for _, r := range results {
			if r.Measure == m {
				found = r
			}
		}
		fmt.Fprintf(w, "\t%s\t%s", value(found), span(found))
	}
}

func value(r agreement.Result) string {
	if !r.Defined() {
		return "n/a"
	}
	return fmt.Sprintf("%.4f", r.Value)
}

func span(r agreement.Result) string {
	if !r.Defined() || r.Interval == nil || r.Interval.Missing != "" {
		return "-"
	}
	return fmt.Sprintf("%.4f to %.4f", r.Interval.Low, r.Interval.High)
}

// note is why there is no value or interval, or what is left out of it.
func note(r agreement.Result, asked int) string {
	switch {
	case !r.Defined():
		return r.Undefined
	case r.Interval == nil:
		return ""
	case r.Interval.Missing != "":
		return "no interval: " + r.Interval.Missing
	case r.Interval.Rounds < asked:
		return fmt.Sprintf("from %d resamples, as nearly all rows are different", r.Interval.Rounds)
	case r.Interval.Undefined > 0:
		return fmt.Sprintf("undefined in %d of %d resamples, left out", r.Interval.Undefined, r.Interval.Rounds)
	}
	return ""
}

// plainCell keeps a label from a file on its line and in its column, and control characters away from the terminal.
func plainCell(s string) string {
	return text.Opening(strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) || unicode.IsSpace(c) {
			return c
		}
		return '?'
	}, s), 40)
}
