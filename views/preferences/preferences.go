// Package preferences draws the judging of pairs of answers, the ranking that comes of it, and the pairs themselves.
//
// The judge's page shows two texts and nothing about them: whose they are stands on the pages of those who look after
// the pairs alone.
package preferences

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/feedback/preference"
	"preceptor/views/chart"
	"preceptor/views/ui"
)

// Addresses of the pages.
const (
	Home        = "/preferences"
	RankingPath = "/preferences/ranking"
	PairsPath   = "/preferences/pairs"
	NewPath     = "/preferences/pairs/new"
)

// Judge is where pairs are judged.
type Judge struct {
	preference.Work
	Mine   []preference.Mine
	Me     string // account
	Keeper bool   // sees the other pages
	Error  string
	Now    time.Time
}

// Ranking is who is preferred.
type Ranking struct {
	preference.Ranking
	Counts preference.Counts
}

// Pairs is the list, with the export above it.
type Pairs struct {
	preference.Page
	Counts preference.Counts
	Cursor string `form:"cursor"`
	Origin string `form:"origin"` // of the export, as typed, and so are the next two
	From   string `form:"from"`
	To     string `form:"to"`
	Error  string
	Errors map[string]string
	Now    time.Time
}

// New is a pair as it was typed.
type New struct {
	Task        string
	Prompt      string `form:"prompt"`
	First       string `form:"first"`
	Second      string `form:"second"`
	FirstMaker  string `form:"first_maker"`
	SecondMaker string `form:"second_maker"`
	Error       string
	Errors      map[string]string
}

func tabs(current string) []ui.Tab {
	list := []ui.Tab{{Label: "Judge", Href: Home, Count: -1}, {Label: "Ranking", Href: RankingPath, Count: -1},
		{Label: "Pairs and export", Href: PairsPath, Count: -1}}
	for i := range list {
		list[i].Current = list[i].Href == current
	}
	return list
}

var origins = []ui.Option{{Value: "", Label: "all pairs"},
	{Value: preference.Revision, Label: "revisions by supervisors"}, {Value: preference.Given, Label: "added by hand"},
	{Value: preference.API, Label: "from agents"}}

func originLabel(o string) string {
	for _, one := range origins {
		if one.Value == o {
			return one.Label
		}
	}
	return o
}

// choices are the four answers with their keys.
var choices = []struct {
	value, label, key string
}{
	{preference.ABetter, "A is better", "1"}, {preference.BBetter, "B is better", "2"},
	{preference.Tie, "No difference", "3"}, {preference.BothBad, "Both are bad", "4"},
}

func choiceLabel(c string) string {
	for _, one := range choices {
		if one.value == c {
			return one.label
		}
	}
	return c
}

// waitingWords says how much there is to do.
func waitingWords(w preference.Work) string {
	s := ui.Count(w.Waiting, "pair is waiting for you", "pairs are waiting for you") + ", " + ui.Thousands(w.Done) +
		" judged"
	if w.Skipped > 0 {
		s += ", " + ui.Thousands(w.Skipped) + " skipped"
	}
	return s
}

// better says which of the two counts, in words.
func better(p preference.Pair) string {
	side := p.Better()
	who := map[string]string{"left": p.Left.Maker, "right": p.Right.Maker}[side]
	switch {
	case p.State != preference.Open:
		return p.State
	case p.Chosen != "":
		return who + ", by a revision"
	case p.Counter.Answers == 0:
		return "not judged yet"
	case side == "":
		return "no majority of " + ui.Count(p.Counter.Answers, "answer")
	}
	n := max(p.Counter.Lefts, p.Counter.Rights)
	return fmt.Sprintf("%s, %d of %d", who, n, p.Counter.Answers)
}

// span is an interval of a chance, in percent.
func span(s preference.Strength) string {
	return fmt.Sprintf("%d to %d%%", int(math.Round(s.ChanceLow*100)), int(math.Round(s.ChanceHigh*100)))
}

// logarithm writes a logarithm of worth with its interval.
func logarithm(s preference.Strength) string {
	return strings.ReplaceAll(fmt.Sprintf("%.2f (%.2f to %.2f)", s.Log, s.Low, s.High), "-", "−")
}

// Figures are the ranking for other programs.
func Figures(r preference.Ranking) chart.Table {
	t := chart.Table{Heads: []chart.Head{{Label: "Group", Num: true}, {Label: "Name"},
		{Label: "Preferred to an average one", Num: true},
		{Label: "from", Num: true, Of: "Preferred to an average one"},
		{Label: "to", Num: true, Of: "Preferred to an average one"},
		{Label: "Log strength", Num: true}, {Label: "from", Num: true, Of: "Log strength"},
		{Label: "to", Num: true, Of: "Log strength"}, {Label: "Won", Num: true}, {Label: "Lost", Num: true},
		{Label: "Ties", Num: true}}}
	for i, g := range r.Groups {
		raw := func(v float64) chart.Cell {
			if !g.Ranked {
				return chart.Cell{}
			}
			return chart.Cell{Raw: strconv.FormatFloat(v, 'f', 4, 64)}
		}
		n := func(v int) chart.Cell { return chart.Cell{Raw: strconv.Itoa(v)} }
		for _, s := range g.Members {
			t.Rows = append(t.Rows, []chart.Cell{n(i + 1), {Raw: s.Name}, raw(s.Chance), raw(s.ChanceLow),
				raw(s.ChanceHigh), raw(s.Log), raw(s.Low), raw(s.High), n(s.Wins), n(s.Losses), n(s.Ties)})
		}
	}
	return t
}

// Picture is a group as a chart, for a slide: the i-th of n, from 0.
func Picture(g preference.Group, i, n int) chart.Chart {
	c := chart.Chart{ID: "ranking", Title: "Preferred to an average one", Says: leader(g), Note: g.Message}
	if n > 1 {
		c.Title += ", group " + strconv.Itoa(i+1)
	}
	b := &chart.Bars{Unit: chart.Percent, Head: "Agent, prompt or model", Count: "Answers"}
	for _, s := range g.Members {
		b.Rows = append(b.Rows,
			chart.Bar{Name: s.Name, Point: chart.Point{Value: s.Chance, Low: s.ChanceLow, High: s.ChanceHigh,
				N: s.Wins + s.Losses + s.Ties, None: !g.Ranked}})
	}
	c.Bars = b
	return c
}

// leader is the sentence over a group.
func leader(g preference.Group) string {
	if !g.Ranked || len(g.Members) < 2 {
		return ""
	}
	a, b := g.Members[0], g.Members[1]
	if a.Low > b.High {
		return a.Name + " leads: its interval is above all others."
	}
	return "No clear leader: the intervals of " + a.Name + " and " + b.Name + " overlap."
}
