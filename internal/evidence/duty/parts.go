package duty

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"strconv"
	"time"

	"preceptor/internal/evidence"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/stats"
)

//go:embed parts.html
var partsText string

var pages = template.Must(template.New("parts").Funcs(template.FuncMap{
	"when": evidence.When, "day": day, "row": rowOf, "task": pack.Label, "slicesOf": slicesOf, "sliceOf": sliceOf,
	"agentsOf": agentsOf, "issue": pack.IssueName, "kind": kindOf,
	"many": many, "plot": plot, "changed": func(kind string) string {
		return cmp.Or(changed[kind], kind)
	}, "what": what,
}).Parse(partsText))

// partList are the parts of the page in order; each is a template of parts.html under its id.
var partList = []struct{ id, title string }{
	{"summary", "In short"},
	{"outcomes", "How it went for customers"},
	{"vulnerable", "Vulnerable customers beside the others"},
	{"wrong", "What was found wrong"},
	{"done", "What was done about it"},
	{"oversight", "How people oversaw it"},
	{"index", "Guidance drawn at random"},
	{"method", "How this was counted, and what it can’t say"},
}

func (rep *report) parts() (list []evidence.Part, err error) {
	for _, p := range partList {
		part, err := evidence.Write(pages, p.id, p.title, rep)
		if err != nil {
			return nil, err
		}
		list = append(list, part)
	}
	return list, nil
}

// shown is a figure as a line of a table.
type shown struct {
	Name, Value, Interval, N, Before string
}

// rowOf shows a figure under a name. What is not known is "no data", and nothing else of it is shown.
func rowOf(name string, f stats.Figure) shown {
	s := shown{Name: name, Value: "no data"}
	if !f.Known {
		return s
	}
	s.Value = valueOf(f.Unit, f.Value)
	if f.Interval() {
		s.Interval = valueOf(f.Unit, f.Low) + " to " + valueOf(f.Unit, f.High)
	}
	if f.Unit != stats.Count {
		s.N = strconv.Itoa(f.N)
		if f.Unit == stats.Ratio && (f.Part > 0 || f.Value == 0) { // a mean of values from 0 to 1 is no part of a whole
			s.N = strconv.Itoa(f.Part) + " of " + s.N
		}
	}
	if f.Before != nil {
		v, instead := f.Earlier()
		if s.Before = instead; instead == "" {
			s.Before = valueOf(f.Unit, v)
		}
		if f.Sure(claims) {
			s.Before += ", significantly different"
		}
	}
	return s
}

// claims is at most how many figures of a report stand beside those of the period before.
const claims = 50

func valueOf(u stats.Unit, v float64) string {
	switch u {
	case stats.Ratio:
		return strconv.FormatFloat(100*v, 'f', 1, 64) + "%"
	case stats.Count:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case stats.Seconds:
		return span(time.Duration(v * float64(time.Second)))
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}

// span is a duration in the two largest units.
func span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()+0.5))
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d days %d h", int(d.Hours())/24, int(d.Hours())%24)
}

// slicesOf shows the topics of a whole, the largest first as they come, at most fifty.
func slicesOf(list []stats.Slice) (out []shown) {
	for _, s := range list[:min(50, len(list))] {
		out = append(out, sliceOf(s))
	}
	return out
}

// agentsOf is slicesOf for agents, whose names stand as they are.
func agentsOf(list []stats.Slice) (out []shown) {
	for _, s := range list[:min(50, len(list))] {
		out = append(out, rowOf(cmp.Or(s.Name, s.Key, "not said"), s.Figure))
	}
	return out
}

func sliceOf(s stats.Slice) shown { return rowOf(name(s), s.Figure) }

func name(s stats.Slice) string {
	switch {
	case s.Name != "" && s.Name != s.Key:
		return s.Name
	case s.Key == "":
		return "not said"
	}
	return pack.Label(s.Key)
}

// pair is one figure of both groups.
type pair struct {
	Name string
	A, B shown
}

// Beside sets the groups' figures beside each other: first the outcomes, in the same order.
func (rep *report) Beside() (out []pair) {
	if len(rep.Groups) != 2 {
		return nil
	}
	for i, key := range groupKeys {
		if name := cmp.Or(groupNames[key], rep.outcome(i)); name != "" {
			out = append(out, pair{name, rowOf("", rep.Groups[0].Figures[i]), rowOf("", rep.Groups[1].Figures[i])})
		}
	}
	return out
}

var groupNames = map[string]string{
	"duty.votes": "Satisfied, by votes", "duty.approved": "Drafts approved unchanged",
	"duty.revised": "Drafts revised",
	"duty.denied":  "Drafts rejected or sent back",
}

// outcomeNames are the figures of outcomes in the order of stats.SatisfactionPage.Outcomes, before those that only the
// law of a domain asks for.
var outcomeNames = [...]string{"Satisfaction, of 10", "Comprehension, of 10", "Goal alignment, of 10", "Goals met",
	"Understanding checked"}

// outcome is the name of an outcome's figure; "" where this report has no such line.
func (rep *report) outcome(i int) string {
	if i < len(outcomeNames) {
		return outcomeNames[i]
	}
	if list := rep.Satisfaction.Outcomes; i < len(list) {
		return rep.Law.Figures[list[i].Key]
	}
	return ""
}

// OutcomeRows are the outcomes of all customers.
func (rep *report) OutcomeRows() (out []shown) {
	for i, f := range rep.Satisfaction.Outcomes {
		if name := rep.outcome(i); name != "" {
			out = append(out, rowOf(name, f))
		}
	}
	return out
}

// many is a number of things.
func many(n int, one, more string) string {
	if n == 1 {
		more = one
	}
	return strconv.Itoa(n) + " " + more
}

// changed are the kinds of things in use.
var changed = map[string]string{"rule": "Rule", "check": "Check", "policy": "Review policy",
	"line": "Guidance boundary", "taxonomy": "List of issues",
	"threshold": "Judges' threshold", "exemplar": "Exemplar"}

// whats are the words for what happened to a thing in use.
var whats = map[string]string{"in": "taken into use", "new": "reworded", "days": "given other days",
	"out": "taken out of use"}

// what is what happened to a thing in use, or will on a day to come.
func what(c stats.Change) string {
	if c.From.IsZero() {
		return whats[c.What]
	}
	return "will be " + whats[c.What] + " from " + c.From.In(knowledge.UK).Format("2 January 2006")
}

func day(t time.Time, rep *report) string { return t.In(rep.From.Location()).Format("2 January 2006") }

// kindOf is what a decision came to, in a word.
func kindOf(kind string) string {
	switch kind {
	case "approve":
		return "approved"
	case "revise":
		return "revised"
	case "reject":
		return "rejected"
	case "return":
		return "sent back"
	case "sampled":
		return "released unread, by policy"
	}
	return kind
}
