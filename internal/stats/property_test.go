package stats

import (
	"context"
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/stats/counter"
)

// date is what a calendar on the wall of the desk shows. The test compares dates as text and so shares no arithmetic
// with what it tests.
func (w *world) date(t time.Time) string { return t.In(w.zone).Format(time.DateOnly) }

// asked is a filter as the test understands it.
type asked struct {
	*world
	from, to     string // dates, both included
	agent, topic string // "*" is all
	team         bool
}

func (a asked) in(t time.Time) bool {
	d := a.date(t)
	return !t.IsZero() && d >= a.from && d <= a.to
}

func (a asked) of(agent, topic string) bool {
	return (a.agent == "*" || a.agent == agent) && (a.topic == "*" || a.topic == topic)
}

func (a asked) by(person string) bool { return !a.team || person == "ann" || person == "cy" }

// ratio is a share as the test counts it.
type ratio struct{ part, n int }

func (r *ratio) count(is bool) {
	r.n++
	if is {
		r.part++
	}
}

// same fails unless a figure says the same as a share.
func (a asked) same(what string, f Figure, r ratio) {
	a.Helper()
	if f.Known != (r.n > 0) || f.Part != r.part || f.N != r.n {
		a.Fatalf("%s of %s to %s: %d of %d (known %v), want %d of %d", what, a.from, a.to, f.Part, f.N, f.Known, r.part,
			r.n)
	}
}

func (a asked) number(what string, f Figure, n int) {
	a.Helper()
	if !f.Known || int(f.Value) != n {
		a.Fatalf("%s of %s to %s: %v (known %v), want %d", what, a.from, a.to, f.Value, f.Known, n)
	}
}

// mean fails unless a figure is the mean of values, which are kept to a ten thousandth.
func (a asked) mean(what string, f Figure, values []float64) {
	a.Helper()
	if f.Known != (len(values) > 0) || f.N != len(values) {
		a.Fatalf("%s: %d measured (known %v), want %d", what, f.N, f.Known, len(values))
	}
	if len(values) == 0 {
		return
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	if want := sum / float64(len(values)); math.Abs(f.Value-want) > 1e-4 {
		a.Fatalf("%s: %v, want %v", what, f.Value, want)
	}
}

// quantile fails unless a figure is what a share q does not exceed, midway between two values that both are.
func (a asked) quantile(what string, f Figure, seconds []int64, q float64) {
	a.Helper()
	if f.Known != (len(seconds) > 0) {
		a.Fatalf("%s: known %v of %d", what, f.Known, len(seconds))
	}
	if len(seconds) == 0 {
		return
	}
	slices.Sort(seconds)
	at := int(math.Ceil(q*float64(len(seconds)))) - 1
	want := float64(seconds[at])
	if q*float64(len(seconds)) == float64(at+1) {
		want = (want + float64(seconds[at+1])) / 2
	}
	if f.Value != want || f.About {
		a.Fatalf("%s: %v, want %v", what, f.Value, want)
	}
}

// ask draws a filter and what the test makes of it.
func (w *world) ask() (Filter, asked, asked) {
	last := w.now.AddDate(0, 0, rapid.IntRange(-3, 1).Draw(w.T, "last"))
	days := rapid.OneOf(rapid.IntRange(1, 9), rapid.IntRange(10, 100)).Draw(w.T, "days")
	f := Filter{Range: Days(last, days, w.zone)}
	day := func(n int) string {
		y, m, d := last.In(w.zone).Date()
		return time.Date(y, m, d+n, 12, 0, 0, 0, time.UTC).Format(time.DateOnly)
	}
	a := asked{world: w, from: day(1 - days), to: day(0), agent: "*", topic: "*"}
	if w.chance(2, "one agent") {
		f.Agent = w.pick(wAgents, "agent")
		a.agent = f.Agent
	}
	if w.chance(2, "one topic") {
		a.topic = w.pick(wTopics, "topic")
		f.Topic = topicKey(a.topic)
	}
	if w.chance(3, "team") {
		f.Team, a.team = "team", true
	}
	before := a
	before.from, before.to = day(1-2*days), day(-days)
	return f, a, before
}

// histories is how many random histories a run of the tests goes through, each in a file of its own; more are asked for
// with -rapid.checks.
const histories = 50

// The figures of the pages are what the test works out from the history, and the tables are what a rebuild makes.
func TestFiguresEqualARecomputationFromTheHistory(t *testing.T) {
	seen, asked := 0, flag.Lookup("rapid.checks")
	rapid.Check(t, func(rt *rapid.T) {
		if seen++; seen > histories && asked.Value.String() == asked.DefValue {
			return
		}
		w := newWorld(t, rt)
		for range rapid.IntRange(5, 40).Draw(rt, "steps") {
			w.step()
		}
		for range 1 {
			f, now, before := w.ask()
			w.satisfaction(f, now, before)
			w.review(f, now, before)
			w.compliance(f, now, before)
			w.learning(f)
		}
		w.must(w.k.CatchUp(context.Background()))
		kept := w.dump()
		w.must(w.k.Rebuild(context.Background(), nil))
		if made := w.dump(); made != kept {
			w.Fatalf("a rebuild made other tables:\n%s", difference(kept, made))
		}
		w.must(w.d.Close())
	})
}

// dump is all that the tables of sums say.
func (w *world) dump() string {
	var b strings.Builder
	for _, q := range []string{`SELECT measure, who, agent, topic, block, n, sum, sq, days FROM stat_block`,
		`SELECT measure, who, agent, topic, day, n, buckets, 0, 0
		FROM stat_hist`,
		`SELECT case_id, entries, 0, 0, 0, 0, 0, 0, 0 FROM stat_case`, `SELECT kind, at, case_id, who, 0, 0, 0, 0, 0
			FROM stat_found`,
		`SELECT decision_id, changed, words, 0, 0, 0, 0, 0, 0 FROM stat_edit`, `SELECT zone, shape, built, 0, 0, 0,
			0, 0, 0
			FROM stat_state`} {
		rows, err := w.d.Reader().Query(q + ` ORDER BY 1, 2, 3, 4, 5, 6`)
		w.must(err)
		for rows.Next() {
			var v [9]any
			w.must(rows.Scan(&v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8]))
			fmt.Fprintln(&b, v[:]...)
		}
		w.must(rows.Err())
		w.must(rows.Close())
	}
	return b.String()
}

func difference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	var out []string
	for _, l := range x {
		if !slices.Contains(y, l) {
			out = append(out, "- "+l)
		}
	}
	for _, l := range y {
		if !slices.Contains(x, l) {
			out = append(out, "+ "+l)
		}
	}
	return strings.Join(out, "\n")
}

func (w *world) satisfaction(f Filter, now, before asked) {
	p, err := w.r.Satisfaction(context.Background(), f)
	w.must(err)
	each := func(a asked, visit func(v *wVote)) {
		for _, v := range w.votes {
			if cast := v.tallied(); cast.Cast() && a.in(v.at) && a.of(v.agent, v.topic) {
				visit(v)
			}
		}
	}
	rate := func(a asked) (r ratio) {
		each(a, func(v *wVote) {
			if v.norm != 0.5 {
				r.count(v.norm > 0.5)
			}
		})
		return r
	}
	now.same("satisfaction", p.Rate, rate(now))
	before.same("satisfaction before", *p.Rate.Before, rate(before))
	for _, pt := range p.Series.Points {
		span := now
		span.from, span.to = w.date(pt.From), w.date(pt.To.Add(-time.Minute))
		span.same("satisfaction over time", pt.Figure, rate(span))
	}
	var norms, ratings []float64
	var scale [11]int
	pos, neg := 0, 0
	each(now, func(v *wVote) {
		norms = append(norms, v.norm)
		switch {
		case v.norm > 0.5:
			pos++
		case v.norm < 0.5:
			neg++
		}
		if v.kind == "rating" {
			ratings = append(ratings, v.value)
			scale[int(math.Round(v.value))]++
		}
	})
	now.number("votes", p.Votes, len(norms))
	now.number("positive", p.Positive, pos)
	now.number("negative", p.Negative, neg)
	now.number("neutral", p.Neutral, len(norms)-pos-neg)
	now.mean("average", p.Average, norms)
	now.mean("rating", p.Rating, ratings)
	if p.Scale != scale {
		w.Fatalf("scale %v, want %v", p.Scale, scale)
	}
	for _, parts := range []struct {
		list []Slice
		by   func(a *asked, key string)
	}{{p.Agents, func(a *asked, key string) { a.agent = key }},
		{p.Topics, func(a *asked, key string) { a.topic = topicOf(key) }}} {
		sum := 0
		for _, s := range parts.list {
			one := now
			parts.by(&one, s.Key)
			one.same("satisfaction of "+s.Key, s.Figure, rate(one))
			sum += s.Volume
		}
		if sum != len(norms) {
			w.Fatalf("parts have %d votes, want %d", sum, len(norms))
		}
	}
	logged := 0
	for _, s := range w.seen {
		if now.in(s.at) && now.of(s.agent, s.topic) {
			logged++
		}
	}
	now.number("logged", p.Logged, logged)
	w.outcomes(p, now)
	w.addsUp(f, p)
	rows := 0
	for _, key := range []string{counter.Positive, counter.Negative, counter.Neutral} {
		rows += w.rows(f, key, "")
	}
	if rows != len(norms) {
		w.Fatalf("%d rows of votes, want %d", rows, len(norms))
	}
}

func (w *world) outcomes(p SatisfactionPage, now asked) {
	var scores [3][]float64
	var said [4]ratio
	n := 0
	for _, o := range w.outs {
		if !now.in(o.at) || !now.of(o.agent, o.topic) {
			continue
		}
		n++
		for i, s := range o.scores {
			scores[i] = append(scores[i], s)
		}
		for i, b := range o.said {
			if b != nil {
				said[i].count(*b)
			}
		}
	}
	now.number("outcomes", p.OutcomeN, n)
	for i, s := range scores {
		now.mean(p.Outcomes[i].Key, p.Outcomes[i], s)
	}
	for i, s := range said {
		now.same(p.Outcomes[3+i].Key, p.Outcomes[3+i], s)
	}
}

// rows counts the rows behind a figure, page by page.
func (w *world) rows(f Filter, key, person string) (n int) { return w.rowsOf(f, key, person, 2) }

func (w *world) rowsOf(f Filter, key, person string, limit int) (n int) {
	seen := map[string]bool{}
	for cursor := ""; ; {
		p, err := w.r.Rows(context.Background(), f, RowQuery{Of: key, Person: person, Limit: limit, After: cursor})
		w.must(err)
		for _, r := range p.Rows {
			at := fmt.Sprint(r.ID, r.At)
			if seen[at] {
				w.Fatalf("%s: %s is there twice", key, at)
			}
			seen[at] = true
			n++
		}
		if cursor = p.Next; cursor == "" {
			return n
		}
	}
}

// stands tells what counts as a person's decision.
// cared: how long it took and whether it was hasty is kept, recalled or not.
func (d *wDecision) cared() bool { return d.stands() || d.kind != "sampled" && d.state == "recalled" }

func (d *wDecision) stands() bool {
	switch d.state {
	case "undone", "overruled", "pending", "recalled":
		return false
	}
	return d.kind != "sampled"
}

// decisions visits the decisions about real guidance that a question is about.
func (a asked) decisions(visit func(c *wCase, d *wDecision)) {
	for _, c := range a.cases {
		for _, d := range c.decisions {
			if !c.planted && a.of(c.agent, c.task) {
				visit(c, d)
			}
		}
	}
}

// kinds counts the standing decisions.
func (a asked) kinds() (kinds map[string]int, n int) {
	kinds = map[string]int{}
	a.decisions(func(_ *wCase, d *wDecision) {
		if d.stands() && a.in(d.at) && a.by(d.by) {
			kinds[d.kind]++
			n++
		}
	})
	return kinds, n
}
