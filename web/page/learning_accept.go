package page

import (
	"context"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
	"preceptor/internal/rule"
	lessons "preceptor/views/learning"
	"preceptor/views/statement"
)

// LearningAccept lets a rule in, as it stands or as the person worded it.
func (p *Pages) LearningAccept(c echo.Context) error {
	version, _ := strconv.Atoi(c.FormValue("version")) // a wrong one is a version that nobody saw
	ctx := context.WithoutCancel(c.Request().Context())
	edited, err := p.editedLesson(ctx, c)
	if err != nil {
		return p.lessonAgain(c, err)
	}
	made, err := p.Learning.Accept(ctx, c.Param("id"), edited, version, keeper(c))
	if err != nil {
		return p.lessonAgain(c, err)
	}
	return p.done(c, "/learning/"+c.Param("id"), "Rule "+made.Label()+" is in use from the next draft on.")
}

// editedLesson is the rule as the form states it; nil where it came without one: as it stands.
func (p *Pages) editedLesson(ctx context.Context, c echo.Context) (*rule.Statement, error) {
	f := statementOf(c)
	if len(f.Rows) == 0 && len(f.When) == 0 {
		return nil, nil
	}
	l, err := p.Learning.Get(ctx, c.Param("id"))
	if err != nil {
		return nil, err
	}
	if err := p.mendLesson(ctx, &f, l); err != nil {
		return nil, err
	}
	return theRule(f)
}

// theRule is the one rule that a form states.
func theRule(f statement.Form) (*rule.Statement, error) {
	list := f.Statements()
	if len(list) != 1 {
		return nil, fault.WithFields("This rule can't be saved yet.", fault.Field{Name: "statements", Msg: "Say what to do: one thing."})
	}
	return &list[0], nil
}

// LearningReject keeps a rule out, with a reason.
func (p *Pages) LearningReject(c echo.Context) error {
	version, _ := strconv.Atoi(c.FormValue("version")) // a wrong one is a version that nobody saw
	if err := p.Learning.Reject(context.WithoutCancel(c.Request().Context()), c.Param("id"), c.FormValue("reason"), version, keeper(c)); err != nil {
		return p.lessonAgain(c, err)
	}
	return p.done(c, "/learning/"+c.Param("id"), "The rule is not used. Your reason is kept with the lesson.")
}

// LearningBack sends a lesson back with a note.
func (p *Pages) LearningBack(c echo.Context) error {
	version, _ := strconv.Atoi(c.FormValue("version")) // a wrong one is a version that nobody saw
	if err := p.Learning.SendBack(context.WithoutCancel(c.Request().Context()), c.Param("id"), c.FormValue("to"), c.FormValue("note"), version, keeper(c)); err != nil {
		return p.lessonAgain(c, err)
	}
	return p.done(c, "/learning/"+c.Param("id"), "Sent back. The step takes your note into account.")
}

// LearningRetry tries a failed step again.
func (p *Pages) LearningRetry(c echo.Context) error {
	if err := p.Learning.Retry(c.Request().Context(), c.Param("id"), keeper(c)); err != nil {
		return err
	}
	return p.done(c, "/learning/"+c.Param("id"), "The step is tried again.")
}

// besideRows puts what was refused where it can be mended.
func (p *Pages) besideRows(v *lessons.Lesson, wrong map[string]string) map[string]string {
	if v.Teach == nil || v.Teach.Wrong() {
		return wrong
	}
	v.Teach.Refused(wrong)
	return wrong
}

// lessonAgain shows the lesson with what was typed and what was wrong.
func (p *Pages) lessonAgain(c echo.Context, cause error) error {
	if !fault.Is(cause, fault.Invalid) && !fault.Is(cause, fault.Conflict) {
		return cause
	}
	v, err := p.lessonView(c)
	if err != nil {
		return err
	}
	v.Reason, v.Errors, v.Message = c.FormValue("reason"), fieldErrors(cause), fault.Message(cause)
	v.Errors = p.besideRows(&v, v.Errors)
	v.Note, v.To, v.Undo = c.FormValue("note"), c.FormValue("to"), c.FormValue("undo")
	return p.showLesson(c, fault.KindOf(cause).Status(), v)
}
