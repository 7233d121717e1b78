package desk

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/stats/counter"
)

// Planted is what the desk caught of the known-bad drafts that were mixed in.
type Planted struct {
	From, To time.Time
	Caught   estimate.Share
	Open     int // on the desk, or drawn and due
	Problems []PlantedPart
	Weeks    []PlantedWeek // oldest first; each with its Monday
}

// PlantedPart is the share of one kind of problem.
type PlantedPart struct {
	Code   string
	Caught estimate.Share
}

// PlantedWeek is the share of one week, which begins at the local midnight of its Monday.
type PlantedWeek struct {
	Monday time.Time
	Caught estimate.Share
}

// Planted reads the figures of the last weeks weeks, this one included.
func (r *Reader) Planted(ctx context.Context, weeks int) (p Planted, err error) {
	err = r.read(ctx, func(tx *db.Tx) error {
		zone := r.zone
		p.To = tx.Now
		p.From = counter.Midnight(counter.Day(p.To, zone)-(int(p.To.In(zone).Weekday())+6)%7-7*(weeks-1), zone)
		for _, step := range []func(*db.Tx, *Planted) error{r.plantedWeeks, plantedProblems} {
			if err := step(tx, &p); err != nil {
				return fmt.Errorf("stats: planted checks: %w", err)
			}
		}
		return nil
	})
	return p, err
}

func (r *Reader) plantedWeeks(tx *db.Tx, p *Planted) error {
	zone := r.zone
	first, last := counter.Day(p.From, zone), counter.Day(p.To, zone)
	for d := first; d <= last; d += 7 {
		p.Weeks = append(p.Weeks, PlantedWeek{Monday: counter.Midnight(d, zone)})
	}
	var all estimate.Share
	err := db.Each(tx, "stats: planted weeks", func(row db.Row) error {
		var at int64
		var caught, n int
		if err := row.Scan(&at, &caught, &n); err != nil {
			return err
		}
		if i := (counter.Day(db.Time(at*quarter), zone) - first) / 7; i >= 0 && i < len(p.Weeks) {
			week := &p.Weeks[i].Caught
			*week = estimate.Of(week.Part+caught, week.Whole+n)
			all = estimate.Of(all.Part+caught, all.Whole+n)
		}
		return nil
	}, `SELECT closed_at / $1, sum(CASE WHEN state = 'caught' THEN 1 ELSE 0 END), count(*) FROM planted_check
		WHERE closed_at >= $2 AND closed_at > 0 GROUP BY 1`, quarter, db.Ms(p.From))
	if err != nil {
		return err
	}
	p.Caught = all
	return db.One(tx, "stats: open planted checks", `SELECT count(*) FROM planted_check
		WHERE closed_at = 0`).Scan(&p.Open)
}

func plantedProblems(tx *db.Tx, p *Planted) (err error) {
	p.Problems, err = db.Rows(tx, "stats: planted parts", func(p *PlantedPart) []any {
		return []any{&p.Code, &p.Caught.Part, &p.Caught.Whole}
	},
		`SELECT problem, sum(CASE WHEN state = 'caught' THEN 1 ELSE 0 END), count(*) FROM planted_check
			WHERE closed_at >= $1 AND closed_at > 0
			GROUP BY problem ORDER BY 3 DESC, 1`, db.Ms(p.From))
	for i, part := range p.Problems {
		p.Problems[i].Caught = estimate.Of(part.Caught.Part, part.Caught.Whole)
	}
	return err
}
