package knowledge

import (
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/credit"
	"preceptor/internal/learning"
)

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
