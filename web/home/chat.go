package home

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/feedback/chat"
	"preceptor/internal/platform/fault"
	views "preceptor/views/feedback"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// answerWithin is how long a person waits for an answer in the chat; the server's own limit is a little more.
const answerWithin = 50 * time.Second

// ChatList is whom one may talk to.
func (p *Pages) ChatList(c echo.Context) error {
	open, reviewed, err := p.Room.Rooms(c.Request().Context())
	if err != nil {
		return err
	}
	return render.Page(c, http.StatusOK, views.RoomsPage(p.Frame(c, "Chat").Follow(), open, reviewed))
}

// agentParam is the agent's name in the address. A slash in it arrives escaped.
func agentParam(c echo.Context) string {
	name := c.Param("agent")
	if c.Request().URL.RawPath != "" {
		if plain, err := url.PathUnescape(name); err == nil {
			return plain
		}
	}
	return name
}

// ChatShow is a talk with an agent.
func (p *Pages) ChatShow(c echo.Context, in struct {
	Session string `form:"s"`
}) error {
	a, err := p.Room.Enter(c.Request().Context(), agentParam(c))
	if err != nil {
		return err
	}
	return p.chatPage(c, http.StatusOK, a, views.Chat{Session: in.Session})
}

func (p *Pages) chatPage(c echo.Context, status int, a chat.Agent, v views.Chat) error {
	v.Agent, v.Path, v.By, v.Now = a.Name, views.ChatPath(a.Name), p.Room.By(), p.Now()
	var err error
	if v.Turns, err = p.Room.Talk(c.Request().Context(), a, session.Me(c).ID, v.Session); err != nil {
		return err
	}
	return render.Page(c, status, views.ChatPage(p.Frame(c, "Chat with "+a.Name).Follow(), v))
}

// ChatAsk has the agent answer. What can't be asked, or answered just now, stays in the form.
func (p *Pages) ChatAsk(c echo.Context, v views.Chat) error {
	ctx := c.Request().Context()
	a, err := p.Room.Enter(ctx, agentParam(c))
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	talk, answer, err := p.Room.Ask(limited, a.Name, session.Me(c).ID, v.Session, v.Question)
	switch {
	case err == nil:
		return c.Redirect(http.StatusSeeOther, views.ChatPath(a.Name)+"?s="+url.QueryEscape(talk)+"#turn-"+answer)
	case fault.Is(err, fault.Denied) || fault.Is(err, fault.NotFound) ||
		fault.Is(err, fault.Internal) && limited.Err() == nil:
		return err
	}
	v.Message, v.Error = fault.Message(err), form.PlainErrors(err)["question"]
	status := fault.KindOf(err).Status()
	if limited.Err() != nil {
		v.Message, status = "The answer took too long. Ask again, perhaps with a shorter question.",
			http.StatusServiceUnavailable
	}
	render.RetryAfter(c, err)
	return p.chatPage(c, status, a, v)
}

// ChatVote says what I think of an answer that I got.
func (p *Pages) ChatVote(c echo.Context, in struct {
	Vote string `form:"vote"`
}) error {
	ctx := context.WithoutCancel(c.Request().Context())
	a, err := p.Room.Enter(ctx, agentParam(c))
	if err != nil {
		return err
	}
	value, ok := map[string]float64{"1": 1, "0": 0, "-1": -1}[in.Vote]
	if !ok {
		return fault.Wrong("Choose yes or no.", "vote", "Choose yes or no.")
	}
	talk, err := p.Room.Vote(ctx, a, session.Me(c).ID, c.Param("id"), value)
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, views.ChatPath(a.Name)+"?s="+url.QueryEscape(talk)+"#turn-"+c.Param("id"))
}
