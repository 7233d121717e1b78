package desk

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/review"
	"preceptor/views/reviews"
	"preceptor/web/render"
	"preceptor/web/session"
)

// Progress is how far I am, and everybody for managers and administrators.
func (p *Pages) Progress(c echo.Context) error {
	a := session.Me(c)
	ctx := c.Request().Context()
	v := reviews.ProgressView{Lead: session.Leads(c), Since: review.Week(p.Now())}
	people := []account.Account{a}
	if v.Lead {
		all, err := p.Accounts.List(ctx)
		if err != nil {
			return err
		}
		people = all
	}
	ids := make([]string, len(people))
	for i := range people {
		ids[i] = people[i].ID
	}
	of, err := p.Reviews.Progress(ctx, ids)
	if err != nil {
		return err
	}
	for _, who := range people {
		line := reviews.PersonProgress{Name: who.Name, Disabled: who.Disabled, Progress: *of[who.ID]}
		decides := who.Has(account.Supervisor)
		if who.ID == a.ID && decides {
			v.Mine = &line
		}
		// Who may no longer decide stays while there is something to say.
		if v.Lead && (decides && !who.Disabled || line.Week+line.Waiting+line.Signed > 0) {
			v.People = append(v.People, line)
		}
	}
	if v.Mine != nil {
		if v.Teams, err = p.teamProgress(c, a.ID); err != nil {
			return err
		}
	}
	return render.Page(c, nil, reviews.ProgressPage(p.Frame(c, "Progress").Broad().Follow(), v))
}

// teamProgress is what waits for each team of a person.
func (p *Pages) teamProgress(c echo.Context, accountID string) ([]reviews.TeamProgress, error) {
	teams, err := p.Accounts.TeamsOf(c.Request().Context(), accountID)
	if err != nil || len(teams) == 0 {
		return nil, err
	}
	keys := make([]string, len(teams))
	for i, t := range teams {
		keys[i] = review.TeamKey(t.ID)
	}
	n, err := p.Reviews.Waiting(c.Request().Context(), keys)
	out := make([]reviews.TeamProgress, len(teams))
	for i, t := range teams {
		out[i] = reviews.TeamProgress{Name: t.Name, Waiting: n[keys[i]]}
	}
	return out, err
}
