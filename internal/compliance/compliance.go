// Package compliance says whether guidance stays on the guidance side of the FCA's boundary.
package compliance

import (
	"time"

	"preceptor/internal/db"
	"preceptor/internal/pension"

	"context"
)

// Label is the outcome of validation in one word.
type Label string

// The labels.
const (
	Compliant    Label = "COMPLIANT_GUIDANCE"
	Borderline   Label = "BORDERLINE"
	NonCompliant Label = "NON_COMPLIANT"
)

// Issue is one thing that is wrong with a text.
type Issue struct {
	Code      string `json:"code"`
	Span      [2]int `json:"span"` // start and end in code points, end exclusive
	Severity  string `json:"severity"`
	Why       string `json:"why"`
	Reference string `json:"reference"`
	Quote     string `json:"quote"`
}

// Severities.
const (
	Critical = "critical"
	Major    = "major"
	Minor    = "minor"
)

// Vote is one judge's answer.
type Vote struct {
	Judge      string  `json:"judge"`
	Passed     bool    `json:"passed"`
	Confidence float64 `json:"confidence"`
	Reasoning  string  `json:"reasoning"`
	Boundary   string  `json:"boundary_classification"` // GUIDANCE, BORDERLINE or ADVICE
	Issues     []Issue `json:"issues"`
}

// Sources of a verdict.
const (
	RuleBased = "RULE_BASED"
	Consensus = "LLM_JUDGE_CONSENSUS"
)

// Verdict is the outcome of validation.
type Verdict struct {
	ID                  string  `json:"id,omitempty"`
	Passed              bool    `json:"passed"`
	Label               Label   `json:"label"`
	Source              string  `json:"source"`
	Confidence          float64 `json:"confidence"`
	Issues              []Issue `json:"issues"`
	Judges              []Vote  `json:"judges"`
	RequiresHumanReview bool    `json:"requires_human_review"`
}

// Validator runs the checks.
type Validator struct{ clock func() time.Time }

// New makes a validator whose dated checks use clock.
func New(clock func() time.Time) *Validator { return &Validator{clock: clock} }

// Validate checks a text for a customer.
func (v *Validator) Validate(text string, s pension.Situation) Verdict { return Verdict{} }

// Store keeps verdicts.
type Store struct{ d *db.DB }

// NewStore keeps them in d.
func NewStore(d *db.DB) *Store { return &Store{d: d} }

// Recorded is a verdict as it was stored.
type Recorded struct {
	Verdict
	InteractionID string
	TextHash      string
	At            time.Time
}

// RecordTx stores a verdict on a text of an interaction.
func (st *Store) RecordTx(tx *db.Tx, interactionID, textHash string, v Verdict) error { return nil }

// Latest is the newest verdict of an interaction.
func (st *Store) Latest(ctx context.Context, interactionID string) (*Recorded, error) {
	return nil, nil
}
