package admin

import (
	"context"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/delivery"
	"preceptor/internal/job"
	"preceptor/views/admin"
	"preceptor/views/ui"
	"preceptor/web/render"
	"preceptor/web/session"
)

// Admin says what needs a person, and leads to the parts of the administration.
func (p *Pages) Admin(c echo.Context) error {
	ctx := c.Request().Context()
	people, err := p.Accounts.List(ctx)
	if err != nil {
		return err
	}
	admins, err := p.Accounts.Holders(ctx, account.Admin)
	if err != nil {
		return err
	}
	agents, err := p.Accounts.Agents(ctx)
	if err != nil {
		return err
	}
	hooks, err := p.Delivery.Summary(ctx)
	if err != nil {
		return err
	}
	v := admin.HomeView{Side: p.side(c), Notes: map[string]string{"people": ui.Count(len(people), "person", "people"), "agents": ui.Count(len(agents), "agent", "agents")}}
	if hooks.Endpoints > 0 {
		v.Notes["webhooks"] = ui.Count(hooks.Endpoints, "webhook", "webhooks")
	}
	v.Needs = needs(v.Side, hooks)
	if v.Steps, err = p.steps(ctx, admins, hooks); err != nil {
		return err
	}
	return render.Page(c, http.StatusOK, admin.Home(p.Frame(c, "Administration").Follow("jobs", "policies", "webhooks"), v))
}

// needs lists what waits for a person, the most urgent first.
func needs(s admin.Side, hooks delivery.Summary) (list []admin.Need) {
	add := func(is bool, n admin.Need) {
		if is {
			list = append(list, n)
		}
	}
	add(hooks.Dead > 0, admin.Need{Tone: ui.Red, Title: ui.Count(hooks.Dead, "event was", "events were") + " given up",
		Text: "An agent was not told what became of its guidance, and the schedule of attempts is over.", Act: "Look at them and send them again", Href: "/admin/webhooks"})
	add(s.Parked > 0, admin.Need{Tone: ui.Red, Title: ui.Count(s.Parked, "job is", "jobs are") + " parked",
		Text: "Something could not be done, and nothing tries it again by itself.", Act: "See why and try again", Href: "/admin/jobs"})
	add(hooks.Disabled > 0, admin.Need{Tone: ui.Amber, Title: ui.Count(hooks.Disabled, "webhook is", "webhooks are") + " off",
		Text: "Events for that agent are kept and not sent.", Act: "See which", Href: "/admin/webhooks"})
	add(s.Proposals > 0, admin.Need{Tone: ui.Amber, Title: ui.Count(s.Proposals, "proposed policy waits", "proposed policies wait") + " for you",
		Text: "Another administrator wants to change what people must read. It takes your agreement.", Act: "Read it", Href: "/admin/policies"})
	return list
}

// steps is what a new firm sets up, until all of it is done.
func (p *Pages) steps(ctx context.Context, admins int, hooks delivery.Summary) ([]admin.Step, error) {
	experts, err := p.Accounts.Holders(ctx, account.Expert)
	if err != nil {
		return nil, err
	}
	tokens, err := p.Accounts.Tokens(ctx)
	if err != nil {
		return nil, err
	}
	list := []admin.Step{
		{Done: experts > 0, Title: "Invite an expert", Text: "Experts settle what the judges disagree on, and accept rules.", Href: "/admin/people#add"},
		{Done: admins > 1, Title: "Invite a second administrator", Text: "A change of the review policy takes two, and they can make you a reset link.", Href: "/admin/people#add"},
		{Title: "Import documents", Text: "Your guidance becomes the cases that drafts are made from.", Href: "/admin/import"},
		{Done: len(tokens) > 0, Title: "Make a token", Text: "With it your AI system submits guidance.", Href: "/admin/agents"},
		{Done: hooks.Endpoints > 0, Title: "Add a webhook", Text: "Your AI system is told what was decided.", Href: "/admin/webhooks"},
		{Title: "Make a backup", Text: "And keep it on another machine.", Href: "/admin/backup"},
	}
	for at, act := range map[int]string{2: "knowledge.imported", 5: "backup.made"} {
		page, err := p.Audit.List(ctx, audit.Filter{Action: act, Limit: 1})
		if err != nil {
			return nil, err
		}
		list[at].Done = len(page.Rows) > 0 || page.Until > 0 // a log too long to look through is no new firm's
	}
	if !slices.ContainsFunc(list, func(s admin.Step) bool { return !s.Done }) {
		return nil, nil
	}
	return list, nil
}

// side is the administration's own navigation. A count that can't be read is left out: no page fails for it.
func (p *Pages) side(c echo.Context) (s admin.Side) {
	me := session.Me(c)
	if !me.Has(account.Admin) {
		return s
	}
	s.Shown = true
	ctx := c.Request().Context()
	jobs, err := p.Jobs.Counts(ctx)
	if err != nil {
		p.Log.Warn("count jobs", "error", err.Error())
	}
	s.Parked = jobs[job.Parked]
	if s.Proposals, err = p.Policies.Waiting(ctx, me.ID); err != nil {
		p.Log.Warn("count proposed policies", "error", err.Error())
	}
	hooks, err := p.Delivery.Summary(ctx)
	if err != nil {
		p.Log.Warn("count webhooks", "error", err.Error())
	}
	s.Webhooks = hooks.Disabled + hooks.Dead
	return s
}
