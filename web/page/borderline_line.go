package page

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/fault"
	views "preceptor/views/compliance"
	"preceptor/views/layout"
	"preceptor/web/render"
	"preceptor/web/session"
)

// lineKind is which part of the line a request is about.
func lineKind(c echo.Context, name string) string {
	if name == borderline.TaxonomyKind {
		return borderline.TaxonomyKind
	}
	return borderline.RubricKind
}

// LineShow is the rubric or the taxonomy that experts rule by, and the form to propose another version.
func (p *Pages) LineShow(c echo.Context) error {
	return p.showLine(c, http.StatusOK, lineKind(c, c.QueryParam("kind")), c.QueryParam("edit") != "", nil)
}

// LineMoved leads from where one would look for the line to where it stands.
func (p *Pages) LineMoved(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, "/compliance/rubric")
}

func (p *Pages) showLine(c echo.Context, status int, kind string, edit bool, wrong error) (err error) {
	if !(layout.Frame{Packs: p.packs(c)}).Pension() {
		return fault.New(fault.NotFound, "No agent of this desk works in a domain with a guidance boundary.")
	}
	a, _ := session.Current(c)
	v := views.Line{Kind: kind, Now: p.Now(), Viewer: viewer(c), MayAgree: a.Has(account.Expert) || a.Has(account.Admin), Tabs: views.LineTabs(kind)}
	if v.Editions, err = p.Borderline.Editions(c.Request().Context(), kind); err != nil {
		return err
	}
	v.Edit = edit && v.Viewer.Expert
	if wrong != nil {
		v.Text, v.Reason, v.Message, v.Errors = c.FormValue("text"), c.FormValue("reason"), fault.Message(wrong), fieldErrors(wrong)
	} else if v.Edit {
		for _, e := range v.Editions {
			if e.State == borderline.InForce {
				v.Text = e.Text
				break
			}
		}
	}
	f := p.frame(c, "The line")
	f.Path = "/compliance"
	return render.Page(c, status, views.LinePage(f, v))
}

// LinePropose stores a new version for somebody else to agree to.
func (p *Pages) LinePropose(c echo.Context) error {
	kind := lineKind(c, c.QueryParam("kind"))
	base, _ := strconv.Atoi(c.FormValue("base")) // a wrong one is a version that nobody saw
	err := p.Borderline.Propose(c.Request().Context(), borderline.Edition{Kind: kind, Text: c.FormValue("text"), Reason: c.FormValue("reason"), By: expert(c)}, base)
	if fault.Is(err, fault.Invalid) || fault.Is(err, fault.Conflict) {
		return p.showLine(c, fault.KindOf(err).Status(), kind, true, err)
	}
	return p.lineDone(c, kind, err, "It is proposed. Another expert or an administrator has to agree.")
}

// LineSettle agrees to a proposal or refuses it.
func (p *Pages) LineSettle(c echo.Context) error {
	kind := lineKind(c, c.FormValue("kind"))
	version, _ := strconv.Atoi(c.FormValue("version")) // a wrong one is no proposal
	agree := c.FormValue("agree") == "yes"
	line := "It is not taken. The version in force stays."
	if agree {
		line = "It is in force."
	}
	return p.lineDone(c, kind, p.Borderline.Settle(c.Request().Context(), kind, version, agree, expert(c)), line)
}

func (p *Pages) lineDone(c echo.Context, kind string, err error, line string) error {
	if err != nil {
		return err
	}
	if err := session.Flash(c, line); err != nil {
		return err
	}
	return render.Redirect(c, "/compliance/rubric?kind="+kind)
}
