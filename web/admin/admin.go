// Package admin holds the pages of administrators: people, teams, agents, the review policy, webhooks, import, erasure,
// backup, jobs and the audit log.
package admin

import (
	"context"
	"slices"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/delivery"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
	"preceptor/views/admin"
	"preceptor/views/ui"
	"preceptor/web/frame"
	"preceptor/web/render"
	"preceptor/web/session"
)

// Pages are the handlers.
type Pages struct {
	*frame.Maker
}

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
	v := admin.HomeView{Side: p.side(c),
		Notes: map[string]string{"people": ui.Count(len(people), "person", "people"),
			"agents": ui.Count(len(agents), "agent")}}
	if hooks.Endpoints > 0 {
		v.Notes["webhooks"] = ui.Count(hooks.Endpoints, "webhook")
	}
	v.Needs = needs(v.Side, hooks)
	plan, err := p.Copies.Plan(ctx)
	if err != nil {
		return err
	}
	if plan.Folder != "" && plan.Failed != "" || plan.Late(p.Now()) {
		v.Needs = append(v.Needs, admin.Need{Tone: ui.Red, Title: "A scheduled backup failed or is late",
			Text: "The last copy may be older than a day.",
			Act:  "See why", Href: "/admin/backup"})
	}
	if v.Steps, err = p.steps(ctx, admins, hooks); err != nil {
		return err
	}
	return render.Page(c, nil,
		admin.Home(p.Frame(c, "Administration").Follow("jobs", "approvals", "webhooks"), v))
}

// needs lists what waits for a person, the most urgent first.
func needs(s admin.Side, hooks delivery.Summary) (list []admin.Need) {
	add := func(is bool, n admin.Need) {
		if is {
			list = append(list, n)
		}
	}
	add(hooks.Dead > 0, admin.Need{Tone: ui.Red, Title: ui.Count(hooks.Dead, "event") + " failed",
		Text: "An agent wasn't told the outcome of its guidance. All retries have failed.",
		Act:  "Review and send again", Href: "/admin/webhooks"})
	add(s.Parked > 0, admin.Need{Tone: ui.Red, Title: ui.Count(s.Parked, "job is", "jobs are") + " parked",
		Text: "Parked jobs failed and won't be retried automatically.", Act: "See why and try again",
		Href: "/admin/jobs"})
	add(hooks.Disabled > 0,
		admin.Need{Tone: ui.Amber, Title: ui.Count(hooks.Disabled, "webhook is", "webhooks are") + " off",
			Text: "Events for that agent are kept and not sent.", Act: "See which", Href: "/admin/webhooks"})
	add(s.Proposals > 0,
		admin.Need{Tone: ui.Amber, Title: ui.Count(s.Proposals, "proposed change is", "proposed changes are") +
			" waiting for you",
			Text: "Someone wants to change what holds for everybody. It needs your agreement.", Act: "Read and decide",
			Href: "/approvals"})
	return list
}

// These are the acts that keep, for all administrators, which steps a firm does not need.
const stepActs, stepDismissed, stepRestored = "setup.", "setup.step_dismissed", "setup.step_restored"

// StepDismiss takes a step off the list for all administrators, or brings it back.
func (p *Pages) StepDismiss(c echo.Context, in struct {
	Needed bool `form:"needed"`
}) error {
	key, act, line := c.Param("step"), stepDismissed, "Marked as not needed for all administrators."
	if in.Needed {
		act, line = stepRestored, "Back on the list."
	}
	if !slices.ContainsFunc(setUp, func(s admin.Step) bool { return s.Key == key }) {
		return fault.New(fault.NotFound, "There is no such step.")
	}
	if err := p.Audit.Record(c.Request().Context(),
		audit.Entry{Actor: session.Actor(c), Action: act, ObjectKind: "setup_step", ObjectID: key}); err != nil {
		return err
	}
	return render.Done(c, "/admin", line)
}

// setUp is what a new firm sets up.
var setUp = []admin.Step{
	{Key: "supervisor", Title: "Invite a supervisor",
		Text: "Supervisors approve, revise or reject drafts. Where a draft needs two approvals, it takes two.",
		Href: "/admin/people#add"},
	{Key: "expert", Title: "Invite an expert", Text: "Experts decide where the judges disagree, and accept rules.",
		Href: "/admin/people#add"},
	{Key: "admin", Title: "Invite a second administrator",
		Text: "Changing the review policy takes two, and they can create a reset link for you.",
		Href: "/admin/people#add"},
	{Key: "documents", Title: "Import documents", Text: "Your guidance becomes the cases that drafts are made from.",
		Href: "/admin/import"},
	{Key: "token", Title: "Create a token", Text: "Your AI system uses it to submit guidance.", Href: "/admin/agents"},
	{Key: "webhook", Title: "Add a webhook",
		Text: "Your AI system is told about decisions. Not needed if it polls for them.", Href: "/admin/webhooks"},
	{Key: "backup", Title: "Create a backup", Text: "And keep it on another machine.", Href: "/admin/backup"},
}

// steps is what is left of setting up; none when each is done or dismissed.
func (p *Pages) steps(ctx context.Context, admins int, hooks delivery.Summary) ([]admin.Step, error) {
	experts, err := p.Accounts.Holders(ctx, account.Expert)
	if err != nil {
		return nil, err
	}
	supervisors, err := p.Accounts.Holders(ctx, account.Supervisor)
	if err != nil {
		return nil, err
	}
	tokens, err := p.Accounts.Tokens(ctx)
	if err != nil {
		return nil, err
	}
	acted := func(act string) ([]audit.Row, error) {
		page, err := p.Audit.List(ctx, audit.Filter{Action: act, Limit: 200})
		return page.Rows, err
	}
	imported, err := acted("knowledge.imported")
	if err != nil {
		return nil, err
	}
	backups, err := acted("backup.made")
	if err != nil {
		return nil, err
	}
	choices, err := acted(stepActs)
	if err != nil {
		return nil, err
	}
	done := map[string]bool{"supervisor": supervisors > 0, "expert": experts > 0, "admin": admins > 1,
		"documents": len(imported) > 0, "token": len(tokens) > 0,
		"webhook": hooks.Endpoints > 0, "backup": len(backups) > 0}
	list, left := slices.Clone(setUp), false
	for i, s := range list {
		last := slices.IndexFunc(choices, func(r audit.Row) bool { return r.ObjectID == s.Key })
		list[i].Done, list[i].Dismissed = done[s.Key], last >= 0 && choices[last].Action == stepDismissed
		left = left || !list[i].Done && !list[i].Dismissed
	}
	if !left {
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
	if s.Proposals, err = p.Approvals.ForMe(ctx, me.ID); err != nil {
		p.Log.Warn("count proposed changes", "error", err.Error())
	}
	hooks, err := p.Delivery.Summary(ctx)
	if err != nil {
		p.Log.Warn("count webhooks", "error", err.Error())
	}
	s.Webhooks = hooks.Disabled + hooks.Dead
	return s
}
