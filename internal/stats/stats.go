// Package stats are the managers' numbers. It reads the tables of others, and writes nothing: what the pages of satisfaction, review,
// compliance and learning read is kept by package tally, in the transaction of its cause. It owns no table.
//
// What it promises. Every figure equals what can be recomputed from the raw rows (a property test does, on random histories, across
// zones and days of 23 and 25 hours), but for medians, which come from histograms and are within 2.5 %. A figure without data says so
// and is not 0. No page view walks a large table: each figure is one row per 32 days, whatever the filter, and lists are walked along
// an index, a bounded stretch for a page. However many people look, a processor is left for those who vote and decide (read.go). Days
// are the desk's (Reader.Zone). Every share comes with how many it is of and with its 95 % Wilson interval, so that three decisions
// don't look like three hundred. An undone decision counts nowhere, and neither does a planted check, but in its own figures.
//
// Numbers per person (Pace) are for managers, to look into and talk about: a person is set against the others and a
// difference is named only when the interval leaves no doubt; nothing is ranked, and what a figure can't say is said with it.
//
// What it decided against: a score per person (it would be used as one), figures of a cohort (a draft counts where it came, its
// decision where it was made: what is shown for last week never changes because of this week, unless something is undone), and
// narrowing votes to a team (users vote on answers, not on people).
package stats

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/estimate"
	"preceptor/internal/hook"
	"preceptor/internal/stats/tally"
)

// Reader is the door to the numbers.
type Reader struct {
	db    *db.DB
	turns chan struct{}
	hooks Hooks

	Zone *time.Location // whose days the sums are of: the desk's. A Range without a zone gets it
}

// Hooks bring what other packages know to the page of learning.
type Hooks struct {
	Beginning                    func(ctx context.Context) (time.Time, error)                                                         // when the first entry of a base was written
	Growth                       func(ctx context.Context, from time.Time, step time.Duration, n int) (cases, rules []int, err error) // in use at the ends of n periods
	ExpectedCases, ExpectedRules func(consultations, succeeded int) int                                                               // the seed's model
	Credit                       func(ctx context.Context, n int) (help, harm []RuleCredit, err error)                                // rules with the largest help and harm, at most n each
	Memory                       func(ctx context.Context) (*MemoryEffect, error)                                                     // the running control; nil when none runs
}

// New reads from d.
func New(d *db.DB, zone *time.Location, h Hooks) *Reader {
	hook.Complete(h)
	return &Reader{db: d, turns: turns(), Zone: zone, hooks: h}
}

// Share is part of whole, with its 95 % interval from 0 to 1.
type Share struct {
	Part, Whole int
	Low, High   float64
}

// Value is the share itself; 0 when there is nothing to divide by.
func (s Share) Value() float64 {
	if s.Whole == 0 {
		return 0
	}
	return float64(s.Part) / float64(s.Whole)
}

// Day are the decisions of one local day, from the midnight Date.
type Day struct {
	Date                      time.Time
	Approved, Revised, Denied int // denied: rejected, which hands the customer to a human adviser
	Returned                  int // sent back to the agent
}

// Total is all decisions of the day.
func (d Day) Total() int { return d.Approved + d.Revised + d.Denied + d.Returned }

// Overview is what a manager sees in ten seconds.
type Overview struct {
	From, To  time.Time // the period of the shares and times
	Decisions int
	Approved  Share         // unchanged, of all decisions
	Waiting   int           // now
	Oldest    time.Time     // of what waits; zero when nothing does
	Typical   time.Duration // median from arrival to decision
	Slow      time.Duration // nine of ten decisions were taken within this
	Rules     int           // in use now
	NewRules  int           // accepted in the period
	Lessons   int           // lessons begun from corrections in the period
	Days      []Day         // oldest first, one for each day of the period
	Tasks     []TaskShare   // most decided first
}

// TaskShare is how often drafts of one task go out unchanged.
type TaskShare struct {
	Task     string
	Approved Share
}

// counted is what counts as a decision about a draft: a person's, that was not taken back, recalled or decided otherwise by a second
// one, and of no planted check.
var counted = `r.planted = 0 AND d.kind <> 'sampled' AND ` + tally.StandsSQL(`d.state`)

// maxTimes bounds how many waiting times the median is taken from: the newest.
const maxTimes = 20_000

// Overview reads the figures of the last days days, today included.
func (r *Reader) Overview(ctx context.Context, days int) (o Overview, err error) {
	err = r.read(ctx, func(tx *db.Tx) error {
		o.To = tx.Now
		o.From = Days(tx.Now, days, r.Zone).From
		for _, step := range []func(*db.Tx, *Overview) error{r.decisions, tasks, times, waiting, learned} {
			if err := step(tx, &o); err != nil {
				return fmt.Errorf("stats: overview: %w", err)
			}
		}
		return nil
	})
	return o, err
}

// quarter is a quarter of an hour in ms: no local day begins or ends within one, so that what is counted by it can be put to its day.
const quarter = int64(15 * time.Minute / time.Millisecond)

// decisions counts by day and kind.
func (r *Reader) decisions(tx *db.Tx, o *Overview) error {
	zone := Range{Zone: r.Zone}.zone()
	first, last := dayOf(o.From, zone), dayOf(o.To, zone)
	for d := first; d <= last; d++ {
		o.Days = append(o.Days, Day{Date: dayTime(d, zone)})
	}
	err := db.Each(tx, "stats: decisions", func(row db.Row) error {
		var at int64
		var kind string
		var n int
		if err := row.Scan(&at, &kind, &n); err != nil {
			return err
		}
		if i := dayOf(db.Time(at*quarter), zone) - first; i >= 0 && i < len(o.Days) {
			o.Days[i].add(kind, n)
		}
		return nil
	}, `SELECT d.decided_at / $1, d.kind, count(*) FROM decision d JOIN review r ON r.id = d.review_id
		WHERE d.decided_at >= $2 AND `+counted+` GROUP BY 1, 2`, quarter, db.Ms(o.From))
	if err != nil {
		return err
	}
	for _, d := range o.Days {
		o.Decisions += d.Total()
		o.Approved.Part += d.Approved
	}
	o.Approved = Of(o.Approved.Part, o.Decisions)
	return nil
}

func (d *Day) add(kind string, n int) {
	switch kind {
	case "approve":
		d.Approved += n
	case "revise":
		d.Revised += n
	case "reject":
		d.Denied += n
	case "return":
		d.Returned += n
	}
}

// tasks counts by what a case is about.
func tasks(tx *db.Tx, o *Overview) error {
	return db.Each(tx, "stats: tasks", func(row db.Row) error {
		var t TaskShare
		var part, whole int
		if err := row.Scan(&t.Task, &part, &whole); err != nil {
			return err
		}
		t.Approved = Of(part, whole)
		o.Tasks = append(o.Tasks, t)
		return nil
	}, `SELECT r.task, sum(CASE WHEN d.kind = 'approve' THEN 1 ELSE 0 END), count(*) FROM decision d JOIN review r ON r.id = d.review_id
		WHERE d.decided_at >= $1 AND `+counted+` GROUP BY r.task ORDER BY 3 DESC, r.task`, db.Ms(o.From))
}

// times finds the middle and the slow end of the time from arrival to decision.
func times(tx *db.Tx, o *Overview) error {
	all, err := db.Column[int64](tx, "stats: times", `SELECT d.decided_at - r.created_at FROM decision d JOIN review r ON r.id = d.review_id
		WHERE d.decided_at >= $1 AND `+counted+` ORDER BY d.decided_at DESC LIMIT $2`, db.Ms(o.From), maxTimes)
	if err != nil {
		return err
	}
	h := hist{}
	for _, ms := range all {
		h[tally.Bucket(max(ms, 0)/1000)]++
	}
	o.Typical, o.Slow = h.length(0.5), h.length(0.9)
	return nil
}

func waiting(tx *db.Tx, o *Overview) error {
	return db.One(tx, "stats: what waits", `SELECT count(*), coalesce(min(created_at), 0) FROM review WHERE state = 'waiting'`).Scan(&o.Waiting, db.At(&o.Oldest))
}

// learned counts what came of the corrections.
func learned(tx *db.Tx, o *Overview) error {
	return db.One(tx, "stats: what was learned", `SELECT (SELECT count(*) FROM knowledge_rule WHERE status = 'active'),
		(SELECT count(*) FROM lesson WHERE stage = 'accept' AND state = 'accepted' AND updated_at >= $1),
		(SELECT count(*) FROM lesson WHERE origin IN ('revise', 'reject') AND created_at >= $1)`, db.Ms(o.From)).Scan(&o.Rules, &o.NewRules, &o.Lessons)
}

// Of is part of whole with its Wilson interval.
func Of(part, whole int) Share {
	s := Share{Part: part, Whole: whole}
	if whole > 0 {
		s.Low, s.High = estimate.Wilson(part, whole, estimate.Z95)
	}
	return s
}
