package agreement_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/dataset/agreement"
)

// knownValues are the published tables, beside the repository where the project is developed.
const knownValues = "../../../../shared/data/agreement_known_values/known_values.json"

type known struct {
	ID, Statistic, Metric, Weights string
	Kind                           string `json:"data_kind"`
	Data                           [][]any
	Expected, Tolerance            *float64
}

// table is the case's data as items × raters.
func (k known) table(t *testing.T) *agreement.Table {
	t.Helper()
	switch k.Kind {
	case "coder_rows_units_cols_null_missing":
		rows := make([][]string, len(k.Data[0]))
		for i := range rows {
			for _, coder := range k.Data {
				cell := ""
				if coder[i] != nil {
					cell = fmt.Sprint(coder[i])
				}
				rows[i] = append(rows[i], cell)
			}
		}
		return build(t, rows)
	case "subject_rows_category_counts":
		return build(t, fromCounts(numbers(k.Data)), places(len(k.Data[0]))...)
	case "confusion_table":
		return build(t, fromConfusion(numbers(k.Data)), places(len(k.Data))...)
	}
	t.Fatalf("%s has data of a kind that is not known: %s", k.ID, k.Kind)
	return nil
}

func (k known) measure() agreement.Measure {
	switch k.Statistic {
	case "krippendorff_alpha":
		return agreement.Measure("krippendorff_alpha_" + k.Metric)
	case "cohen_kappa":
		if k.Weights != "" {
			return agreement.Measure("cohen_kappa_" + k.Weights)
		}
	}
	return agreement.Measure(k.Statistic)
}

func numbers(data [][]any) [][]int {
	out := make([][]int, len(data))
	for i, row := range data {
		for _, x := range row {
			out[i] = append(out[i], int(x.(float64)))
		}
	}
	return out
}

func places(n int) (order []string) {
	for i := range n {
		order = append(order, fmt.Sprint(i+1))
	}
	return order
}

// fromConfusion makes an item of each count of first rater × second rater.
func fromConfusion(table [][]int) (rows [][]string) {
	for a, line := range table {
		for b, n := range line {
			for range n {
				rows = append(rows, []string{fmt.Sprint(a + 1), fmt.Sprint(b + 1)})
			}
		}
	}
	return rows
}

// fromCounts makes an item of each line of how often each label was given.
func fromCounts(table [][]int) (rows [][]string) {
	for _, line := range table {
		var row []string
		for k, n := range line {
			for range n {
				row = append(row, fmt.Sprint(k+1))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func build(t rapid.TB, rows [][]string, order ...string) *agreement.Table {
	t.Helper()
	var raters []string
	for i := range rows[0] {
		raters = append(raters, fmt.Sprintf("r%d", i+1))
	}
	b := agreement.NewBuilder(raters)
	for _, row := range rows {
		if err := b.Add(row...); err != nil {
			t.Fatal(err)
		}
	}
	table, err := b.Table(order...)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// one is a single measure without an interval.
func one(t rapid.TB, table *agreement.Table, m agreement.Measure) agreement.Result {
	t.Helper()
	return agreement.Over(table, agreement.Options{Measures: []agreement.Measure{m}, Rounds: -1})[0]
}

func TestKnownValues(t *testing.T) {
	content, err := os.ReadFile(knownValues)
	if os.IsNotExist(err) {
		t.Skipf("the published tables are not on this machine (%s); TestPublishedTables has the small ones",
			knownValues)
	}
	if err != nil {
		t.Fatal(err)
	}
	var cases []known
	if err := json.Unmarshal(content, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 19 {
		t.Errorf("there are %d cases", len(cases))
	}
	for _, c := range cases {
		got := one(t, c.table(t), c.measure())
		switch {
		case c.Expected == nil && (got.Defined() || got.Undefined == ""):
			t.Errorf("%s: %+v, want undefined", c.ID, got)
		case c.Expected != nil && (!got.Defined() || math.Abs(got.Value-*c.Expected) > *c.Tolerance):
			t.Errorf("%s: %+v, want %v within %v", c.ID, got, *c.Expected, *c.Tolerance)
		}
	}
}

// twelve are the 4 observers × 12 units of Krippendorff (2011), which Gwet (2014) uses too; a line per observer.
const twelve = `1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .`

// fifteen are the 3 coders × 15 units of the article on alpha in Wikipedia.
const fifteen = `. . . . . 3 4 1 2 1 1 3 3 . 3
1 . 2 1 3 3 4 3 . . . . . . .
. . 2 1 3 4 4 . 2 1 1 3 3 . 4`

// lines reads a line per rater; a point is a missing label.
func lines(t *testing.T, text string, order ...string) *agreement.Table {
	t.Helper()
	var rows [][]string
	for r, line := range strings.Split(text, "\n") {
		for i, cell := range strings.Fields(line) {
			if r == 0 {
				rows = append(rows, nil)
			}
			rows[i] = append(rows[i], strings.Trim(cell, "."))
		}
	}
	return build(t, rows, order...)
}

func TestPublishedTables(t *testing.T) {
	observers, coders := lines(t, twelve), lines(t, fifteen)
	sas := build(t, fromConfusion([][]int{{0, 4, 1}, {0, 8, 0}, {0, 1, 5}}), "1", "2", "3")
	diagnoses := build(t, fromConfusion([][]int{{88, 14, 18}, {10, 40, 10}, {2, 6, 12}}))
	grants := build(t, fromConfusion([][]int{{20, 5}, {10, 15}}))
	subjects := build(t,
		fromCounts([][]int{{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1},
			{7, 7, 0, 0, 0}, {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7}}))
	for _, c := range []struct {
		source  string
		table   *agreement.Table
		measure agreement.Measure
		want    float64
		digits  int
	}{
		{"Krippendorff 2011", observers, agreement.AlphaNominal, 0.743, 3},
		{"Krippendorff 2011", observers, agreement.AlphaOrdinal, 0.815, 3},
		{"Krippendorff 2011", observers, agreement.AlphaInterval, 0.849, 3},
		{"Krippendorff 2011", observers, agreement.AlphaRatio, 0.797, 3},
		{"Gwet 2014, irrCAC", observers, agreement.AC1, 0.77544, 5},
		{"Gwet 2014, irrCAC", observers, agreement.Fleiss, 0.76117, 5},
		{"Gwet 2014, irrCAC", observers, agreement.Percent, 0.8181818, 7},
		{"Wikipedia, alpha", coders, agreement.AlphaNominal, 0.691358, 6},
		{"Wikipedia, alpha", coders, agreement.AlphaInterval, 0.810845, 6},
		{"Wikipedia, Fleiss", subjects, agreement.Fleiss, 0.210, 3},
		{"SAS", sas, agreement.Cohen, 0.4842, 4},
		{"SAS", sas, agreement.CohenLinear, 0.4701, 4},
		{"Cohen 1960", diagnoses, agreement.Cohen, 0.492, 3},
		{"Wikipedia, kappa", grants, agreement.Cohen, 0.4, 9},
	} {
		got := one(t, c.table, c.measure)
		if !got.Defined() || math.Abs(got.Value-c.want) > 0.5*math.Pow10(-c.digits)+1e-12 {
			// Cohen's own page rounds 0.4915 up.
			if c.source != "Cohen 1960" || math.Abs(got.Value-c.want) > 1e-3 {
				t.Errorf("%s, %s: %+v, want %v", c.source, c.measure, got, c.want)
			}
		}
	}
}
