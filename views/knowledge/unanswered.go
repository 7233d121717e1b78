package knowledge

import (
	"cmp"
	"strconv"
	"time"

	"preceptor/internal/knowledge/unanswered"
	"preceptor/internal/pack"
	brief "preceptor/internal/platform/text"
	"preceptor/views/layout"
	"preceptor/views/ui"
)

// UnansweredList is the groups of questions that nothing answers.
type UnansweredList struct {
	Agent     string `form:"agent"`
	Aside     bool   `form:"aside"`
	Cursor    string `form:"cursor"`
	Next      string // where the next page begins
	Agents    []ui.Option
	Names     map[string]string // of agents
	List      []unanswered.Group
	Totals    unanswered.Totals
	MaySettle bool
	Now       time.Time
}

func (v UnansweredList) href(aside bool, cursor string) string {
	return ui.Address(layout.TabUnanswered, UnansweredList{Agent: v.Agent, Aside: aside, Cursor: cursor})
}

// pages leads on, and says how many of the open groups stand on the first page.
func (v UnansweredList) pages() (p ui.Pages) {
	if v.Cursor != "" {
		p.First = v.href(v.Aside, "")
	} else if v.Next != "" && !v.Aside {
		p.Note = "The " + strconv.Itoa(len(v.List)) + " asked most often of " + strconv.Itoa(v.Totals.Groups)
	}
	if v.Next != "" {
		p.Next = v.href(v.Aside, v.Next)
	}
	return p
}

// UnansweredGroup is one of them with its questions.
type UnansweredGroup struct {
	Group     unanswered.Group
	AgentName string
	Questions []Asked
	MaySettle bool
	Reason    string
	Errors    map[string]string
	Now       time.Time
}

// Asked is a question with the address of its draft; "" for who has none.
type Asked struct {
	unanswered.Question
	Href string
}

// Section is a section of guidance being written.
type Section struct {
	Group   string `form:"group"` // for whose questions; "" for none
	Case    string `form:"case"`  // that is edited; "" for a new one
	Of      string `form:"of"`    // the case whose text it begins with; "" for none
	Version int    `form:"version"`
	Title   string `form:"title"`
	When    string `form:"when"`
	Text    string `form:"text"`
	For     string `form:"for"` // an agent's id, or ForPack and a pack's name
	Whose   []ui.Option
	// Questions are some of the group's, to read while writing; no field begins with customers' words.
	Questions []unanswered.Question
	Message   string
	Errors    map[string]string
}

// ForPack begins the value of a choice that stands for all agents of a pack.
const ForPack = "pack:"

// Unanswered says how much is open.
func Unanswered(t unanswered.Totals) string {
	return ui.Count(t.Questions, "question") + " in " + ui.Count(t.Groups, "group") +
		" that no section answers"
}

// called is a group by the words of its most central question.
func called(g unanswered.Group, most int) string { return brief.Opening(g.Question, most) }

func askedLine(g unanswered.Group, agent string, now time.Time) string {
	line := "Asked " + ui.Count(g.Asked, "time") + ", last " + ui.AgoSentence(g.LastAt, now)
	if g.Asked == 1 {
		line = "Asked once, " + ui.AgoSentence(g.LastAt, now)
	}
	if agent != "" {
		line += " · " + agent
	}
	return line + " · " + pack.Of(g.Pack).Title
}

func (v Section) back() string {
	switch {
	case v.Case+v.Of != "":
		return "/knowledge/cases/" + cmp.Or(v.Case, v.Of)
	case v.Group != "":
		return layout.TabUnanswered + "/" + v.Group
	}
	return layout.TabUnanswered
}
