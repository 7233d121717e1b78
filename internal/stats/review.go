package stats

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/stats/counter"
)

var standing = []string{counter.Approve, counter.Revise, counter.Reject, counter.Return}

// Review reads the page of the desk. A team narrows all but the queue, what was let go by sampling, and what experts
// say.
func (r *Reader) Review(ctx context.Context, f Filter) (p ReviewPage, err error) {
	f = r.zoned(f)
	p.Filter = f
	err = r.read(ctx, func(tx *db.Tx) error {
		s, err := scopeOf(tx, f, true)
		if err != nil {
			return err
		}
		days, err := s.read(tx,
			slices.Concat(standing, []string{counter.SLA, counter.Hasty, counter.Edit, counter.Rewrote, counter.Agreed,
				counter.Quality, counter.MyChecks, counter.Second, counter.Recalled})...)
		if err != nil {
			return err
		}
		all := s
		all.who = []string{counter.All}
		whole, err := all.read(tx, counter.Sampled, counter.Planted, counter.Expired, counter.Withdrawn)
		if err != nil {
			return err
		}
		p.figures(f, days, whole)
		onCase, err := p.times(tx, s, f)
		if err != nil {
			return err
		}
		if err := p.escalations(tx, s, f); err != nil {
			return err
		}
		if err := p.queue(tx, all, f); err != nil {
			return err
		}
		if err := p.waiting(tx, f, r.hooks.Standing); err != nil {
			return err
		}
		if p.Agents, err = s.slices(tx, f, byAgent, approved, standing...); err != nil {
			return err
		}
		if p.Tasks, err = s.slices(tx, f, byTopic, approved, standing...); err != nil {
			return err
		}
		p.People, err = people(tx, s, f, onCase)
		return err
	})
	return p, err
}

// approved is the share approved, and how many decisions there were. Of people's sets the split of several is summed up
// by the engine.
func approved(m map[string]sums) (Figure, int) {
	n := 0
	for _, kind := range standing {
		n += int(m[kind].n)
	}
	return ShareOf("decision.approve", int(m[counter.Approve].n), n), n
}

func (p *ReviewPage) figures(f Filter, days, whole sheet) {
	of := func(measure string) func(r Range) Figure {
		return func(r Range) Figure {
			return ShareOf(measure, int(days.over(r, measure).n), int(days.over(r, standing...).n))
		}
	}
	volume := days.count("decisions", standing...)
	p.Decisions, p.Volume = f.with(volume), f.series("decisions", "", Count, volume)
	p.Approved, p.Revised, p.Escalated, p.Returned = f.with(of(counter.Approve)), f.with(of(counter.Revise)),
		f.with(of(counter.Reject)), f.with(of(counter.Return))
	p.Series = []Series{f.series(counter.Approve, "Approved", Ratio, of(counter.Approve)),
		f.series(counter.Revise, "Revised", Ratio, of(counter.Revise)),
		f.series(counter.Reject, "Escalated", Ratio, of(counter.Reject))}
	p.Sampled, p.Rating = f.with(whole.count(counter.Sampled, counter.Sampled)),
		f.with(days.mean(counter.Quality, Score5, 1, counter.Quality))
	p.Expired, p.Withdrawn = f.with(whole.count(counter.Expired, counter.Expired)),
		f.with(whole.count(counter.Withdrawn, counter.Withdrawn))
	for measure, into := range map[string]*Figure{counter.SLA: &p.SLA, counter.Hasty: &p.Hasty,
		counter.Rewrote: &p.Rewritten,
		counter.Agreed:  &p.Agreement, counter.Recalled: &p.Recalled} {
		*into = f.with(days.part(measure, measure))
	}
	edit := days.mean(counter.Edit, Ratio, counter.Unit, counter.Edit)
	p.Edit, p.Edits = f.with(edit), f.series(counter.Edit, "", Ratio, edit)
	caught := whole.part("planted", counter.Planted)
	if f.Team != "" {
		caught = days.part("planted", counter.MyChecks)
	}
	p.Caught, p.Catches = f.with(caught), f.series("planted", "", Ratio, caught)
}

// times are the medians and slow ends; onCase are the times on a case, by person.
func (p *ReviewPage) times(tx *db.Tx, s scope, f Filter) (onCase map[string][]float64, err error) {
	for _, t := range []struct {
		measure, slow string
		median, p90   *Figure
	}{{counter.Waited, "waited_p90", &p.Waited, &p.WaitedP90},
		{counter.OnCase, "on_case_p90", &p.OnCase, &p.OnCaseP90}} {
		now, before, err := s.spread(tx, t.measure, f)
		if err != nil {
			return nil, err
		}
		set := func(f Filter, h counter.Hist, median, slow *Figure) error {
			_, n := h.Quantile(0)
			onCase, err = s.values(tx, f, t.measure, n)
			*median, *slow = quantile(t.measure, onCase[""], h, 0.5), quantile(t.slow, onCase[""], h, 0.9)
			return err
		}
		if !f.Plain {
			t.median.Before, t.p90.Before = &Figure{}, &Figure{}
			back := f
			back.Range = f.Before()
			if err := set(back, before, t.median.Before, t.p90.Before); err != nil {
				return nil, err
			}
		}
		m, slow := t.median.Before, t.p90.Before
		if err := set(f, now, t.median, t.p90); err != nil {
			return nil, err
		}
		t.median.Before, t.p90.Before = m, slow
	}
	return onCase, nil
}

// escalations are few: those of the range and of the one before are read row by row, however long they are.
func (p *ReviewPage) escalations(tx *db.Tx, s scope, f Filter) error {
	var waits [2][]float64
	from := f.From
	if !f.Plain {
		f.From = f.Before().From
	}
	if _, _, err := sources[personWait].walk(tx, f, "", keyset.At(f.To, ""), math.MaxInt,
		func(r Row, who string, wait *float64) error {
			if slices.Contains(s.who, who) || slices.Contains(s.who, counter.All) {
				i := 0
				if r.At.Before(from) {
					i = 1
				}
				waits[i] = append(waits[i], *wait)
			}
			return nil
		}); err != nil {
		return err
	}
	of := func(values []float64) (count, wait Figure) {
		slices.Sort(values)
		n := len(values)
		return counting(withPerson, n), measured(personWait, Seconds, estimate.Quantile(values, 0.5), n)
	}
	p.Person, p.Answered = of(waits[0])
	if !f.Plain {
		count, wait := of(waits[1])
		p.Person.Before, p.Answered.Before = &count, &wait
	}
	return nil
}

// queue is what waited at the end of each day: everything that came less everything that was decided, ever.
func (p *ReviewPage) queue(tx *db.Tx, s scope, f Filter) error {
	var before sums // the block in which the range begins: n came, sum were decided
	block := counter.Block(f.first())
	a := append([]any{counter.Arrived, counter.Left, s.topic, block}, args(s.agents)...)
	if err := db.One(tx, "stats: what waited before", counter.QueueSQL(len(s.agents)), a...).Scan(&before.n,
		&before.sum); err != nil {
		return err
	}
	today := counter.Day(tx.Now, f.zone())
	s.first, s.last = block*counter.BlockDays, max(f.last(), today)
	days, err := s.read(tx, counter.Arrived, counter.Left)
	if err != nil {
		return err
	}
	at := func(day int) int {
		return int(before.n - before.sum + days.until(day, counter.Arrived).n - days.until(day, counter.Left).n)
	}
	alone := f
	alone.Plain = true // its days begin with the range
	p.Queue.Series = alone.series("queue", "", Count, func(r Range) Figure {
		if r.first() > today {
			return Figure{Key: "queue", Unit: Count}
		}
		return counting("queue", at(r.last()))
	})
	return nil
}

// waiting sets how many wait now, how many of them past their target, and when the oldest came.
func (p *ReviewPage) waiting(tx *db.Tx, f Filter,
	standing func(tx *db.Tx, agentID, task string) (waiting, late int, err error)) error {
	p.Queue.Length, p.Queue.Late = counting("queue", 0), counting("late", 0)
	agent, err := agentID(tx, f.Agent)
	topic, ok := f.subject()
	if err != nil || f.Agent != "" && agent == "" || !ok || topic == NoTopic {
		return err
	}
	query, a := oldestSQL(agent, topic)
	if err := db.One(tx, "stats: the oldest case", query, a...).Scan(db.At(&p.Queue.Oldest)); err != nil {
		return err
	}
	n, late, err := standing(tx, agent, topic)
	p.Queue.Agent, p.Queue.Length, p.Queue.Late = agent, counting("queue", n), counting("late", late)
	return err
}

// oldestSQL looks each of the queue's five priorities (review) up by itself: its oldest stands first in the index.
func oldestSQL(agent, topic string) (query string, args []any) {
	where := ``
	for _, c := range []struct{ column, value, is string }{{"agent_id", agent, agent},
		{"task", topic, topicOf(topic)}} {
		if c.value != "" {
			args = append(args, c.is)
			where += fmt.Sprintf(` AND %s = $%d`, c.column, len(args))
		}
	}
	return `SELECT min(at)
		FROM (SELECT (SELECT created_at FROM review WHERE state = 'waiting' AND priority = p.column1` + where +
		` ORDER BY created_at, id LIMIT 1) AS at
		FROM (VALUES (0), (1), (2), (3), (4)) AS p) AS s`, args
}

// agentID finds the agent of a name that it has or had; "" when there is none, or none is asked for.
func agentID(tx *db.Tx, name string) (id string, err error) {
	if name == "" {
		return "", nil
	}
	return db.Maybe[string](tx, "stats: find an agent", `SELECT id FROM agent WHERE name_key = $1
		UNION ALL SELECT agent_id FROM agent_former WHERE name_key = $1`, strings.ToLower(name))
}
