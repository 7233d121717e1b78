package demo

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
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

// sendBack has the helpdesk's own system bring an answer, get it back with a note, and bring a better one.
func (w *Filling) sendBack(ctx context.Context) error {
	sub := interaction.Submission{AgentID: w.help.ID, AgentName: w.help.Name, Origin: interaction.OriginDemo,
		Model: "helpdesk-bot 2",
		By:    audit.Actor{Kind: audit.Agent, ID: w.help.ID, Name: w.help.Name},
		Consultation: interaction.Consultation{Question: "How do I get the projector in room 4 to show my screen?",
			Customer: interaction.Customer{Extra: map[string]any{"os": "macOS 15", "office": "Leeds"}}},
		Guidance: "Plug the cable into your laptop and choose the projector as a second screen."}
	got, err := w.Interactions.Submit(ctx, sub, nil)
	if err != nil {
		return err
	}
	item, err := w.Reviews.Get(ctx, got.ID)
	if err != nil {
		return err
	}
	if _, err := w.readAndDecide(ctx,
		review.Input{ID: got.ID, By: w.desk[1], Kind: review.Return, Version: item.Version, TextHash: item.TextHash,
			Reason: "Say where the cable is: it isn't in the room.", SecondsOnCase: 40}); err != nil {
		return err
	}
	w.clock.Set(w.clock.Now().Add(time.Minute)) // longer than any hold
	if err := w.Jobs.Drain(ctx); err != nil {   // released from the hold
		return err
	}
	sub.Guidance, sub.Revises = "Borrow the cable at reception, plug it into your laptop and choose the projector as "+
		"a second screen.", got.ID
	_, err = w.Interactions.Submit(ctx, sub, nil)
	return err
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
		if _, err := w.Reviews.Recall(ctx, d.ID, by,
			"We can say this more clearly, and the customer should have the clearer text."); err != nil {
			return fmt.Errorf("recall a text: %w", err)
		}
		return w.Reviews.Unclaim(ctx, r.ID, by)
	}
	return nil
}
