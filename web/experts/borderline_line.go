package experts

import (
	"cmp"
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/approval"
	"preceptor/internal/compliance/rubric"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	views "preceptor/views/compliance"
	"preceptor/views/layout"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// lineForm is the form of a version of a pack's rubric or taxonomy.
type lineForm struct {
	Kind   string `form:"kind"`
	Pack   string `form:"pack"`
	Edit   bool   `form:"edit"`
	Base   int    `form:"base"`
	Text   string `form:"text"`
	Reason string `form:"reason"`
}

// kind is which part of the line it is about.
func (f lineForm) kind() string {
	if f.Kind == rubric.TaxonomyKind {
		return rubric.TaxonomyKind
	}
	return rubric.RubricKind
}

// LineShow is a pack's rubric or taxonomy that experts rule by, and the form to propose another version.
func (p *Pages) LineShow(c echo.Context, in lineForm) error { return p.showLine(c, in, nil) }

// LineMoved leads from where one would look for the line to where it stands.
func (p *Pages) LineMoved(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, "/compliance/rubric")
}

func (p *Pages) showLine(c echo.Context, in lineForm, wrong error) (err error) {
	kind, name := in.kind(), cmp.Or(in.Pack, p.UsualPack(c))
	if err := pack.CheckName(name); err != nil {
		return fault.Wrap(fault.NotFound, err, "%s", fault.Message(err))
	}
	v := views.Line{Kind: kind, Pack: name, Now: p.Now(), Viewer: viewer(c)}
	if v.Editions, err = p.Borderline.Editions(c.Request().Context(), kind, name); err != nil {
		return err
	}
	for _, e := range v.Editions {
		if e.State == approval.Proposed {
			if v.Waiting, err = p.Approvals.Of(c.Request().Context(), e.ID, session.Me(c).ID); err != nil {
				return err
			}
		}
	}
	v.Edit = (in.Edit || wrong != nil) && v.Viewer.Expert
	if v.Message, v.Errors = form.Said(wrong); wrong != nil {
		v.Text, v.Reason = in.Text, in.Reason
	} else if v.Edit {
		for _, e := range v.Editions {
			if e.InForce() {
				v.Text = e.Payload
				break
			}
		}
	}
	return render.Page(c, wrong, views.LinePage(p.Frame(c, "Guidance boundary"), v))
}

// LinePropose stores a new version for somebody else to agree to.
func (p *Pages) LinePropose(c echo.Context, in lineForm) error {
	name := cmp.Or(in.Pack, p.UsualPack(c))
	if err := pack.CheckName(name); err != nil {
		return fault.Wrap(fault.NotFound, err, "%s", fault.Message(err))
	}
	if err := p.Borderline.Propose(c.Request().Context(), in.kind(), name, in.Text, in.Reason, in.Base,
		session.Actor(c)); err != nil {
		return p.showLine(c, in, err)
	}
	return render.Done(c, p.lineHref(c, in),
		"Proposed. Another expert or an administrator has to agree.")
}

func (p *Pages) lineHref(c echo.Context, in lineForm) string {
	return layout.Frame{Packs: p.Packs(c, "")}.OfPack("/compliance/rubric?kind="+in.kind(), in.Pack)
}
