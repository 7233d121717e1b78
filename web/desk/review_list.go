package desk

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/review"
	"preceptor/views/reviews"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// ReviewList is the queue. Its bare address leads to the filter that the person pinned, if there is one.
func (p *Pages) ReviewList(c echo.Context, in struct {
	Tick string `form:"tick"`
}) error {
	f := filter(c)
	v, err := p.queueView(c, f)
	if err != nil {
		return err
	}
	v.All = in.Tick == "all"
	if c.QueryString() == "" {
		for _, s := range v.Saved {
			if s.Pinned {
				return c.Redirect(http.StatusSeeOther, "/reviews?"+s.Query)
			}
		}
	}
	return p.showQueue(c, http.StatusOK, v)
}

func (p *Pages) showQueue(c echo.Context, status int, v reviews.Queue) error {
	f := p.Frame(c, "Reviews").At("/reviews").Broad().Follow()
	f.OwnSearch = !v.Outside
	return render.Status(c, status, reviews.QueuePage(f, v))
}

// queueView gathers what the page of the queue shows.
func (p *Pages) queueView(c echo.Context, f review.Filter) (v reviews.Queue, err error) {
	ctx := c.Request().Context()
	a := session.Me(c)
	v = reviews.Queue{Filter: f, Now: p.Now(), Outside: !a.Has(account.Supervisor)}
	if v.Outside {
		v.Filter.Search = "" // the words of customers are not searched by whoever may not read them
	}
	if v.Page, err = p.Reviews.List(ctx, v.Filter); err != nil {
		return v, err
	}
	review.MarkAlike(v.Page.Items)
	open, any, err := p.Escalations.Count(ctx)
	if err != nil {
		return v, err
	}
	if v.Escalated = open; !any {
		v.Escalated = -1
	}
	ids := make([]string, len(v.Page.Items))
	for i, r := range v.Page.Items {
		ids[i] = r.ID
	}
	if v.Experts, err = p.Borderline.Standings(ctx, ids); err != nil {
		return v, err
	}
	if v.Counts, err = p.Reviews.Counts(ctx, f.Viewer, f.AllPlanted); err != nil {
		return v, err
	}
	if v.Policies, err = p.Reviews.Targets(ctx); err != nil {
		return v, err
	}
	if v.Flags, err = p.Reviews.FlagCodes(ctx); err != nil {
		return v, err
	}
	if v.MayColumns = session.Leads(c); v.MayColumns {
		if v.Columns, err = p.Reviews.Columns(ctx); err != nil {
			return v, err
		}
	}
	if v.Saved, err = p.Reviews.SavedFilters(ctx, f.Viewer); err != nil {
		return v, err
	}
	if v.Agents, err = p.AgentOptions(ctx); err != nil {
		return v, err
	}
	if err = p.peopleOptions(c, a, &v); err != nil || v.Outside {
		return v, err
	}
	if !session.Leads(c) && !slices.ContainsFunc(v.Page.Items, v.MayHandOn) {
		v.To = v.To[:1] // they take what is free, and have nothing to hand on
	}
	v.Rail, err = p.rail(c)
	return v, err
}

// peopleOptions adds who can be chosen: as reviewers, and to be given cases. Managers and administrators assign to any
// supervisor and team; a supervisor takes, hands over what is theirs, and gives back.
func (p *Pages) peopleOptions(c echo.Context, a account.Account, v *reviews.Queue) error {
	people, err := p.Accounts.With(c.Request().Context(), account.Supervisor)
	if err != nil {
		return err
	}
	teams, err := p.Accounts.Teams(c.Request().Context())
	if err != nil {
		return err
	}
	if !v.Outside {
		v.To = append(v.To, ui.Option{Value: a.ID, Label: "you"})
	}
	for _, one := range people {
		v.People = append(v.People, ui.Option{Value: one.ID, Label: one.Name})
		if one.ID != a.ID {
			v.To = append(v.To, ui.Option{Value: one.ID, Label: one.Name})
		}
	}
	for _, t := range teams {
		o := ui.Option{Value: review.TeamKey(t.ID), Label: t.Name}
		if v.To = append(v.To, ui.Option{Value: o.Value, Label: "team " + t.Name}); t.Has(a.ID) {
			v.Teams = append(v.Teams, o)
		}
	}
	v.To = append(v.To, ui.Option{Value: review.ToNobody, Label: "nobody"})
	return nil
}

// queueAgain shows the list after an act on it that was refused, with everything that was typed and ticked.
func (p *Pages) queueAgain(c echo.Context, typed reviews.Bulk, cause error) error {
	if !form.Again(cause) {
		return cause
	}
	v, err := p.queueView(c, filter(c))
	if err != nil {
		return err
	}
	for _, tick := range typed.Ticks {
		id, _, _ := strings.Cut(tick, ":")
		typed.IDs = append(typed.IDs, id)
	}
	slices.Sort(typed.IDs)
	typed.Message, typed.Errors = form.Said(cause)
	v.Bulk = typed
	return p.showQueue(c, form.Status(cause), v)
}

// ReviewListBack answers a browser that loads the address of one of the queue's forms again.
func (p *Pages) ReviewListBack(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, "/reviews")
}

// label is an option's label, or else.
func label(options []ui.Option, value, otherwise string) string {
	for _, o := range options {
		if o.Value == value {
			return strings.TrimSpace(o.Label)
		}
	}
	return otherwise
}
