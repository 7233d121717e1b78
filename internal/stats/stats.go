// Package stats are the managers' numbers. It reads the tables of others, and writes nothing: what the pages of
// satisfaction, review, compliance and learning read is kept by package counter, which catches up first. It owns no
// table.
//
// What it promises. Every figure equals what can be recomputed from the raw rows (a property test does, on random
// histories, across zones and days of 23 and 25 hours), medians too; of more than 2,000 decisions they come from
// histograms, are within 2.5 %, and say "about". A figure without data says so and is not 0. No page view walks a large
// table: each figure is one row per 32 days, whatever the filter, and lists are walked along an index, a bounded
// stretch for a page. However many people look, a processor is left for those who vote and decide (read.go). Days are
// the desk's (Reader.Zone). Every share comes with how many it is of and with its 95 % Wilson interval, so that three
// decisions don't look like three hundred. An undone decision counts nowhere, and neither does a planted check, but in
// its own figures.
//
// Numbers per person (desk.Pace) are for managers, to look into and talk about: a person is set against the others and
// a difference is named only when the interval leaves no doubt; nothing is ranked, and what a figure can't say is said
// with it.
//
// What it decided against: a score per person (it would be used as one), figures of a cohort (a draft counts where it
// came, its decision where it was made: what is shown for last week never changes because of this week, unless
// something is undone), and narrowing votes to a team (users vote on answers, not on people).
package stats

import (
	"context"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/hook"
	"preceptor/internal/stats/counter"
	"preceptor/internal/stats/desk"
)

// Reader is the door to the numbers.
type Reader struct {
	*desk.Reader
	db    *db.DB
	turns chan struct{}
	sums  *counter.Keeper
	hooks Hooks

	Zone *time.Location // whose days the sums are of: the desk's. A Range without a zone gets it
}

// Hooks bring what other packages know to the page of learning.
type Hooks struct {
	// when the first entry of a base was written
	Beginning func(ctx context.Context) (time.Time, error)
	// in use at the ends of n periods
	Growth func(ctx context.Context, from time.Time, step time.Duration, n int) (cases, rules []int, err error)
	// the seed's model
	ExpectedCases, ExpectedRules func(consultations, succeeded int) int
	ExpectedQuality              func(consultations int) float64
	// rules with the largest help and harm, at most n each
	Credit func(ctx context.Context, n int) (help, harm []RuleCredit, err error)
	// the running control; nil when none runs
	Memory func(ctx context.Context) (*MemoryEffect, error)
	// what waits now, as the queue lists it
	Standing func(tx *db.Tx, agentID, task string) (waiting, late int, err error)
}

// New reads from d.
func New(d *db.DB, zone *time.Location, h Hooks) *Reader {
	hook.Complete(h)
	r := &Reader{db: d, turns: turns(), sums: counter.New(d, zone), Zone: zone, hooks: h}
	r.Reader = desk.New(r.read, zone)
	return r
}
