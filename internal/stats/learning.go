package stats

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/stats/counter"
)

// How the curves of learning are cut.
const (
	leastPerPoint = 25 // consultations; fewer have an interval as wide as the page
	perPoint      = 7  // beyond, a point has a seventh of what came before it: some fifty points for 200,000
	growthPoints  = 60
	mostCredit    = 10
)

// Learning reads the page of learning. A team narrows nothing.
func (r *Reader) Learning(ctx context.Context, f Filter) (p LearningPage, err error) {
	f = r.zoned(f)
	p.Filter = f
	var history, ever []past
	err = r.read(ctx, func(tx *db.Tx) error {
		s, err := scopeOf(tx, f, false)
		if err != nil {
			return err
		}
		if history, err = s.history(tx); err != nil {
			return err
		}
		// The bases are everybody's, and so are the consultations that they grew with.
		if s, err = scopeOf(tx, r.zoned(Filter{}), false); err != nil {
			return err
		}
		if ever, err = s.history(tx); err != nil {
			return err
		}
		p.Quality = quality(history, f.zone(), r.hooks.ExpectedQuality)
		all := 0
		for _, d := range history {
			all += d.all
		}
		p.Consultations = counting("consultations", all)
		return p.lessons(tx, f)
	})
	if err != nil {
		return p, err
	}
	if err := r.growth(ctx, &p, ever); err != nil {
		return p, err
	}
	if p.Help, p.Harm, err = r.hooks.Credit(ctx, mostCredit); err != nil {
		return p, err
	}
	p.Memory, err = r.hooks.Memory(ctx)
	return p, err
}

// past are the decisions of one day.
type past struct{ day, all, approved int }

// history are all days with decisions, oldest first.
func (s scope) history(tx *db.Tx) (out []past, err error) {
	s.first, s.last = 0, counter.Day(tx.Now, time.UTC)+1
	byDay := map[int]past{}
	if err := s.days(tx, standing, func(measure string, day int, v sums) {
		d := byDay[day]
		d.day, d.all = day, d.all+int(v.n)
		if measure == counter.Approve {
			d.approved += int(v.n)
		}
		byDay[day] = d
	}); err != nil {
		return nil, err
	}
	for _, day := range slices.Sorted(maps.Keys(byDay)) {
		out = append(out, byDay[day])
	}
	return out, nil
}

// quality cuts the history into points of whole days.
func quality(history []past, zone *time.Location, expected func(n int) float64) (out []QualityPoint) {
	n, from, have := 0, 0, past{}
	for i, d := range history {
		if have.all == 0 {
			from = d.day
		}
		have.all, have.approved = have.all+d.all, have.approved+d.approved
		if have.all < max(leastPerPoint, n/perPoint) && i < len(history)-1 {
			continue
		}
		out = append(out, QualityPoint{Consultations: n + have.all, From: counter.Midnight(from, zone),
			To:       counter.Midnight(d.day+1, zone),
			Approved: ShareOf("decision.approve", have.approved, have.all), Expected: expected(n + have.all/2)})
		n, have = n+have.all, past{}
	}
	return out
}

// growth sets the sizes of the bases beside what the seed expects.
func (r *Reader) growth(ctx context.Context, p *LearningPage, history []past) error {
	zone := p.Filter.zone()
	began, err := r.hooks.Beginning(ctx)
	if err != nil {
		return err
	}
	if len(history) > 0 {
		if t := counter.Midnight(history[0].day, zone); began.IsZero() || t.Before(began) {
			began = t
		}
	}
	if began.IsZero() {
		return nil
	}
	first, today := counter.Day(began, zone), counter.Day(r.db.Now(), zone)
	step := max(1, (today-first+growthPoints)/growthPoints)
	n := (today-first)/step + 1
	cases, rules, err := r.hooks.Growth(ctx, counter.Midnight(first, zone), time.Duration(step)*24*time.Hour, n)
	if err != nil || len(cases) != n || len(rules) != n {
		return err
	}
	all, approved, next := 0, 0, 0
	for i := range n {
		end := first + (i+1)*step
		for ; next < len(history) && history[next].day < end; next++ {
			all, approved = all+history[next].all, approved+history[next].approved
		}
		at := counter.Midnight(min(end, today+1), zone)
		p.Cases = append(p.Cases, GrowthPoint{At: at, Consultations: all, Size: cases[i],
			Expected: r.hooks.ExpectedCases(all, approved)})
		p.Rules = append(p.Rules, GrowthPoint{At: at, Consultations: all, Size: rules[i],
			Expected: r.hooks.ExpectedRules(all, approved)})
	}
	return nil
}

// nextCellSQL steps to the next cell of lessons along the index lesson_cell. A row value is sought as "or equal" and
// what is equal passed over row by row, so the time after which nothing is stands last in it: then it looks at no other
// row.
const nextCellSQL = `SELECT origin, stage, state, case_state FROM lesson
	WHERE (origin, stage, state, case_state, created_at) > ($1, $2, $3, $4, 9223372036854775807)
	ORDER BY origin, stage, state, case_state, created_at LIMIT 1`

// cellSQL counts the lessons of a cell that began from $6 to $7, before $1 and from it on, along the same index.
func cellSQL(agents int) string {
	return `SELECT count(*) FILTER (WHERE created_at < $1), count(*) FILTER (WHERE created_at >= $1) FROM lesson
		WHERE origin = $2 AND stage = $3 AND state = $4 AND case_state = $5
	AND created_at >= $6 AND created_at < $7 AND ` + isTopic(`task`, `$8`) + counter.IsAgent(`agent_name`, 9, agents)
}

// cell is a cell of lessons as the table has it.
type cell struct{ origin, stage, state, kept string }

// accepted reports whether a rule came of the lessons of a cell. What is accepted at another stage was kept as a case,
// and nothing else.
func (c cell) accepted() bool { return c.stage == "accept" && c.state == "accepted" }

// cells hands f every cell that has lessons at all, with how many began in the range and in the one before.
func cells(tx *db.Tx, f Filter, each func(c cell, before, now int)) error {
	topic, ok := f.subject()
	if !ok {
		return nil
	}
	s, err := scopeOf(tx, f, false)
	if err != nil {
		return err
	}
	names, from := s.agentNames(), f.Range
	if !f.Plain {
		from = f.Before()
	}
	for c := (cell{}); ; {
		found, err := db.One(tx, "stats: lessons", nextCellSQL, c.origin, c.stage, c.state, c.kept).Find(&c.origin,
			&c.stage, &c.state, &c.kept)
		if err != nil || !found {
			return err
		}
		var before, now int
		a := append([]any{db.Ms(f.From), c.origin, c.stage, c.state, c.kept, db.Ms(from.From), db.Ms(f.To), topic},
			args(names)...)
		if err := db.One(tx, "stats: lessons", cellSQL(len(names)), a...).Scan(&before, &now); err != nil {
			return err
		}
		each(c, before, now)
	}
}

// lessons counts the lessons begun in the range and in the one before.
func (p *LearningPage) lessons(tx *db.Tx, f Filter) error {
	var all, good, kept, allBefore, goodBefore, keptBefore int
	begun, accepted := map[string]int{}, map[string]int{}
	found := map[LessonCell]int{}
	if err := cells(tx, f, func(c cell, before, now int) {
		all, allBefore = all+now, allBefore+before
		if c.kept == "kept" {
			kept, keptBefore = kept+now, keptBefore+before
		}
		if c.accepted() {
			good, goodBefore = good+now, goodBefore+before
			accepted[c.origin] += now
		}
		if now > 0 {
			found[LessonCell{Origin: c.origin, Stage: c.stage, State: c.state}] += now
			begun[c.origin] += now
		}
	}); err != nil {
		return err
	}
	for _, x := range []struct {
		into        *Figure
		key         string
		now, before int
	}{{&p.Begun, "lessons", all, allBefore}, {&p.Accepted, "lessons_accepted", good, goodBefore},
		{&p.Kept, "lessons_kept", kept, keptBefore}} {
		if *x.into = counting(x.key, x.now); !f.Plain {
			x.into.Before = new(counting(x.key, x.before))
		}
	}
	for c, n := range found {
		c.N = n
		p.Lessons = append(p.Lessons, c)
	}
	slices.SortFunc(p.Lessons, func(a, b LessonCell) int {
		return cmp.Or(cmp.Compare(a.Origin, b.Origin), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.State, b.State))
	})
	for origin, n := range begun {
		p.Origins = append(p.Origins,
			Slice{Key: origin, Name: origin, Figure: ShareOf("lessons", accepted[origin], n), Volume: n})
	}
	slices.SortFunc(p.Origins, func(a, b Slice) int {
		return cmp.Or(cmp.Compare(b.Volume, a.Volume), cmp.Compare(a.Key, b.Key))
	})
	return nil
}

// Decided counts decisions of one period.
type Decided struct{ All, Approved int } // Approved: as they came

// Decided counts the decisions of n periods of length step that begin at from, from the sums of days: the days of the
// desk whose noon lies in them. What came before is in the first.
func (r *Reader) Decided(ctx context.Context, from time.Time, step time.Duration, n int) ([]Decided, error) {
	out := make([]Decided, n)
	f := r.zoned(Filter{})
	err := r.read(ctx, func(tx *db.Tx) error {
		s, err := scopeOf(tx, f, false)
		if err != nil {
			return err
		}
		history, err := s.history(tx)
		if err != nil {
			return fmt.Errorf("stats: count decisions: %w", err)
		}
		for _, day := range history {
			noon := counter.Midnight(day.day, f.zone()).Add(12 * time.Hour)
			if period := int(noon.Sub(from) / step); period < n {
				d := &out[max(0, period)]
				d.All, d.Approved = d.All+day.all, d.Approved+day.approved
			}
		}
		return nil
	})
	return out, err
}
