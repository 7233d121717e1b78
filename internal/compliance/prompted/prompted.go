// Package prompted holds judges that ask a language model whether guidance stays on its side of the line.
//
// A judge is a configured model under a name. It asks once: the rubric in force and the codes of issues as
// instructions, and everything that customers, agents or writers of drafts had a hand in as one line of JSON, the field
// "material" of one object, between two lines that nobody can guess. The prompts and the schema stand in prompt/ and
// nowhere else.
//
// What it promises.
//   - Untrusted text never leaves its field. It is encoded as a JSON string in which line ends, angle brackets, and
//     what is invisible or reorders text are escaped, so that it can neither end the line nor look like a model's own
//     marks; the boundary is drawn afresh for every call and drawn again should a text contain it. Outside the two
//     lines the prompt depends on the pack, the rubric and the registry of checks alone.
//   - What is personal goes out under tokens, over all fields at once. Quotes are mapped back; in what else the model
//     says a token becomes "the customer" or "a detail", because reasons travel further than verdicts do.
//   - An answer is read strictly: the schema without a field more, no name twice, a finite confidence from 0 to 1, and
//     no contradiction between pass and class. Anything else is an error, which the panel turns into an abstention. An
//     issue whose quote does not stand in the draft (compliance.Locate), or whose code nobody knows, is discarded by
//     itself. A failing vote without an issue left still fails: to doubt needs no evidence, to accuse does.
//   - A judge has no tools, no database and no way to change state; it returns a value.
//   - It ends: each judge has a generator of its own, with its own time-outs, retries, bounded answers and breaker
//     (package llm), so that one that is down keeps no other from being asked.
//
// What it decided against: an enumeration of the codes in the schema (one invented code would spoil an answer whose
// other findings are good), asking again when an answer contradicts itself (a judge that is unsure of its own answer is
// told by abstaining), and sending a draft's spans or the checks' findings along (a judge shall look for itself).
package prompted

import (
	"context"
	"errors"
	"math"

	"preceptor/internal/compliance"
	"preceptor/internal/llm"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/strict"
	"preceptor/internal/privacy"
)

const (
	schemaName = "compliance_vote"
	maxAnswer  = 1200 // tokens: 120 words of reasoning and some issues
)

// Judge is one voter that asks a model.
type Judge struct {
	name     string
	model    llm.Generator
	priv     *privacy.Pseudonymiser
	boundary func() string
}

// New makes a judge of that name on a model, which must be the judge's own: its breaker is.
func New(name string, model llm.Generator, priv *privacy.Pseudonymiser) *Judge {
	return &Judge{name: name, model: model, priv: priv, boundary: func() string { return "boundary-" + id.Secret(18) }}
}

// Name implements compliance.Judge.
func (j *Judge) Name() string { return j.name }

// Local is false: a model is asked over a network.
func (j *Judge) Local() bool { return false }

// Model is the provider and model that answer.
func (j *Judge) Model() string { return j.model.Name() }

// Judge asks the model once. An error, which may be shown to a person, means that the judge abstains.
func (j *Judge) Judge(ctx context.Context, s compliance.Subject) (compliance.Vote, error) {
	m, err := j.materialOf(s)
	if err != nil {
		return compliance.Vote{}, err
	}
	prompt, err := j.prompt(m, s)
	if err != nil {
		return compliance.Vote{}, err
	}
	r, err := j.model.Generate(ctx, llm.Request{System: systemPrompt, Prompt: prompt, SchemaName: schemaName,
		Schema: schema, MaxTokens: maxAnswer})
	if err != nil {
		if ctx.Err() != nil {
			err = errors.Join(ctx.Err(), err) // the panel names a time that ran out
		}
		return compliance.Vote{}, err
	}
	a, err := read(j.model.Name(), r.Text)
	if err != nil {
		return compliance.Vote{}, err
	}
	v := a.vote(s.Text, m.key)
	v.Judge, v.AnsweredBy, v.Tokens = j.name, j.model.Name(), r.InTokens+r.OutTokens
	return v, nil
}

// answer is what the schema asks for.
type answer struct {
	Reasoning  string  `json:"reasoning"`
	Boundary   string  `json:"boundary_classification"`
	Passed     bool    `json:"passed"`
	Confidence float64 `json:"confidence"`
	Issues     []claim `json:"issues"`
}

// claim is an issue before its quote was looked up.
type claim struct {
	Code     string `json:"code"`
	Quote    string `json:"quote"`
	Why      string `json:"why"`
	Severity string `json:"severity"`
}

// read reads an answer strictly, whatever the provider has checked already.
func read(model, text string) (a answer, err error) {
	if err := llm.CheckAnswer(model, schema, text); err != nil {
		return a, err
	}
	err = strict.Into([]byte(text), &a)
	if doubt, ok := errors.AsType[*strict.Error](err); ok && doubt.Twice() {
		return a, fault.Wrap(fault.Unavailable, err, "The model's answer says two things at once.")
	}
	if err != nil {
		return a, fault.Wrap(fault.Unavailable, err, "The model did not answer in the form it was asked for.")
	}
	switch {
	case math.IsNaN(a.Confidence) || a.Confidence < 0 || a.Confidence > 1:
		return a, fault.New(fault.Unavailable, "The model's confidence is no number from 0 to 1.")
	case a.Passed && a.Boundary == compliance.Advice:
		return a, fault.New(fault.Unavailable, "The model's answer contradicts itself: it passes what it calls advice.")
	}
	return a, nil
}
