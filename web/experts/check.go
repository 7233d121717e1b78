package experts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/checklist"
	"preceptor/internal/platform/fault"
	"preceptor/views/accounts"
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

// CheckSwitch puts a check on or off, or asks for it where that takes two people.
func (p *Pages) CheckSwitch(c echo.Context, in checkInput) error {
	line := "Switched off. New drafts are no longer checked with it."
	if in.On {
		line = "Switched on. New drafts are now checked with it."
	}
	w, err := p.Checklist.Switch(c.Request().Context(),
		checklist.SwitchInput{CheckID: c.Param("id"), Version: in.Version, On: in.On, Reason: in.Reason, Book: in.Book,
			By: session.Actor(c)})
	if w.State == checklist.Asked {
		line = "It stays on until another expert or an administrator agrees."
	}
	return p.checkDone(c, in, err, line)
}

// checkDone goes back to the check, or shows it with what was typed and what was wrong.
func (p *Pages) checkDone(c echo.Context, in checkInput, err error, line string) error {
	if err != nil {
		return p.checkPage(c, in, err)
	}
	return render.Done(c, in.href(c), line)
}

// CheckNew is the form of a new check.
func (p *Pages) CheckNew(c echo.Context) error {
	return p.checkForm(c, checks.Form{Severity: compliance.Minor}, nil)
}

// CheckReword is the form of the next wording, filled with the newest.
func (p *Pages) CheckReword(c echo.Context) error {
	check, err := p.Checklist.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	if check.Shipped {
		return fault.New(fault.NotFound,
			"This check is built in, so it can't be reworded. Switch it off and write your own instead.")
	}
	w := check.Newest
	return p.checkForm(c, checks.Form{CheckID: w.CheckID, Base: w.Version, Code: w.Code, Title: w.Title,
		Source: w.Source, Severity: w.Severity,
		Why: w.Why, Reference: w.Reference, Finds: strings.Join(w.Finds, "\n"), Leaves: strings.Join(w.Leaves, "\n")},
		nil)
}

// checkForm shows the form with what was typed and what was wrong.
func (p *Pages) checkForm(c echo.Context, v checks.Form, wrong error) error {
	v.Errors = accounts.ErrorsOf(wrong)
	for _, info := range compliance.Registry() {
		v.Codes = append(v.Codes, info.Code)
	}
	title := "Add a check"
	if v.CheckID != "" {
		title = "Reword a check"
	}
	return render.Page(c, wrong, checks.FormPage(p.Frame(c, title).Broad(), v), fault.Limited)
}

// CheckAdd keeps a new check.
func (p *Pages) CheckAdd(c echo.Context, v checks.Form) error { return p.checkWrite(c, v) }

// CheckChange keeps the next wording of a check.
func (p *Pages) CheckChange(c echo.Context, v checks.Form) error {
	v.CheckID = c.Param("id")
	return p.checkWrite(c, v)
}

func (p *Pages) checkWrite(c echo.Context, v checks.Form) error {
	w := checklist.Wording{CheckID: v.CheckID, Code: v.Code, Title: v.Title, Source: v.Source, Severity: v.Severity,
		Why: v.Why, Reference: v.Reference,
		Finds: strings.Split(v.Finds, "\n"), Leaves: strings.Split(v.Leaves, "\n"), Reason: v.Reason}
	if v.Act == "preview" {
		return p.checkPreview(c, v, w)
	}
	kept, err := p.Checklist.Write(c.Request().Context(), w, v.Base, session.Actor(c))
	if fault.Is(err, fault.Conflict) && v.CheckID != "" {
		now, gerr := p.Checklist.Get(c.Request().Context(), v.CheckID)
		if gerr != nil {
			return gerr
		}
		v.Base = now.Newest.Version
	}
	if err != nil {
		return p.checkForm(c, v, err)
	}
	return render.Done(c, checks.Href(kept.CheckID),
		fmt.Sprintf("Version %d is saved. Try it on labelled texts, then switch it on.", kept.Version))
}

// checkPreview holds what was typed against its own examples; nothing is kept, and what is only needed to keep it may
// be missing.
func (p *Pages) checkPreview(c echo.Context, v checks.Form, w checklist.Wording) (err error) {
	v.Preview = true
	if wrong := accounts.ErrorsOf(w.Prepare())["source"]; wrong != "" {
		return p.checkForm(c, v, fault.Wrong(wrong, "source", wrong))
	}
	if v.Examples, err = w.Trying().Examples(); err != nil {
		return err
	}
	return p.checkForm(c, v, nil)
}
