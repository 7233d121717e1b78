package demo

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/review"
)

// back shows what comes back to a desk: a draft that was sent back and written again, and a text that was delivered and
// has to be corrected.
func (w *Filling) back(ctx context.Context) error {
	if err := w.sendBack(ctx); err != nil {
		return fmt.Errorf("send a draft back: %w", err)
	}
	return w.recall(ctx)
}

// sendBack sends back the last of the drafts that wait and lack no warning; that lesson is the newcomer's.
func (w *Filling) sendBack(ctx context.Context) error {
	page, err := w.Reviews.List(ctx, review.Filter{State: review.Needs, Limit: 100})
	if err != nil {
		return err
	}
	for i := len(page.Items) - 1; i >= 0; i-- {
		r := page.Items[i]
		if r.Planted || r.First.ID != "" || r.AssignedTo.ID != "" || flagged(&review.Item{Row: r}, "MISSING_DB_WARNING") {
			continue
		}
		w.clock.Set(w.clock.Now().Add(3 * time.Minute))
		if _, err := w.Reviews.Decide(ctx, review.Input{ID: r.ID, By: w.desk[1], Kind: review.Return, Version: r.Version, TextHash: r.TextHash,
			Reason: "Check understanding at the end.", SecondsOnCase: 70}); err != nil {
			return err
		}
		w.clock.Set(w.clock.Now().Add(Hold + time.Second))
		return w.Jobs.Drain(ctx) // released from the hold, and drafted anew
	}
	return nil
}

// recall takes back the latest text that went out unchanged, and leaves its correction to the newcomer.
func (w *Filling) recall(ctx context.Context) error {
	page, err := w.Reviews.List(ctx, review.Filter{State: review.Done, Limit: 100})
	if err != nil {
		return err
	}
	for _, r := range page.Items {
		d, err := w.Reviews.Decision(ctx, r.DecisionID)
		if err != nil {
			return err
		}
		if d.State != review.Released || d.Kind != review.Approve || d.NeedsSecond {
			continue
		}
		w.clock.Set(w.clock.Now().Add(2 * time.Minute))
		by := w.desk[1]
		if _, err := w.Reviews.Recall(ctx, d.ID, by, "The provider has changed its charges since. The customer should hear the new ones."); err != nil {
			return fmt.Errorf("recall a text: %w", err)
		}
		return w.Reviews.Unclaim(ctx, r.ID, by)
	}
	return nil
}
