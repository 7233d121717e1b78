package stats

import (
	"context"
	"fmt"

	"preceptor/internal/platform/db"
	"preceptor/internal/stats/counter"
)

// TopicSeries reads satisfaction over time of some topics, in their order: at most 12.
func (r *Reader) TopicSeries(ctx context.Context, f Filter, topics []string) (out []Series, err error) {
	f = r.zoned(f)
	err = r.read(ctx, func(tx *db.Tx) error {
		s, err := scopeOf(tx, f, false)
		if err != nil {
			return err
		}
		for _, topic := range topics[:min(len(topics), 12)] {
			if s.topic != counter.All && s.topic != counter.One(topicOf(topic)) {
				continue
			}
			one := s
			one.topic = counter.One(topicOf(topic))
			days, err := one.read(tx, counter.Positive, counter.Negative)
			if err != nil {
				return fmt.Errorf("stats: satisfaction by topic: %w", err)
			}
			line := f.series("satisfaction", "", Ratio, days.rate)
			line.Name = topic
			out = append(out, line)
		}
		return nil
	})
	return out, err
}
