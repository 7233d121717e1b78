package knowledge

import (
	"slices"
	"strings"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/knowledge/credit"
	"preceptor/internal/learning"
	"preceptor/views/statement"
	"preceptor/views/ui"
)

// Conflicts is the list of what a person should settle.
type Conflicts struct {
	List   []conflict.Conflict
	Counts conflict.Counts
	Kind   string // "" all
	Closed bool
	Cursor string
	Next   string
	Now    time.Time
}

func (v Conflicts) href(kind string, closed bool, cursor string) string {
	return ui.Address("/knowledge/conflicts", conflict.Filter{Kind: kind, Closed: closed, Cursor: cursor})
}

func (v Conflicts) pages() ui.Pages {
	var p ui.Pages
	if v.Cursor != "" {
		p.First = v.href(v.Kind, v.Closed, "")
	}
	if v.Next != "" {
		p.Next = v.href(v.Kind, v.Closed, v.Next)
	}
	return p
}

// Side is one of the two with what speaks for and against it.
type Side struct {
	conflict.Item
	Credit     credit.Estimate
	Supporting []Evidence
	Counter    []Evidence
	Lessons    []learning.Lesson // where it came from
}

// ConflictView is one conflict.
type ConflictView struct {
	Conflict    *conflict.Conflict
	Left, Right *Side  // nil for a right one that is not there
	Merged      string // the proposal
	MaySettle   bool
	Now         time.Time

	// What was typed, and what was wrong with it.
	Answer  conflict.Answer
	Whom    statement.Editor // the conditions to narrow one by
	Errors  map[string]string
	Message string
}

func (v ConflictView) canChoose(choice string) bool {
	return slices.Contains(v.Conflict.Choices(), choice)
}

// KindLabel is what a conflict is called.
func KindLabel(c conflict.Conflict) string {
	switch c.Kind {
	case conflict.Contradiction:
		if !c.Sure() {
			return "Possible contradiction"
		}
		return "Contradiction"
	case conflict.Duplicate:
		if !c.Sure() {
			return "Possible duplicate"
		}
		return "Duplicate"
	case conflict.Superseded:
		return "Adds nothing"
	}
	return "Unused"
}

func kindTone(kind string) (ui.Tone, string) {
	switch kind {
	case conflict.Contradiction:
		return ui.Red, "warn"
	case conflict.Duplicate, conflict.Superseded:
		return ui.Amber, "info"
	}
	return ui.Neutral, "clock"
}

// ConflictTitle names both items.
func ConflictTitle(c conflict.Conflict) string {
	if c.Right.Label() == "" {
		return c.Left.Label()
	}
	return c.Left.Label() + " and " + c.Right.Label()
}

// ConflictWhy is why, with the items by their names: they stand side by side on a wide screen alone.
func ConflictWhy(c conflict.Conflict) string {
	left, right := c.Left.Label(), c.Right.Label()
	if left == "" || right == "" {
		return c.Why
	}
	return strings.NewReplacer("The rule on the left", left, "the rule on the left", left, "the one on the left", left,
		"The rule on the right", right, "the rule on the right", right, "the one on the right", right).Replace(c.Why)
}

func (s Side) href() string {
	if s.Rule != nil {
		return "/knowledge/rules/" + s.Rule.ID
	}
	return "/knowledge/cases/" + s.Case.ID
}

func (s Side) text() string {
	if s.Rule != nil {
		return s.Rule.Principle
	}
	if s.Case.Guidance != "" {
		return s.Case.Guidance
	}
	return s.Case.Negative
}

// counts says of the figures which wordings they are of.
func (s Side) counts() string {
	if !s.From.IsZero() {
		return "These figures are of the versions before this one, which no draft has used yet."
	}
	return strings.TrimSpace(earlier(s.Version()))
}

func conflictText(it conflict.Item) string {
	switch {
	case it.Rule != nil:
		return it.Principle
	case it.Case != nil:
		return excerpt(*it.Case)
	}
	return ""
}

// choiceLabel is an answer in words.
func choiceLabel(c conflict.Conflict, choice string) string {
	left, right := c.Left.Label(), c.Right.Label()
	switch choice {
	case conflict.KeepBoth:
		return "Keep both"
	case conflict.KeepLeft:
		return "Keep " + left + " and retire " + right
	case conflict.KeepRight:
		return "Keep " + right + " and retire " + left
	case conflict.Narrow:
		return "Narrow one of them"
	case conflict.Merge:
		return "Merge them"
	case conflict.Keep:
		if c.RightID != "" && c.ItemKind == conflict.OfCases {
			return "Give " + left + " to agents again"
		}
		return "Keep " + left
	case conflict.Retire:
		return "Retire " + left
	case conflict.Exception:
		return exceptionLabel(c)
	}
	return choice
}

// exceptionLabel says which of two rules holds, as an exception.
func exceptionLabel(c conflict.Conflict) string {
	left, right := c.Left.Rule, c.Right.Rule
	switch {
	case left != nil && right != nil && left.Excepts(right):
		return left.Label() + " is an exception to " + right.Label()
	case left != nil && right != nil && right.Excepts(left):
		return right.Label() + " is an exception to " + left.Label()
	}
	return "One is an exception to the other"
}

// outcome says how a conflict ended.
func outcome(c conflict.Conflict) string {
	if c.State == conflict.Gone {
		return "Closed automatically: " + c.Note
	}
	s := choiceLabel(c, c.Outcome)
	if c.By != "" {
		s += ", by " + c.By
	}
	return s
}

// Quarantine is what waits for a person to look at: rules out of use, cases that seem to mislead, rules due for review.
type Quarantine struct {
	Rules     []Held
	Cases     []DoubtfulCase
	Due       []knowledge.Rule
	MaySettle bool
	Now       time.Time

	// What was typed for one rule, and what was wrong with it.
	TypedFor string // id
	Reason   string
	Errors   map[string]string
}

// Held is a rule in quarantine.
type Held struct {
	Rule   knowledge.Rule
	Says   string // the wording that was in use
	By     string // who put it there
	Since  time.Time
	Credit credit.Estimate
	Shown  []Shown           // drafts, newest first
	Fresh  []learning.Lesson // that taught the same since
}

// DoubtfulCase is a case in use whose drafts go out unchanged less often than others.
type DoubtfulCase struct {
	Case   knowledge.Case
	Credit credit.Estimate
}

func (v Quarantine) typed(id string) string {
	if v.TypedFor == id {
		return v.Reason
	}
	return ""
}

func (v Quarantine) wrong(id, field string) string {
	if v.TypedFor == id {
		return v.Errors[field]
	}
	return ""
}

func (v Quarantine) empty() bool { return len(v.Rules)+len(v.Cases)+len(v.Due) == 0 }

func overdue(r knowledge.Rule, now time.Time) bool { return !r.ReviewBy.After(now) }
