package home

import (
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/comment"
	"preceptor/internal/review"
	"preceptor/views/comments"
	"preceptor/views/layout"
	"preceptor/views/ui"
	"preceptor/web/render"
	"preceptor/web/session"
)

// InboxList is what I should know. Following a notice does not mark it, because a GET changes nothing: the script does
// so beside it, and the button without one.
func (p *Pages) InboxList(c echo.Context, v comments.Inbox) error {
	a := session.Me(c)
	v.Only, v.Now, v.Until, v.Links, v.Admin = !v.All, p.Now(), p.Now(), a.Has(account.Supervisor), a.Has(account.Admin)
	v.Me = a.ID
	page, err := p.Comments.Notices(c.Request().Context(),
		comment.Inbox{Account: a.ID, Unread: v.Only, Cursor: v.Cursor})
	if err != nil {
		return err
	}
	v.Items, v.Next, v.Left = page.Items, page.Next, map[string]int{}
	for _, n := range page.Items {
		f, ok := Noticed[n.Kind]
		if f.Viewer = a.ID; n.N > 1 && ok {
			if v.Left[n.Kind], err = p.Reviews.Count(c.Request().Context(), f); err != nil {
				return err
			}
		}
	}
	if v.Unread, err = p.Comments.Unread(c.Request().Context(), a.ID); err != nil {
		return err
	}
	return render.Page(c, nil, comments.InboxPage(p.Frame(c, "Inbox").Follow(), v))
}

// Noticed are the lists of reviews that notices of several lead to, by kind. Where one has nothing left for a person,
// their notice is over.
var Noticed = map[string]review.Filter{
	comment.Assigned: {Assigned: review.ToMe}, comment.TeamAssigned: {Assigned: review.ToMyTeam},
	comment.Overdue: {Age: review.Late}, comment.Second: {Eyes: review.Once},
}

// InboxBell is the bell of the header alone.
func (p *Pages) InboxBell(c echo.Context) error {
	return render.Fragment(c, nil, layout.Bell(layout.Frame{Unread: p.Unread(c)}.Follow()))
}

// NoticeRead marks one notice of mine as read.
func (p *Pages) NoticeRead(c echo.Context, in comments.Inbox) error {
	if _, err := p.Comments.MarkRead(c.Request().Context(), c.Param("id"), session.Me(c).ID); err != nil {
		return err
	}
	return render.Redirect(c, ui.Address("/inbox", comments.Inbox{All: in.All}))
}

// NoticesRead marks as read all that was in my inbox when the page was made.
func (p *Pages) NoticesRead(c echo.Context, in struct {
	Until *int64 `form:"until"`
	All   bool   `form:"all"`
}) error {
	until := p.Now()
	if in.Until != nil {
		until = time.UnixMilli(*in.Until)
	}
	if _, err := p.Comments.MarkAllRead(c.Request().Context(), session.Me(c).ID, until); err != nil {
		return err
	}
	return render.Redirect(c, ui.Address("/inbox", comments.Inbox{All: in.All}))
}
