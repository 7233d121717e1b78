package desk

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/comment"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/views/comments"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// speaker is the signed-in person as comments know them.
func speaker(c echo.Context) comment.Person {
	a := session.Me(c)
	return comment.Person{ID: a.ID, Name: a.Name, Email: a.Email}
}

// commentsOf is the comments on a case with an empty form, for the page of the case.
func (p *Pages) commentsOf(c echo.Context, caseID string) (comments.Talk, error) {
	list, more, err := p.Comments.Of(c.Request().Context(), caseID)
	return comments.Talk{CaseID: caseID, Items: list, More: more, Viewer: session.Me(c).ID, Now: p.Now(),
		Host: c.Request().Host,
		Form: comments.Form{Key: id.New()}}, err
}

// CommentBlock is the comments on a case alone, which the page of the case asks for again; a browser gets the case.
func (p *Pages) CommentBlock(c echo.Context) error {
	if _, err := p.Reviews.Get(c.Request().Context(), c.Param("id")); err != nil {
		return err
	}
	if !render.IsHTMX(c) {
		return c.Redirect(http.StatusSeeOther, "/reviews/"+c.Param("id")+"#comments")
	}
	t, err := p.commentsOf(c, c.Param("id"))
	if err != nil {
		return err
	}
	return render.Fragment(c, nil, comments.Block(t))
}

// CommentAdd posts a comment on a case.
func (p *Pages) CommentAdd(c echo.Context, typed comments.Form) error {
	caseID := c.Param("id")
	typed.Meant = meant(c)
	made, err := p.Comments.Add(context.WithoutCancel(c.Request().Context()),
		comment.Input{CaseID: caseID, By: speaker(c), Text: typed.Text, Meant: typed.Meant, FormKey: typed.Key})
	if err != nil && !fault.Is(err, fault.Invalid) {
		return err
	}
	if err == nil && !render.IsHTMX(c) {
		return c.Redirect(http.StatusSeeOther, comments.Path(made))
	}
	t, again := p.commentsOf(c, caseID)
	if again != nil {
		return again
	}
	if err == nil {
		t.Fresh = made.ID
		return render.Fragment(c, nil, comments.Block(t))
	}
	if t.Form = refused(typed, err); t.Form.Key == "" {
		t.Form.Key = id.New()
	}
	if render.IsHTMX(c) {
		return render.Fragment(c, err, comments.Block(t))
	}
	return render.Page(c, err, comments.AgainPage(p.Frame(c, "Your comment").At("/reviews/"+caseID), t))
}

// refused is a form as it came, with what was wrong.
func refused(f comments.Form, cause error) comments.Form {
	f.Message = fault.Message(cause)
	if asked, ok := errors.AsType[*comment.UnclearError](cause); ok {
		f.Unclear = asked.Unclear
	} else {
		f.Error = form.Errors(cause)["text"]
	}
	return f
}

// meant are the answers to whom an @ means: fields named "meant:" and the word.
func meant(c echo.Context) map[string]string {
	fields, err := form.Values(c)
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for name, values := range fields {
		if key, ok := strings.CutPrefix(name, "meant:"); ok && len(values) > 0 && len(out) < 4*comment.MaxMentions {
			out[key] = values[0]
		}
	}
	return out
}

// CommentShow is one comment: its permanent address. Its query opens the form that changes it.
func (p *Pages) CommentShow(c echo.Context, in struct {
	Change bool `form:"change"`
}) error {
	v, err := p.oneComment(c)
	if err != nil {
		return err
	}
	v.Editing = in.Change && v.Comment.Editable(v.Viewer, v.Now)
	v.Form = comments.Form{Text: v.Comment.Text, Version: v.Comment.Version, Meant: answered(v.Comment)}
	return p.showComment(c, http.StatusOK, v)
}

func (p *Pages) oneComment(c echo.Context) (v comments.One, err error) {
	v = comments.One{Viewer: session.Me(c).ID, Now: p.Now(), Host: c.Request().Host}
	if v.Comment, err = p.Comments.Get(c.Request().Context(), c.Param("id")); err != nil {
		return v, err
	}
	return v, p.MayRead(c, v.Comment.Case.ID)
}

func (p *Pages) showComment(c echo.Context, status int, v comments.One) error {
	return render.Status(c, status, comments.OnePage(p.Frame(c, "Comment by "+v.Comment.By.Name).At("/reviews"), v))
}

// answered has the form ask no more about those whom the comment means already.
func answered(c *comment.Comment) map[string]string {
	out := map[string]string{}
	for _, m := range c.Mentions {
		out[strings.ToLower(strings.TrimPrefix(c.Text[m.Start:m.End], "@"))] = m.Person.ID
	}
	return out
}

// CommentEdit changes a comment of mine.
func (p *Pages) CommentEdit(c echo.Context, typed comments.Form) error {
	typed.Meant = meant(c)
	ch := comment.Change{ID: c.Param("id"), By: speaker(c), Text: typed.Text, Meant: typed.Meant,
		Version: typed.Version}
	changed, err := p.Comments.Edit(context.WithoutCancel(c.Request().Context()), ch)
	if err == nil {
		return render.Redirect(c, comments.Path(changed))
	}
	if !form.Again(err) {
		return err
	}
	v, again := p.oneComment(c)
	if again != nil {
		return again
	}
	v.Form, v.Editing = refused(typed, err), fault.Is(err, fault.Invalid)
	return p.showComment(c, form.Status(err), v)
}

// CommentWithdraw takes a comment of mine back.
func (p *Pages) CommentWithdraw(c echo.Context) error {
	w, err := p.Comments.Withdraw(context.WithoutCancel(c.Request().Context()), c.Param("id"), speaker(c))
	if err != nil {
		return err
	}
	if !render.IsHTMX(c) {
		return c.Redirect(http.StatusSeeOther, comments.Path(w))
	}
	t, err := p.commentsOf(c, w.Case.ID)
	if err != nil {
		return err
	}
	t.Fresh = w.ID
	return render.Fragment(c, nil, comments.Block(t))
}
