package stats

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/feedback/preference"
	"preceptor/internal/platform/fault"
	"preceptor/views/preferences"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// PreferencePairs lists the pairs.
func (p *Pages) PreferencePairs(c echo.Context, in preferences.Pairs) error {
	err := p.pairsPage(c, preferences.Pairs{Cursor: in.Cursor}, nil)
	if form.Errors(err)["cursor"] != "" {
		return p.pairsPage(c, preferences.Pairs{}, fault.New(fault.Invalid, cutOff+" This is the first page."))
	}
	return err
}

func (p *Pages) pairsPage(c echo.Context, v preferences.Pairs, wrong error) (err error) {
	if !form.Again(wrong) {
		return wrong
	}
	ctx := c.Request().Context()
	v.Now = p.Now()
	v.Error, v.Errors = form.Said(wrong)
	if v.Page, err = p.Preferences.List(ctx, v.Cursor); err != nil {
		return err
	}
	if v.Counts, err = p.Preferences.Counts(ctx); err != nil {
		return err
	}
	return render.Page(c, wrong, preferences.PairsPage(p.Frame(c, "Pairs and export").Broad(), v))
}

// PreferenceNew is the form for a pair.
func (p *Pages) PreferenceNew(c echo.Context) error { return p.newPairPage(c, preferences.New{}, nil) }

func (p *Pages) newPairPage(c echo.Context, v preferences.New, wrong error) error {
	if !form.Again(wrong) {
		return wrong
	}
	v.Error, v.Errors = form.Said(wrong)
	return render.Page(c, wrong, preferences.NewPage(p.Frame(c, "Add a pair"), v))
}

// PreferenceAdd puts a pair in.
func (p *Pages) PreferenceAdd(c echo.Context, v preferences.New) error {
	_, err := p.Preferences.Add(c.Request().Context(), preference.Input{Origin: preference.Given, Prompt: v.Prompt,
		First:  preference.Response{Text: v.First, Maker: v.FirstMaker},
		Second: preference.Response{Text: v.Second, Maker: v.SecondMaker}, By: judge(c)})
	if err != nil {
		return p.newPairPage(c, v, err)
	}
	return render.Done(c, preferences.PairsPath,
		"Pair added. It is waiting for three judges; you won't be asked to judge it.")
}

// PreferenceRemove takes a pair out.
func (p *Pages) PreferenceRemove(c echo.Context) error {
	if err := p.Preferences.Remove(c.Request().Context(), c.Param("id"), judge(c)); err != nil {
		return err
	}
	return render.Done(c, preferences.PairsPath, "Pair removed, with its texts.")
}

// PreferenceExport streams the pairs as JSON Lines. What can be wrong with the choice is said before the first byte;
// what fails later cuts the connection, so that nobody takes half a file for the whole.
func (p *Pages) PreferenceExport(c echo.Context, v preferences.Pairs) error {
	f, err := pairFilter(v)
	if err != nil {
		return p.pairsPage(c, preferences.Pairs{Origin: v.Origin, From: v.From, To: v.To}, err)
	}
	w, wrote, finish := render.Download(c, "application/jsonl; charset=utf-8",
		"preceptor-preferences-"+p.Now().Format("2006-01-02-1504")+".jsonl", true)
	n, err := p.Preferences.Export(c.Request().Context(), w, f, session.Actor(c), wrote)
	return render.Sent(c, err, finish, n)
}

func pairFilter(v preferences.Pairs) (preference.Filter, error) {
	var r form.Reading
	f := preference.Filter{Origin: v.Origin}
	f.From, f.To = r.Days(v.From, v.To)
	if err := r.Err("A date isn't valid."); err != nil {
		return f, err
	}
	return f, f.Check()
}
