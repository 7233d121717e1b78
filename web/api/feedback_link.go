package api

import (
	"cmp"
	"context"
	"time"

	"preceptor/internal/feedback/link"
)

// linkBody asks for a link under which one user may say what they think of one answer.
type linkBody struct {
	InteractionID string `json:"interaction_id,omitempty" doc:"The id returned when you reported it, or the id of your released guidance."`
	PairID        string `json:"pair_id,omitempty" doc:"Instead of an interaction: your pair of answers, of which the user chooses the better one."`
	UserID        string `json:"user_id" doc:"Your id for the user. One user has one vote. The link doesn't reveal it."`
	ExpiresIn     int    `json:"expires_in_hours,omitempty" minimum:"0" maximum:"2160" doc:"How long the link works; 0 or left out means 336, which is two weeks."`
	HideAnswer    bool   `json:"hide_answer,omitempty" doc:"Hide the question and answer on the page; anyone with the link could read them."`
}

type linkAnswer struct {
	Token     string    `json:"token" doc:"For the widget: the value of data-preceptor-feedback."`
	URL       string    `json:"url" doc:"The page to send to the user."`
	WidgetURL string    `json:"widget_url" doc:"The page that the widget shows, if you make your own frame."`
	ExpiresAt time.Time `json:"expires_at"`
}

func (h *handlers) makeLink(ctx context.Context, c *call, _ *struct{}, body linkBody) (out linkAnswer, err error) {
	if body.PairID != "" {
		if _, _, err := h.Preferences.Ask(ctx, body.PairID, c.token.AgentID, body.UserID); err != nil {
			return out, err
		}
	}
	token, made, err := h.Links.New(ctx,
		link.Request{SubjectID: cmp.Or(body.PairID, body.InteractionID), Pair: body.PairID != "",
			UserID: body.UserID, AgentID: c.token.AgentID,
			Life: time.Duration(body.ExpiresIn) * time.Hour, Bare: body.HideAnswer}, c.token.Actor())
	if err != nil {
		return out, err
	}
	return linkAnswer{Token: token, URL: h.Address("/f/" + token), WidgetURL: h.Address("/widget/" + token),
		ExpiresAt: made.Until}, nil
}
