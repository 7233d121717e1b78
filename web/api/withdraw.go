package api

import (
	"context"
	"time"

	"preceptor/internal/interaction"
)

// Handling is how soon an answer is wanted, and where. It is exported because the description leaves out what an
// unexported type embeds.
type Handling struct {
	Urgency   string     `json:"urgency,omitempty" enum:"normal,high" doc:"high: the answer is wanted before others. The review policy says whether it then comes first in the queue."`
	Channel   string     `json:"channel,omitempty" enum:"chat,phone,email,sms,letter,web,other" doc:"Where the customer waits for the answer. The review policy says whether live chats and calls come first."`
	ExpiresAt *time.Time `json:"expires_at,omitempty" doc:"Until when the answer is of use, within a year. What is undecided by then closes as expired."`
}

func (b Handling) read() interaction.Handling {
	h := interaction.Handling{Urgency: b.Urgency, Channel: b.Channel}
	if b.ExpiresAt != nil {
		h.ExpiresAt = *b.ExpiresAt
	}
	return h
}

func handlingOf(h interaction.Handling) Handling {
	b := Handling{Urgency: h.Urgency, Channel: h.Channel}
	if !h.ExpiresAt.IsZero() {
		b.ExpiresAt = &h.ExpiresAt
	}
	return b
}

// withdraw takes back guidance that nobody has decided. Again, it gives the same answer.
func (h *handlers) withdraw(ctx context.Context, in *struct {
	ID     string `path:"id" doc:"As in the receipt."`
	Reason string `query:"reason" required:"true" doc:"Why, in a sentence: whoever is reviewing it is shown it."`
}) (out guidanceAnswer, err error) {
	c := callOf(ctx)
	if err := h.Reviews.Withdraw(ctx, in.ID, c.token.AgentID, in.Reason, c.token.Actor()); err != nil {
		return out, err
	}
	return h.guidance(ctx, in.ID)
}
