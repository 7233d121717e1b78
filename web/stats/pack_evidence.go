package stats

import (
	"slices"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/fault"
	"preceptor/views/packs"
	"preceptor/web/render"
	"preceptor/web/session"
)

// EvidenceShow offers the evidence pack of one piece of guidance.
func (p *Pages) EvidenceShow(c echo.Context) error {
	v, err := p.evidenceOf(c)
	if err != nil {
		return err
	}
	return render.Page(c, nil, packs.EvidencePage(p.Frame(c, "Evidence"), v))
}

// EvidenceMake makes it and hands it out.
func (p *Pages) EvidenceMake(c echo.Context) error {
	v, err := p.evidenceOf(c)
	if err != nil {
		return err
	}
	if v.Refused != "" {
		return fault.New(fault.Denied, "%s", v.Refused)
	}
	pack, err := p.Evidence.Make(c.Request().Context(), v.ID, session.Actor(c))
	if err != nil {
		return err
	}
	return sendPack(c, pack)
}

// evidenceOf looks who may have it: managers and administrators every one that is settled, supervisors those that they
// signed; nobody who may still answer a borderline case of it, because its verdicts are in the pack. What nobody
// decided yet holds a draft that supervisors alone may read.
func (p *Pages) evidenceOf(c echo.Context) (v packs.Evidence, err error) {
	id := c.Param("id")
	if err := p.MayRead(c, id); err != nil {
		return v, err
	}
	if v.Standing, err = p.Evidence.Standing(c.Request().Context(), id); err != nil {
		return v, err
	}
	a := session.Me(c)
	v.MayOpen = a.Has(account.Supervisor)
	switch {
	case !session.Leads(c) && !slices.Contains(v.Signed, a.ID):
		v.Refused = "Supervisors can open evidence for guidance they decided, once the decision is final. For any " +
			"other, ask a manager."
	case !a.Has(account.Supervisor) && v.Recalled && v.Deciding:
		v.Refused = "A correction of this recalled guidance is being decided, and until then only supervisors can " +
			"read it. Come back once the decision is final."
	case !a.Has(account.Supervisor) && !v.Recalled && unsettled(v.Status):
		v.Refused = "This guidance hasn't been decided yet, and until then only supervisors can read the draft. Come " +
			"back once the decision is final."
	case v.Open && a.Has(account.Expert):
		v.Refused = "Experts are still working on its borderline case, and the report would show you what the judges " +
			"said. Come back once it is ruled, or ask someone who isn't an expert."
	}
	return v, nil
}

// unsettled reports whether guidance in this state has a draft that nobody let go: it is written or waits, or its
// decision may still be undone. The text of what was recalled is known: it was sent.
func unsettled(s interaction.Status) bool {
	return s == interaction.Drafting || s == interaction.Waiting || s == interaction.Held
}
