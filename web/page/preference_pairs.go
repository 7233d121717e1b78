package page

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
	"preceptor/internal/feedback/preference"
	"preceptor/views/preferences"
	"preceptor/web/render"
	"preceptor/web/session"
)

// PreferencePairs lists the pairs.
func (p *Pages) PreferencePairs(c echo.Context) error {
	err := p.pairsPage(c, http.StatusOK, preferences.Pairs{Cursor: c.QueryParam("cursor")}, nil)
	if fieldErrors(err)["cursor"] != "" {
		return p.pairsPage(c, http.StatusUnprocessableEntity, preferences.Pairs{}, fault.New(fault.Invalid, cutOff+" This is the first page."))
	}
	return err
}

func (p *Pages) pairsPage(c echo.Context, status int, v preferences.Pairs, wrong error) (err error) {
	ctx := c.Request().Context()
	v.Now = p.Now()
	if wrong != nil {
		v.Error, v.Errors = fault.Message(wrong), fieldErrors(wrong)
	}
	if v.Page, err = p.Pairs.List(ctx, "", v.Cursor); err != nil {
		return err
	}
	if v.Counts, err = p.Pairs.Counts(ctx); err != nil {
		return err
	}
	f := p.frame(c, "Pairs and export")
	f.Wide = true
	return render.Page(c, status, preferences.PairsPage(f, v))
}

// PreferenceNew is the form for a pair.
func (p *Pages) PreferenceNew(c echo.Context) error {
	return render.Page(c, http.StatusOK, preferences.NewPage(p.frame(c, "Put a pair in"), preferences.New{}))
}

// PreferenceAdd puts a pair in.
func (p *Pages) PreferenceAdd(c echo.Context) error {
	text := func(name string) string { return strings.ReplaceAll(c.FormValue(name), "\r\n", "\n") }
	v := preferences.New{Prompt: text("prompt"), First: text("first"), Second: text("second"), FirstMaker: text("first_maker"), SecondMaker: text("second_maker")}
	_, err := p.Pairs.Add(c.Request().Context(), preference.Input{Origin: preference.Given, Prompt: v.Prompt,
		First: preference.Response{Text: v.First, Maker: v.FirstMaker}, Second: preference.Response{Text: v.Second, Maker: v.SecondMaker}, By: judge(c)})
	if fault.Is(err, fault.Invalid) {
		v.Error, v.Errors = fault.Message(err), fieldErrors(err)
		return render.Page(c, http.StatusUnprocessableEntity, preferences.NewPage(p.frame(c, "Put a pair in"), v))
	}
	return p.pairsDone(c, err, "The pair waits for three judges. You are not asked about it.")
}

// PreferenceRemove takes a pair out.
func (p *Pages) PreferenceRemove(c echo.Context) error {
	return p.pairsDone(c, p.Pairs.Remove(c.Request().Context(), c.Param("id"), judge(c)), "The pair is taken out, with its texts.")
}

func (p *Pages) pairsDone(c echo.Context, err error, line string) error {
	if err != nil {
		return err
	}
	if err := session.Flash(c, line); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, preferences.PairsPath)
}

// PreferenceExport streams the pairs as JSON Lines. What can be wrong with the choice is said before the first byte; what fails later
// cuts the connection, so that nobody takes half a file for the whole.
func (p *Pages) PreferenceExport(c echo.Context) error {
	v := preferences.Pairs{Origin: c.FormValue("origin"), From: c.FormValue("from"), To: c.FormValue("to")}
	f, err := pairFilter(v)
	if err != nil {
		return p.pairsPage(c, http.StatusUnprocessableEntity, v, err)
	}
	w, wrote, finish := download(c, "application/jsonl; charset=utf-8", "preceptor-preferences-"+p.Now().Format("2006-01-02-1504")+".jsonl", true)
	n, err := p.Pairs.Export(c.Request().Context(), w, f, actor(c), wrote)
	if err == nil {
		err = finish()
	}
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			p.Log.Warn("an export was not sent to its end", "rows", n, "error", err.Error())
		}
		panic(http.ErrAbortHandler)
	}
	return nil
}

func pairFilter(v preferences.Pairs) (f preference.Filter, err error) {
	f.Origin = v.Origin
	var wrong []fault.Field
	day := func(name, s string) time.Time {
		t, err := time.Parse(time.DateOnly, s)
		if s != "" && err != nil {
			wrong = append(wrong, fault.Field{Name: name, Msg: "Write the day as 2026-11-21."})
		}
		return t
	}
	if f.From, f.To = day("from", v.From), day("to", v.To); !f.To.IsZero() {
		f.To = f.To.AddDate(0, 0, 1) // the day itself is meant, too
	}
	if len(wrong) > 0 {
		return f, fault.WithFields("A day can't be read.", wrong...)
	}
	return f, f.Check()
}
