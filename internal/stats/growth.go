package stats

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/db"
)

// Decided counts decisions of one period.
type Decided struct{ All, Approved int } // Approved: as they came

// Decided counts the decisions of n periods of length step that begin at from, from the sums of days: the days of the desk whose noon
// lies in them. What came before is in the first.
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
			noon := dayTime(day.day, f.zone()).Add(12 * time.Hour)
			if period := int(noon.Sub(from) / step); period < n {
				d := &out[max(0, period)]
				d.All, d.Approved = d.All+day.all, d.Approved+day.approved
			}
		}
		return nil
	})
	return out, err
}
