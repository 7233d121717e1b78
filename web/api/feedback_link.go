package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"preceptor/internal/account"
	"preceptor/internal/feedback/link"
)

// linkBody asks for a link under which one user may say what they think of one answer.
type linkBody struct {
	InteractionID string `json:"interaction_id" doc:"The id that the report gave, or that of guidance of yours which was released."`
	UserID        string `json:"user_id" doc:"Whose link it is, as you name them. One user has one vote. It can't be read from the link."`
	ExpiresIn     int    `json:"expires_in_hours,omitempty" minimum:"0" maximum:"2160" doc:"How long the link works; 0 or left out: 336, which is two weeks."`
	HideAnswer    bool   `json:"hide_answer,omitempty" doc:"The page shows neither the question nor the answer; whoever has the link could read them."`
}

type linkAnswer struct {
	Token     string    `json:"token" doc:"For the widget: the value of data-preceptor-feedback."`
	URL       string    `json:"url" doc:"The page to send to the user."`
	WidgetURL string    `json:"widget_url" doc:"The page that the widget shows, for those who make their own frame."`
	ExpiresAt time.Time `json:"expires_at"`
}

func (h *handlers) mountLinks(a huma.API) {
	take(h, a, huma.Operation{
		OperationID: "make-feedback-link", Method: http.MethodPost, Path: "/api/feedback/links", DefaultStatus: http.StatusCreated, Tags: []string{feedbackTag},
		Errors:      []int{http.StatusNotFound, http.StatusConflict},
		Summary:     "Make a link for a user's feedback",
		Description: "A signed address that expires, for a page without an account or for the widget. Making one changes nothing; the same link may be asked for again.",
	}, account.Feedback, h.makeLink)
}

func (h *handlers) makeLink(ctx context.Context, c *call, _ *struct{}, body linkBody) (out linkAnswer, err error) {
	token, made, err := h.Links.New(ctx, link.Request{SubjectID: body.InteractionID, UserID: body.UserID, AgentID: c.token.AgentID,
		Life: time.Duration(body.ExpiresIn) * time.Hour, Bare: body.HideAnswer}, c.token.Actor())
	if err != nil {
		return out, err
	}
	return linkAnswer{Token: token, URL: h.address("/f/" + token), WidgetURL: h.address("/widget/" + token), ExpiresAt: made.Until}, nil
}

func (h *handlers) address(path string) string {
	if h.Address == nil {
		return path
	}
	return h.Address(path)
}
