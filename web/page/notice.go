package page

import (
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/comment"
	"preceptor/views/comments"
	"preceptor/views/layout"
	"preceptor/web/render"
	"preceptor/web/session"
)

// InboxList is what I should know. Following a notice does not mark it, because a GET changes nothing: the script does so
// beside it, and the button without one.
func (p *Pages) InboxList(c echo.Context) error {
	a, _ := session.Current(c)
	v := comments.Inbox{Only: c.QueryParam("all") == "", Cursor: c.QueryParam("cursor"), Now: p.Now(), Links: a.Has(account.Supervisor)}
	v.Until = v.Now
	page, err := p.Comments.Notices(c.Request().Context(), comment.Inbox{Account: a.ID, Unread: v.Only, Cursor: v.Cursor})
	if err != nil {
		return err
	}
	v.Items, v.Next = page.Items, page.Next
	if v.Unread, err = p.Comments.Unread(c.Request().Context(), a.ID); err != nil {
		return err
	}
	f := p.frame(c, "Inbox")
	f.Topics = topicsOf()
	return render.Page(c, http.StatusOK, comments.InboxPage(f, v))
}

// InboxBell is the bell of the header alone.
func (p *Pages) InboxBell(c echo.Context) error {
	return render.Fragment(c, http.StatusOK, layout.Bell(layout.Frame{Unread: p.unread(c), Topics: topicsOf()}))
}

// NoticeRead marks one notice of mine as read.
func (p *Pages) NoticeRead(c echo.Context) error {
	if _, err := p.Comments.MarkRead(c.Request().Context(), c.Param("id"), me(c).ID); err != nil {
		return err
	}
	return render.Redirect(c, inbox(c))
}

// NoticesRead marks as read all that was in my inbox when the page was made.
func (p *Pages) NoticesRead(c echo.Context) error {
	until := p.Now()
	if ms, err := strconv.ParseInt(c.FormValue("until"), 10, 64); err == nil {
		until = time.UnixMilli(ms)
	}
	if _, err := p.Comments.MarkAllRead(c.Request().Context(), me(c).ID, until); err != nil {
		return err
	}
	return render.Redirect(c, inbox(c))
}

func inbox(c echo.Context) string {
	if c.FormValue("all") != "" {
		return "/inbox?all=1"
	}
	return "/inbox"
}

// unread counts my notices; no page fails for it.
func (p *Pages) unread(c echo.Context) int {
	n, err := p.Comments.Unread(c.Request().Context(), me(c).ID)
	if err != nil {
		p.Log.Warn("count notices", "error", err.Error())
	}
	return n
}

// own are the pages about oneself, for the account menu.
func own(a account.Account) []layout.Item {
	list := []layout.Item{{Label: "Inbox", Href: "/inbox"}, {Label: "Progress", Href: "/progress"}}
	list = append(list, layout.Item{Label: "Judge answers", Href: "/preferences"})
	if a.Has(account.Supervisor) {
		list = append(list, layout.Item{Label: "Comments", Href: "/comments"}, layout.Item{Label: "My figures", Href: "/stats/mine"})
	}
	return list
}
