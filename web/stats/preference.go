package stats

import (
	"bytes"
	"context"
	"mime"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/feedback/preference"
	"preceptor/internal/platform/fault"
	"preceptor/views/chart"
	"preceptor/views/preferences"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// lastJudged is how many of my answers stand under the pair.
const lastJudged = 5

func judge(c echo.Context) preference.Person {
	a := session.Me(c)
	return preference.Person{ID: a.ID, Name: a.Name}
}

// PreferenceJudge shows the pair that I judge next.
func (p *Pages) PreferenceJudge(c echo.Context) error { return p.judgePage(c, nil) }

// judgePage shows the next pair. What could not be done any more says why, beside it.
func (p *Pages) judgePage(c echo.Context, wrong error) (err error) {
	ctx, who := c.Request().Context(), judge(c)
	v := preferences.Judge{Me: who.ID, Keeper: session.Leads(c), Now: p.Now()}
	v.Error, _ = form.Said(wrong)
	if v.Work, err = p.Preferences.Next(ctx, who); err != nil {
		return err
	}
	if v.Mine, err = p.Preferences.Mine(ctx, who, lastJudged); err != nil {
		return err
	}
	return render.Page(c, wrong, preferences.JudgePage(p.Frame(c, "Which answer is better?").Broad(), v),
		fault.NotFound)
}

// judged is what is said of a pair.
type judged struct {
	As     string `form:"as"`
	Pair   string `form:"pair"`
	Choice string `form:"choice"`
}

// judgeAct does something with the pair and goes on to the next.
func (p *Pages) judgeAct(c echo.Context, in judged, act func(ctx context.Context, who preference.Person) error) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	if err := act(context.WithoutCancel(c.Request().Context()), judge(c)); err != nil {
		return p.judgePage(c, err)
	}
	return c.Redirect(http.StatusSeeOther, preferences.Home)
}

// PreferenceAnswer keeps which of the two is better.
func (p *Pages) PreferenceAnswer(c echo.Context, in judged) error {
	return p.judgeAct(c, in, func(ctx context.Context, who preference.Person) error {
		return p.Preferences.Answer(ctx, in.Pair, in.Choice, who)
	})
}

// PreferenceSkip passes a pair over.
func (p *Pages) PreferenceSkip(c echo.Context, in judged) error {
	return p.judgeAct(c, in, func(ctx context.Context, who preference.Person) error {
		return p.Preferences.Skip(ctx, in.Pair, who)
	})
}

// PreferenceUndo takes an answer back.
func (p *Pages) PreferenceUndo(c echo.Context, in judged) error {
	return p.judgeAct(c, in, func(ctx context.Context, who preference.Person) error {
		return p.Preferences.Undo(ctx, in.Pair, who)
	})
}

// PreferenceUnskip takes up again what I passed over.
func (p *Pages) PreferenceUnskip(c echo.Context, in judged) error {
	return p.judgeAct(c, in, p.Preferences.Unskip)
}

// figures sends a table as a file for other programs.
func (p *Pages) figures(c echo.Context, name string, notes []string, t chart.Table) error {
	var b bytes.Buffer // so that a failure is an answer, and not half a file
	if err := t.WriteCSV(&b, notes...); err != nil {
		return err
	}
	return attach(c, name, "text/csv; charset=utf-8", b.Bytes())
}

// asOf names a file of what is known now, and says so in its first lines.
func (p *Pages) asOf(title, id string) (name string, notes []string) {
	at := p.Now().In(p.zone())
	return "preceptor-" + id + "-" + at.Format(time.DateOnly) + ".csv",
		[]string{"Preceptor: " + title, "As of " + at.Format("2 January 2006 15:04") + "; " + p.zone().String()}
}

// attach hands a file out.
func attach(c echo.Context, name, kind string, file []byte) error {
	c.Response().Header().Set("Content-Disposition",
		mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	return c.Blob(http.StatusOK, kind, file)
}

// PreferenceRanking ranks agents, prompts and models.
func (p *Pages) PreferenceRanking(c echo.Context, in struct {
	Format string `form:"format"`
}) (err error) {
	v := preferences.Ranking{}
	if v.Ranking, err = p.Preferences.Ranking(c.Request().Context()); err != nil {
		return err
	}
	if in.Format == "csv" {
		name, notes := p.asOf("Ranking of answers", "ranking")
		return p.figures(c, name, notes, preferences.Figures(v.Ranking))
	}
	if v.Counts, err = p.Preferences.Counts(c.Request().Context()); err != nil {
		return err
	}
	return render.Page(c, nil, preferences.RankingPage(p.Frame(c, "Ranking").Broad(), v))
}

// PreferencePairs lists the pairs.
func (p *Pages) PreferencePairs(c echo.Context, in preferences.Pairs) error {
	err := p.pairsPage(c, preferences.Pairs{Cursor: in.Cursor}, nil)
	if form.Errors(err)["cursor"] != "" {
		return p.pairsPage(c, preferences.Pairs{}, fault.New(fault.Invalid, cutOff+" This is the first page."))
	}
	return err
}

func (p *Pages) pairsPage(c echo.Context, v preferences.Pairs, wrong error) (err error) {
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
	if err := r.Err("Check the dates."); err != nil {
		return f, err
	}
	return f, f.Check()
}
