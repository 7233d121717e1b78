// Package stats draws the managers' pages. /stats and what is below it are about any days, compared with those before
// and narrowed by agent, topic and team, all of which stands in the address (Period): satisfaction, review, compliance,
// learning, what changed around days that stand out, and the rows behind each figure. /overview is what waits today,
// and how the desk has worked lately.
//
// What it promises. Every figure stands with how many it is of and with its interval; without data it says "No data",
// and never 0 %. The sentence above a chart is computed from its figures, and names a change as one only when chance
// does not explain it (package turn finds the days, and the topic that made most of it). A chart comes with its table,
// as CSV. Everything works without a script.
//
// From a dip to its cause there are three steps: the mark on the chart, the page of what changed around then (what
// users wrote, and what was put in use, first the rules whose answers users surely like less than the others on the
// same topics), and the rule's own page, where it can be rolled back. Votes say where to look and not why, and the page
// says so.
//
// What it decided against: filters that change the page by script (an address can be sent), a score made of several
// figures, and ranking people.
package stats

import (
	"fmt"
	"strconv"
	"time"

	"preceptor/internal/compliance/borderline"
	"preceptor/internal/learning"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/stats"
	"preceptor/views/chart"
	"preceptor/views/ui"
)

// Overview is the managers' page.
type Overview struct {
	stats.Overview
	Quality  borderline.Quality // experts' ratings of what went out, in the period
	Experts  borderline.Counts
	Learning learning.Counts
	// Knowledge that waits for a person.
	Knowledge Waiting
	Fall      Fallen // of satisfaction, in the period
	Period    int    // days
	Now       time.Time
}

// Waiting is knowledge that an expert should look at.
type Waiting struct {
	Conflicts, Quarantined, Due int
	Unanswered                  int       // questions that no section answers
	Oldest                      time.Time // conflict; zero when there is none
}

// NiceStep is how far apart the lines of a chart's grid stand: 1, 2 or 5 times a power of ten, so that there are at
// most five lines.
func NiceStep(most int) int {
	for step := 1; ; step *= 10 {
		for _, s := range []int{step, 2 * step, 5 * step} {
			if most/s < 5 {
				return s
			}
		}
	}
}

// percent writes a share as whole percent, with how many it is of and its interval.
func percent(s estimate.Share) string {
	if s.Whole == 0 {
		return "–"
	}
	return strconv.Itoa(int(s.Value()*100+.5)) + "%"
}

// duration is a span of time, as the statistics write it.
func duration(d time.Duration) string {
	if d <= 0 {
		return "–"
	}
	return chart.Length.Text(d.Seconds())
}

// Charts are the charts of the page.
func (v Overview) Charts() []chart.Chart { return []chart.Chart{v.perDay(), v.perTask()} }

// perDay is how many decisions of each kind there were, day by day.
func (v Overview) perDay() chart.Chart {
	r := v.Review
	c := chart.Chart{ID: "per-day", Title: "Decisions per day", Multi: &chart.Multi{},
		Says: fmt.Sprintf("%s in %s: %d approved unchanged, %d revised, %d escalated, %d sent back.",
			ui.Count(r.Decisions.N, "decision"), ui.Count(v.Period, "day"), r.Approved.Part,
			r.Revised.Part, r.Escalated.Part, r.Returned.Part)}
	for _, p := range rateNames {
		s := stats.Series{Key: p.of(r).Key, Unit: stats.Count, Step: r.Volume.Step}
		for _, day := range seriesOf(r.Series, s.Key).Points {
			day.Figure = stats.Figure{Key: s.Key, Unit: stats.Count, Known: true, Value: float64(day.Part), N: day.N}
			s.Points = append(s.Points, day)
		}
		c.Multi.Panels = append(c.Multi.Panels, chart.Panel{Name: p.name, Line: line(v.Fall.Scope.Period, s)})
	}
	return v.Fall.Scope.files(c)
}

// mostTasks is how many tasks the overview draws: those with most decisions.
const mostTasks = 8

// perTask is how often drafts on each task went out unchanged.
func (v Overview) perTask() chart.Chart {
	tasks := v.Review.Tasks
	return v.Fall.Scope.files(chart.Chart{ID: "per-task", Title: "Approved unchanged, by task",
		Bars: bars(v.Fall.Scope.Period, "Task", "decisions", tasks, mostTasks, nil), Says: extremes(tasks, "task"),
		Note: more(len(tasks), mostTasks, "tasks")})
}
