package page

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/decimal"
	"preceptor/internal/fault"
	"preceptor/internal/policy"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/views/layout"
	"preceptor/web/render"
)

// PolicyForm is the form of a proposal: filled with what holds, or with an older version that should hold again.
func (p *Pages) PolicyForm(c echo.Context) error {
	ctx := c.Request().Context()
	v := admin.ProposeView{AgentID: c.QueryParam("agent")}
	now, err := p.Policies.Current(ctx, v.AgentID)
	if err != nil {
		return err
	}
	v.Base = now.Version
	if n, err := strconv.Atoi(c.QueryParam("from")); err == nil && n > 0 {
		old, err := p.Policies.ByNumber(ctx, n)
		if err != nil {
			return err
		}
		now, v.From = old.Policy, n
	}
	fill(&v, now)
	return p.proposePage(c, http.StatusOK, v)
}

// fill writes a policy into the fields.
func fill(v *admin.ProposeView, q policy.Policy) {
	number := func(f float64) string { return strconv.FormatFloat(math.Round(f*100)/100, 'f', -1, 64) }
	v.Share, v.Planted = number(q.Share*100), number(q.Planted*100)
	v.Soon, v.Late = number(q.TargetSoon.Hours()), number(q.TargetLate.Hours())
	v.Words, v.Always, v.Second = strconv.Itoa(q.WordsPerMin), q.Always, q.SecondEyes
	v.Experts = [3]string{strconv.Itoa(q.Experts.First), strconv.Itoa(q.Experts.Hard), strconv.Itoa(q.Experts.Most)}
	v.ExpertShare = number(q.ExpertShare * 100)
}

func (p *Pages) proposePage(c echo.Context, status int, v admin.ProposeView) error {
	ctx := c.Request().Context()
	names, _, err := p.agentNames(ctx)
	if err != nil {
		return err
	}
	if v.Whom = names[v.AgentID]; v.Whom == "" {
		return fault.New(fault.NotFound, "There is no such agent. Choose one on the page of the review policy.")
	}
	now, err := p.Policies.Current(ctx, v.AgentID)
	if err != nil {
		return err
	}
	v.Own = v.AgentID != "" && now.AgentID == v.AgentID
	if v.Admins, err = p.Accounts.Holders(ctx, account.Admin); err != nil {
		return err
	}
	v.Side = p.side(c)
	return render.Page(c, status, admin.Propose(p.frame(c, "Propose a policy"), v))
}

// PolicyPropose puts a policy before the other administrators, or shows what it would mean.
func (p *Pages) PolicyPropose(c echo.Context) error {
	ctx, r := c.Request().Context(), c.Request()
	v := typedProposal(r)
	p.addUnseen(c, &v)
	q, wrong := read(v)
	if r.PostFormValue("act") == "preview" {
		if len(wrong) > 0 {
			v.Errors = accounts.ErrorsOf(fault.WithFields(wrong[0].Msg, wrong...))
			return p.proposePage(c, http.StatusUnprocessableEntity, v)
		}
		return p.previewPage(c, v, q)
	}
	if len(wrong) > 0 { // what is no number must not count as 0
		return p.proposeAgain(c, v, wrong, q.Check(v.Why))
	}
	version, err := p.Policies.Propose(ctx, q, v.Base, v.Why, actor(c))
	if fault.Is(err, fault.Invalid) || fault.Is(err, fault.Conflict) {
		return p.proposeAgain(c, v, wrong, err)
	}
	if err != nil {
		return err
	}
	return p.done(c, "/admin/policies/"+strconv.Itoa(version.Policy.Version), "The proposal waits for another administrator. Nothing has changed yet.")
}

// proposeAgain shows the form with everything that was typed and everything that is wrong. After a Conflict it stands on
// what holds now.
func (p *Pages) proposeAgain(c echo.Context, v admin.ProposeView, wrong []fault.Field, err error) error {
	if fault.Is(err, fault.Conflict) {
		now, cerr := p.Policies.Current(c.Request().Context(), v.AgentID)
		if cerr != nil {
			return cerr
		}
		v.Base, v.Errors = now.Version, accounts.ErrorsOf(err)
		return p.proposePage(c, http.StatusConflict, v)
	}
	wrong = append(wrong, fault.Fields(err)...)
	if len(wrong) == 0 {
		v.Errors = accounts.ErrorsOf(err)
	} else {
		v.Errors = accounts.ErrorsOf(fault.WithFields(wrong[0].Msg, wrong...))
	}
	return p.proposePage(c, http.StatusUnprocessableEntity, v)
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
	return p.proposePage(c, http.StatusOK, v)
}

// addUnseen adds the conditions that the form leaves out because no agent of this desk can meet them, so that the policy is whole.
func (p *Pages) addUnseen(c echo.Context, v *admin.ProposeView) {
	if (layout.Frame{Packs: p.packs(c)}).Pension() {
		return
	}
	v.Always = append(v.Always, policy.OfPension...)
	v.Second = append(v.Second, policy.DBTransfer)
}

func (p *Pages) effect(ctx context.Context, agentID string, q policy.Policy) (policy.Effect, error) {
	return p.Reviews.WhatIf(ctx, agentID, q, p.Now().Add(-effectOf))
}

func typedProposal(r *http.Request) admin.ProposeView {
	base, _ := strconv.Atoi(r.PostFormValue("base")) // a wrong one is a version that nobody saw
	v := admin.ProposeView{AgentID: r.PostFormValue("agent"), Base: base, Follows: r.PostFormValue("follows") == "yes",
		Share: r.PostFormValue("share"), Planted: r.PostFormValue("planted"), Soon: r.PostFormValue("soon"), Late: r.PostFormValue("late"),
		Words: r.PostFormValue("words"), Why: r.PostFormValue("why"),
		Experts: [3]string{r.PostFormValue("experts"), r.PostFormValue("experts_hard"), r.PostFormValue("experts_most")}}
	if v.Experts == [3]string{} { // a form from before there was a choice
		fill := policy.DefaultExperts
		v.Experts = [3]string{strconv.Itoa(fill.First), strconv.Itoa(fill.Hard), strconv.Itoa(fill.Most)}
	}
	if v.ExpertShare = r.PostFormValue("expert_share"); !r.PostForm.Has("expert_share") { // likewise
		v.ExpertShare = strconv.FormatFloat(policy.DefaultExpertShare*100, 'f', -1, 64)
	}
	for _, c := range r.PostForm["always"] {
		v.Always = append(v.Always, policy.Condition(c))
	}
	for _, c := range r.PostForm["second"] {
		v.Second = append(v.Second, policy.Condition(c))
	}
	return v
}

// read makes a policy of what was typed; wrong names the fields that are no numbers.
func read(v admin.ProposeView) (q policy.Policy, wrong []fault.Field) {
	q = policy.Policy{AgentID: v.AgentID, Follows: v.Follows, Always: v.Always, SecondEyes: v.Second}
	if v.Follows {
		return q, nil
	}
	number := func(field, s string) float64 {
		f, err := decimal.Percent(s)
		if err != nil || math.Abs(f) > 1e6 {
			wrong = append(wrong, fault.Field{Name: field, Msg: decimal.Say(err, "Give a number.")})
			return 0
		}
		return f
	}
	q.Share, q.Planted = number("share", v.Share)/100, number("planted", v.Planted)/100
	q.ExpertShare = number("expert_share", v.ExpertShare) / 100
	q.TargetSoon = time.Duration(number("target_soon", v.Soon) * float64(time.Hour))
	q.TargetLate = time.Duration(number("target_late", v.Late) * float64(time.Hour))
	q.WordsPerMin = int(number("words_per_min", v.Words))
	q.Experts = policy.Experts{First: int(number("experts", v.Experts[0])), Hard: int(number("experts_hard", v.Experts[1])), Most: int(number("experts_most", v.Experts[2]))}
	return q, wrong
}
