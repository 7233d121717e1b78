package admin

import (
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/platform/fault"
	"preceptor/internal/policy"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/views/layout"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// PolicyForm is the form of a proposal: filled with what holds, or with an older version that should hold again.
func (p *Pages) PolicyForm(c echo.Context, v admin.ProposeView) error {
	ctx := c.Request().Context()
	now, err := p.Policies.Current(ctx, v.AgentID)
	if err != nil {
		return err
	}
	shown := admin.ProposeView{AgentID: v.AgentID, Base: now.Version, From: max(v.From, 0)}
	if shown.From > 0 {
		old, err := p.Policies.ByNumber(ctx, shown.From)
		if err != nil {
			return err
		}
		now = old.Policy
	}
	fill(&shown, now)
	return p.proposePage(c, shown, nil)
}

// fill writes a policy into the fields.
func fill(v *admin.ProposeView, q policy.Policy) {
	number := func(f float64) string { return strconv.FormatFloat(math.Round(f*100)/100, 'f', -1, 64) }
	v.Share, v.Planted = number(q.Share*100), number(q.Planted*100)
	v.Soon, v.Late = number(q.TargetSoon.Hours()), number(q.TargetLate.Hours())
	v.Words, v.Always, v.Second, v.First = strconv.Itoa(q.WordsPerMin), q.Always, q.SecondEyes, q.First
	v.ExpertsFirst, v.ExpertsHard, v.ExpertsMost = strconv.Itoa(q.Experts.First), strconv.Itoa(q.Experts.Hard),
		strconv.Itoa(q.Experts.Most)
	v.ExpertShare, v.ExpertLate = number(q.ExpertShare*100), number(q.ExpertLate.Hours())
}

// proposePage shows the form with everything that was typed and everything that is wrong.
func (p *Pages) proposePage(c echo.Context, v admin.ProposeView, wrong error) error {
	ctx := c.Request().Context()
	names, _, err := p.AgentNames(ctx)
	if err != nil {
		return err
	}
	if v.Whom = names[v.AgentID]; v.Whom == "" {
		return fault.New(fault.NotFound, "There is no such agent. Choose one on the Review policy page.")
	}
	now, err := p.Policies.Current(ctx, v.AgentID)
	if err != nil {
		return err
	}
	v.Own = v.AgentID != "" && now.AgentID == v.AgentID
	if v.Admins, err = p.Accounts.Holders(ctx, account.Admin); err != nil {
		return err
	}
	if fault.Is(wrong, fault.Conflict) {
		v.Base = now.Version // the form stands on what holds now
	}
	v.Side, v.Errors = p.side(c), accounts.ErrorsOf(wrong)
	f := p.Frame(c, "Propose a policy")
	f.Packs = p.Packs(c, v.AgentID)
	return render.Page(c, wrong, admin.Propose(f, v))
}

// PolicyPropose puts a policy before the other administrators, or shows what it would mean.
func (p *Pages) PolicyPropose(c echo.Context) error {
	var in struct {
		admin.ProposeView `form:"proposal"`
		Act               string `form:"act"`
	}
	usual := policy.DefaultExperts // for a form from before there was a choice
	in.ExpertsFirst, in.ExpertsHard, in.ExpertsMost = strconv.Itoa(usual.First), strconv.Itoa(usual.Hard),
		strconv.Itoa(usual.Most)
	in.ExpertShare = strconv.FormatFloat(policy.DefaultExpertShare*100, 'f', -1, 64)
	in.ExpertLate = strconv.FormatFloat(policy.DefaultExpertLate.Hours(), 'f', -1, 64)
	if err := form.Bind(c, &in); err != nil {
		return err
	}
	v := in.ProposeView
	if err := p.addUnseen(c, &v); err != nil {
		return err
	}
	q, r := read(v)
	preview, why := in.Act == "preview", v.Why
	if preview {
		why = "a preview needs none"
	}
	wrong := r.Wrongs() // what is no number must not count as 0
	for _, f := range fault.Fields(q.Check(why)) {
		if !slices.ContainsFunc(wrong, func(w fault.Field) bool { return w.Name == f.Name }) {
			wrong = append(wrong, f)
		}
	}
	switch {
	case len(wrong) > 0:
		return p.proposePage(c, v, fault.WithFields(wrong[0].Msg, wrong...))
	case preview:
		return p.previewPage(c, v, q)
	}
	version, err := p.Policies.Propose(c.Request().Context(), q, v.Base, v.Why, session.Actor(c))
	if err != nil {
		return p.proposePage(c, v, err)
	}
	return render.Done(c, "/admin/policies/"+strconv.Itoa(version.Policy.Version),
		"Proposed. Another administrator must agree before anything changes.")
}

func (p *Pages) previewPage(c echo.Context, v admin.ProposeView, q policy.Policy) error {
	ctx := c.Request().Context()
	now, err := p.Policies.Current(ctx, v.AgentID)
	if err != nil {
		return err
	}
	if v.Differences, err = p.differences(ctx, now, q); err != nil {
		return err
	}
	effect, err := p.effect(ctx, v.AgentID, q)
	if err != nil {
		return err
	}
	v.Preview, v.Effect = true, &effect
	return p.proposePage(c, v, nil)
}

// addUnseen adds the conditions that the form leaves out because no agent of the policy can meet them, as they hold.
func (p *Pages) addUnseen(c echo.Context, v *admin.ProposeView) error {
	now, err := p.Policies.Current(c.Request().Context(), v.AgentID)
	if err != nil || (layout.Frame{Packs: p.Packs(c, v.AgentID)}).Pension() {
		return err
	}
	for _, x := range policy.OfPension {
		if x.IsFixed() || slices.Contains(now.Always, x) {
			v.Always = append(v.Always, x)
		}
		if slices.Contains(now.SecondEyes, x) {
			v.Second = append(v.Second, x)
		}
	}
	return nil
}

func (p *Pages) effect(ctx context.Context, agentID string, q policy.Policy) (policy.Effect, error) {
	return p.Reviews.WhatIf(ctx, agentID, q, p.Now().Add(-effectOf))
}

// read makes a policy of what was typed, and names the fields that are no numbers.
func read(v admin.ProposeView) (q policy.Policy, r form.Reading) {
	q = policy.Policy{AgentID: v.AgentID, Follows: v.Follows, Always: v.Always, SecondEyes: v.Second,
		First: v.First}
	if v.Follows {
		return q, r
	}
	number := func(field, s string) float64 {
		return min(max(r.Percent(field, s, "Enter a number."), -1e6), 1e6) // beyond all limits, which say what may be
	}
	hours := func(field, s string) time.Duration { // to the minute, since the form shows two decimals
		return time.Duration(math.Round(number(field, s)*60)) * time.Minute
	}
	q.Share, q.Planted = number("share", v.Share)/100, number("planted", v.Planted)/100
	q.ExpertShare = number("expert_share", v.ExpertShare) / 100
	q.TargetSoon, q.TargetLate = hours("target_soon", v.Soon), hours("target_late", v.Late)
	said := len(r.Wrongs())
	if q.ExpertLate = hours("expert_late", v.ExpertLate); q.ExpertLate == 0 && len(r.Wrongs()) == said {
		r.Wrong("expert_late", policy.LeastTarget) // 0 would be the usual time
	}
	q.WordsPerMin = int(number("words_per_min", v.Words))
	q.Experts = policy.Experts{First: int(number("experts", v.ExpertsFirst)),
		Hard: int(number("experts_hard", v.ExpertsHard)), Most: int(number("experts_most", v.ExpertsMost))}
	return q, r
}
