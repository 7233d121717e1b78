package page

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/fault"
	"preceptor/internal/review"
	"preceptor/views/reviews"
	"preceptor/web/render"
	"preceptor/web/session"
)

// ReviewAssignMany assigns what is ticked to a person, to a team, or to nobody.
func (p *Pages) ReviewAssignMany(c echo.Context) error {
	f := filter(c)
	var ids []string
	for _, s := range ticked(c) {
		ids = append(ids, s.ID)
	}
	said, err := p.assign(c, ids)
	if err != nil {
		return p.queueAgain(c, f, err)
	}
	return p.backToQueue(c, f, said)
}

// ReviewAssign assigns the one case that is on the screen.
func (p *Pages) ReviewAssign(c echo.Context) error {
	said, err := p.assign(c, []string{c.Param("id")})
	if err != nil {
		return err
	}
	if err := session.Flash(c, said); err != nil {
		return err
	}
	return render.Redirect(c, "/reviews/"+c.Param("id")+filterQuery(filter(c)))
}

func (p *Pages) assign(c echo.Context, ids []string) (said string, err error) {
	a, _ := session.Current(c)
	to := c.FormValue("to")
	key := to
	if to == review.ToNobody {
		key = ""
	} else if to == "" {
		return "", fault.WithFields("Choose to whom.", fault.Field{Name: "to", Msg: "Choose to whom."})
	}
	res, err := p.Reviews.Assign(c.Request().Context(), review.Assignment{IDs: ids, To: key, By: me(c), Lead: a.Has(account.Manager) || a.Has(account.Admin)})
	if err != nil {
		return "", err
	}
	var v reviews.Queue
	v.Outside = !a.Has(account.Supervisor)
	if err := p.peopleOptions(c, a, &v); err != nil {
		return "", err
	}
	return res.Sentence("assigned to " + label(v.To, to, "them")), nil
}

// assignable adds to a case to whom the viewer may assign it, and the target of its agent's policy.
func (p *Pages) assignable(c echo.Context, v *reviews.Case) error {
	t, err := p.Reviews.Targets(c.Request().Context())
	if err != nil {
		return err
	}
	v.Targets = reviews.Targets(t.Of(v.Item.AgentID))
	a, _ := session.Current(c)
	var q reviews.Queue
	if err := p.peopleOptions(c, a, &q); err != nil {
		return err
	}
	v.To = q.To
	return nil
}
