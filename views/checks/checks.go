// Package checks shows the checklist: the list of deterministic checks, one check with its trials and its history, and
// the form in which experts write one. Each view is a pure function of its struct.
//
// Words of drafts and of gold items are shown only where the view says MayRead; who may not read them sees how many
// there are.
package checks

import (
	"fmt"
	"slices"
	"strconv"
	"unicode"

	"preceptor/internal/approval"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/checklist"
	"preceptor/internal/phrase"
	"preceptor/internal/review"
	"preceptor/views/accounts"
	"preceptor/views/ui"
)

// Row is one check in the list.
type Row struct {
	checklist.Check
	Hits     int // newest drafts in which it found something
	Disagree review.Disagreement
	Examples []checklist.Example
}

// List is every check.
type List struct {
	Own, Shipped []Row
	Of           int  // newest drafts
	MayWrite     bool // an expert looks
}

// disputed are those that people overrule so often that somebody should look at them.
func (v List) disputed() []Row { return v.which(func(r Row) bool { return r.Disagree.Look() }) }

func (v List) which(is func(Row) bool) []Row {
	return slices.DeleteFunc(slices.Concat(v.Own, v.Shipped), func(r Row) bool { return !is(r) })
}

// Shown is a text that a trial points at.
type Shown struct {
	Text  string
	Label string
	Kind  string // checklist.Find ...
	Marks []ui.Mark
	Href  string // where the whole case stands; "" where there is nothing, or this person may not
}

// Show is one check.
type Show struct {
	checklist.Check
	Version  int                // the wording that is looked at; 0 of a shipped check
	Wording  *checklist.Wording // it; nil of a shipped check
	Examples []checklist.Example
	Trial    *checklist.Trial // the newest of that wording; nil: it was never tried
	Texts    []Shown          // that the trial points at
	Sources  []ui.Option
	Source   string // chosen
	History  []Event
	Disagree review.Disagreement
	MayOpen  bool // a supervisor looks, who can open cases
	MayWrite bool
	MayRead  bool
	Waiting  approval.Waiting // what waits for a second person
	Reason   string           // as it was typed
	Errors   accounts.Errors
	Rules    []phrase.Head // of a shipped check
	Try      TryText
}

// TryText is a text that somebody typed to see what the check finds in it.
type TryText struct {
	Text, Question string
	Found          []compliance.Issue
}

// rule is the name of the rule that found an issue, told by its reason; "" for what no rule found.
func (v Show) rule(i compliance.Issue) string {
	at := slices.IndexFunc(v.Rules, func(h phrase.Head) bool { return h.Why == i.Why })
	if at < 0 {
		return ""
	}
	return v.Rules[at].Name
}

// whichWording says which version is looked at.
func (v Show) whichWording() string {
	if v.InForce != nil && v.InForce.Version == v.Wording.Version {
		return fmt.Sprintf("Version %d, in force", v.Wording.Version)
	}
	return fmt.Sprintf("Version %d, not in force", v.Wording.Version)
}

// Tone is the severity of what is looked at.
func (v Show) Tone() string {
	if v.Wording != nil {
		return v.Wording.Severity
	}
	return v.Severity()
}

func (v Show) href() string { return Href(v.ID) }

// Href is where a check stands.
func Href(checkID string) string { return "/compliance/checks/" + checkID }

// Form is a check as it is typed.
type Form struct {
	CheckID   string   // "" of a new one
	Base      int      `form:"base"` // the version that was the newest when the form was opened
	Code      string   `form:"code"`
	Title     string   `form:"title"`
	Source    string   `form:"source"`
	Severity  string   `form:"severity"`
	Why       string   `form:"why"`
	Reference string   `form:"reference"`
	Finds     string   `form:"finds"` // one a line, as the next
	Leaves    string   `form:"leaves"`
	Reason    string   `form:"reason"`
	Act       string   `form:"act"`
	Codes     []string // that can be chosen
	Preview   bool     // the examples below were tried
	Examples  []checklist.Example
	Errors    accounts.Errors
}

func (v Form) title() string {
	if v.CheckID == "" {
		return "Add a check"
	}
	return "Reword " + v.Title
}

func (v Form) action() string {
	if v.CheckID == "" {
		return "/compliance/checks"
	}
	return Href(v.CheckID)
}

func (v Form) save() string { return fmt.Sprintf("Save as version %d", v.Base+1) }

var severities = []ui.Option{
	{Value: compliance.Critical, Label: "Critical", Hint: "blocks the draft: two supervisors have to overrule it"},
	{Value: compliance.Major, Label: "Major", Hint: "makes the draft borderline"},
	{Value: compliance.Minor, Label: "Minor", Hint: "only tells the supervisor"},
}

func tone(severity string) (ui.Tone, string) {
	switch severity {
	case compliance.Critical:
		return ui.Red, "stop"
	case compliance.Major:
		return ui.Amber, "warn"
	}
	return ui.Neutral, "info"
}

// Marks are issues as a text shows them.
func Marks(issues []compliance.Issue) (list []ui.Mark) {
	for _, i := range issues {
		list = append(list, Mark(i.Span, i.Severity))
	}
	return list
}

// newestOf says what the counts of the list are of.
func newestOf(n int) string {
	if n == 1 {
		return "Found: in the only draft so far, as checked on arrival."
	}
	return "Found: in how many of the newest " + ui.Thousands(n) + " drafts, as checked on arrival."
}

func found(n, of int) string {
	if of == 0 {
		return "no drafts yet"
	}
	return fmt.Sprintf("%s of %s", ui.Thousands(n), ui.Thousands(of))
}

// standing is how a check stands, in a word.
func standing(c checklist.Check) (ui.Tone, string, string) {
	switch {
	case c.Broken != "":
		return ui.Red, "stop", "can't run"
	case c.On && c.Asked != nil:
		return ui.Amber, "clock", "on, switch-off requested"
	case c.On:
		return ui.Green, "check", "on"
	case c.Last == nil:
		return ui.Neutral, "pencil", "draft"
	}
	return ui.Neutral, "", "off"
}

// since says what made it stand so.
func since(c checklist.Check) string {
	switch {
	case c.Last == nil && c.Shipped:
		return "On since Preceptor was set up."
	case c.Last == nil:
		return "It was never switched on."
	case c.On && c.Shipped:
		return "Switched on again by " + c.Last.By.Name
	case c.On:
		return fmt.Sprintf("Version %d was switched on by %s", c.Last.Version, c.Last.By.Name)
	case c.Last.Answered.ID != "":
		return fmt.Sprintf("Switched off by %s and %s", c.Last.By.Name, c.Last.Answered.Name)
	}
	return "Switched off by " + c.Last.By.Name
}

func version(n int) string { return "version " + strconv.Itoa(n) }

// alarmWords say what the false alarms are counted on.
func alarmWords(t *checklist.Trial) string {
	if t.Source.Kind == checklist.Desk {
		return "of " + ui.Count(t.Fine.Texts, "draft that supervisors approved as it was",
			"drafts that supervisors approved as they were")
	}
	return "of " + ui.Count(t.Fine.Texts, "compliant text")
}

func findWords(t *checklist.Trial) string {
	n := t.Soft.Texts + t.Bad.Texts + t.Other.Texts
	if t.Source.Kind == checklist.Desk {
		return "of " + ui.Count(n, "draft") + " that supervisors revised or rejected, for any reason"
	}
	words := fmt.Sprintf("of %s not compliant: %d non-compliant, %d borderline",
		ui.Count(n, "text that is", "texts that are"), t.Bad.Hit, t.Soft.Hit)
	if t.Other.Hit > 0 {
		words += fmt.Sprintf(", %d with another label", t.Other.Hit)
	}
	return words
}

// missWords say what the misses are counted on, and how many of them nothing else would stop.
func missWords(t *checklist.Trial) string {
	words := fmt.Sprintf("of %s that experts labelled with its code", ui.Count(t.Coded.Texts, "text"))
	if t.Alone > 0 {
		words += "; no other check flags " + ui.Thousands(t.Alone) + " of them"
	}
	return words
}

// worry is what somebody should think of before switching on what was tried so; "" when nothing.
func worry(t *checklist.Trial) string {
	switch {
	case t.Texts == 0:
		return "It was only tried on its own examples. What it finds in real drafts is unknown."
	case t.Fine.Hit > 0 && 2*t.Fine.Hit >= t.Fine.Texts:
		return "It finds something in at least half of the texts that are fine. Switched on, it would hold up most " +
			"reviews."
	case t.Fine.Hit > 0 && t.Fine.Hit >= t.Found():
		return "It finds at least as many texts that are fine as texts that are not."
	case t.Found() == 0:
		return "It finds nothing here. Check that the pattern is what you mean."
	}
	return ""
}

// disagreed says how often people overruled a check.
func disagreed(d review.Disagreement) string {
	return fmt.Sprintf("People disagreed in %d of %d", d.Overruled, d.Found)
}

// kinds are the hits of a trial as the page lists them.
var kinds = []struct{ kind, title string }{{checklist.Alarm, "False alarms"}, {checklist.Miss, "Missed"},
	{checklist.Find, "Finds"}}

func ofKind(list []Shown, kind string) (out []Shown) {
	for _, s := range list {
		if s.Kind == kind {
			out = append(out, s)
		}
	}
	return out
}

func labelOf(s string) string {
	switch compliance.Label(s) {
	case compliance.Compliant:
		return "compliant"
	case compliance.Borderline:
		return "borderline"
	case compliance.NonCompliant:
		return "non-compliant"
	}
	return s
}

func lines(n int, least int) int { return max(least, min(n+1, 14)) }

// Mark is a place that a check of this severity marks.
func Mark(span [2]int, severity string) ui.Mark {
	t, _ := tone(severity)
	return ui.Mark{Start: span[0], End: span[1], Tone: t}
}

// around is how many signs of a text are shown on each side of what is marked, and opening how many where nothing is.
const (
	around  = 140
	opening = 320
)

// excerpt is the part of a text around its first marks; cut reports whether there is more of it.
func excerpt(text string, marks []ui.Mark) (part string, inside []ui.Mark, cut bool) {
	runes := []rune(text)
	from, to := 0, min(opening, len(runes))
	if len(marks) > 0 {
		from, to = max(0, marks[0].Start-around), min(len(runes), marks[0].End+around)
		for _, m := range marks[1:] {
			if m.Start < to+around && m.End > to {
				to = min(len(runes), m.End+around)
			}
		}
	}
	for from > 0 && !unicode.IsSpace(runes[from-1]) {
		from--
	}
	for to < len(runes) && !unicode.IsSpace(runes[to]) {
		to++
	}
	shift := 0
	if from > 0 {
		part, shift = "… ", 2
	}
	part += string(runes[from:to])
	if to < len(runes) {
		part += " …"
	}
	for _, m := range marks {
		if m.Start >= from && m.End <= to {
			m.Start, m.End = m.Start-from+shift, m.End-from+shift
			inside = append(inside, m)
		}
	}
	return part, inside, from > 0 || to < len(runes)
}
