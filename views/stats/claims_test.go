package stats

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"preceptor/internal/stats"
	"preceptor/views/chart"
)

// drawn is a share drawn from what is the same everywhere, beside the period before.
func drawn(r *rand.Rand, n int, p float64) stats.Figure {
	draw := func() stats.Figure {
		k := 0
		for range n {
			if r.Float64() < p {
				k++
			}
		}
		return stats.ShareOf("x", k, n)
	}
	f, b := draw(), draw()
	f.Before = &b
	return f
}

// says are all sentences of a page's charts.
func says(list []chart.Chart) (out []string) {
	for _, c := range list {
		out = append(out, c.Says)
		if c.Multi != nil {
			for _, p := range c.Multi.Panels {
				out = append(out, p.Says)
			}
		}
	}
	return out
}

func claimed(list []string) bool {
	for _, s := range list {
		for _, none := range []string{"No days differ significantly", "No topic has days that differ significantly",
			"No topic differs significantly", "No agent differs significantly"} {
			s = strings.ReplaceAll(s, none, "")
		}
		if strings.Contains(s, "significantly") || strings.Contains(s, ": significant.") ||
			strings.Contains(s, " lower ") || strings.Contains(s, " higher ") {
			return true
		}
	}
	return false
}

// Of pages without any true difference at most one in twenty says that there is one: in the demo's sizes, which differ
// from task to task, and in those of a busy desk.
func TestOnePageInTwentyClaimsWhatChanceMade(t *testing.T) {
	zone := time.UTC
	p := LastDays(time.Date(2026, 11, 22, 12, 0, 0, 0, zone), 30, zone)
	demo := []int{10, 5, 3, 3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1}
	votes := []int{255, 120, 110, 90, 80, 75, 60, 55, 45, 40, 30, 20, 12, 8, 5, 3}
	for name, c := range map[string]struct {
		tasks []int
		share float64
	}{"demo, decisions": {demo, .56}, "demo, votes": {votes, .85}, "many tasks": {make([]int, 40), .92}} {
		r := rand.New(rand.NewPCG(1, uint64(len(name))))
		for i, n := range c.tasks {
			if n == 0 {
				c.tasks[i] = 30 + 10*i
			}
		}
		const pages = 600
		wrong := 0
		for range pages {
			v := Satisfaction{Scope: Scope{Path: TabSatisfaction, Period: p}}
			v.Series = stats.Series{Key: "satisfaction", Unit: stats.Ratio, Step: stats.Daily,
				Points: make([]stats.Point, 30)}
			days := func(n int) (s stats.Series) {
				s = v.Series
				s.Points = nil
				for day := range 30 {
					from := p.Range.From.AddDate(0, 0, day)
					s.Points = append(s.Points,
						stats.Point{From: from, To: from.AddDate(0, 0, 1), Figure: drawn(r, n/30+r.IntN(2), c.share)})
				}
				return s
			}
			total := 0
			for i, n := range c.tasks {
				v.Topics = append(v.Topics,
					stats.Slice{Key: fmt.Sprint(i), Name: fmt.Sprint(i), Figure: drawn(r, n, c.share), Volume: n})
				if total += n; i < MostTopics {
					v.TopicSeries = append(v.TopicSeries, days(n))
				}
			}
			v.Agents = v.Topics[:3]
			v.Series, v.Rate = days(total), drawn(r, total, c.share)
			sentences := says(v.Charts())
			for range 3 {
				if drawn(r, total, c.share).Sure(claims) {
					sentences = append(sentences, "a tile: significant.")
				}
			}
			if claimed(sentences) {
				wrong++
			}
		}
		t.Logf("%s: %d of %d", name, wrong, pages)
		if wrong > pages*5/100 {
			t.Errorf("%s: %d of %d pages claim a difference that isn't there", name, wrong, pages)
		}
	}
}

func TestNothingIsSignificantOfThree(t *testing.T) {
	list := []stats.Slice{{Key: "a", Name: "Taking money out", Figure: stats.ShareOf("x", 0, 3)},
		{Key: "b", Name: "b", Figure: stats.ShareOf("x", 22, 38)}}
	if got := extremes(list, "agent"); got != "No agent differs significantly from the others combined." {
		t.Error(got)
	}
	for _, c := range []struct{ part, n, before, beforeN int }{{0, 3, 80, 100}, {29, 29, 30, 60}, {10, 100, 5, 20}} {
		f, b := stats.ShareOf("x", c.part, c.n), stats.ShareOf("x", c.before, c.beforeN)
		if f.Before = &b; f.Sure(1) {
			t.Errorf("%v is called significant", c)
		}
	}
	if f, b := stats.ShareOf("x", 100, 200), stats.ShareOf("x", 180, 200); true {
		if f.Before = &b; !f.Sure(claims) {
			t.Error("50% after 90% of 200 is not called significant")
		}
	}
}
