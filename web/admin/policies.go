package admin

import (
	"context"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/policy"
	"preceptor/views/admin"
	"preceptor/views/judges"
	"preceptor/views/ui"
	"preceptor/web/render"
	"preceptor/web/session"
)

const (
	policiesPerPage = 25
	effectOf        = 30 * 24 * time.Hour // how much of the past is compared
)

func (p *Pages) policyRow(c echo.Context, v policy.Version, names map[string]string) admin.PolicyRow {
	whom := names[v.AgentID]
	if whom == "" {
		whom = "a removed agent"
	}
	return admin.PolicyRow{Version: v, Whom: whom, Packs: p.Packs(c, v.AgentID)}
}

// policyPage is which page of past policies is asked for.
type policyPage struct {
	Before int `form:"before"`
}

// PolicyList shows what holds, what was proposed, and what held before.
func (p *Pages) PolicyList(c echo.Context, in policyPage) error {
	ctx := c.Request().Context()
	names, agents, err := p.AgentNames(ctx)
	if err != nil {
		return err
	}
	me := session.Me(c)
	v := admin.PoliciesView{Side: p.side(c), MayChange: me.Has(account.Admin)}
	rows := func(list []policy.Version, into *[]admin.PolicyRow) {
		for _, x := range list {
			*into = append(*into, p.policyRow(c, x, names))
		}
	}
	inForce, err := p.Policies.InForce(ctx)
	if err != nil {
		return err
	}
	history, next, err := p.Policies.List(ctx, in.Before, policiesPerPage)
	if err != nil {
		return err
	}
	if v.Admins, err = p.Accounts.Holders(ctx, account.Admin); err != nil {
		return err
	}
	rows(inForce, &v.InForce)
	rows(history, &v.History)
	v.Agents, v.Bound = withoutOwn(agents, inForce), judges.MissBound(p.Judges.Standing())
	v.Here, v.Pages = ui.Address("/admin/policies", in),
		ui.Around("/admin/policies", in, func(in *policyPage) *int { return &in.Before }, next)
	return render.Page(c, nil, admin.Policies(p.Frame(c, "Review policy").Follow("policies"), v))
}

// withoutOwn are the agents that have no policy of their own, as choices.
func withoutOwn(agents []account.Agent, inForce []policy.Version) (list []ui.Option) {
	own := map[string]bool{}
	for _, v := range inForce {
		own[v.AgentID] = true
	}
	for _, a := range agents {
		if !own[a.ID] {
			list = append(list, ui.Option{Value: a.ID, Label: a.Name})
		}
	}
	return list
}

// policyOf finds a version by its number or its id.
func (p *Pages) policyOf(c echo.Context) (policy.Version, error) {
	if n, err := strconv.Atoi(c.Param("id")); err == nil && n > 0 {
		return p.Policies.ByNumber(c.Request().Context(), n)
	}
	return p.Policies.Get(c.Request().Context(), c.Param("id"))
}

// PolicyShow shows one version.
func (p *Pages) PolicyShow(c echo.Context) error {
	ctx := c.Request().Context()
	version, err := p.policyOf(c)
	if err != nil {
		return err
	}
	names, _, err := p.AgentNames(ctx)
	if err != nil {
		return err
	}
	me := session.Me(c)
	v := admin.PolicyView{Side: p.side(c), PolicyRow: p.policyRow(c, version, names), MayChange: me.Has(account.Admin)}
	if v.Admins, err = p.Accounts.Holders(ctx, account.Admin); err != nil {
		return err
	}
	base, err := p.Policies.ByNumber(ctx, version.Base)
	if err != nil {
		return err
	}
	then := base.Policy
	if version.State == policy.Proposed {
		now, err := p.Policies.Current(ctx, version.AgentID)
		if err != nil {
			return err
		}
		then = now
		if v.Waiting, err = p.Approvals.Of(ctx, version.ID, me.ID); err != nil {
			return err
		}
		effect, err := p.effect(ctx, version.AgentID, version.Policy)
		if err != nil {
			return err
		}
		v.Effect = &effect
	}
	if v.Differences, err = p.differences(ctx, then, version.Policy); err != nil {
		return err
	}
	return render.Page(c, nil,
		admin.Policy(p.Frame(c, v.Whom+", version "+strconv.Itoa(version.Policy.Version)+" of the review policy"), v))
}

// differences are those between two policies; one that gives up its own is compared as what it will follow.
func (p *Pages) differences(ctx context.Context, then, next policy.Policy) ([]policy.Difference, error) {
	if next.Follows {
		all, err := p.Policies.Current(ctx, "")
		if err != nil {
			return nil, err
		}
		next = all
	}
	return then.Differences(next), nil
}
