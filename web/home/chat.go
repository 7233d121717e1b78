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
	return render.Page(c, nil, views.RoomsPage(p.Frame(c, "Chat").Follow(), open, reviewed))
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
	a, reviewed, err := p.Room.Find(c.Request().Context(), agentParam(c))
	switch {
	case err != nil:
		return err
	case reviewed:
		return p.talkPage(c, http.StatusOK, a, views.Chat{Session: in.Session})
	}
	return p.chatPage(c, http.StatusOK, a, views.Chat{Session: in.Session})
}

// talkPage is a conversation with an agent whose answers people review.
func (p *Pages) talkPage(c echo.Context, status int, a chat.Agent, typed views.Chat) (err error) {
	ctx := c.Request().Context()
	v := views.Talk{Path: views.ChatPath(a.Name), Session: typed.Session, Question: typed.Question,
		Error: typed.Error, Message: typed.Message, Fresh: views.ChatPath(a.Name), Now: p.Now()}
	if v.Session != "" {
		if v.Talk, err = p.Room.Open(ctx, v.Session); err != nil {
			return err
		}
		if v.Agent.ID != a.ID {
			return fault.New(fault.NotFound, "This link is to a conversation with another agent.")
		}
		v.Link = p.Address("/c/" + v.Session)
		if full := p.Room.Closed(ctx, v.Talk); full != nil {
			v.Full = fault.Message(full)
		}
	}
	v.Agent = a
	return render.Status(c, status, views.TalkPage(p.Frame(c, "Chat with "+a.Name).Follow("interactions"), v))
}

// talkAsk has a person review the answer to a question. What can't be asked just now stays in the form.
func (p *Pages) talkAsk(c echo.Context, a chat.Agent, v views.Chat) (err error) {
	ctx, by := context.WithoutCancel(c.Request().Context()), session.Actor(c)
	if v.Session == "" {
		v.Session, err = p.Room.Begin(ctx, a, v.Question, v.Key, by)
	} else {
		err = p.Room.Say(ctx, v.Session, v.Question, by)
	}
	if err == nil {
		return c.Redirect(http.StatusSeeOther, views.Talk{Path: views.ChatPath(a.Name), Session: v.Session}.Here())
	}
	status, ok := render.Again(c, err)
	if !ok {
		return err
	}
	v.Message, v.Error = fault.Message(err), form.PlainErrors(err)["question"]
	return p.talkPage(c, status, a, v)
}

func (p *Pages) chatPage(c echo.Context, status int, a chat.Agent, v views.Chat) error {
	v.Agent, v.Path, v.By, v.Now = a.Name, views.ChatPath(a.Name), p.Room.By(), p.Now()
	var err error
	if v.Turns, err = p.Room.Talk(c.Request().Context(), a, session.Me(c).ID, v.Session); err != nil {
		return err
	}
	return render.Status(c, status, views.ChatPage(p.Frame(c, "Chat with "+a.Name).Follow(), v))
}

// ChatAsk has the agent answer. What can't be asked, or answered just now, stays in the form.
func (p *Pages) ChatAsk(c echo.Context, v views.Chat) error {
	ctx := c.Request().Context()
	a, reviewed, err := p.Room.Find(ctx, agentParam(c))
	switch {
	case err != nil:
		return err
	case reviewed:
		return p.talkAsk(c, a, v)
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
