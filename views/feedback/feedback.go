// Package feedback draws what customers see of Preceptor and what staff see of customers' opinions: the page behind a
// signed link, the small page inside the widget, the list of comments, the page of one answer with its votes and
// outcomes, and the chat with an agent whose answers nobody reviews.
//
// The pages for customers stand alone: no navigation, no htmx, no name that means nothing to them, one sheet. They say
// who reads what is written, they work without a script, and everything but the first question may be left out.
package feedback

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"preceptor/internal/feedback"
	"preceptor/internal/feedback/chat"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/static"
	"preceptor/views/ui"
)

func asset(name string) string { return static.Path(name) }

// Form is what a customer says, as they typed it.
type Form struct {
	Vote       string            `form:"vote"`       // "1", "-1" or ""
	Rating     string            `form:"rating"`     // "0" to "10" or ""
	Understood string            `form:"understood"` // yes, partly, no or ""
	Goals      string            `form:"goals"`      // the same
	Comment    string            `form:"comment"`
	Errors     map[string]string // by field: vote, rating, understood, goals, comment
	Message    string            // what is wrong as a whole
}

// Public is an answer before the customer who got it.
type Public struct {
	Path            string    // of the page
	Theme           string    // light, dark, or "" as the browser likes it
	At              time.Time // of the question
	Query, Response string    // "" where they are not to be shown
	Form            Form
	Had             bool // an opinion is stored
	Saved           bool // it was stored a moment ago
	AskOutcome      bool // how it went was not said yet
	Until           time.Time
	Origins         []string         // sites that may show the widget
	Pair            *preference.Task // two answers, of which the user chooses one; nil: one to judge
}

// Action is where the page's forms go.
func (v Public) Action(query ...string) string {
	q := url.Values{}
	if v.Theme != "" {
		q.Set("theme", v.Theme)
	}
	for i := 0; i+1 < len(query); i += 2 {
		q.Set(query[i], query[i+1])
	}
	if len(q) == 0 {
		return v.Path
	}
	return v.Path + "?" + q.Encode()
}

// title says first that something is wrong, where something is: it is what a screen reader begins with.
func (v Public) title(title string) string {
	if v.Form.Message != "" {
		return v.Form.Message + " " + title
	}
	return title
}

// Closed is a link that does not open.
type Closed struct {
	Title, Text, Theme string
	Widget             bool
	Origins            []string
}

func day(t time.Time) string { return t.Local().Format("2 January 2006") }

var (
	thumbs = []ui.Option{{Value: "1", Label: "Yes", Key: "thumb-up"}, {Value: "-1", Label: "No", Key: "thumb-down"}}
	degree = []ui.Option{{Value: "yes", Label: "Yes"}, {Value: "partly", Label: "Partly"}, {Value: "no", Label: "No"},
		{Value: "", Label: "No answer"}}
	scale = func() []ui.Option {
		var out []ui.Option
		for n := range 11 {
			out = append(out, ui.Option{Value: strconv.Itoa(n), Label: strconv.Itoa(n)})
		}
		return append(out, ui.Option{Value: "", Label: "No answer"})
	}()
)

// Opinion is what a vote says, in words.
func Opinion(v feedback.Vote) string {
	switch {
	case v.Kind == feedback.Rating:
		return strconv.FormatFloat(v.Value, 'f', -1, 64) + " of 10"
	case v.Value > 0:
		return "helpful"
	case v.Value < 0:
		return "not helpful"
	}
	return "withdrawn"
}

func opinionTone(v feedback.Vote) (ui.Tone, string) {
	switch feedback.Sign(v.Norm) {
	case feedback.Positive:
		return ui.Green, "thumb-up"
	case feedback.Negative:
		return ui.Red, "thumb-down"
	}
	return ui.Neutral, "question"
}

var channels = map[string]string{feedback.ChannelAPI: "through the API", feedback.ChannelWidget: "in the widget",
	feedback.ChannelLink: "through a link",
	feedback.ChannelChat: "in the chat", feedback.ChannelDesk: "followed up by a supervisor"}

// List is what users wrote.
type List struct {
	Filter  feedback.CommentFilter
	From    string            `form:"from"` // as typed
	To      string            `form:"to"`
	Wrong   map[string]string // what of the address can't be read, by its name: from, to, sign, cursor
	Agents  []string
	Topics  []string
	Page    feedback.CommentPage
	MayOpen bool
	Now     time.Time
}

// Href is the list with its filters at another cursor.
func (v List) Href(cursor string) string {
	v.Filter.Cursor = cursor
	return ui.Address("/feedback", v.Filter, v)
}

func (v List) filtered() bool { return v.Href("") != "/feedback" }

// unread is what is wrong with an address, each with what is shown in its place.
type unread struct{ name, label, instead string }

var (
	unreadDays   = []unread{{"from", "From: ", "Showing all dates."}, {"to", "To: ", "Showing all dates."}}
	unreadSign   = unread{"sign", "Opinion: ", "Showing all opinions."}
	unreadState  = unread{"state", "State: ", "Showing all states."}
	unreadCursor = unread{"cursor", "", "This is the first page."}
)

// saidOf are the sentences about what is wrong, and then, each once, what is shown instead.
func saidOf(wrong map[string]string, list ...unread) (lines []string) {
	var instead []string
	for _, u := range list {
		if wrong[u.name] == "" {
			continue
		}
		lines = append(lines, u.label+wrong[u.name])
		if !slices.Contains(instead, u.instead) {
			instead = append(instead, u.instead)
		}
	}
	return append(lines, instead...)
}

func names(all string, list []string, chosen string) []ui.Option {
	out := []ui.Option{{Value: "", Label: all}}
	found := chosen == ""
	for _, name := range list {
		out = append(out, ui.Option{Value: name, Label: name})
		found = found || name == chosen
	}
	if !found {
		out = append(out, ui.Option{Value: chosen, Label: chosen})
	}
	return out
}

var signs = []ui.Option{{Value: "", Label: "All opinions"}, {Value: feedback.Positive, Label: "Positive"},
	{Value: feedback.Negative, Label: "Negative"}, {Value: feedback.Neutral, Label: "Neutral"}}

// One is one answer with what was said of it.
type One struct {
	Subject  feedback.Subject
	MayRead  bool // the texts
	Votes    []feedback.Vote
	Outcomes []feedback.Outcome
	Follow   *FollowUp // nil: not this viewer's to fill in
	Maker    *Maker    // nil: no link can be made
	Case     string    // address of the case, for those who may open it
	List     bool      // the viewer may see the list of comments
	People   map[string]string
	Now      time.Time
	Shown    []knowledge.UsedItem // rules and cases that the agent was shown
	Examples []feedback.Exemplar  // the same of exemplars
}

// FollowUp is a supervisor's account of how it went, as it was typed.
type FollowUp struct {
	Satisfaction  string `form:"satisfaction"`
	Comprehension string `form:"comprehension"`
	GoalAlignment string `form:"goal_alignment"`
	Issues        string `form:"issues"`    // one a line
	GoalsMet      string `form:"goals_met"` // yes, no or "", and so are the next three
	Checked       string `form:"understanding_checked"`
	Signposted    string `form:"signposted"`
	Warned        string `form:"db_warning_given"`
	HasDB         bool   // the customer has a defined benefit pension, so the warning matters
	Errors        map[string]string
	Message       string
}

// Maker is the form that makes a link.
type Maker struct {
	User   string `form:"user_id"`
	Days   string `form:"days"`
	Bare   bool   `form:"bare"`
	Errors map[string]string
	Link   string // that was made, shown once
	Until  time.Time
}

var lives = []ui.Option{{Value: "1", Label: "a day"}, {Value: "7", Label: "a week"}, {Value: "14", Label: "two weeks"},
	{Value: "30", Label: "30 days"}, {Value: "90", Label: "90 days"}}

var known = []ui.Option{{Value: "yes", Label: "Yes"}, {Value: "no", Label: "No"}, {Value: "", Label: "Not known"}}

func threeWay(b *bool) string {
	switch {
	case b == nil:
		return "not known"
	case *b:
		return "yes"
	}
	return "no"
}

func score(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) + " of 10" }

// by is who said how it went: a colleague by name, a customer by the id under which the agent knows them.
func (v One) by(o feedback.Outcome) string {
	if name := v.People[o.By]; name != "" {
		return name
	}
	if o.By == "" {
		return nobody
	}
	return o.By
}

// nobody stands where a user had an id that was erased, or sent none.
const nobody = "Anonymous user"

// voter is who voted; an erased one has the vote's own id.
func voter(vote feedback.Vote) string {
	if vote.UserID == "" || vote.UserID == vote.ID {
		return nobody
	}
	return vote.UserID
}

// Chat is a talk with an agent.
type Chat struct {
	Agent    string
	Path     string
	Session  string `form:"session"`
	Turns    []chat.Turn
	By       string // who answers, as "embedded advisor"
	Question string `form:"question"` // as typed
	Key      string `form:"key"`      // of the form by which a conversation begins
	Error    string
	Message  string
	Now      time.Time
}

// ChatPath is the address of the talk with an agent.
func ChatPath(agent string) string { return "/chat/" + url.PathEscape(agent) }

func pressed(t chat.Turn, value float64) string {
	return strconv.FormatBool(t.Vote != nil && t.Vote.Kind == feedback.Thumbs && t.Vote.Value == value)
}

func about(agentType, topic string) string {
	if topic == "" {
		return agentType
	}
	return agentType + ", " + topicWords(topic)
}

// topicWords is a topic as people read it: ours by their names, an agent's own with a capital and no underscores.
func topicWords(topic string) string {
	if topic == feedback.NoTopic {
		return "No topic"
	}
	return pack.Label(topic)
}

// topicOptions are topics to choose from, by their words.
func topicOptions(list []string, chosen string) []ui.Option {
	out := names("All topics", list, chosen)
	for i := range out[1:] {
		out[i+1].Label = topicWords(out[i+1].Value)
	}
	slices.SortStableFunc(out[1:], func(a, b ui.Option) int { return cmp.Compare(a.Label, b.Label) })
	return out
}

func lookedBack(t time.Time) string { return fmt.Sprintf("Searched back to %s.", day(t)) }
