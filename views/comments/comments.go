// Package comments draws what people tell each other: the comments on a case, the lists of comments, one comment with
// what it said before, and the inbox of notices.
//
// The block of a case is a region of its own: posting swaps it alone, so that nothing typed elsewhere on the page is lost.
// Its list follows the topic "comments"; the form doesn't, so that nobody's words are taken away while they type. Without
// a script the form posts and the browser comes back to the new comment.
//
// A comment is never trusted: it is escaped, keeps its line breaks, and only two things in it become links, both to this
// server: the address of a case as /reviews/…, and addresses of the host that the page came from.
package comments

import (
	"strconv"
	"strings"
	"time"

	"preceptor/internal/comment"
	"preceptor/internal/pack"
	"preceptor/views/ui"
)

// Talk is the comments on a case, with the form for another one.
type Talk struct {
	CaseID string
	Items  []comment.Comment // oldest first
	More   bool              // there are older ones
	Viewer string
	Now    time.Time
	Host   string // of the page's own address
	Form   Form
	Fresh  string // the comment that was just posted, which is focused
}

// Form is what somebody typed, and what is wrong with it.
type Form struct {
	Text    string `form:"text"`
	Key     string `form:"form_key"` // of this form, which counts once
	Version int    `form:"version"`  // of the comment that is changed; 0 for a new one
	Unclear []comment.Unclear
	Meant   map[string]string // what was answered before
	Error   string            // of the text
	Message string            // what is wrong as a whole
}

// List is a list of comments, newest first.
type List struct {
	Items  []comment.Comment
	View   string `form:"view"` // "", "mentions" or "mine"
	By     string `form:"by"`   // account
	Agent  string `form:"agent"`
	Case   string `form:"case"`
	People []ui.Option
	Agents []ui.Option
	Next   string // cursor
	Cursor string `form:"cursor"` // of this page
	Viewer string
	Now    time.Time
	Host   string
}

// One is a comment on its own page.
type One struct {
	Comment *comment.Comment
	Viewer  string
	Now     time.Time
	Host    string
	Editing bool
	Form    Form
}

// Inbox is one person's notices, newest first.
type Inbox struct {
	Items  []comment.Notice
	Unread int
	Only   bool // the unread ones
	Next   string
	Cursor string    `form:"cursor"`
	All    bool      `form:"all"` // the read ones, too
	Until  time.Time // when the page was made: what came later stays unread
	Now    time.Time
	Links  bool // may read the lists of comments
	Admin  bool // may open the page of a person
}

// view says how an item is shown.
type view struct {
	now     time.Time
	actions bool // its author may change and withdraw it here
	where   bool // its case is named
}

// Path is where a comment stands in its case.
func Path(c *comment.Comment) string { return "/reviews/" + c.Case.ID + "#comment-" + c.ID }

func (t Talk) count() string {
	if t.More {
		return "More than " + ui.Count(len(t.Items), "comment", "comments")
	}
	return ui.Count(len(t.Items), "comment", "comments")
}

func (t Talk) href(tail string) string { return "/reviews/" + t.CaseID + "/comments" + tail }

func (l List) href(view string) string {
	q := []string{}
	for _, p := range [][2]string{{"view", view}, {"by", l.By}, {"agent", l.Agent}, {"case", l.Case}} {
		if p[1] != "" && (p[0] != "by" || view == "") {
			q = append(q, p[0]+"="+p[1])
		}
	}
	if len(q) == 0 {
		return "/comments"
	}
	return "/comments?" + strings.Join(q, "&")
}

func (l List) next() string {
	if l.Next == "" {
		return ""
	}
	return with(l.href(l.View), "cursor", l.Next)
}

func (l List) first() string {
	if l.Cursor == "" {
		return ""
	}
	return l.href(l.View)
}

func with(href, name, value string) string {
	if strings.Contains(href, "?") {
		return href + "&" + name + "=" + value
	}
	return href + "?" + name + "=" + value
}

func (l List) narrowed() bool { return l.By != "" || l.Agent != "" || l.Case != "" }

// empty says why a list is empty and what fills it.
func (l List) empty() (title, text string) {
	switch {
	case l.narrowed():
		return "No comment matches the filter", "Remove a filter to see more."
	case l.View == "mentions":
		return "Nobody has mentioned you yet", "When a colleague writes @ and your name in a comment on a review, it is listed here and in your inbox."
	case l.View == "mine":
		return "You have not commented yet", "Open a review to write your first one."
	}
	return "No comments yet", "Comments on reviews are listed here, newest first. Open a review to write the first one."
}

func (i Inbox) href(only bool) string {
	if only {
		return "/inbox"
	}
	return "/inbox?all=1"
}

func (i Inbox) page(cursor string) string {
	if cursor == "" {
		return ""
	}
	return with(i.href(i.Only), "cursor", cursor)
}

func (i Inbox) first() string {
	if i.Cursor == "" {
		return ""
	}
	return i.href(i.Only)
}

// taskName is what a case is about, for a sentence.
func taskName(task string) string {
	if task == "" {
		return "a case"
	}
	return pack.Label(task)
}

// notice is a notice as a sentence, and where it leads.
func notice(n comment.Notice) (text, href string) {
	by, one := n.By.Name, n.N <= 1
	if by == "" {
		by = "Preceptor"
	}
	href = "/reviews/" + n.CaseID
	about, many := ": "+taskName(n.Task), strconv.Itoa(n.N)
	switch n.Kind {
	case comment.Mentioned:
		return by + " mentioned you in a comment" + about, href + "#comment-" + n.ObjectID
	case comment.Assigned:
		if one {
			return by + " assigned a review to you" + about, href
		}
		return many + " reviews were assigned to you, most recently by " + by, "/reviews?assigned=me"
	case comment.TeamAssigned:
		if one {
			return by + " assigned a review to your team" + about, href
		}
		return many + " reviews were assigned to your team, most recently by " + by, "/reviews?assigned=team"
	case comment.Overruled:
		return by + " decided differently on a review you had approved" + about, href
	case comment.Stopped:
		return by + " stopped your decision before it was sent" + about, href
	case comment.Recalled:
		return by + " recalled guidance you had released" + about, href
	case comment.Overdue:
		if one {
			return "A review passed its target" + about, href
		}
		return many + " reviews passed their target", "/reviews?age=late"
	case comment.Second:
		if one {
			return "A review needs a second approval" + about + ", first approved by " + by, href
		}
		return many + " reviews need a second approval, most recently approved by " + by, "/reviews?eyes=signed"
	case comment.Planted:
		if one {
			return "A review you decided on was a seeded check" + about, href
		}
		return many + " reviews you decided on were seeded checks", "/reviews/planted"
	case comment.Borderline:
		if one {
			return "A borderline case passed its target" + about, "/compliance/" + n.ObjectID
		}
		return many + " borderline cases passed their target", "/compliance"
	case comment.Quarantined:
		if one {
			return "A rule was quarantined: the advisor won't get it until an expert has reviewed it", "/knowledge/rules/" + n.ObjectID
		}
		return many + " rules were quarantined", "/knowledge/quarantine"
	case comment.Contradiction:
		if one {
			return "Two rules contradict each other; an expert must decide", "/knowledge/conflicts/" + n.ObjectID
		}
		return many + " pairs of rules contradict each other", "/knowledge/conflicts"
	case comment.ThresholdOn:
		return by + " asks to switch on a panel threshold; someone else must agree", "/compliance/judges/thresholds/" + n.ObjectID
	case comment.CheckOff:
		return by + " asks to switch off a critical check; someone else must agree", "/compliance/checks/" + n.ObjectID
	case comment.NoExpert:
		if one {
			return "No expert is left to decide a borderline case. Rule on it, or close it as unresolved", "/compliance/" + n.ObjectID
		}
		return "No expert is left to decide " + many + " borderline cases. Rule on each, or close it as unresolved", "/compliance"
	case comment.NoRuler:
		if one {
			return "A dataset item needs a ruling, but every expert has labelled it. Give one more person the expert role", "/datasets/" + n.ObjectID
		}
		return many + " dataset items need a ruling, but every expert has labelled them. Give one more person the expert role", "/datasets/" + n.ObjectID
	case comment.Fell:
		if n.Task == "" {
			return "Satisfaction fell", "/stats#fell"
		}
		return "Satisfaction fell" + about, "/stats#fell"
	case comment.Practised:
		return "Practice: " + n.Task + " met fewer needs of test customers than the night before", "/practice/" + n.ObjectID
	case comment.Asked:
		return by + " asks an expert to review rule " + n.Task, "/knowledge/rules/" + n.ObjectID
	case comment.Granted:
		return by + " gave a new role to " + n.Task + ". It takes effect after 24 hours; object now if it is wrong", "/admin/people/" + n.ObjectID
	case comment.LinkMade:
		return by + " created a password reset link for " + n.Task + ". Object now if nobody asked for it", "/admin/people/" + n.ObjectID
	case comment.Proposal:
		return by + " proposes a policy change; another administrator must agree", "/admin/policies"
	}
	return "There is news about a review" + about, href
}

// notice leads administrators to the person that a notice is about, and others to what it means.
func (i Inbox) notice(n comment.Notice) (text, href string) {
	text, href = notice(n)
	if !i.Admin && strings.HasPrefix(href, "/admin/people/") {
		href = "/help/people#new-roles"
	}
	return text, href
}

// noticeIcon is the sign of a kind.
func noticeIcon(kind string) string {
	switch kind {
	case comment.Mentioned:
		return "comment"
	case comment.Assigned, comment.TeamAssigned, comment.Second:
		return "person"
	case comment.Overruled, comment.Stopped, comment.Recalled:
		return "undo"
	case comment.Overdue, comment.Borderline:
		return "clock"
	}
	return "info"
}

// Offer is a person whom the script offers after an @.
type Offer struct {
	Name, Email string
	Insert      string // what means them and nobody else
}

const editFor = comment.EditFor

func itoa(n int) string { return strconv.Itoa(n) }
