// Package statement draws the one form in which people state what should change next time: what to do, for whom, why.
//
// It is used wherever somebody teaches: a revision, a rejection, a ruling, a lesson that needs a sentence, acceptance,
// the edit of a rule. Rows are made from the difference of two texts where there are two (Compared), and by hand
// otherwise. The form is plain HTML: buttons add a row and compare again; with a script the same addresses answer with
// the part that changed.
//
// A Form is what stands on the screen, with what is wrong beside it. It is read from the fields in web/teach/form.go
// and kept as JSON with what somebody typed and has not sent; nothing here decides what may be stated (knowledge.Vet
// does).
//
// It decided against a script of its own: Enter in a field presses the first button, which compares; "Only this
// customer" and "Everyone" fold what they overrule away by the style sheet.
package statement

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/rule"
	"preceptor/views/ui"
)

// The most that a form holds.
const (
	MaxRows = 12
	MaxWhen = 80 // pills on offer and what is typed; of those chosen rule.MaxConditions
)

// Form is what somebody states, as it stands on the screen.
type Form struct {
	Rows    []Row  `json:"rows,omitempty"`
	When    []When `json:"when,omitempty"`
	Because string `json:"because,omitempty"`
	Only    bool   `json:"only,omitempty"` // only this customer: teaches nothing
	Settled bool   `json:"-"`              // what the texts suggest beside was not wanted

	WrongWhen, WrongBecause, WrongRows string `json:"-"` // what has to be mended
	Focus                              int    `json:"-"` // the row, from 1, to write in now; or InWhom
	Picked                             bool   `json:"-"` // the conditions are not those on the screen
}

// Row is one act.
type Row struct {
	Act  rule.Act `json:"act"`
	On   bool     `json:"on,omitempty"`
	From string   `json:"from,omitempty"` // Mark of the suggestion that it was made from; "" when somebody added it

	Words []string `json:"-"` // that belong to this customer
	Wrong string   `json:"-"`
}

// When is one condition: a pill, or a row of More conditions that one types in.
type When struct {
	Condition rule.Condition `json:"condition"`
	On        bool           `json:"on,omitempty"`
	Typed     bool           `json:"typed,omitempty"`
	Wrong     string         `json:"-"`
}

// Editor is the form with what its page knows.
type Editor struct {
	Form
	Base    string // the address that /teach and /preview are under
	Pack    *pack.Pack
	Fields  []ui.Option // of the profile, to choose from
	TextID  string      // the control whose text is compared; "" where there are no two texts
	One     bool        // one rule as it stands, whose kind can be chosen
	Guessed string      // what nobody stated was made of; "" where somebody did
	Private bool        // "Only this customer" is offered
	Lent    string      // why nothing is suggested from the changes; "" where something may be
	Legend  string      // "" is the question of a decision
	Preview *Preview    // nil: fetched when the page is there
}

// Guess is what a statement that nobody made is made of, by the origin of its lesson.
func Guess(origin string) string {
	if origin == learning.Revise {
		return "guessed from the edit"
	}
	return "suggested by the model"
}

// Mark names an act, so that a row is found again when the texts are compared again.
func Mark(a rule.Act) string {
	b, _ := json.Marshal(a) // strings only
	h := fnv.New64a()
	h.Write(b)
	return strconv.FormatUint(h.Sum64(), 36)
}

// Compared has a row for each act that the difference of two texts suggests now. One alone is ticked; of several the
// person chooses. What somebody ticked, changed or added stays.
func (f Form) Compared(suggested []rule.Act) Form {
	if i := f.alone(); i >= 0 && len(suggested) > 1 {
		f.Rows = slices.Clone(f.Rows)
		f.Rows[i].On = false
	}
	rows := make([]Row, 0, len(suggested)+len(f.Rows))
	used := map[int]bool{}
	for _, a := range suggested {
		// a longer one would be refused
		on := len(suggested) == 1 && !f.Settled && utf8.RuneCountInString(a.Text) <= rule.MaxText
		row := Row{Act: a, On: on, From: Mark(a)}
		for i, r := range f.Rows {
			if !used[i] && (r.From == row.From || r.From == "" && Mark(r.Act) == row.From) {
				used[i] = true
				row.Act, row.On = r.Act, r.On
				break
			}
		}
		rows = append(rows, row)
	}
	for i, r := range f.Rows {
		if used[i] || r.From != "" && Mark(r.Act) == r.From { // it stands for something that is in the text no more
			continue
		}
		r.From = ""
		rows = append(rows, r)
	}
	f.Rows = rows[:min(len(rows), MaxRows)]
	return f
}

// alone is the row that was ticked because it was the only suggestion, as long as nobody changed it; -1 without one.
func (f Form) alone() int {
	suggestion := func(r Row) bool { return r.From != "" }
	i := slices.IndexFunc(f.Rows, suggestion)
	if i < 0 || slices.ContainsFunc(f.Rows[i+1:], suggestion) || Mark(f.Rows[i].Act) != f.Rows[i].From {
		return -1
	}
	return i
}

// Add puts an empty row at the end, to be written in.
func (f Form) Add(kind string) Form {
	if len(f.Rows) < MaxRows && slices.Contains(Kinds, kind) {
		f.Rows = append(slices.Clip(f.Rows), Row{Act: rule.Act{Kind: kind}, On: true})
		f.Focus = len(f.Rows)
	}
	return f
}

// Kinds of acts in the order in which they are offered.
var Kinds = []string{rule.Include, rule.Never, rule.Replace, rule.Point, rule.Ask, rule.Other}

// Statements are what is ticked, tidied: the same conditions and reason for each act. None for only this customer.
func (f Form) Statements() (list []rule.Statement) {
	if f.Only {
		return nil
	}
	when := f.Conditions()
	for _, r := range f.Rows {
		if r.On {
			list = append(list, rule.Statement{When: when, Do: r.Act, Because: f.Because}.Tidy())
		}
	}
	return list
}

// Conditions are those that hold. Everybody overrules the pills and the questions like this one, and leaves what else
// was typed, and examples.
func (f Form) Conditions() (out []rule.Condition) {
	everybody := slices.ContainsFunc(f.When, func(w When) bool { return w.On && everybody(w.Condition) })
	for _, w := range f.When {
		if w.On && (!everybody || w.Typed && (w.Condition.Kind != rule.Like || example(w.Condition))) {
			out = append(out, w.Condition)
		}
	}
	if everybody && slices.ContainsFunc(out, example) {
		out = slices.Insert(out, 0, Everybody())
	}
	if out = (rule.Statement{When: out}).Tidy().When; len(out) == 0 && everybody {
		return []rule.Condition{Everybody()}
	}
	return out
}

// Everybody is the condition of a rule for every customer.
func Everybody() rule.Condition {
	return rule.Condition{Kind: rule.Scope, Values: []string{rule.Universal}}
}

// example reports whether a condition's questions are examples that people pick, for the rule or not.
func example(c rule.Condition) bool { return c.Kind == rule.Like && (c.Also || c.Not) && !c.Wide }

// Examples are the conditions whose questions people picked.
func (f Form) Examples() []rule.Condition {
	return slices.DeleteFunc(f.Conditions(), func(c rule.Condition) bool { return !example(c) })
}

// Pick makes the question of an interaction an example: the rule is for ones like it, too, or isn't.
func (f Form) Pick(of, question string, too bool) Form {
	f = f.Unpick(of)
	f.When = append(f.When, When{On: true, Typed: true,
		Condition: rule.Condition{Kind: rule.Like, Values: []string{question}, Also: too, Not: !too, Of: of}})
	return f
}

// Unpick takes a question back that was picked.
func (f Form) Unpick(of string) Form {
	f.When, f.Picked = slices.DeleteFunc(slices.Clone(f.When), func(w When) bool { return w.Condition.Of == of }), true
	return f
}

func everybody(c rule.Condition) bool {
	return c.Kind == rule.Scope && !c.Not && len(c.Values) == 1 && c.Values[0] == rule.Universal
}

// New is a form whose pills are offered, with nothing to do yet. Questions like this one are typed, since they have to
// be made general.
func New(chips []rule.Chip) Form {
	var f Form
	for _, c := range chips {
		if c.Kind != rule.Like || c.On {
			f.When = append(f.When, When{Condition: c.Condition, On: c.On, Typed: c.Kind == rule.Like})
		}
	}
	return f.withEverybody()
}

// Of is a form that says what a statement says; chips are to choose from beside.
func Of(st rule.Statement, chips []rule.Chip) Form {
	f := Form{Because: st.Because}
	if !st.Empty() {
		f.Rows = []Row{{Act: st.Do, On: true}}
	}
	for _, c := range st.When {
		f.When = append(f.When, When{Condition: c, On: true, Typed: !pill(c)})
	}
	for _, c := range chips {
		if c.Kind != rule.Like && !slices.ContainsFunc(f.When, func(w When) bool {
			return same(w.Condition, c.Condition)
		}) {
			f.When = append(f.When, When{Condition: c.Condition})
		}
	}
	return f.withEverybody()
}

// pill reports whether a condition is one to tick; the others are typed.
func pill(c rule.Condition) bool { return c.Kind == rule.Topic || c.Kind == rule.Scope }

func same(a, b rule.Condition) bool {
	return rule.Statement{When: []rule.Condition{a}}.Key() == rule.Statement{When: []rule.Condition{b}}.Key()
}

func (f Form) withEverybody() Form {
	if !slices.ContainsFunc(f.When, func(w When) bool { return everybody(w.Condition) }) {
		f.When = append(f.When, When{Condition: Everybody()})
	}
	return f
}

// Empty reports whether nothing was chosen or typed beyond what the page offers.
func (f Form) Empty() bool {
	return len(f.Rows) == 0 && !f.Only && strings.TrimSpace(f.Because) == ""
}

// Wrong reports whether something has to be mended.
func (f Form) Wrong() bool { return f.Said() != "" }

// Said is the first that is said to be mended; "" where nothing has.
func (f Form) Said() string {
	var said []string
	for _, r := range f.Rows {
		said = append(said, r.Wrong)
	}
	for _, w := range f.When {
		said = append(said, w.Wrong)
	}
	return cmp.Or(append(said, f.WrongRows, f.WrongWhen, f.WrongBecause)...)
}

// Refused puts what the base's gate said, by the fields of a statement, where it can be mended: beside the one row, or
// above them.
func (f *Form) Refused(wrong map[string]string) {
	f.WrongWhen, f.WrongBecause = wrong["when"], wrong["because"]
	for _, name := range []string{"do", "text", "phrases", "swaps", "statements"} {
		switch {
		case wrong[name] == "":
		case len(f.Rows) == 1 && name != "statements":
			f.Rows[0].Wrong = strings.TrimSpace(f.Rows[0].Wrong + " " + wrong[name])
		default:
			f.WrongRows = strings.TrimSpace(f.WrongRows + " " + wrong[name])
		}
	}
}

// InWhom as Focus is a condition, or the reason, that has to be mended.
const InWhom = -1

// FirstWrong is the number of the first row that has to be mended, from 1; InWhom where only a condition or the reason
// has, and 0 where nothing has.
func (f Form) FirstWrong() int {
	row := slices.IndexFunc(f.Rows, func(r Row) bool { return r.Wrong != "" }) + 1
	if row == 0 && f.Wrong() {
		return InWhom
	}
	return row
}

// Preview is what the rules would change, each by itself.
type Preview struct {
	Rules []Effect
	More  int    // rules that are not among them
	None  string // why there is nothing to show
}

// Effect is what one rule would change.
type Effect struct {
	Sentence string
	Why      string      // it can't be tried: why
	Draft    []ui.Change // this draft without it and with it
	Same     bool        // this draft stays as it is
	Silent   string      // why this draft stays as it is
	Changes  []Example
	Stays    []Example

	Known   *Near // a rule that says the same
	Clashes []Near
	Refused []string // why it can't become a rule as it is worded
	Notes   []string
}

// Unlink takes out where the questions lead.
func (v *Preview) Unlink() {
	for _, e := range v.Rules {
		for _, list := range [][]Example{e.Changes, e.Stays} {
			for i := range list {
				list[i].Href = ""
			}
		}
	}
}

// Example is one recent question.
type Example struct {
	ID, Question, Href string
	Change             []ui.Change
	Barred             []string // conditions that keep it out whatever it is like
}

// Near is a rule beside the one that is stated.
type Near struct {
	Label, Href, Sentence string
}
