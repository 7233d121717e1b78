package browsertest

import (
	"strings"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/account"
	"preceptor/internal/comment"
	"preceptor/internal/review"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/views/comments"
	"preceptor/views/layout"
	"preceptor/views/reviews"
	"preceptor/views/ui"
)

func peopleSamples() []Sample {
	return []Sample{
		{"case-comments", "Case with comments", caseIn(func(v *reviews.Case) {
			v.Comments = comments.Block(sampleTalk(Plain(v.Now)))
		})},
		{"case-comments-none", "Case without a comment", caseIn(func(v *reviews.Case) {
			v.Comments = comments.Block(comments.Talk{CaseID: "i1", Viewer: me, Now: v.Now,
				Form: comments.Form{Key: "k"}})
		})},
		{"case-comments-unclear", "Case, a comment asks who is meant",
			caseIn(func(v *reviews.Case) { v.Comments = comments.Block(unclearTalk(Plain(v.Now))) })},
		{"comments", "Comments", func(f layout.Frame, w Words) templ.Component {
			return comments.ListPage(f, sampleComments(w))
		}},
		{"comments-empty", "Comments, none mention me", func(f layout.Frame, w Words) templ.Component {
			return comments.ListPage(f,
				comments.List{View: "mentions", Viewer: me, Now: w.Now, Agents: agentOptions(w)})
		}},
		{"comments-filtered", "Comments, the filter matches none", func(f layout.Frame, w Words) templ.Component {
			return comments.ListPage(f,
				comments.List{By: other, Case: "i1", Viewer: me, Now: w.Now, Agents: agentOptions(w),
					People: personOptions(w)})
		}},
		{"comment-again", "Comment that can't be posted yet, without a script",
			func(f layout.Frame, w Words) templ.Component {
				return comments.AgainPage(f, unclearTalk(w))
			}},
		{"comment-one", "One comment", func(f layout.Frame, w Words) templ.Component {
			return comments.OnePage(f, oneComment(w, false))
		}},
		{"comment-change", "One comment, changing it", func(f layout.Frame, w Words) templ.Component {
			v := oneComment(w, true)
			v.Form.Error, v.Form.Message = "This is 4,012 characters long; the limit is 4,000. Shorten it.",
				"The comment is too long."
			return comments.OnePage(f, v)
		}},
		{"comment-conflict", "One comment, changed meanwhile", func(f layout.Frame, w Words) templ.Component {
			v := oneComment(w, false)
			v.Form.Message = "This comment has changed since you opened it. Reload to see the latest version."
			return comments.OnePage(f, v)
		}},
		{"inbox", "Inbox", func(f layout.Frame, w Words) templ.Component {
			f.Unread = 7
			return comments.InboxPage(f, sampleInbox(w))
		}},
		{"inbox-all", "Inbox, with what was read", func(f layout.Frame, w Words) templ.Component {
			v := sampleInbox(w)
			v.Only, v.Next = false, "c2"
			for i := range v.Items {
				v.Items[i].Read = i > 2
			}
			f.Unread, v.Unread = 3, 3
			return comments.InboxPage(f, v)
		}},
		{"inbox-empty", "Inbox, everything read", func(f layout.Frame, w Words) templ.Component {
			return comments.InboxPage(f, comments.Inbox{Only: true, Now: w.Now, Until: w.Now, Links: true})
		}},
		{"progress", "Progress, my own", func(f layout.Frame, w Words) templ.Component {
			return reviews.ProgressPage(f, sampleProgress(w, false))
		}},
		{"progress-all", "Progress, everybody's", func(f layout.Frame, w Words) templ.Component {
			return reviews.ProgressPage(f, sampleProgress(w, true))
		}},
		{"progress-none", "Progress of somebody who decides nothing", func(f layout.Frame, w Words) templ.Component {
			return reviews.ProgressPage(f, reviews.ProgressView{Since: review.Week(w.Now)})
		}},
		{"teams", "Teams", func(f layout.Frame, w Words) templ.Component { return admin.Teams(f, sampleTeams(w)) }},
		{"teams-empty", "Teams, none, with an error", func(f layout.Frame, w Words) templ.Component {
			return admin.Teams(f, admin.TeamsView{Name: w.Name,
				Errors: accounts.Errors{"name": "Another team has this name."}})
		}},
	}
}

func said(w Words, id, by, name, text string, ago time.Duration) comment.Comment {
	c := comment.Comment{ID: id, Case: comment.Case{ID: "i1", AgentID: "a1", AgentName: w.Agent, Task: "db_transfer"},
		By: comment.Person{ID: by, Name: name},
		At: w.Now.Add(-ago), Version: 1, Text: text}
	if at := strings.Index(text, "@Ann Archer"); at >= 0 {
		c.Mentions = []comment.Mention{{Start: at, End: at + len("@Ann Archer"), Person: comment.Person{ID: me}}}
	}
	return c
}

func sampleTalk(w Words) comments.Talk {
	first := said(w, "m1", other, "Ben Carter",
		w.Reason+"\n@Ann Archer, you had a case like it: /reviews/01900000-0000-7000-8000-000000000000", 3*time.Hour)
	changed := said(w, "m2", me, "Ann Archer", w.Feedback, 8*time.Minute)
	changed.Version, changed.EditedAt = 2, w.Now.Add(-5*time.Minute)
	changed.Earlier = []comment.Version{{Number: 1, Text: w.Goal, At: w.Now.Add(-8 * time.Minute)}}
	gone := said(w, "m3", "p3", w.Name, w.Question, time.Hour)
	gone.WithdrawnAt = w.Now.Add(-50 * time.Minute)
	erased := said(w, "m4", other, "Ben Carter", "", 40*time.Minute)
	erased.Erased = true
	return comments.Talk{CaseID: "i1", Items: []comment.Comment{first, gone, erased, changed}, More: true, Viewer: me,
		Now: w.Now, Form: comments.Form{Key: "k"}}
}

func unclearTalk(w Words) comments.Talk {
	t := sampleTalk(w)
	t.Form = comments.Form{Key: "k", Text: "@Carter and @moneyhelper: " + w.Reason,
		Message: "Choose who you mean. Your comment hasn't been posted yet.", Unclear: []comment.Unclear{
			{Word: "Carter", Key: "carter",
				Who: []comment.Person{{ID: "p2", Name: "Ben Carter", Email: "ben@example.org"},
					{ID: "p3", Name: w.Name, Email: "carter@example.org"}}},
			{Word: "moneyhelper", Key: "moneyhelper"},
		}}
	return t
}

func agentOptions(w Words) []ui.Option {
	return []ui.Option{{Value: "", Label: "All agents"}, {Value: "a1", Label: w.Agent}}
}

func personOptions(w Words) []ui.Option {
	return []ui.Option{{Value: "", Label: "Anyone"}, {Value: me, Label: "Ann Archer"}, {Value: other, Label: w.Name}}
}

func sampleComments(w Words) comments.List {
	t := sampleTalk(w)
	return comments.List{Items: t.Items, People: personOptions(w), Agents: agentOptions(w), Next: "c2", Viewer: me,
		Now: w.Now}
}

func oneComment(w Words, editing bool) comments.One {
	t := sampleTalk(w)
	c := t.Items[3]
	return comments.One{Comment: &c, Viewer: me, Now: w.Now, Editing: editing,
		Form: comments.Form{Version: 2, Text: map[bool]string{true: c.Text}[editing]}}
}

func sampleInbox(w Words) comments.Inbox {
	ben := comment.Person{ID: other, Name: "Ben Carter"}
	v := comments.Inbox{Only: true, Unread: 9, Now: w.Now, Until: w.Now, Links: true}
	for i, n := range []comment.Notice{
		{Kind: comment.Mentioned, By: ben, ObjectID: "m1", Excerpt: w.Reason}, {Kind: comment.Second, N: 3, By: ben},
		{Kind: comment.Overdue, N: 4},
		{Kind: comment.Assigned, By: comment.Person{ID: "p3", Name: w.Name}},
		{Kind: comment.TeamAssigned, N: 12, By: ben}, {Kind: comment.Overruled, By: ben},
		{Kind: comment.Stopped, By: ben},
		{Kind: comment.Recalled, By: ben}, {Kind: comment.Planted}, {Kind: comment.Quarantined, ObjectID: "r1"},
		{Kind: comment.Contradiction, N: 3}, {Kind: comment.Proposal, By: ben},
		{Kind: comment.Refused, By: ben, ObjectID: "c1"},
	} {
		n.ID, n.CaseID, n.Task, n.At = "n"+string(rune('a'+i)), "i1", "db_transfer",
			w.Now.Add(-time.Duration(i*i+1)*17*time.Minute)
		v.Items = append(v.Items, n)
	}
	return v
}

func sampleProgress(w Words, lead bool) reviews.ProgressView {
	mine := reviews.PersonProgress{Name: "Ann Archer",
		Progress: review.Progress{Today: 14, Week: 61, Given: 9, Seconded: 6, Approved: 38, Revised: 12, Rejected: 4,
			Returned: 1, Waiting: 5, Skipped: 2, Signed: 3, Second: 4}}
	v := reviews.ProgressView{Mine: &mine,
		Teams: []reviews.TeamProgress{{Name: "Transfers", Waiting: 7}, {Name: w.Name, Waiting: 1}},
		Since: review.Week(w.Now)}
	if lead {
		v.Mine, v.Teams, v.Lead = nil, nil, true
		v.People = []reviews.PersonProgress{mine,
			{Name: w.Name, Progress: review.Progress{Today: 3, Week: 1204, Approved: 1200, Revised: 4}},
			{Name: "Zoë", Disabled: true, Progress: review.Progress{Waiting: 2}}}
	}
	return v
}

func sampleTeams(w Words) admin.TeamsView {
	v := admin.TeamsView{People: []account.Account{
		{ID: "p1", Name: "Ann Archer", Roles: []account.Role{account.Supervisor}},
		{ID: "p2", Name: w.Name, Roles: []account.Role{account.Expert}},
		{ID: "p3", Name: "Zoë", Roles: []account.Role{account.Supervisor}, Disabled: true},
	}}
	v.Teams = []account.Team{
		{ID: "t1", Name: "Transfers", Version: 2,
			Members: []account.Member{{ID: "p1", Name: "Ann Archer"}, {ID: "p3", Name: "Zoë", Disabled: true}}},
		{ID: "t2", Name: w.Name, Version: 1, Members: []account.Member{{ID: "p2", Name: w.Name}}},
	}
	return v
}
