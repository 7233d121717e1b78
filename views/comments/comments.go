// Package comments draws what people tell each other: the comments on a case, the lists of comments, one comment with
// what it said before, and the inbox of notices.
//
// The block of a case is a region of its own: posting swaps it alone, so that nothing typed elsewhere on the page is
// lost. Its list follows the topic "comments"; the form doesn't, so that nobody's words are taken away while they type.
// Without a script the form posts and the browser comes back to the new comment.
//
// A comment is never trusted: it is escaped, keeps its line breaks, and only two things in it become links, both to
// this server: the address of a case as /reviews/…, and addresses of the host that the page came from.
package comments

import (
	"cmp"
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
	Left   map[string]int // by kind: how many reviews the list behind several notices has now
	Links  bool           // may read the lists of comments
	Admin  bool           // may open the page of a person
	Me     string
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
		return "More than " + ui.Count(len(t.Items), "comment")
	}
	return ui.Count(len(t.Items), "comment")
}

func (t Talk) href(tail string) string { return "/reviews/" + t.CaseID + "/comments" + tail }

// href is the list of a view with the filters in force.
func (l List) href(view string) string {
	if view != "" {
		l.By = ""
	}
	return ui.Address("/comments", List{View: view, By: l.By, Agent: l.Agent, Case: l.Case})
}

func (l List) pages() ui.Pages {
	return ui.Around("/comments", List{View: l.View, By: l.By, Agent: l.Agent, Case: l.Case, Cursor: l.Cursor},
		func(l *List) *string { return &l.Cursor }, l.Next)
}

func (l List) narrowed() bool { return l.By != "" || l.Agent != "" || l.Case != "" }

// empty says why a list is empty and what fills it.
func (l List) empty() (title, text string) {
	switch {
	case l.narrowed():
		return "No comment matches the filter", "Remove a filter to see more."
	case l.View == "mentions":
		return "Nobody has mentioned you yet",
			"When a colleague writes @ and your name in a comment on a review, it is listed here and in your inbox."
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

func (i Inbox) pages() ui.Pages {
	return ui.Around("/inbox", Inbox{All: !i.Only, Cursor: i.Cursor}, func(i *Inbox) *string {
		return &i.Cursor
	}, i.Next)
}

// taskName is what a case is about, for a sentence.
func taskName(task string) string {
	if task == "" {
		return "a case"
	}
	return pack.Label(task)
}

// said is how notices of a kind read and where they lead; many is for one that stands for several, where that reads
// differently. In all of them {by} is who caused it, {about} what the review is about, {n} how many there are (of a
// list of reviews: that the list has now), {what} the notice's own words, {case} and {object} the ids.
type said struct {
	icon       string
	one, at    string
	many, list string
}

var notices = map[string]said{
	comment.Mentioned: {icon: "comment", one: "{by} mentioned you in a comment: {about}",
		at: "/reviews/{case}#comment-{object}"},
	comment.Assigned: {"person", "{by} assigned a review to you: {about}", "/reviews/{case}",
		"Reviews assigned to you: {n}", "/reviews?assigned=me"},
	comment.TeamAssigned: {"person", "{by} assigned a review to your team: {about}", "/reviews/{case}",
		"Reviews assigned to your team: {n}", "/reviews?assigned=team"},
	comment.Overruled: {icon: "undo", one: "{by} decided differently on a review you had approved: {about}",
		at: "/reviews/{case}"},
	comment.Stopped: {icon: "undo", one: "{by} stopped your decision before it was sent: {about}",
		at: "/reviews/{case}"},
	comment.Voided: {icon: "undo", one: "A decision you signed wasn't sent: {what}", at: "/reviews/{case}"},
	comment.Lapsed: {"undo", "{by}'s approval no longer counts; the review needs new approvals: {about}",
		"/reviews/{case}",
		"Approvals that no longer count: {n}; their reviews need new ones", "/reviews"},
	comment.Recalled: {icon: "undo", one: "{by} recalled guidance you had sent: {about}", at: "/reviews/{case}"},
	comment.Overdue: {"clock", "A review passed its target: {about}", "/reviews/{case}",
		"Reviews past their target: {n}", "/reviews?age=late"},
	comment.Second: {"person", "A review needs a second approval: {about}, first approved by {by}", "/reviews/{case}",
		"Reviews that need your second approval: {n}; most recently approved by {by}", "/reviews?eyes=signed"},
	comment.Planted: {"", "A review you decided on was a seeded check: {about}", "/reviews/{case}",
		"Reviews you decided on were seeded checks", "/reviews/planted"},
	comment.Borderline: {"clock", "A borderline case passed its target: {about}", "/compliance/{object}",
		"Borderline cases passed their target", "/compliance?list=overdue"},
	comment.CaseMention: {icon: "comment", one: "{by} mentioned you in a comment on a borderline case: {about}",
		at: "/compliance/{object}"},
	comment.CaseComment: {"comment", "{by} commented on a borderline case you worked on: {about}",
		"/compliance/{object}",
		"Comments on borderline cases you worked on: {n}; most recently by {by}", "/compliance/{object}"},
	comment.CaseRuled: {icon: "check", one: "{by} adjudicated a borderline case you answered: {about}",
		at: "/compliance/{object}"},
	comment.CaseBack: {icon: "check", one: "The experts are done with a review you sent them: {about}",
		at: "/reviews/{case}"},
	comment.Quarantined: {"", "A rule was quarantined: the advisor won't get it until an expert has reviewed it",
		"/knowledge/rules/{object}",
		"Rules were quarantined", "/knowledge/quarantine"},
	comment.Contradiction: {"", "Rules or texts contradict each other; an expert must decide",
		"/knowledge/conflicts/{object}",
		"Rules contradict each other; an expert must decide", "/knowledge/conflicts"},
	comment.NoExpert: {"", "No expert is left to decide a borderline case. Rule on it, or close it as unresolved",
		"/compliance/{object}",
		"No expert is left to decide some borderline cases. Rule on each, or close it as unresolved", "/compliance"},
	comment.NoRuler: {one: "A dataset has items that need your ruling, because every expert has labelled them",
		at: "/datasets/{object}/adjudicate"},
	comment.NoBackup: {one: "A scheduled backup failed or is late", at: "/admin/backup"},
	comment.Fell:     {one: "Satisfaction fell{on}", at: "/stats#fell"},
	comment.Practised: {one: "Practice: {what} met fewer needs of test customers than the night before",
		at: "/practice/{object}"},
	comment.TrialEnded: {icon: "chart", one: "An experiment ended: {what}", at: "/experiments/{object}"},
	comment.Asked:      {one: "{by} asks an expert to review rule {what}", at: "/knowledge/rules/{object}"},
	comment.Answered: {icon: "check", one: "{by} decided on a rule you asked experts to review: {what}",
		at: "/knowledge/rules/{object}"},
	comment.Granted: {
		one: "{by} gave a new role to {what}. It takes effect after 24 hours; object now if it is wrong",
		at:  "/admin/people/{object}"},
	comment.LinkMade: {one: "{by} created a password reset link for {what}. Object now if nobody asked for it",
		at: "/admin/people/{object}"},
	comment.Readdressed: {icon: "person", one: "{by} changed the e-mail address you sign in with to {what}",
		at: "/account"},
	comment.Agreed: {icon: "check", one: "{by} agreed to your change and it is in force{on}",
		at: "/approvals/{object}"},
	comment.Refused: {icon: "undo", one: "{by} refused your change{on}", at: "/approvals/{object}"},
	comment.SwitchedOff: {icon: "undo", one: "{by} switched off what you had switched on{on}",
		at: "/compliance/judges/thresholds/{object}"},
	comment.Proposal: {one: "{by} proposes a change and someone else must agree{on}", at: "/approvals"},
}

// notice is a notice as a sentence, and where it leads.
func notice(n comment.Notice, left map[string]int) (text, href string) {
	kind, ok := notices[n.Kind]
	if !ok {
		kind = said{one: "There is news about a review: {about}", at: "/reviews/{case}"}
	}
	text, href = kind.one, kind.at
	if n.N > 1 && kind.many != "" {
		text, href = kind.many, kind.list
	}
	count, on := n.N, ""
	if now, ok := left[n.Kind]; ok {
		count = now
	}
	if n.Task != "" {
		on = ": " + pack.Label(n.Task)
	}
	fill := strings.NewReplacer("{by}", cmp.Or(n.By.Name, "Preceptor"), "{about}", taskName(n.Task), "{n}",
		strconv.Itoa(count), "{what}", n.Task, "{on}", on,
		"{case}", n.CaseID, "{object}", n.ObjectID)
	return fill.Replace(text), fill.Replace(href)
}

// notice leads administrators to the person that a notice is about, and others to what it means.
func (i Inbox) notice(n comment.Notice) (text, href string) {
	text, href = notice(n, i.Left)
	if n.Kind == comment.Granted && n.ObjectID == i.Me {
		by := cmp.Or(n.By.Name, "Preceptor")
		return by + " gave you a new role. It takes effect after 24 hours; until then you can't do its work",
			"/help/people#new-roles"
	}
	if !i.Admin && strings.HasPrefix(href, "/admin/people/") {
		href = "/help/people#new-roles"
	}
	return text, href
}

// noticeIcon is the sign of a kind.
func noticeIcon(kind string) string { return cmp.Or(notices[kind].icon, "info") }

// Offer is a person whom the script offers after an @.
type Offer struct {
	Name, Email string
	Insert      string // what means them and nobody else
}

const editFor = comment.EditFor
