package desk

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/practice/drill"
	"preceptor/internal/review"
	"preceptor/views/reviews"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// PracticeHome is where one begins to practise, and finds one's results.
func (p *Pages) PracticeHome(c echo.Context) (err error) {
	v := reviews.PracticeView{Now: p.Now()}
	if v.Rounds, err = p.Drill.Rounds(c.Request().Context(), me(c).ID); err != nil {
		return err
	}
	names := p.Packs(c, "")
	if len(names) == 0 {
		names = pack.Names()
	}
	for _, name := range names {
		if len(drill.Cases(name)) > 0 {
			v.Packs = append(v.Packs, name)
		}
	}
	return render.Page(c, nil, reviews.PracticePage(p.Frame(c, "Practice cases"), v))
}

// PracticeBegin begins a round, or continues the one of this pack that isn't finished.
func (p *Pages) PracticeBegin(c echo.Context, in struct {
	Pack string `form:"pack"`
}) error {
	round, err := p.Drill.Begin(c.Request().Context(), me(c).ID, in.Pack)
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, reviews.PracticeHome+"/"+round)
}

// PracticeRound is the next case of a round, or its result when there is none.
func (p *Pages) PracticeRound(c echo.Context) error {
	r, err := p.Drill.Round(c.Request().Context(), me(c).ID, c.Param("round"))
	if err != nil {
		return err
	}
	if !r.Done() {
		return c.Redirect(http.StatusSeeOther, reviews.PracticeHome+"/"+r.ID+"/"+strconv.Itoa(r.Next(0)))
	}
	return render.Page(c, nil,
		reviews.PracticeResultPage(p.Frame(c, "Practice result"), reviews.PracticeResult{Round: r, Now: p.Now()}))
}

// PracticeDelete forgets a round.
func (p *Pages) PracticeDelete(c echo.Context) error {
	if err := p.Drill.Delete(c.Request().Context(), me(c).ID, c.Param("round")); err != nil {
		return err
	}
	return render.Done(c, reviews.PracticeHome, "Deleted.")
}

// practiceCase is a case of the reader's with one of its forms open.
func (p *Pages) practiceCase(c echo.Context, mode string) (v reviews.Case, err error) {
	r, err := p.Drill.Round(c.Request().Context(), me(c).ID, c.Param("round"))
	if err != nil {
		return v, err
	}
	n, _ := strconv.Atoi(c.Param("n")) // what is no number is no case
	a, err := r.At(n)
	if err != nil {
		return v, err
	}
	return reviews.PracticeCase(r, a, me(c), mode, p.Now()), nil
}

func (p *Pages) showPractice(c echo.Context, status int, v reviews.Case) error {
	f := p.Frame(c, "Practice: "+reviews.TaskLabel(v)).Broad()
	return render.Status(c, status, reviews.CasePage(f.At(reviews.PracticeHome), v))
}

// PracticeShow is a case to practise on.
func (p *Pages) PracticeShow(c echo.Context, in struct {
	Mode string `form:"mode"`
}) error {
	v, err := p.practiceCase(c, form.OneOf(in.Mode, teaching))
	if err != nil {
		return err
	}
	if v.Mode == reviews.ModeRevise {
		compare(&v)
	}
	return p.showPractice(c, http.StatusOK, v)
}

// PracticeBack answers a browser that loads the address of a form again.
func (p *Pages) PracticeBack(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, reviews.PracticeHome+"/"+c.Param("round")+"/"+c.Param("n"))
}

// compare says how a revision differs from the draft; the checks say nothing.
func compare(v *reviews.Case) {
	text := review.Assessment{Passed: true}
	v.Check = &reviews.Check{Assessment: text, Changes: ui.WordDiff(v.In.Guidance, v.Form.Text),
		Unchanged: v.In.Guidance == v.Form.Text}
}

// PracticeCheck is the difference while somebody types, or the whole page without a script.
func (p *Pages) PracticeCheck(c echo.Context, in deskForm) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	v, err := p.practiceCase(c, reviews.ModeRevise)
	if err != nil {
		return err
	}
	v.Form = in.form(c, v.Form.Text)
	compare(&v)
	if render.IsHTMX(c) {
		return render.Fragment(c, nil, reviews.CheckView(v))
	}
	return p.showPractice(c, http.StatusOK, v)
}

// PracticeAnswer takes a decision on a made-up case, of the kind that the address names, and goes on to the next.
func (p *Pages) PracticeAnswer(c echo.Context, in deskForm) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	v, err := p.practiceCase(c, "")
	if err != nil {
		return err
	}
	kind := c.Path()[strings.LastIndex(c.Path(), "/")+1:]
	answer := review.Input{By: me(c), Kind: kind, Text: in.text(), Reason: in.Reason, ReasonCode: in.ReasonCode}
	if err := p.Drill.Answer(context.WithoutCancel(c.Request().Context()), me(c).ID, c.Param("round"),
		v.Practice.Answer.N, answer); err != nil {
		return p.practiceAgain(c, in, modeOf[kind], v, err)
	}
	if n := v.Practice.Round.Next(v.Practice.Answer.N); n > 0 && n != v.Practice.Answer.N {
		return c.Redirect(http.StatusSeeOther, reviews.PracticeHome+"/"+c.Param("round")+"/"+strconv.Itoa(n))
	}
	return c.Redirect(http.StatusSeeOther, reviews.PracticeHome+"/"+c.Param("round"))
}

// practiceAgain shows a case after an answer that was refused, with all that was typed.
func (p *Pages) practiceAgain(c echo.Context, in deskForm, mode string, v reviews.Case, cause error) error {
	if !form.Again(cause) {
		return cause
	}
	v.Mode, v.Form = mode, in.form(c, v.Form.Text)
	v.Form.Errors, v.Form.Message = form.Errors(cause), fault.Message(cause)
	if mode == reviews.ModeRevise {
		compare(&v)
	}
	return p.showPractice(c, fault.KindOf(cause).Status(), v)
}

// PracticeUndo takes back an answer, whose case is open again.
func (p *Pages) PracticeUndo(c echo.Context, in deskForm) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	n, _ := strconv.Atoi(c.Param("n"))
	if err := p.Drill.Undo(c.Request().Context(), me(c).ID, c.Param("round"), n); err != nil {
		return err
	}
	return p.PracticeBack(c)
}
