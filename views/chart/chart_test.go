package chart

import (
	"bytes"
	"context"
	"encoding/csv"
	"math"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"pgregory.net/rapid"
)

func drawn(t interface {
	Fatal(...any)
}, c Chart) *goquery.Document {
	var b bytes.Buffer
	if err := Card(c).Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") || strings.Contains(s, "style=") {
		t.Fatal("not a number, or a style, is drawn: ", s)
	}
	doc, err := goquery.NewDocumentFromReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// shares is a series of 30 days, one of which has no votes.
func shares() Chart {
	l := &Line{Unit: Percent, First: "Day"}
	now, ghost := Series{Name: "This period", Look: Now, Band: true}, Series{Name: "Previous period", Look: Ghost}
	for i := range 30 {
		l.Slots, l.Short = append(l.Slots, "day "+Number.Text(float64(i))), append(l.Short, Number.Text(float64(i)))
		v := 0.9 - float64(i%3)/20
		now.Points = append(now.Points,
			Point{Value: v, Low: v - .1, High: v + .05, N: 40, None: i == 12,
				Href: "/stats/rows?day=" + Number.Text(float64(i))})
		ghost.Points = append(ghost.Points, Point{Value: 0.8, Low: 0.8, High: 0.8, N: 3})
	}
	l.Series = []Series{now, ghost}
	return Chart{ID: "rate", Title: "Satisfaction", Says: "It fell.", Line: l,
		Marks: []Mark{{From: 20, To: 27, Tone: "amber", Label: "From day 20.", Href: "/stats/changes?around=20",
			Link: "What changed"}}, CSV: "?format=csv"}
}

func TestALineHasAllThatBelongsToIt(t *testing.T) {
	doc := drawn(t, shares())
	for selector, want := range map[string]int{"section.card > h2": 1, ".says": 1, "svg > title": 1, "svg > desc": 1,
		"polyline.now": 2 + 1, "polyline.ghost": 1 + 1, "polygon.band": 2 + 1, "rect.dip[data-tone=amber]": 1,
		".chart-marks a": 1, "details table tbody tr": 30, `a[download]`: 1} {
		if n := doc.Find(selector).Length(); n != want {
			t.Errorf("%d of %s, want %d", n, selector, want)
		}
	}
	if got := doc.Find("desc").Text(); !strings.Contains(got, "lowest") {
		t.Errorf("the text of the drawing says %q", got)
	}
	if got := doc.Find("tbody tr").Eq(12).Find("td").First().Text(); strings.TrimSpace(got) != "no data" {
		t.Errorf("a day without votes says %q", got)
	}
	if n := doc.Find("svg a:not([tabindex='-1'])").Length(); n > 0 {
		t.Errorf("%d links of the drawing can be reached by key, although they are hidden from readers", n)
	}
	if n := doc.Find("tbody a").Length(); n != 29 {
		t.Errorf("%d rows of the table lead on, want 29", n)
	}
}

func TestAnEmptyChartSaysNoDataAndDrawsNothing(t *testing.T) {
	none := Series{Name: "This period", Look: Now, Points: []Point{{None: true}, {None: true}}}
	for name, c := range map[string]Chart{
		"line":      {ID: "a", Title: "A", Line: &Line{Unit: Percent, Series: []Series{none}}},
		"no points": {ID: "a", Title: "A", Line: &Line{}}, "bars": {ID: "a", Title: "A", Bars: &Bars{}},
		"bars without data": {ID: "a", Title: "A", Bars: &Bars{Rows: []Bar{{Name: "x", Point: Point{None: true}}}}},
		"panels": {ID: "a", Title: "A",
			Multi: &Multi{Panels: []Panel{{Name: "x", Line: Line{Series: []Series{none}}}}}},
		"nothing": {ID: "a", Title: "A"},
		"a target alone": {ID: "a", Title: "A",
			Line: &Line{Series: []Series{{Look: Target, Points: []Point{{Value: 1}}}}}},
	} {
		doc := drawn(t, c)
		if !strings.Contains(doc.Text(), "No data") || doc.Find("svg").Length() > 0 ||
			strings.Contains(doc.Text(), "%") {
			t.Errorf("%s: %q", name, strings.Join(strings.Fields(doc.Text()), " "))
		}
	}
}

func TestOneDayIsADotWithItsInterval(t *testing.T) {
	doc := drawn(t,
		Chart{ID: "a", Title: "A", Line: &Line{Unit: Percent, Slots: []string{"today"}, Short: []string{"today"},
			Series: []Series{{Name: "n", Look: Now, Band: true,
				Points: []Point{{Value: 1, Low: .34, High: 1, N: 2}}}}}})
	if doc.Find("circle.now").Length() != 1 || doc.Find("svg.plot:not(.swatch) polygon.band").Length() != 1 {
		t.Error("a single value is not to be seen")
	}
}

// wild is a chart of whatever numbers there may be.
func wild(t *rapid.T) Chart {
	n := rapid.IntRange(0, 40).Draw(t, "places")
	point := func(at string) Point {
		return Point{Value: anything().Draw(t, at), Low: anything().Draw(t, at+" low"),
			High: anything().Draw(t, at+" high"), N: rapid.IntRange(0, 9).Draw(t, at+" n"),
			None: rapid.Bool().Draw(t, at+" none")}
	}
	u := rapid.SampledFrom(units).Draw(t, "unit")
	l := Line{Unit: u, Series: []Series{{Name: "now", Look: Now, Band: true}, {Name: "target", Look: Target}}}
	for range n {
		l.Series[0].Points = append(l.Series[0].Points, point("p"))
		l.Series[1].Points = append(l.Series[1].Points, point("t"))
		l.Slots, l.Short = append(l.Slots, "s"), append(l.Short, "s")
	}
	if n > 0 && rapid.Bool().Draw(t, "counts") {
		for range n {
			l.At = append(l.At, anything().Draw(t, "at"))
		}
	}
	c := Chart{ID: "w", Title: "Wild", Says: "x"}
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		c.Line, c.Marks = &l,
			[]Mark{{From: rapid.IntRange(-3, 50).Draw(t, "from"), To: rapid.IntRange(-3, 50).Draw(t, "to"), Label: "m"}}
	case 1:
		c.Multi = &Multi{Own: rapid.Bool().Draw(t, "own"), Panels: []Panel{{Name: "a", Line: l}, {Name: "b", Line: l}}}
	case 2:
		c.Bars = &Bars{Unit: u, Head: "x"}
		for range min(n, 5) {
			p := point("before")
			c.Bars.Rows = append(c.Bars.Rows,
				Bar{Name: rapid.String().Draw(t, "name"), Point: point("bar"), Before: &p})
		}
	}
	return c
}

func TestWhateverTheFiguresNothingElseThanNumbersIsDrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := wild(t)
		doc := drawn(t, c)
		doc.Find("svg [x], svg [cx], svg [y1], svg [width]").Each(func(_ int, e *goquery.Selection) {
			for _, a := range e.Get(0).Attr {
				if strings.HasSuffix(a.Val, "%") && strings.HasPrefix(a.Val, "-") && a.Key != "x" {
					t.Fatalf("%s=%q", a.Key, a.Val)
				}
			}
		})
		var b bytes.Buffer
		if err := c.Table().WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		if s := b.String(); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
			t.Fatalf("the file has %s", s)
		}
	})
}

func TestTheFileIsTheTableAndRunsNothing(t *testing.T) {
	c := Chart{ID: "a", Title: "A", Bars: &Bars{Unit: Percent, Head: "Topic",
		Rows: []Bar{{Name: "=cmd|' /C calc'!A0", Point: Point{Value: 0.5, Low: 0.2, High: 0.8, N: 7}},
			{Name: "Tax, and \"more\"", Point: Point{None: true}}}}}
	var b bytes.Buffer
	if err := c.Table().WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(b.String(), "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 3 || rows[1][0] != "'=cmd|' /C calc'!A0" || rows[1][1] != "0.5000" || rows[1][4] != "7" ||
		rows[2][1] != "" {
		t.Errorf("%q", rows)
	}
}

// A program reads a file by the names of its columns and by days that sort.
func TestTheFilesColumnsAndDaysAreForPrograms(t *testing.T) {
	one := *shares().Line
	one.Raw = []string{"2026-10-24", "2026-10-25"}
	two := one
	c := Chart{ID: "m", Title: "M",
		Multi: &Multi{Panels: []Panel{{Name: "Satisfaction", Line: one}, {Name: "Approved", Line: two},
			{Name: "Approved", Line: two}}}}
	var b bytes.Buffer
	if err := c.Table().WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(b.String(), "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rows[0][:7], "|"); got != "Day|Satisfaction|Satisfaction from|Satisfaction "+
		"to|Satisfaction n|Satisfaction, Previous period|Satisfaction, Previous period n" {
		t.Errorf("columns %s", got)
	}
	seen := map[string]bool{}
	for _, name := range rows[0] {
		if seen[name] {
			t.Errorf("two columns are called %q", name)
		}
		seen[name] = true
	}
	if rows[1][0] != "2026-10-24" || rows[3][0] != "day 2" {
		t.Errorf("the days are %q and %q", rows[1][0], rows[3][0])
	}
	if got := strings.Join(strings.Fields(drawn(t, c).Find("thead th").Eq(2).Text()),
		" "); got != "Satisfaction, from" {
		t.Errorf("the column is read out as %q", got)
	}
}

// What is drawn is a part of what was counted; the table and the file have all of it.
func TestBarsThatAreNotDrawnStandInTheTableAndTheFile(t *testing.T) {
	c := Chart{ID: "a", Title: "A", Bars: &Bars{Unit: Percent, Head: "Agent", Count: "votes", Most: 12}}
	for i := range 25 {
		c.Bars.Rows = append(c.Bars.Rows,
			Bar{Name: "agent " + Number.Text(float64(i)), Point: Point{Value: .5, Low: .2, High: .8, N: 7}})
	}
	doc := drawn(t, c)
	if n := doc.Find("ul.bars > li").Length(); n != 12 {
		t.Errorf("%d bars are drawn, want 12", n)
	}
	if n := doc.Find("details tbody tr").Length(); n != 25 {
		t.Errorf("the table has %d rows, want 25", n)
	}
	var b bytes.Buffer
	if err := c.Table().WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n != 26 {
		t.Errorf("the file has %d lines, want 26", n)
	}
}

// A mark that is about one panel stands on no other, and keeps its number.
func TestAMarkStandsOnItsPanelAlone(t *testing.T) {
	mark := shares().Marks[0]
	other := mark
	mark.Panel, other.Panel = "one", "two"
	c := Chart{ID: "m", Title: "M",
		Multi: &Multi{Panels: []Panel{{Name: "one", Line: *shares().Line}, {Name: "two", Line: *shares().Line},
			{Name: "three", Line: *shares().Line}}}, Marks: []Mark{mark, other}}
	panels := drawn(t, c).Find(".multiples > li")
	for i, want := range []string{"1", "2", ""} {
		if got := panels.Eq(i).Find(".pin-no").Text(); got != want {
			t.Errorf("panel %d has the marks %q, want %q", i, got, want)
		}
	}
}

// A value is read where it is pointed at or chosen by the arrow keys: each place of the drawing has its own in words,
// on the other side.
func TestEachPlaceOfADrawingSaysItsValues(t *testing.T) {
	doc := drawn(t, shares())
	places := doc.Find("svg[data-plot][tabindex='0'] .of")
	if places.Length() != 30 {
		t.Fatalf("%d places, want 30", places.Length())
	}
	for i, want := range map[int]string{0: "end", 14: "end", 15: "start", 29: "start"} {
		tip := places.Eq(i).Find("text.tip")
		if got := tip.AttrOr("text-anchor", ""); got != want || tip.Find("tspan").Length() < 2 {
			t.Errorf("place %d: %s, %d lines", i, got, tip.Find("tspan").Length())
		}
	}
}

func TestAShortLogarithmicAxisHasMoreFigures(t *testing.T) {
	a := Decades(1, 37)
	if len(a.Ticks) != 7 || a.Ticks[1].Label != "2" || len(a.minor()) != 16 || len(Decades(1, 40_000).Ticks) != 6 {
		t.Errorf("%+v, %d minor", a.Ticks, len(a.minor()))
	}
}

func TestALogarithmicAxisGrowsTenfold(t *testing.T) {
	a := Decades(30, 4200)
	if a.Min != 10 || a.Max != 10_000 || len(a.Ticks) != 4 || math.Abs(a.At(100)-1.0/3) > 1e-9 {
		t.Errorf("%+v", a)
	}
}
