package page

import (
	"bytes"
	"context"
	"mime"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
	"preceptor/internal/feedback/preference"
	"preceptor/views/chart"
	"preceptor/views/preferences"
	"preceptor/web/render"
	"preceptor/web/session"
)

// lastJudged is how many of my answers stand under the pair.
const lastJudged = 5

func judge(c echo.Context) preference.Person {
	a, _ := session.Current(c)
	return preference.Person{ID: a.ID, Name: a.Name}
}

// PreferenceJudge shows the pair that I judge next.
func (p *Pages) PreferenceJudge(c echo.Context) error { return p.judgePage(c, http.StatusOK, nil) }

func (p *Pages) judgePage(c echo.Context, status int, wrong error) (err error) {
	ctx, who := c.Request().Context(), judge(c)
	a, _ := session.Current(c)
	v := preferences.Judge{Me: who.ID, Keeper: keeps(a), Now: p.Now()}
	if wrong != nil {
		v.Error = fault.Message(wrong)
	}
	if v.Work, err = p.Pairs.Next(ctx, who); err != nil {
		return err
	}
	if v.Mine, err = p.Pairs.Mine(ctx, who, lastJudged); err != nil {
		return err
	}
	f := p.frame(c, "Which answer is better?")
	f.Wide = true
	return render.Page(c, status, preferences.JudgePage(f, v))
}

// judgeAct does something with the pair of the form and goes on to the next. What can't be done any more says why, beside it.
func (p *Pages) judgeAct(c echo.Context, act func(ctx context.Context, pairID string, who preference.Person) error) error {
	if err := sameAuthor(c); err != nil {
		return err
	}
	err := act(context.WithoutCancel(c.Request().Context()), c.FormValue("pair"), judge(c))
	switch {
	case fault.Is(err, fault.Conflict), fault.Is(err, fault.NotFound), fault.Is(err, fault.Invalid):
		return p.judgePage(c, fault.KindOf(err).Status(), err)
	case err != nil:
		return err
	}
	return c.Redirect(http.StatusSeeOther, preferences.Home)
}

// PreferenceAnswer keeps which of the two is better.
func (p *Pages) PreferenceAnswer(c echo.Context) error {
	return p.judgeAct(c, func(ctx context.Context, pairID string, who preference.Person) error {
		return p.Pairs.Answer(ctx, pairID, c.FormValue("choice"), who)
	})
}

// PreferenceSkip passes a pair over.
func (p *Pages) PreferenceSkip(c echo.Context) error { return p.judgeAct(c, p.Pairs.Skip) }

// PreferenceUndo takes an answer back.
func (p *Pages) PreferenceUndo(c echo.Context) error { return p.judgeAct(c, p.Pairs.Undo) }

// PreferenceUnskip takes up again what I passed over.
func (p *Pages) PreferenceUnskip(c echo.Context) error {
	return p.judgeAct(c, func(ctx context.Context, _ string, who preference.Person) error {
		return p.Pairs.Unskip(ctx, who)
	})
}

// figures sends a table as a file for other programs.
func (p *Pages) figures(c echo.Context, name string, t chart.Table) error {
	var b bytes.Buffer // so that a failure is an answer, and not half a file
	if err := t.WriteCSV(&b); err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": "preceptor-" + name + "-" + p.Now().Format(time.DateOnly) + ".csv"}))
	return c.Blob(http.StatusOK, "text/csv; charset=utf-8", b.Bytes())
}

// picture sends a chart as a picture.
func (p *Pages) picture(c echo.Context, name string, ch chart.Chart) error {
	var b bytes.Buffer
	if err := ch.WritePNG(&b, "Preceptor, "+p.Now().In(p.zone()).Format("2 January 2006 15:04")+"."); err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": "preceptor-" + name + "-" + p.Now().Format(time.DateOnly) + ".png"}))
	return c.Blob(http.StatusOK, "image/png", b.Bytes())
}

// PreferenceRanking ranks agents, prompts and models.
func (p *Pages) PreferenceRanking(c echo.Context) (err error) {
	v := preferences.Ranking{}
	if v.Ranking, err = p.Pairs.Ranking(c.Request().Context()); err != nil {
		return err
	}
	if c.QueryParam("format") == "csv" {
		return p.figures(c, "ranking", preferences.Figures(v.Ranking))
	}
	if c.QueryParam("format") == "png" {
		i, err := strconv.Atoi(c.QueryParam("group"))
		if err != nil || i < 1 || i > len(v.Groups) {
			return fault.New(fault.NotFound, "There is no such group.")
		}
		return p.picture(c, "ranking", preferences.Picture(v.Groups[i-1], i-1, len(v.Groups)))
	}
	if v.Counts, err = p.Pairs.Counts(c.Request().Context()); err != nil {
		return err
	}
	f := p.frame(c, "Ranking")
	f.Wide = true
	return render.Page(c, http.StatusOK, preferences.RankingPage(f, v))
}
