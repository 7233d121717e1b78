package experts

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/compliance/borderline"
	views "preceptor/views/compliance"
	"preceptor/views/judges"
	"preceptor/web/render"
	"preceptor/web/session"
)

// mostRatings is how many texts to rate one page shows.
const mostRatings = 50

// BorderlineList is one of the lists of borderline cases. Who is no expert reads what is ruled.
func (p *Pages) BorderlineList(c echo.Context, in struct {
	List   string `form:"list"`
	Cursor string `form:"cursor"`
}) (err error) {
	ctx := c.Request().Context()
	v := views.List{Tab: in.List, Viewer: viewer(c), Now: p.Now()}
	if !v.Viewer.Expert {
		v.Tab = borderline.ListClosed
	} else if v.Tab == "" {
		v.Tab = borderline.ListWaiting
	}
	if v.Counts, err = p.Borderline.Counts(ctx, v.Viewer); err != nil {
		return err
	}
	if v.Tab == views.TabRatings {
		if v.Ratings, err = p.Borderline.Ratings(ctx, v.Viewer.Person, false, mostRatings); err != nil {
			return err
		}
		if v.Rated, err = p.Borderline.Ratings(ctx, v.Viewer.Person, true, mostRatings); err != nil {
			return err
		}
	} else if v.Page, err = p.Borderline.List(ctx, borderline.Filter{List: v.Tab, Viewer: v.Viewer, Cursor: in.Cursor}); err != nil {
		return err
	}
	if err := p.budgets(ctx, &v); err != nil {
		return err
	}
	if v.Figures = session.Leads(c); v.Viewer.Expert || v.Figures {
		if v.Stuck, err = p.Borderline.Stuck(ctx); err != nil {
			return err
		}
	}
	if in.Cursor != "" {
		v.First = "/compliance?list=" + v.Tab
	}
	return render.Page(c, http.StatusOK, views.ListPage(p.Frame(c, "Borderline cases").At("/compliance").Broad().Follow("borderline"), v))
}

// budgets adds what experts can take, and what is promised of violations that nobody sees.
func (p *Pages) budgets(ctx context.Context, v *views.List) error {
	names, _, err := p.AgentNames(ctx)
	if err != nil {
		return err
	}
	list, err := p.Borderline.Budgets(ctx)
	for _, b := range list {
		v.Budgets = append(v.Budgets, views.AgentBudget{Budget: b, Agent: names[b.AgentID]})
	}
	v.Bound = judges.MissBound(p.Judges.Standing())
	return err
}

// BorderlineListBack answers a browser that loads the address of one of the list's forms again.
func (p *Pages) BorderlineListBack(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, "/compliance")
}

// BorderlineNext takes the next case that this expert can answer or adjudicate.
func (p *Pages) BorderlineNext(c echo.Context) error {
	id, err := p.Borderline.ClaimNext(c.Request().Context(), expert(c))
	if err != nil {
		return err
	}
	if id == "" {
		return render.Done(c, "/todo", "No borderline case is waiting for you.")
	}
	return render.Redirect(c, "/compliance/"+id)
}

// BorderlineSkip leaves a case to others and takes the next.
func (p *Pages) BorderlineSkip(c echo.Context) error {
	if err := p.Borderline.Skip(context.WithoutCancel(c.Request().Context()), c.Param("id"), expert(c)); err != nil {
		return err
	}
	return p.BorderlineNext(c)
}

// expert is the signed-in person as the borderline cases know them.
func expert(c echo.Context) borderline.Person {
	a := session.Me(c)
	return borderline.Person{ID: a.ID, Name: a.Name}
}

func viewer(c echo.Context) borderline.Viewer {
	a := session.Me(c)
	return borderline.Viewer{Person: expert(c), Expert: a.Has(account.Expert), Decides: session.Leads(c)}
}
