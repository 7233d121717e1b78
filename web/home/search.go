package home

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/knowledge"
	"preceptor/internal/review"
	found "preceptor/views/search"
	"preceptor/web/form"
	"preceptor/web/frame"
	"preceptor/web/hidden"
	"preceptor/web/render"
	"preceptor/web/session"
)

// A search shows so much of each kind, and so much of one that it is limited to.
const perKind, alone = 8, 25

// The short names under which people speak of rules and cases, as R-12 and #127.
var (
	ruleName = regexp.MustCompile(`(?i)^(?:rule\s+)?r-?(\d{1,9})$`)
	caseName = regexp.MustCompile(`(?i)^(?:case\s*)?#\s*(\d{1,9})$`)
)

// Search looks through what the person's roles let them see: the desk's cases for supervisors, of them what is decided
// for managers and administrators, what they asked for the others; rules and cases; people for those who work with
// them.
func (p *Pages) Search(c echo.Context, in struct {
	Query string `form:"q"`
	Kind  string `form:"kind"`
}) error {
	q := form.Search(in.Query)
	if to := p.byName(c, q); to != "" {
		return c.Redirect(http.StatusSeeOther, to)
	}
	v, err := p.results(c, q, form.OneOf(in.Kind, []string{found.Reviews, found.Knowledge, found.People}))
	if err != nil {
		return err
	}
	f := p.Frame(c, "Search").Broad().Follow()
	f.OwnSearch = true
	return render.Page(c, nil, found.Page(f, v))
}

func (p *Pages) results(c echo.Context, q, kind string) (v found.Results, err error) {
	ctx := c.Request().Context()
	a := session.Me(c)
	supervises, leads := a.Has(account.Supervisor), session.Leads(c)
	v = found.Results{Query: q, Kind: kind, Own: !supervises && !leads, ReadOnly: !supervises,
		Peopled: supervises || leads, MayAdmin: a.Has(account.Admin), Now: p.Now()}
	if q == "" {
		return v, nil
	}
	n := perKind
	if kind != "" {
		n = alone
	}
	whose := review.Whose{Decided: leads && !supervises}
	if v.Own {
		whose.AskedBy = a.ID
	}
	if v.Searches(found.Reviews) {
		if v.Cases, v.More, err = p.Reviews.Find(ctx, q, whose, n); err != nil {
			return v, err
		}
		if v.Cases, err = hidden.Without(p.Guard, c, v.Cases, func(r review.Row) string { return r.ID }); err != nil {
			return v, err
		}
	}
	if v.Searches(found.Knowledge) {
		if v.Known, err = p.Knowledge.Browse(ctx, knowledge.Query{AgentID: knowledge.AnyAgent, Text: q},
			n); err != nil {
			return v, err
		}
		idle, err := p.Knowledge.Idle(ctx, knowledge.Filter{Text: q, Held: true, Limit: n})
		if err != nil {
			return v, err
		}
		for _, r := range idle {
			v.Known = append(v.Known, knowledge.Item{Kind: "rule", ID: r.ID, Label: r.Label(), Title: r.Title,
				Text: r.Principle})
		}
	}
	if !v.Searches(found.People) {
		return v, nil
	}
	people, _, err := p.Accounts.People(ctx, account.PeopleFilter{Words: q, Limit: n})
	for _, one := range people {
		v.People = append(v.People, found.Person{ID: one.ID, Name: one.Name,
			Roles: strings.Join(frame.RoleNames(one.Account), ", "), Disabled: one.Disabled})
	}
	return v, err
}

// byName is where a short name or a case's id leads; "" when it is none, or names nothing.
func (p *Pages) byName(c echo.Context, q string) string {
	ctx := c.Request().Context()
	if m := ruleName.FindStringSubmatch(q); m != nil {
		n, _ := strconv.Atoi(m[1])
		if r, err := p.Knowledge.RuleByNumber(ctx, n); err == nil {
			return "/knowledge/rules/" + r.ID
		}
	}
	if m := caseName.FindStringSubmatch(q); m != nil {
		n, _ := strconv.Atoi(m[1])
		if k, err := p.Knowledge.CaseByNumber(ctx, n); err == nil {
			return "/knowledge/cases/" + k.ID
		}
	}
	if a := session.Me(c); len(q) == 36 && a.Has(account.Supervisor) {
		if _, err := p.Reviews.Neighbours(ctx, q, review.Filter{}); err == nil && p.MayRead(c, q) == nil {
			return "/reviews/" + q
		}
	}
	return ""
}
