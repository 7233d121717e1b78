package learning

import (
	"context"

	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
)

// Reasoner answers the questions of the path. It is called outside any transaction and must return faults of a kind
// that says whether to try again. Embedded and Prompted implement it.
type Reasoner interface {
	// Reflect says what a correction or rejection teaches.
	Reflect(ctx context.Context, s Source) (Reflection, error)
	// Validate holds a statement against what a person released for a customer.
	Validate(ctx context.Context, t Trial) (Finding, error)
	// Judge says whether the rule deserves a place.
	Judge(ctx context.Context, c Candidate) (Judgement, error)
	// Name is stored as who answered: "embedded reasoner", or the model's name.
	Name() string
}

// Reflection is what a source teaches: statements, or nothing, or that a person has to say it. With Nothing or Unstated
// only the texts count. Each statement becomes a lesson of its own; the first is that of the lesson reflected on.
type Reflection struct {
	Nothing  bool `json:"nothing,omitempty"`
	Unstated bool `json:"unstated,omitempty"` // it needs a sentence from a person
	// a plain sentence: why there is nothing, or where the statements come from
	Why        string           `json:"why"`
	Title      string           `json:"title,omitempty"`      // a few words
	Problem    string           `json:"problem,omitempty"`    // what people and checks said was wrong, quoted
	RootCause  string           `json:"root_cause,omitempty"` // by a model only
	Statements []rule.Statement `json:"statements,omitempty"`
	// made of the difference of two texts, or by a model: nobody stated it
	Guessed bool   `json:"guessed,omitempty"`
	Domain  string `json:"domain,omitempty"`

	// the first statement in words; of steps from before statements, what was reflected
	Principle string `json:"principle,omitempty"`
}

// Trial is one approved text to hold a statement against.
type Trial struct {
	Statement rule.Statement
	Kind      string // TestExemplar or TestOrigin
	Situation pack.Situation
	Summary   string // the customer in words
	Approved  string // what a person released for them; "" when there is none
	Negative  string // what the advisor had written, where a person corrected it
}

// draft is what the advisor had written without the rule.
func (t Trial) draft() string { return firstText(t.Negative, t.Approved) }

// Finding is what a trial showed.
type Finding struct {
	Verdict string `json:"verdict"` // Helped, Hurt or Silent
	Fired   bool   `json:"fired"`
	Why     string `json:"why"`
}

// Known is a rule that exists.
type Known struct {
	ID        string         `json:"id"`
	Number    int            `json:"number"`
	Status    string         `json:"status"`
	Text      string         `json:"text"`
	Domain    string         `json:"domain"`
	Statement rule.Statement `json:"statement,omitzero"`
}

// Candidate is a rule to be judged.
type Candidate struct {
	Statement      rule.Statement
	Rule           string // in words
	Pack           string
	Situation      pack.Situation // of the customer that it comes from
	Domain         string
	Helpful, Tried int
	Provisional    bool
	Refused        []fault.Field // what the base's gate says against it
	Same           *Known        // the rule that says it already
	Notes          []string      // what the gate says beside
	Known          []Known       // rules in use or waiting that come nearest

	Regulation []Regulation // what the law and the FCA's Handbook say about it, on the day
}

// Head is one of the judge's questions.
type Head struct {
	Name string `json:"name"` // "boundary", "actionable", "general" or "adds_value"
	Pass bool   `json:"pass"`
	Why  string `json:"why"`
}

// The judge's four questions.
const (
	HeadBoundary   = "boundary"
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
	Notes      []string     `json:"notes,omitempty"`      // of the base's gate
}
