package admin

import (
	"context"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/delivery"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/views/ui"
	"preceptor/web/render"
	"preceptor/web/session"
)

const eventsPerPage = 50

// WebhookList shows every agent with where its events go.
func (p *Pages) WebhookList(c echo.Context) error {
	ctx := c.Request().Context()
	agents, err := p.Accounts.AllAgents(ctx)
	if err != nil {
		return err
	}
	endpoints, err := p.Delivery.Endpoints(ctx)
	if err != nil {
		return err
	}
	of := map[string]*delivery.Endpoint{}
	for i := range endpoints {
		of[endpoints[i].AgentID] = &endpoints[i]
	}
	v := admin.WebhooksView{Side: p.side(c)}
	for _, a := range agents {
		if !a.Away || of[a.ID] != nil {
			v.Rows = append(v.Rows, admin.WebhookRow{Agent: a, Endpoint: of[a.ID]})
		}
	}
	f := p.Frame(c, "Webhooks").Follow(delivery.Topic)
	return render.Page(c, nil, admin.Webhooks(f, v))
}

// webhookAgent is the agent that the address names.
func (p *Pages) webhookAgent(c echo.Context) (a account.Agent, err error) {
	if id.Valid(c.Param("agent")) {
		a, err = p.Accounts.Agent(c.Request().Context(), c.Param("agent"))
	}
	if err == nil && a.ID == "" || fault.Is(err, fault.NotFound) {
		err = fault.New(fault.NotFound, "There is no such agent. Choose one from the list of webhooks.")
	}
	return a, err
}

// WebhookShow is one agent's webhook and its events.
func (p *Pages) WebhookShow(c echo.Context, in admin.WebhookView) error {
	a, err := p.webhookAgent(c)
	if err != nil {
		return err
	}
	v := session.TakeOnce[admin.WebhookView](c)
	v.Agent, v.WithText, v.State, v.Before = a, true, in.State, in.Before
	return p.webhookPage(c, v, nil)
}

// webhookPage fills in what the page shows besides what v says. What was typed stays.
func (p *Pages) webhookPage(c echo.Context, v admin.WebhookView, wrong error) error {
	ctx := c.Request().Context()
	e, err := p.Delivery.Endpoint(ctx, v.Agent.ID)
	switch {
	case err == nil:
		v.Endpoint = &e
		if wrong == nil {
			v.URL, v.WithText = e.URL, e.WithText
		}
	case !fault.Is(err, fault.NotFound):
		return err
	}
	if v.Events, err = p.Delivery.List(ctx,
		delivery.Filter{AgentID: v.Agent.ID, State: v.State, Before: v.Before, Limit: eventsPerPage}); err != nil {
		return err
	}
	next := int64(0)
	if len(v.Events) == eventsPerPage {
		next = v.Events[eventsPerPage-1].Seq
	}
	path, listed := "/admin/webhooks/"+v.Agent.ID, admin.WebhookView{State: v.State, Before: v.Before}
	v.Here, v.Pages = ui.Address(path, listed), ui.Around(path, listed, func(v *admin.WebhookView) *int64 {
		return &v.Before
	}, next)
	v.Side, v.Errors = p.side(c), accounts.ErrorsOf(wrong)
	// forms are answered with this page too
	f := p.Frame(c, "Webhook of "+v.Agent.Name).At("/admin/webhooks/" + v.Agent.ID).Follow(delivery.Topic)
	return render.Page(c, wrong, admin.Webhook(f, v))
}

// WebhookSave sets where an agent's events go. The page that follows the first time shows the secret, once.
func (p *Pages) WebhookSave(c echo.Context, in admin.WebhookView) error {
	a, err := p.webhookAgent(c)
	if err != nil {
		return err
	}
	v := admin.WebhookView{Agent: a, URL: in.URL, WithText: in.WithText}
	fresh, err := p.Delivery.Save(c.Request().Context(), a.ID, v.URL, v.WithText, session.Actor(c), in.Base)
	if err != nil {
		return p.webhookPage(c, v, err)
	}
	if fresh != "" {
		return render.Once(c, "/admin/webhooks/"+a.ID, admin.WebhookView{Fresh: fresh})
	}
	return render.Done(c, "/admin/webhooks/"+a.ID, "Saved. The next event will be sent there.")
}

// WebhookRotate makes a new secret; the page that follows shows it, once.
func (p *Pages) WebhookRotate(c echo.Context) error {
	a, err := p.webhookAgent(c)
	if err != nil {
		return err
	}
	fresh, err := p.Delivery.Rotate(c.Request().Context(), a.ID, session.Actor(c))
	if err != nil {
		return p.webhookDone(c, a, err, "")
	}
	return render.Once(c, "/admin/webhooks/"+a.ID, admin.WebhookView{Rotated: true, Fresh: fresh})
}

// webhookDone goes back to the webhook, or shows it with what was in the way.
func (p *Pages) webhookDone(c echo.Context, a account.Agent, err error, line string) error {
	if err != nil {
		return p.webhookPage(c, admin.WebhookView{Agent: a, WithText: true}, err)
	}
	return render.Done(c, "/admin/webhooks/"+a.ID, line)
}

// webhookDo does something with the webhook that the address names.
func (p *Pages) webhookDo(c echo.Context, do func(ctx context.Context, agentID string, by audit.Actor) error,
	line string) error {
	a, err := p.webhookAgent(c)
	if err != nil {
		return err
	}
	return p.webhookDone(c, a, do(c.Request().Context(), a.ID, session.Actor(c)), line)
}

// WebhookEnable starts sending, beginning with what was kept.
func (p *Pages) WebhookEnable(c echo.Context) error {
	return p.webhookDo(c, p.Delivery.Enable, "Webhook enabled. Queued events are being sent now.")
}

// WebhookDisable stops sending.
func (p *Pages) WebhookDisable(c echo.Context) error {
	return p.webhookDo(c, p.Delivery.Disable, "Webhook disabled. Events are queued until you enable it again.")
}

// WebhookHurry has everything that waits tried now.
func (p *Pages) WebhookHurry(c echo.Context) error {
	return p.webhookDo(c, p.Delivery.Hurry, "Trying everything that is waiting now.")
}

// WebhookTest sends a test event.
func (p *Pages) WebhookTest(c echo.Context) error {
	a, err := p.webhookAgent(c)
	if err != nil {
		return err
	}
	_, err = p.Delivery.SendTest(c.Request().Context(), a.ID, session.Actor(c))
	return p.webhookDone(c, a, err, "Test sent. The list below shows whether it arrived.")
}

// WebhookReplay sends everything again that was given up.
func (p *Pages) WebhookReplay(c echo.Context) error {
	a, err := p.webhookAgent(c)
	if err != nil {
		return err
	}
	n, err := p.Delivery.ReplayDead(c.Request().Context(), a.ID, session.Actor(c))
	return p.webhookDone(c, a, err, ui.Count(n, "event is", "events are")+" being sent again.")
}

// EventShow is one event with all attempts.
func (p *Pages) EventShow(c echo.Context) error {
	ctx := c.Request().Context()
	d, attempts, err := p.Delivery.Get(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	e, err := p.Delivery.Endpoint(ctx, d.AgentID)
	if err != nil {
		return err
	}
	a, err := p.Accounts.Agent(ctx, d.AgentID)
	if err != nil {
		return err
	}
	f := p.Frame(c, "Event "+d.ID).At("/admin/webhooks/" + a.ID).Follow(delivery.Topic)
	return render.Page(c, nil,
		admin.Event(f, admin.EventView{Side: p.side(c), Agent: a, Off: !e.Enabled, Event: d, Attempts: attempts}))
}

// EventReplay sends one event again.
func (p *Pages) EventReplay(c echo.Context) error {
	ctx := c.Request().Context()
	d, _, err := p.Delivery.Get(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	a, err := p.Accounts.Agent(ctx, d.AgentID)
	if err != nil {
		return err
	}
	return p.webhookDone(c, a, p.Delivery.Replay(ctx, d.ID, session.Actor(c)),
		"The event is being sent again with the same id.")
}
