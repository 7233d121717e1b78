package learning

import (
	"context"

	"preceptor/internal/pack"
)

// Reasoner answers the four questions of the path. It is called outside any transaction and must return faults of a
// kind that says whether to try again. Embedded and Prompted implement it.
type Reasoner interface {
	// Reflect says what a correction or rejection teaches.
	Reflect(ctx context.Context, s Source) (Reflection, error)
	// Validate tries a principle on one case.
	Validate(ctx context.Context, t Trial) (Finding, error)
	// Refine puts a principle into the form "When [situation], [action] because [reason]".
	Refine(ctx context.Context, r Reflection) (string, error)
	// Judge says whether the refined rule deserves a place.
	Judge(ctx context.Context, c Candidate) (Judgement, error)
	// Name is stored as who answered: "embedded reasoner", or the model's name.
	Name() string
}

// Conditions that a reflection may say its principle depends on; the pipeline picks the cases to try it on by them, and
// not by the principle's own words.
const (
	CondDB         = "db_pension"
	CondDC         = "dc_pension"
	CondState      = "state_pension"
	CondLow        = "low_literacy"
	CondVulnerable = "vulnerable"
	CondYoung      = "under_minimum_age"
	CondChoice     = "asks_for_choice"
	CondScam       = "scam_signs"
)

// Conditions lists them.
var Conditions = []string{CondDB, CondDC, CondState, CondLow, CondVulnerable, CondYoung, CondChoice, CondScam}

// Reflection is what a source teaches. With Nothing set only Why counts.
type Reflection struct {
	Nothing    bool     `json:"nothing"`
	Why        string   `json:"why"`   // a plain sentence: why there is nothing, or how this lesson was picked
	Title      string   `json:"title"` // a few words
	Problem    string   `json:"problem"`
	RootCause  string   `json:"root_cause"`
	Principle  string   `json:"principle"`
	Domain     string   `json:"domain"`
	Conditions []string `json:"conditions"` // none: it holds for every customer
	Tasks      []string `json:"tasks"`      // none: it holds for every task
	Seen       []string `json:"seen"`       // what else the person changed, as "signpost added"

	Class   string         `json:"class,omitempty"`   // with Nothing, one of the Class constants, where the reasoner can tell
	Figures []FigureChange `json:"figures,omitempty"` // figures that were put right, for those who care for the documents

	Note *Note `json:"-"` // for Refine: with which a person sent the rule back to be put into other words
}

// Trial is one case to try a principle on.
type Trial struct {
	Principle string
	Domain    string
	Kind      string // TestExemplar, TestMustNotFire or TestOrigin
	Situation pack.Situation
	Summary   string // the case's situation in words
	Approved  string // guidance that people approved for it; the corrected text for the origin; "" when there is none
	Negative  string // what the advisor had written, where a person corrected it
	Arms      *arms  // what the advisor writes for the customer without the rule and with it; nil when nobody drafts
}

// Finding is what a trial showed.
type Finding struct {
	Verdict string `json:"verdict"` // Helped, Hurt or Silent
	Fired   bool   `json:"fired"`
	Why     string `json:"why"`
}

// Known is a rule that exists.
type Known struct {
	ID     string `json:"id"`
	Number int    `json:"number"`
	Status string `json:"status"`
	Text   string `json:"text"`
	Domain string `json:"domain"`
}

// Candidate is a rule to be judged.
type Candidate struct {
	Rule           string
	Domain         string
	Helpful, Tried int
	Provisional    bool
	Known          []Known // rules in use or waiting that come nearest

	Regulation []Regulation // what the law and the FCA's Handbook say about it, on the day
}

// Head is one of the judge's questions.
type Head struct {
	Name string `json:"name"` // "fca_boundary", "actionable", "general" or "adds_value"
	Pass bool   `json:"pass"`
	Why  string `json:"why"`
}

// The judge's four questions.
const (
	HeadBoundary   = "fca_boundary"
	HeadActionable = "actionable"
	HeadGeneral    = "general"
	HeadValue      = "adds_value"
)

// Judgement is accept or reject, with reasons.
type Judgement struct {
	Accept bool   `json:"accept"`
	Heads  []Head `json:"heads"`
	SameAs string `json:"same_as"` // id of a known rule that says it already
	Why    string `json:"why"`

	Cites      []string     `json:"-"`                    // ids of the regulation that it rests on
	Regulation []Regulation `json:"regulation,omitempty"` // what it was given, with what it rests on marked
}
