package stats

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/review"
	"preceptor/internal/review/planted"
	"preceptor/views/layout"
	"preceptor/views/ui"
)

// Library is the list of known-bad drafts.
type Library struct {
	Drafts []planted.Draft
	Now    time.Time
}

// PlantedForm is one draft of the library, to be read or changed.
type PlantedForm struct {
	Domains []ui.Tab      // to choose the agents' domain from
	Draft   planted.Draft // ID is empty for a new one
	Fields  PlantedFields
	Error   string
	Errors  map[string]string
	Now     time.Time
}

// PlantedFields is what is typed for a draft of one's own.
type PlantedFields struct {
	Pack       string `form:"pack"`
	Title      string `form:"title"`
	Task       string `form:"task"`
	Problem    string `form:"problem"`
	Expected   string `form:"expected"`
	What       string `form:"what"`
	Question   string `form:"question"`
	Age        string `form:"age"`
	Literacy   string `form:"literacy"`
	Goal       string `form:"goal"`
	DB         string `form:"db"`
	DC         string `form:"dc"`
	Features   string `form:"features"`
	Extra      string `form:"extra"`
	Vulnerable bool   `form:"vulnerable"`
	State      bool   `form:"state"`
	Guidance   string `form:"guidance"`
	Reasoning  string `form:"reasoning"`
	Absent     string `form:"absent"`
	Present    string `form:"present"`
	Version    int    `form:"version"`
}

// Results is what became of the seeded checks.
type Results struct {
	planted.Page
	Cursor string `form:"cursor"`
	Mine   bool   // my own, else everybody's
	Now    time.Time
}

// FieldsOf is a draft as its form shows it.
func FieldsOf(d planted.Draft) PlantedFields {
	f := PlantedFields{Pack: d.Customer.Pack, Title: d.Title, Task: d.Task, Problem: d.Problem, Expected: d.Expected,
		What: d.What, Question: d.Question, Literacy: d.Customer.Literacy,
		Goal: d.Customer.Goal, Vulnerable: d.Customer.Vulnerable, Age: span(d.Customer.Age), Guidance: d.Guidance,
		Reasoning: d.Reasoning,
		Absent:    strings.Join(d.Absent, "\n"), Present: strings.Join(d.Present, "\n")}
	for _, p := range d.Customer.Pensions {
		switch p.Kind {
		case "db":
			f.DB = span(p.Value)
		case "dc":
			f.DC = span(p.Value)
		case "state":
			f.State = true
		}
		if len(p.Features) > 0 {
			f.Features = strings.Join(p.Features, ", ")
		}
	}
	return f
}

// span writes a range as it is typed: "54" or "54-61".
func span(r planted.Range) string {
	switch {
	case r == planted.Range{}:
		return ""
	case r[0] == r[1]:
		return strconv.Itoa(r[0])
	}
	return strconv.Itoa(r[0]) + "-" + strconv.Itoa(r[1])
}

var expectations = []ui.Option{
	{Value: planted.Revise, Label: "revise it",
		Hint: "Any revision without the problem counts as caught; so does rejecting it or sending it back."},
	{Value: planted.Reject, Label: "reject it"}, {Value: planted.Return, Label: "send it back"},
}

var expectedWords = map[string]string{planted.Revise: "revise", planted.Reject: "reject", planted.Return: "send back"}

// problemOptions are the reasons of the form's pack, and the draft's own where that is another pack's.
func (v PlantedForm) problemOptions(f layout.Frame) []ui.Option {
	out := []ui.Option{{Value: "", Label: "choose"}}
	for _, r := range pack.Of(f.Pack).ReasonsWith(v.Draft.Problem) {
		if r.Code != pack.ReasonOther {
			out = append(out, ui.Option{Value: r.Code, Label: r.Label})
		}
	}
	return out
}

func taskOptions(f layout.Frame, current string) []ui.Option {
	return append([]ui.Option{{Value: "", Label: "choose"}}, f.Tasks(pack.General, current)...)
}

func drawnHint(f layout.Frame) string {
	if f.Pension() {
		return "{age}, {dc} and {db} stand for the drawn values; {dc:25} for 25% of the pot"
	}
	return "{age} stands for the drawn age"
}

var literacies = []ui.Option{{Value: "", Label: "not given"}, {Value: "low", Label: "low"},
	{Value: "medium", Label: "medium"}, {Value: "high", Label: "high"}}

// inUse counts the drafts that are mixed in.
func (v Library) inUse() (n int) {
	for _, d := range v.Drafts {
		if !d.Retired {
			n++
		}
	}
	return n
}

// bare are the domains of the desk's agents that no draft in use is for.
func (v Library) bare(f layout.Frame) (names []string) {
	for _, name := range f.Packs {
		if !slices.ContainsFunc(v.Drafts, func(d planted.Draft) bool { return !d.Retired && d.For(name) }) {
			names = append(names, name)
		}
	}
	return names
}

// own says whom a draft that isn't built in is for.
func own(f layout.Frame, d planted.Draft) string {
	if d.Customer.Pack == "" || len(f.Packs) < 2 {
		return "your own"
	}
	return "your own, for " + pack.Of(d.Customer.Pack).Title
}

func usedWords(d planted.Draft, now time.Time) string {
	if d.Used == 0 {
		return "not yet"
	}
	return ui.Times(d.Used) + map[bool]string{true: ", most recently ", false: ", "}[d.Used > 1] +
		ui.AgoSentence(d.UsedAt, now)
}

// outcomeMark is how a result is drawn.
func outcomeMark(outcome string) (ui.Tone, string, string) {
	if outcome == planted.Caught {
		return ui.Green, "check", "caught"
	}
	return ui.Amber, "warn", "missed"
}

// did is what the supervisor did, in words.
func did(r planted.Result) string {
	words := (&review.Decision{Kind: r.Kind}).Verb() + " it"
	if r.Kind == review.Return {
		words = "sent it back"
	}
	if r.Second {
		return words + ", as second supervisor"
	}
	return words
}

func (v Results) href(cursor string) string {
	base := "/overview/planted/results"
	if v.Mine {
		base = "/reviews/planted"
	}
	if cursor == "" {
		return base
	}
	return base + "?cursor=" + cursor
}

func (v Results) pages() ui.Pages {
	p := ui.Pages{}
	if v.Cursor != "" {
		p.First = v.href("")
	}
	if v.Next != "" {
		p.Next = v.href(v.Next)
	}
	return p
}

func (v PlantedForm) action() string {
	if v.Draft.ID == "" {
		return "/overview/planted"
	}
	return "/overview/planted/" + v.Draft.ID
}

// Verdict says on the page of a closed case what came of it.
func Verdict(r planted.Result) string {
	lead := "It was caught. "
	if r.Outcome == planted.Missed {
		lead = "It was missed. "
		if r.Kind == review.Revise {
			lead = "It was missed: the revision left the problem in the text. "
		}
	}
	return lead + pack.ReasonOf(r.Problem).Label + ". " + r.What
}
