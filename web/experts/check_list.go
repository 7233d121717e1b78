package experts

import (
	"slices"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/compliance/checklist"
	"preceptor/views/checks"
	"preceptor/web/render"
	"preceptor/web/session"
)

const (
	checkVerdicts = 500 // the newest, that the list of checks counts over
	checkExamples = 60  // own checks whose examples are tried for the list
)

// CheckList shows every check.
func (p *Pages) CheckList(c echo.Context) error {
	ctx := c.Request().Context()
	f := p.Frame(c, "Checks").Broad().Follow("checks")
	list, err := p.Checklist.List(ctx)
	if err != nil {
		return err
	}
	recent, err := p.Compliance.Recent(ctx, checkVerdicts)
	if err != nil {
		return err
	}
	overruled, err := p.Reviews.OverruledCodes(ctx)
	if err != nil {
		return err
	}
	me := session.Me(c)
	hits, of := checklist.Counted(list, recent)
	v := checks.List{Of: of, MayWrite: me.Has(account.Expert)}
	for _, check := range list {
		if check.Shipped && !f.Pension() {
			continue // no agent here is checked for it
		}
		row := checks.Row{Check: check, Hits: hits[check.ID]}
		if slices.Contains(overruled, check.Code()) {
			if row.Disagree, err = p.Reviews.Disagreement(ctx, check.Code(), check.Since()); err != nil {
				return err
			}
		}
		switch {
		case check.Shipped:
			row.Examples = p.Checklist.ShippedExamples(check.Info)
			v.Shipped = append(v.Shipped, row)
			continue
		case check.Broken == "" && len(v.Own) < checkExamples:
			w := check.InForce
			if w == nil {
				w = check.Newest
			}
			if row.Examples, err = w.Examples(); err != nil {
				row.Examples = nil // what can't run any more says so on its own page
			}
		}
		v.Own = append(v.Own, row)
	}
	return render.Page(c, nil, checks.ListPage(f, v))
}
