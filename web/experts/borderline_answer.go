package experts

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/ruled"
	"preceptor/internal/platform/decimal"
	"preceptor/internal/platform/fault"
	views "preceptor/views/compliance"
	"preceptor/web/form"
	"preceptor/web/render"
)

// answer is the form of an answer. Marked words come as lists beside each other.
type answer struct {
	views.Form `form:"answer"`
	TextHash   string          `form:"text_hash"`
	Codes      []string        `form:"mark_code"`
	Quotes     []form.Verbatim `form:"mark_quote"`
	Starts     []string        `form:"mark_start"`
	Ends       []string        `form:"mark_end"`
}

// BorderlineAnswer stores an expert's blind answer and opens the panel.
func (p *Pages) BorderlineAnswer(c echo.Context, a answer) error {
	in, typed := a.read(c)
	_, err := p.Borderline.AnswerBlind(c.Request().Context(), in)
	return p.settled(c, typed, "", err)
}

// BorderlineChange gives another answer after sight of the panel.
func (p *Pages) BorderlineChange(c echo.Context, a answer) error {
	in, typed := a.read(c)
	in.Clicks = clicks(typed.Clicks)
	_, err := p.Borderline.Change(c.Request().Context(), in)
	return p.settled(c, typed, views.ModeChange, err)
}

// BorderlineRule adjudicates.
func (p *Pages) BorderlineRule(c echo.Context, a answer) error {
	said := clicked(c)
	_, err := p.Borderline.Adjudicate(c.Request().Context(),
		borderline.RuleInput{CaseID: c.Param("id"), By: expert(c), TextHash: a.TextHash,
			Label: compliance.Label(a.Label), Rationale: a.Rationale, Clicks: clicks(said)})
	return p.settled(c, views.Form{Label: a.Label, Rationale: a.Rationale, Clicks: said}, "", err)
}

// clicked are the values of the findings that somebody called right or wrong.
func clicked(c echo.Context) (values []string) {
	fields, err := form.Values(c)
	if err != nil {
		return nil // a form that can't be read was refused before
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if v := fields.Get(name); strings.HasPrefix(name, "finding_") && v != "" {
			values = append(values, v)
		}
	}
	return values
}

// clicks are what such values say, as "wrong:PRESSURE:12:40"; what can't be read is about no finding, which the domain
// refuses.
func clicks(values []string) (list []ruled.Click) {
	for _, v := range values {
		part := strings.Split(v+":::", ":")
		k := ruled.Click{Code: part[1], Right: part[0] == "right"}
		k.Start, _ = strconv.Atoi(part[2])
		k.End, _ = strconv.Atoi(part[3])
		list = append(list, k)
	}
	return list
}

// BorderlineClose closes a case that no expert can bring further.
func (p *Pages) BorderlineClose(c echo.Context, in struct {
	Reason string `form:"reason"`
}) error {
	if err := p.Borderline.CloseUnresolved(c.Request().Context(), c.Param("id"), in.Reason, expert(c)); err != nil {
		return p.settled(c, views.Form{Reason: in.Reason}, "", err)
	}
	return render.Done(c, "/compliance/"+c.Param("id"), "Closed as unresolved. The supervisors decide the draft.")
}

// BorderlineDraft keeps what an expert has typed so far.
func (p *Pages) BorderlineDraft(c echo.Context, a answer) error {
	in, typed := a.read(c)
	draft, err := json.Marshal(typed)
	if err != nil {
		return err
	}
	at, err := p.Borderline.SaveDraft(c.Request().Context(), in.CaseID, in.By, string(draft))
	if err != nil {
		return err
	}
	return c.String(http.StatusOK, "Saved "+at.Local().Format("15:04"))
}

// read is what the form means, and the form to be shown again. What can't be read is left empty, which the domain
// refuses by name.
func (a answer) read(c echo.Context) (in borderline.Input, typed views.Form) {
	typed = a.Form
	typed.Clicks = clicked(c)
	in = borderline.Input{CaseID: c.Param("id"), By: expert(c), TextHash: a.TextHash, Label: compliance.Label(a.Label),
		Boundary: a.Boundary, Rationale: a.Rationale}
	in.Seconds, _ = strconv.Atoi(a.Seconds) // what is no number was not measured
	if f, err := decimal.Percent(a.Confidence); err == nil {
		in.Confidence = math.Round(f) / 100
	}
	for i, quote := range a.Quotes {
		m := views.MarkField{Code: form.Nth(a.Codes, i), Quote: string(quote), Start: form.Nth(a.Starts, i),
			End: form.Nth(a.Ends, i)}
		typed.Marks = append(typed.Marks, m)
		mark := borderline.Mark{Code: m.Code, Quote: m.Quote}
		mark.Start, _ = strconv.Atoi(m.Start) // a wrong place is looked for by the words
		mark.End, _ = strconv.Atoi(m.End)
		in.Marks = append(in.Marks, mark)
	}
	for len(typed.Marks) > 0 && typed.Marks[len(typed.Marks)-1] == (views.MarkField{}) {
		typed.Marks = typed.Marks[:len(typed.Marks)-1] // the page adds empty rows itself
	}
	return in, typed
}

// RatingShow is one text that went out, to be rated.
func (p *Pages) RatingShow(c echo.Context) error { return p.showRating(c, views.Rating{}, nil) }

func (p *Pages) showRating(c echo.Context, v views.Rating, wrong error) (err error) {
	ctx := c.Request().Context()
	v.Now = p.Now()
	if v.Rating, err = p.Borderline.Rating(ctx, c.Param("id"), expert(c)); err != nil {
		return err
	}
	if v.In, err = p.Interactions.Get(ctx, v.Rating.InteractionID); err != nil {
		return err
	}
	v.Message, v.Errors = form.Said(wrong)
	if wrong == nil && v.Rating.Rated && v.Rating.By.ID == expert(c).ID {
		v.Stars, v.Note = strconv.Itoa(v.Rating.Stars), v.Rating.Note
	}
	return render.Page(c, wrong,
		views.RatingPage(p.Frame(c, "Quality rating").At("/compliance").Broad(), v))
}

// RatingGive stores a rating and goes back to the list.
func (p *Pages) RatingGive(c echo.Context, v views.Rating) error {
	stars, _ := strconv.Atoi(v.Stars) // what is no number is none of 1 to 5, which the domain says
	err := p.Borderline.Rate(c.Request().Context(),
		borderline.RateInput{ID: c.Param("id"), By: expert(c), Stars: stars, Note: v.Note})
	if fault.Is(err, fault.Invalid) {
		return p.showRating(c, v, err)
	}
	if err != nil {
		return err
	}
	return render.Done(c, "/compliance?list="+views.TabRatings, "Rated.")
}

// RemarkAdd posts an expert's comment on a borderline case.
func (p *Pages) RemarkAdd(c echo.Context, typed views.RemarkForm) error {
	r, err := p.Borderline.AddRemark(context.WithoutCancel(c.Request().Context()),
		borderline.RemarkInput{CaseID: c.Param("id"), By: expert(c), Quote: typed.Quote, Text: typed.Text,
			FormKey: typed.Key})
	if fault.Is(err, fault.Invalid) {
		typed.Errors = form.Errors(err)
		return p.showBorderline(c, views.Case{Remark: typed}, err)
	}
	if err != nil {
		return err
	}
	return render.Redirect(c, "/compliance/"+c.Param("id")+"#remark-"+r.ID)
}

// RemarkWithdraw takes a comment of mine back.
func (p *Pages) RemarkWithdraw(c echo.Context) error {
	if err := p.Borderline.WithdrawRemark(context.WithoutCancel(c.Request().Context()), c.Param("id"),
		c.Param("remark"), expert(c)); err != nil {
		return err
	}
	return render.Redirect(c, "/compliance/"+c.Param("id")+"#remark-"+c.Param("remark"))
}
