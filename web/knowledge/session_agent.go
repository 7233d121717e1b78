package knowledge

import (
	"context"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/delivery"
	"preceptor/internal/platform/fault"
	"preceptor/internal/signal"
	"preceptor/internal/signal/evaluator"
	views "preceptor/views/signals"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// AgentSignals is what is noticed in an agent's turns, with its settings.
func (p *Pages) AgentSignals(c echo.Context) error {
	set, err := p.Signals.SettingsOf(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	return p.showAgent(c, views.Agent{Set: set}, nil)
}

func (p *Pages) showAgent(c echo.Context, v views.Agent, wrong error) (err error) {
	ctx := c.Request().Context()
	a, err := p.Accounts.Agent(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	v.ID, v.Name, v.MayChange, v.Evaluators = a.ID, a.Name, session.Settles(c), signal.Shipped()
	v.Message, v.Errors = form.Said(wrong)
	v.SQLTools = strings.Join(evaluator.SQLTools, ", ")
	if v.Notes, err = p.Signals.Given(ctx, signal.Ask{AgentID: a.ID}); err != nil {
		return err
	}
	if v.Failing, err = p.Signals.Trend.Failing(ctx, a.ID); err != nil {
		return err
	}
	if v.Reminders, err = p.Signals.Reminders(ctx, a.ID, ""); err != nil {
		return err
	}
	if v.Weeks, v.Effects, err = p.Signals.Trend.Weeks(ctx, a.ID); err != nil {
		return err
	}
	return render.Page(c, wrong, views.AgentPage(p.Frame(c, a.Name), v))
}

// AgentSettings changes what is noticed in an agent's turns. Evaluators that stand there stay, but for those that are
// dropped.
func (p *Pages) AgentSettings(c echo.Context) error {
	var in struct {
		signal.Settings    `form:"set"`
		views.NewEvaluator `form:"new"`
	}
	unread := form.Bind(c, &in)
	if unread != nil && !fault.Is(unread, fault.Invalid) {
		return unread
	}
	ctx, id := context.WithoutCancel(c.Request().Context()), c.Param("id")
	old, err := p.Signals.SettingsOf(ctx, id)
	if err != nil {
		return err
	}
	set, fresh := in.Settings, in.NewEvaluator
	set.Prompts = slices.DeleteFunc(old.Prompts, func(e signal.Prompted) bool {
		return slices.Contains(fresh.Drop, e.Name)
	})
	set.Servers = slices.DeleteFunc(old.Servers, func(e signal.Server) bool {
		return slices.Contains(fresh.Drop, e.Name)
	})
	typed, err := form.Values(c)
	if err != nil {
		return err
	}
	again := views.Agent{Set: set, New: fresh, Typed: typed}
	if unread != nil {
		var r form.Reading
		for _, f := range fault.Fields(unread) {
			r.Wrong(f.Name, "Enter a whole number.")
		}
		return p.showAgent(c, again, r.Err("These settings can't be saved yet."))
	}
	switch {
	case fresh.URL != "":
		if _, err := p.Delivery.CheckURL(ctx, fresh.URL); err != nil {
			return p.showAgent(c, again, err)
		}
		set.Servers = append(set.Servers, signal.Server{Name: fresh.Name, URL: fresh.URL, Secret: delivery.NewSecret(),
			Trajectory: fresh.Whole})
	case fresh.Name != "" || fresh.Prompt != "":
		set.Prompts = append(set.Prompts, signal.Prompted{Name: fresh.Name, Prompt: fresh.Prompt,
			Trajectory: fresh.Whole})
	}
	if err := p.Signals.Set(ctx, id, set, keeper(c)); err != nil {
		if !form.Again(err) {
			return err
		}
		return p.showAgent(c, again, err)
	}
	return render.Done(c, "/learning/agents/"+id, "Saved. It applies from the next turn.")
}
