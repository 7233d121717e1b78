// Package desk are the managers' numbers of now: what the desk decided lately, how long people take, and what it caught of the planted
// checks. They are counted from the raw rows, which are bounded by the period and a limit; what pages over any period read is kept by
// package tally. It owns no table, and package stats, whose promises it keeps, is its door.
package desk

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/estimate"
	"preceptor/internal/stats/tally"
)

// Reader reads the numbers.
type Reader struct {
	read func(context.Context, func(tx *db.Tx) error) error
	zone *time.Location
}

// New reads with read, which runs a function in a read transaction. Days are the zone's; UTC's when nil.
func New(read func(context.Context, func(tx *db.Tx) error) error, zone *time.Location) *Reader {
	if zone == nil {
		zone = time.UTC
	}
	return &Reader{read: read, zone: zone}
}

// since is the first moment of the last n local days, today included.
func (r *Reader) since(now time.Time, n int) time.Time {
	return tally.Midnight(tally.Day(now, r.zone)+1-max(n, 1), r.zone)
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
	Approved  estimate.Share // unchanged, of all decisions
	Waiting   int            // now
	Oldest    time.Time      // of what waits; zero when nothing does
	Typical   time.Duration  // median from arrival to decision
	Slow      time.Duration  // nine of ten decisions were taken within this
	Rules     int            // in use now
	NewRules  int            // accepted in the period
	Lessons   int            // lessons begun from corrections in the period
	Days      []Day          // oldest first, one for each day of the period
	Tasks     []TaskShare    // most decided first
}

// TaskShare is how often drafts of one task go out unchanged.
type TaskShare struct {
	Task     string
	Approved estimate.Share
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
		o.From = r.since(tx.Now, days)
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
	zone := r.zone
	first, last := tally.Day(o.From, zone), tally.Day(o.To, zone)
	for d := first; d <= last; d++ {
		o.Days = append(o.Days, Day{Date: tally.Midnight(d, zone)})
	}
	err := db.Each(tx, "stats: decisions", func(row db.Row) error {
		var at int64
		var kind string
		var n int
		if err := row.Scan(&at, &kind, &n); err != nil {
			return err
		}
		if i := tally.Day(db.Time(at*quarter), zone) - first; i >= 0 && i < len(o.Days) {
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
	o.Approved = estimate.Of(o.Approved.Part, o.Decisions)
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
		t.Approved = estimate.Of(part, whole)
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
	h := tally.Hist{}
	for _, ms := range all {
		h[tally.Bucket(max(ms, 0)/1000)]++
	}
	o.Typical, o.Slow = h.Length(0.5), h.Length(0.9)
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
