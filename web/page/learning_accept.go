package page

import (
	"context"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
)

// LearningAccept lets a rule in, as it stands or as the person worded it.
func (p *Pages) LearningAccept(c echo.Context) error {
	version, _ := strconv.Atoi(c.FormValue("version")) // a wrong one is a version that nobody saw
	if _, typed := c.Request().Form["text"]; typed && strings.TrimSpace(c.FormValue("text")) == "" {
		return p.lessonAgain(c, fault.WithFields("There is no rule left to accept.", fault.Field{Name: "text", Msg: "Write it as: When [situation], [action] because [reason]. To keep it out, reject it."}))
	}
	rule, err := p.Learning.Accept(context.WithoutCancel(c.Request().Context()), c.Param("id"), nil, version, keeper(c))
	if err != nil {
		return p.lessonAgain(c, err)
	}
	return p.done(c, "/learning/"+c.Param("id"), "Rule "+rule.Label()+" is in use from the next draft on.")
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

// lessonAgain shows the lesson with what was typed and what was wrong.
func (p *Pages) lessonAgain(c echo.Context, cause error) error {
	if !fault.Is(cause, fault.Invalid) && !fault.Is(cause, fault.Conflict) {
		return cause
	}
	v, err := p.lessonView(c)
	if err != nil {
		return err
	}
	v.Edit, v.Reason, v.Errors, v.Message = c.FormValue("text"), c.FormValue("reason"), fieldErrors(cause), fault.Message(cause)
	v.Note, v.To, v.Undo = c.FormValue("note"), c.FormValue("to"), c.FormValue("undo")
	return p.showLesson(c, fault.KindOf(cause).Status(), v)
}
