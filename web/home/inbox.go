package home

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/comment"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
	"preceptor/views/accounts"
	"preceptor/views/approvals"
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

// ApprovalList is what waits for a second person.
func (p *Pages) ApprovalList(c echo.Context) error { return p.approvalsPage(c, "", nil) }

// ApprovalShow leads to where all of a change is shown.
func (p *Pages) ApprovalShow(c echo.Context) error {
	w, err := p.Approvals.Of(c.Request().Context(), c.Param("id"), "")
	if err != nil {
		return err
	}
	return render.Redirect(c, cmp.Or(w.Href, "/approvals"))
}

// ApprovalMoved leads from where one kind of change was answered to where all are.
func (p *Pages) ApprovalMoved(c echo.Context) error { return render.Redirect(c, "/approvals") }

func (p *Pages) approvalsPage(c echo.Context, typed string, wrong error) error {
	ctx := c.Request().Context()
	list, err := p.Approvals.Waiting(ctx, session.Me(c).ID)
	if err != nil {
		return err
	}
	for i, w := range list {
		votes, err := p.Stats.RuleVotes(ctx, w.Rules...)
		if err != nil {
			return err
		}
		for _, c := range votes {
			if c.Suspect {
				list[i].Lines = append(list[i].Lines,
					"Users like answers made with "+c.Name+" significantly less. Its page has the votes.")
			}
		}
	}
	v := approvals.List{Items: list, Acted: c.Param("id"), Typed: typed, Errors: accounts.ErrorsOf(wrong)}
	if wrong != nil && !slices.ContainsFunc(list, func(w approval.Waiting) bool { return w.ID == v.Acted }) {
		return wrong // somebody was first, and it isn't on the page any more
	}
	if v.Agents, _, err = p.AgentNames(ctx); err != nil {
		return err
	}
	return render.Page(c, wrong,
		approvals.Page(p.Frame(c, "Waiting for a second person").Follow("approvals"), v), fault.Denied)
}

// ApprovalAnswer puts a change into force, ends somebody else's, or takes one's own back.
func (p *Pages) ApprovalAnswer(c echo.Context, in struct {
	Why string `form:"refusal"`
}) error {
	act, line := p.Approvals.Agree, "Agreed. It is in force now."
	switch c.Param("answer") {
	case "refuse":
		line, act = "Refused. Nothing changes.",
			func(ctx context.Context, id string, by audit.Actor) (approval.Change, error) {
				return p.Approvals.Refuse(ctx, id, in.Why, by)
			}
	case "withdraw":
		act, line = p.Approvals.Withdraw, "Withdrawn. Nothing changes."
	case "agree":
	default:
		return fault.New(fault.NotFound, "A change is agreed to, refused or withdrawn.")
	}
	change, err := act(c.Request().Context(), c.Param("id"), session.Actor(c))
	if err != nil {
		return p.approvalsPage(c, in.Why, err)
	}
	w, err := p.Approvals.Of(c.Request().Context(), change.ID, "")
	if err != nil {
		return err
	}
	return render.Done(c, cmp.Or(w.Href, "/approvals"), line)
}
