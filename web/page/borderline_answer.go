package page

import (
	"encoding/json"
	"math"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/decimal"
	views "preceptor/views/compliance"
	"preceptor/web/render"
)

// BorderlineAnswer stores an expert's blind answer and opens the panel.
func (p *Pages) BorderlineAnswer(c echo.Context) error {
	in, form, err := answerTyped(c)
	if err != nil {
		return err
	}
	if _, err := p.Borderline.AnswerBlind(c.Request().Context(), in); err != nil {
		return p.borderlineAgain(c, form, "", err)
	}
	return render.Redirect(c, "/compliance/"+in.CaseID)
}

// BorderlineChange gives another answer after sight of the panel.
func (p *Pages) BorderlineChange(c echo.Context) error {
	in, form, err := answerTyped(c)
	if err != nil {
		return err
	}
	r, err := p.Borderline.Change(c.Request().Context(), in)
	return p.settled(c, r, err, form, views.ModeChange)
}

// BorderlineRule adjudicates.
func (p *Pages) BorderlineRule(c echo.Context) error {
	form := views.Form{Label: c.FormValue("label"), Rationale: c.FormValue("rationale")}
	r, err := p.Borderline.Adjudicate(c.Request().Context(), borderline.RuleInput{CaseID: c.Param("id"), By: expert(c), TextHash: c.FormValue("text_hash"),
		Label: compliance.Label(form.Label), Rationale: form.Rationale})
	return p.settled(c, r, err, form, "")
}

// BorderlineDraft keeps what an expert has typed so far.
func (p *Pages) BorderlineDraft(c echo.Context) error {
	in, form, err := answerTyped(c)
	if err != nil {
		return err
	}
	draft, err := json.Marshal(form)
	if err != nil {
		return err
	}
	at, err := p.Borderline.SaveDraft(c.Request().Context(), in.CaseID, in.By, string(draft))
	if err != nil {
		return err
	}
	return c.String(http.StatusOK, "Saved "+at.Local().Format("15:04"))
}

// answerTyped reads the form of an answer. What can't be read is left empty, which the domain refuses by name.
func answerTyped(c echo.Context) (in borderline.Input, form views.Form, err error) {
	posted, err := c.FormParams()
	if err != nil {
		return in, form, err
	}
	form = views.Form{Label: posted.Get("label"), Boundary: posted.Get("boundary"), Confidence: posted.Get("confidence"), Rationale: posted.Get("rationale"), Seconds: posted.Get("seconds")}
	in = borderline.Input{CaseID: c.Param("id"), By: expert(c), TextHash: posted.Get("text_hash"), Label: compliance.Label(form.Label), Boundary: form.Boundary, Rationale: form.Rationale}
	in.Seconds, _ = strconv.Atoi(form.Seconds) // what is no number was not measured
	if f, err := decimal.Percent(form.Confidence); err == nil {
		in.Confidence = math.Round(f) / 100
	}
	at := func(name string, i int) string {
		if list := posted[name]; i < len(list) {
			return list[i]
		}
		return ""
	}
	for i := range posted["mark_quote"] {
		m := views.MarkField{Code: at("mark_code", i), Quote: at("mark_quote", i), Start: at("mark_start", i), End: at("mark_end", i)}
		form.Marks = append(form.Marks, m)
		mark := borderline.Mark{Code: m.Code, Quote: m.Quote}
		mark.Start, _ = strconv.Atoi(m.Start) // a wrong place is looked for by the words
		mark.End, _ = strconv.Atoi(m.End)
		in.Marks = append(in.Marks, mark)
	}
	for len(form.Marks) > 0 && form.Marks[len(form.Marks)-1] == (views.MarkField{}) {
		form.Marks = form.Marks[:len(form.Marks)-1] // the page adds empty rows itself
	}
	return in, form, nil
}
