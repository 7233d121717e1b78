package guest

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/audit"
	"preceptor/internal/feedback/chat"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/limiter"
	views "preceptor/views/feedback"
	"preceptor/web/form"
	"preceptor/web/render"
)

// How often a customer may ask: each question costs a person's time, so an agent as a whole is protected, too.
var (
	chatAsks    = limiter.Pace{Burst: 6, Every: 20 * time.Second}   // in a conversation
	addressAsks = limiter.Pace{Burst: 30, Every: time.Minute}       // from an address
	agentAsks   = limiter.Pace{Burst: 120, Every: 30 * time.Second} // of an agent
	streamOpens = limiter.Pace{Burst: 40, Every: 20 * time.Second}  // of news, from an address
)

// A stream of news checks at most once in every settle, ends after longest, whereupon the browser asks again, and is
// one of at most mostStreams, and of mostOfOne from an address and of a conversation: a page without one asks now and
// then.
const (
	mostStreams = 200
	mostOfOne   = 5
	settle      = time.Second
	beat        = 20 * time.Second
	longest     = 15 * time.Minute
)

// cookie is that by which the page of an agent finds the conversation that was begun on it. It ends with the browser:
// the private link is for later. Over TLS no neighbouring site can plant one.
func (p *Pages) cookie(secret string) *http.Cookie {
	k := &http.Cookie{Name: "preceptor-chat", Value: secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode}
	if p.Secure {
		k.Name, k.Secure = "__Host-"+k.Name, true
	}
	return k
}

// talkSaid is what comes from a customer's conversation.
type talkSaid struct {
	Question string `form:"question"`
	Key      string `form:"key"`
	Theme    string `form:"theme"`
	New      bool   `form:"new"`
}

// door is one of the two ways to a conversation: a page of its own, or the one inside the widget.
type door struct{ start, talk string }

var (
	pageDoor   = door{"/talk", "/c"}
	widgetDoor = door{"/widget/chat", "/widget/c"}
)

func (d door) widget() bool { return d == widgetDoor }

func doorOf(c echo.Context) door {
	if strings.HasPrefix(c.Path(), widgetDoor.start) || strings.HasPrefix(c.Path(), widgetDoor.talk) {
		return widgetDoor
	}
	return pageDoor
}

// TalkStart is where a customer asks an agent the first question, or finds the conversation that they began.
func (p *Pages) TalkStart(c echo.Context, in talkSaid) error {
	d := doorOf(c)
	a, err := p.hostOf(c, d)
	if err != nil {
		return p.noTalk(c, in, d, err)
	}
	if kept, err := c.Cookie(p.cookie("").Name); err == nil && !in.New {
		if t, err := p.Room.Open(c.Request().Context(), kept.Value); err == nil && t.Agent.ID == a.ID {
			return c.Redirect(http.StatusSeeOther, d.path(d.talk, kept.Value, in.Theme))
		}
	}
	return p.talkShows(c, http.StatusOK, d, p.startView(d, a, in))
}

// hostOf is the agent that the address names, for a customer who doesn't come too often.
func (p *Pages) hostOf(c echo.Context, d door) (a chat.Agent, err error) {
	p.forGuests(c, d.widget())
	if err = p.limits.Take("open "+network(c.RealIP()), addressOpens); err != nil {
		return a, err
	}
	name, err := url.PathUnescape(c.Param("agent"))
	if err != nil || c.Request().URL.RawPath == "" {
		name = c.Param("agent")
	}
	return p.Room.Host(c.Request().Context(), name)
}

// path is an address of a door, with the theme that the page has.
func (d door) path(room, name, theme string) string {
	return views.Public{Path: room + "/" + url.PathEscape(name), Theme: themeOf(theme)}.Action()
}

func themeOf(typed string) string { return form.OneOf(typed, []string{"light", "dark"}) }

func (p *Pages) startView(d door, a chat.Agent, in talkSaid) views.Talk {
	return views.Talk{Path: d.path(d.start, a.Name, in.Theme), Question: in.Question, Theme: themeOf(in.Theme)}
}

// TalkBegin takes the first question.
func (p *Pages) TalkBegin(c echo.Context, in talkSaid) error {
	d := doorOf(c)
	a, err := p.hostOf(c, d)
	if err != nil {
		return p.noTalk(c, in, d, err)
	}
	secret := ""
	if err = p.mayAsk(c, a, in.Question); err == nil {
		secret, err = p.Room.Begin(context.WithoutCancel(c.Request().Context()), a, in.Question, in.Key, customer)
	}
	if err != nil {
		return p.talkAgain(c, d, p.startView(d, a, in), err)
	}
	kept := p.cookie(secret)
	if d.widget() && p.Secure { // a site of others keeps it apart from ours, and from other sites'
		kept.SameSite, kept.Partitioned = http.SameSiteNoneMode, true
	}
	c.SetCookie(kept)
	return c.Redirect(http.StatusSeeOther, d.path(d.talk, secret, in.Theme))
}

// customer is who asks without an account.
var customer = audit.System("Public chat")

// mayAsk counts a question; one that can't be asked doesn't count.
func (p *Pages) mayAsk(c echo.Context, a chat.Agent, question string) error {
	if _, err := chat.Check(question); err != nil {
		return err
	}
	if err := p.limits.Take("ask "+network(c.RealIP()), addressAsks); err != nil {
		return err
	}
	return p.limits.Take("agent "+a.ID, agentAsks)
}

// talkOf opens the conversation that the address names, for a customer who doesn't come too often. What is no link of
// ours is slowed more.
func (p *Pages) talkOf(c echo.Context, in talkSaid, d door) (v views.Talk, err error) {
	p.forGuests(c, d.widget())
	secret, from, ctx := c.Param("token"), network(c.RealIP()), c.Request().Context()
	if err = p.limits.Take("open "+from, addressOpens); err != nil {
		return v, err
	}
	if v.Talk, err = p.Room.Open(ctx, secret); err != nil {
		if slow := p.limits.Take("wrong "+from, addressWrong); fault.Is(err, fault.NotFound) && slow != nil {
			err = slow
		}
		return v, err
	}
	v.Path, v.Theme, v.Now = d.path(d.talk, secret, in.Theme), themeOf(in.Theme), p.Now()
	v.Events, v.Link = "/c/"+url.PathEscape(secret)+"/events", p.Address("/c/"+secret)
	if full := p.Room.Closed(ctx, v.Talk); full != nil {
		v.Full = fault.Message(full)
	}
	if v.Public {
		v.Fresh = views.Public{Path: d.start + "/" + url.PathEscape(v.Agent.Name), Theme: v.Theme}.Action("new", "1")
	}
	return v, nil
}

// Talk is the conversation behind a private link.
func (p *Pages) Talk(c echo.Context, in talkSaid) error {
	d := doorOf(c)
	v, err := p.talkOf(c, in, d)
	if err != nil {
		return p.noTalk(c, in, d, err)
	}
	return p.talkShows(c, http.StatusOK, d, v)
}

// TalkSay takes a further question.
func (p *Pages) TalkSay(c echo.Context, in talkSaid) error {
	d := doorOf(c)
	v, err := p.talkOf(c, in, d)
	if err != nil {
		return p.noTalk(c, in, d, err)
	}
	secret := c.Param("token")
	if err = p.mayAsk(c, v.Agent, in.Question); err == nil {
		err = p.limits.Take("chat "+v.Thread, chatAsks)
	}
	if err == nil {
		err = p.Room.Say(context.WithoutCancel(c.Request().Context()), secret, in.Question, customer)
	}
	if err != nil {
		v.Question = in.Question
		return p.talkAgain(c, d, v, err)
	}
	return c.Redirect(http.StatusSeeOther, v.Path)
}

func (p *Pages) talkShows(c echo.Context, status int, d door, v views.Talk) error {
	if v.Widget = d.widget(); v.Widget {
		v.Origins = p.WidgetOrigins
	}
	return render.Status(c, status, views.GuestTalk(v))
}

// talkAgain shows the page with what was typed and what is wrong. Faults that no customer can do anything about go to
// the edge.
func (p *Pages) talkAgain(c echo.Context, d door, v views.Talk, cause error) error {
	status, ok := render.Again(c, cause)
	if !ok {
		return cause
	}
	v.Message, v.Error = fault.Message(cause), form.PlainErrors(cause)["question"]
	return p.talkShows(c, status, d, v)
}

// noTalk says why there is nothing to see.
func (p *Pages) noTalk(c echo.Context, in talkSaid, d door, err error) error {
	v := views.Closed{Title: "This chat isn't available", Text: fault.Message(err), Theme: themeOf(in.Theme),
		Widget: d.widget(), Origins: p.WidgetOrigins}
	kind := fault.KindOf(err)
	switch kind {
	case fault.Limited:
		v.Title = "One moment, please"
		render.RetryAfter(c, err)
	case fault.NotFound:
	default:
		return err
	}
	return render.Status(c, kind.Status(), views.ClosedPage(v))
}

// TalkEvents tells a customer's page that something in its own conversation changed, and nothing else of the desk.
func (p *Pages) TalkEvents(c echo.Context) error {
	ctx := c.Request().Context()
	if err := p.limits.Take("news "+network(c.RealIP()), streamOpens); err != nil {
		return err
	}
	v, err := p.talkOf(c, talkSaid{}, pageDoor)
	if err != nil {
		return err
	}
	leave, ok := p.streams.take("from "+network(c.RealIP()), "of "+v.Thread)
	if !ok {
		return fault.New(fault.Unavailable, "Too many people follow their conversations just now. Reload the page.")
	}
	defer leave()
	changes, stop := p.Subscribe()
	defer stop()
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	known, over, pulse := chat.StateOf(v.Turns), time.After(longest), time.NewTicker(beat)
	defer pulse.Stop()
	// what changed since the page was drawn can't be known, so a page looks once when it begins to listen
	text := "retry: 5000\n\nevent: changed\ndata: \n\n"
	var soon <-chan time.Time
	for render.Part(c.Response(), beat, text) == nil {
		text = ""
		for text == "" {
			select {
			case <-ctx.Done():
				return nil
			case <-p.Stopping:
				return nil
			case <-over:
				return nil
			case t, ok := <-changes:
				if !ok {
					return nil
				}
				if t == "interactions" && soon == nil {
					soon = time.After(settle)
				}
			case <-pulse.C:
				text = ": beat\n\n"
			case <-soon:
				soon = nil
				state, err := p.Room.State(ctx, v.Talk)
				if err != nil {
					return nil
				}
				if state != known {
					known, text = state, "event: changed\ndata: \n\n"
				}
			}
		}
	}
	return nil
}
