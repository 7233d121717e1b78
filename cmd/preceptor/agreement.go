package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"preceptor/internal/dataset/agreement"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
	"preceptor/internal/platform/text"
)

type agreementCmd struct {
	File   string   `arg:"" name:"file" help:"A CSV file with a row per item, a column per rater, the raters' names on the first line and blank cells for missing labels; - for standard input."`
	Level  string   `enum:"nominal,ordinal,interval,ratio,all" default:"all" help:"Show only measures for labels of this kind: nominal, ordinal, interval, ratio or all."`
	Order  []string `placeholder:"LABEL" help:"The labels from lowest to highest, for measures that need an order. Numbers don't need this."`
	Ignore []string `placeholder:"COLUMN" help:"Columns that are not raters, such as an id."`
	Seed   uint64   `default:"1" help:"The random seed for the intervals; the same seed gives the same intervals."`
	Rounds int      `default:"1000" help:"Resamples per interval; 0 for no intervals."`
	JSON   bool     `name:"json" help:"As JSON."`
}

// maxRounds bounds --rounds: more adds nothing to the second digit.
const maxRounds = 100_000

// Run reads the file and prints every measure of agreement. It needs no database.
func (c *agreementCmd) Run(t *terminal.Terminal) error {
	if c.Rounds < 0 || c.Rounds > maxRounds {
		return fault.New(fault.Invalid, "--rounds is 0 to %d.", maxRounds)
	}
	table, err := c.read(t)
	if err != nil {
		return err
	}
	r := agreement.Whole(table, levels[c.Level], c.Seed, c.Rounds)
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

var levels = map[string]agreement.Level{"nominal": agreement.LevelNominal, "ordinal": agreement.LevelOrdinal,
	"interval": agreement.LevelInterval,
	"ratio":    agreement.LevelRatio, "all": agreement.LevelRatio}

// short are the names of the measures that are shown per label and per pair.
var short = map[agreement.Measure]string{
	agreement.Percent: "percent", agreement.Cohen: "Cohen's kappa", agreement.CohenQuadratic: "quadratic",
	agreement.Fleiss:       "Fleiss' kappa",
	agreement.AlphaNominal: "alpha", agreement.AC1: "AC1",
}

func printAgreement(t *terminal.Terminal, r agreement.Report) error {
	w := t.Columns(0)
	fmt.Fprintf(w, "measure\tvalue\t95 %% interval\titems\traters\tnote\n")
	for _, m := range r.Measures {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\n", m.Measure.Title(), value(m), span(m), m.Items, m.Raters,
			note(m, r.Rounds))
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
		found := agreement.Result{Undefined: "not requested"}
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
