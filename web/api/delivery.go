package api

import (
	"context"
	"time"

	"preceptor/internal/delivery"
	"preceptor/internal/interaction"
)

// deliveryAnswer is how the news of a piece of guidance gets to its agent.
type deliveryAnswer struct {
	State         string     `json:"state" enum:"ready_to_collect,waiting,retrying,delivered,dead,disabled" doc:"ready_to_collect: there is no webhook, so read it here; dead: Preceptor stopped trying after the last attempt; disabled: the webhook is off and the event is kept."`
	Event         string     `json:"event,omitempty" doc:"The webhook's event type, such as guidance.released."`
	WebhookID     string     `json:"webhook_id,omitempty" doc:"The webhook-id of the event, the same for all attempts."`
	Attempts      int        `json:"attempts,omitempty"`
	NextAttemptAt *time.Time `json:"next_attempt_at,omitempty"`
	DeliveredAt   *time.Time `json:"delivered_at,omitempty"`
}

// delivery says how the latest news of it gets to its agent; nil while there is none to tell.
func (h *handlers) delivery(ctx context.Context, it *interaction.Interaction) (*deliveryAnswer, error) {
	st, err := h.Delivery(ctx, it.AgentID, it.ID)
	if err != nil {
		return nil, err
	}
	d := st.Latest
	if d.ID == "" { // there was no webhook when it happened
		switch it.Status {
		case interaction.Released, interaction.Escalated, interaction.Returned, interaction.Expired:
			return &deliveryAnswer{State: "ready_to_collect"}, nil
		}
		return nil, nil
	}
	out := &deliveryAnswer{Event: d.Type, WebhookID: d.ID, Attempts: d.Tried}
	switch {
	case d.State == delivery.Done:
		out.State, out.DeliveredAt = "delivered", &d.SettledAt
	case d.State == delivery.Dead:
		out.State = "dead"
	case !st.Enabled:
		out.State = "disabled"
	case d.Attempt > 0:
		out.State, out.NextAttemptAt = "retrying", &d.NextAt
	default:
		out.State = "waiting"
	}
	return out, nil
}
