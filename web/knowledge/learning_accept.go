package knowledge

import (
	"context"

	"github.com/labstack/echo/v4"

	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
	lessons "preceptor/views/learning"
	"preceptor/views/statement"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
	"preceptor/web/teach"
)

// LearningAccept lets a rule in, as it stands or as the person worded it, and goes on to the next one that waits.
func (p *Pages) LearningAccept(c echo.Context, in lessons.Lesson) error {
	ctx := context.WithoutCancel(c.Request().Context())
	edited, err := p.editedLesson(ctx, c, in.Instead())
	if err != nil {
		return p.lessonAgain(c, in, err)
	}
	made, err := p.Learning.AcceptInstead(ctx, c.Param("id"), in.Instead(), edited, in.Version, keeper(c))
	if err != nil {
		return p.lessonAgain(c, in, err)
	}
	return p.nextLesson(c, "Rule "+made.Label()+" is in use from the next draft.")
}

// nextLesson opens the lesson that waits longest for its acceptance, urgent ones first; the board where none is left.
func (p *Pages) nextLesson(c echo.Context, done string) error {
	f := learning.BoardFilter{Settled: blindToPlanted(session.Me(c)), Each: columnLength}
	b, err := p.Learning.Board(c.Request().Context(), f)
	if err != nil {
		return err
	}
	for _, l := range b.Needs() {
		if l.Stage == learning.StageAccept && l.State == learning.Waiting {
			return render.Done(c, "/learning/"+l.ID, done+" This is the next one that waits.")
		}
	}
	return render.Done(c, "/learning", done+" No other rule waits.")
}

// editedLesson is the rule as the form states it; nil where it came without one: as it stands.
func (p *Pages) editedLesson(ctx context.Context, c echo.Context, in knowledge.Instead) (*rule.Statement, error) {
	f := teach.Of(c)
	if len(f.Rows) == 0 && len(f.When) == 0 {
		return nil, nil
	}
	l, err := p.Learning.Get(ctx, c.Param("id"))
	if err != nil {
		return nil, err
	}
	if err := p.MendLesson(ctx, &f, l, in); err != nil {
		return nil, err
	}
	return theRule(f)
}

// theRule is the one rule that a form states.
func theRule(f statement.Form) (*rule.Statement, error) {
	list := f.Statements()
	if len(list) != 1 {
		return nil, fault.Wrong("This rule can't be saved yet.", "statements", "Say what to do: one thing.")
	}
	return &list[0], nil
}

// LearningReject keeps a rule out, with a reason.
func (p *Pages) LearningReject(c echo.Context, in lessons.Lesson) error {
	ctx := context.WithoutCancel(c.Request().Context())
	l, err := p.Learning.Get(ctx, c.Param("id"))
	if err == nil {
		err = p.Learning.Reject(ctx, c.Param("id"), in.Reason, in.Version, keeper(c))
	}
	if err != nil {
		return p.lessonAgain(c, in, err)
	}
	if l.State == learning.Unstated {
		return p.nextLesson(c, "No rule is made. Your reason is kept with the lesson.")
	}
	return p.nextLesson(c, "The rule is not used. Your reason is kept with the lesson.")
}

// LearningBack sends a lesson back with a note.
func (p *Pages) LearningBack(c echo.Context, in lessons.Lesson) error {
	err := p.Learning.SendBack(context.WithoutCancel(c.Request().Context()), c.Param("id"), in.To, in.Note, in.Version,
		keeper(c))
	return p.lessonDone(c, in, err, "Sent back with your note.")
}

// LearningRollBack takes back what a lesson made.
func (p *Pages) LearningRollBack(c echo.Context, in lessons.Lesson) error {
	err := p.Learning.RollBack(context.WithoutCancel(c.Request().Context()), c.Param("id"), in.Undo, in.Version,
		keeper(c))
	return p.lessonDone(c, in, err, "Withdrawn. What this lesson created is out of use from the next draft.")
}

// LearningBringBack undoes that.
func (p *Pages) LearningBringBack(c echo.Context, in lessons.Lesson) error {
	err := p.Learning.BringBack(context.WithoutCancel(c.Request().Context()), c.Param("id"), in.Undo, in.Version,
		keeper(c))
	return p.lessonDone(c, in, err, "Restored. What this lesson created is as it was before.")
}

// LearningRetry tries a failed step again.
func (p *Pages) LearningRetry(c echo.Context) error {
	if err := p.Learning.Retry(c.Request().Context(), c.Param("id"), keeper(c)); err != nil {
		return err
	}
	return render.Done(c, "/learning/"+c.Param("id"), "The step is tried again.")
}

// LearningAgain asks the model about a lesson that it missed while it was down.
func (p *Pages) LearningAgain(c echo.Context) error {
	if err := p.Learning.Again(c.Request().Context(), c.Param("id"), keeper(c)); err != nil {
		return err
	}
	return render.Done(c, "/learning/"+c.Param("id"), "The model is asked again. Its answer appears here.")
}

// lessonDone goes back to the lesson, or shows it with what was typed and what was wrong.
func (p *Pages) lessonDone(c echo.Context, in lessons.Lesson, err error, line string) error {
	if err != nil {
		return p.lessonAgain(c, in, err)
	}
	return render.Done(c, "/learning/"+c.Param("id"), line)
}

// lessonAgain shows the lesson with what was typed and what was wrong: beside the rows where it can be mended there.
func (p *Pages) lessonAgain(c echo.Context, in lessons.Lesson, cause error) error {
	if !form.Again(cause) {
		return cause
	}
	v, err := p.lessonView(c)
	if err != nil {
		return err
	}
	v.Message, v.Errors = form.Said(cause)
	if v.Teach != nil && !v.Teach.Wrong() {
		v.Teach.Refused(v.Errors)
	}
	v.Reason, v.Note, v.To, v.Undo = in.Reason, in.Note, in.To, in.Undo
	if v.MayAccept && v.Open() {
		f := teach.Of(c)
		teach.InValues(&f, pack.Of(v.Lesson.Pack))
		edited, _ := theRule(f) // what can't be read is refused above
		if v.Against, err = p.against(c, v.Lesson, edited, in.Instead()); err != nil {
			return err
		}
	}
	if v.Teach == nil {
		f, of := teach.Of(c), pack.Of(v.Lesson.Pack)
		teach.InValues(&f, of)
		for _, s := range f.Statements() {
			v.Stated += rule.Sentence(s, of) + "\n"
		}
	}
	return p.showLesson(c, form.Status(cause), v)
}
