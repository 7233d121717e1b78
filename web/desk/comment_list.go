package desk

import (
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/comment"
	"preceptor/views/comments"
	"preceptor/views/ui"
	"preceptor/web/hidden"
	"preceptor/web/render"
	"preceptor/web/session"
)

// CommentList is the comments on all cases, those that mention me, or mine.
func (p *Pages) CommentList(c echo.Context, l comments.List) error {
	ctx, viewer := c.Request().Context(), session.Me(c).ID
	l.Viewer, l.Now, l.Host = viewer, p.Now(), c.Request().Host
	f := comment.Filter{CaseID: l.Case, AgentID: l.Agent, Cursor: l.Cursor}
	switch l.View {
	case "mentions":
		f.MentionID, l.By = viewer, ""
	case "mine":
		f.ByID, l.By = viewer, ""
	default:
		l.View, f.ByID = "", l.By
	}
	page, err := p.Comments.List(ctx, f)
	if err != nil {
		return err
	}
	l.Next = page.Next
	if l.Items, err = hidden.Without(p.Guard, c, page.Items, func(one comment.Comment) string {
		return one.Case.ID
	}); err != nil {
		return err
	}
	people, err := p.Accounts.List(ctx)
	if err != nil {
		return err
	}
	l.People = []ui.Option{{Value: "", Label: "Anyone"}}
	for _, a := range people {
		if a.Has(account.Supervisor) || a.ID == l.By {
			l.People = append(l.People, ui.Option{Value: a.ID, Label: a.Name})
		}
	}
	if l.Agents, err = p.AgentOptions(ctx, "All agents"); err != nil {
		return err
	}
	return render.Page(c, nil,
		comments.ListPage(p.Frame(c, "Comments").At("/comments").Broad().Follow("comments"), l))
}

// CommentPeople are those whom a comment can mean, for the script that offers names.
func (p *Pages) CommentPeople(c echo.Context) error {
	list, err := p.Accounts.List(c.Request().Context())
	if err != nil {
		return err
	}
	names := map[string]int{}
	var out []comments.Offer
	for _, a := range list {
		if a.Has(account.Supervisor) && !a.Disabled {
			names[strings.ToLower(a.Name)]++
			out = append(out, comments.Offer{Name: a.Name, Email: a.Email})
		}
	}
	for i := range out {
		if out[i].Insert = out[i].Name; names[strings.ToLower(out[i].Name)] > 1 {
			out[i].Insert = out[i].Email
		}
	}
	return render.Fragment(c, nil, comments.People(out))
}
