// Package advisor drafts guidance from recall. It owns no table: a draft arrives at interaction, what it was shown goes into
// knowledge's ledger.
//
// Two drafters answer the same request. Embedded needs no network: it takes the sentences that answer the question best from
// the recalled cases, suits them to the reader, and then does what the recalled rules demand that apply to this customer.
// Prompted asks a language model for the same, with the customer's words as data in one JSON field and everything personal
// replaced before it leaves.
//
// What it promises. Rules act through their text: nothing here knows a rule's id, a rule that was accepted a moment ago
// changes the next draft, and a rule that does not apply to a customer does not. What a text does already is not said
// again. Every figure in an embedded draft comes from a passage that agrees with the dated facts, or from a rule.
// A draft never reaches anybody from here: it enters the queue as drafting becomes waiting.
//
// A draft that was sent back is written again with the supervisor's note. Prompted is given it as what has to be met;
// Embedded does what of it names a move that it knows, as it would a rule's, and says of the rest that it can't.
//
// Decided against: whole sections pasted in (readers get lost), a warning of our own for DB customers (it would hide whether
// the rules work), and a sentence that names the customer's figures back to them (it personalises).
package advisor

import (
	"context"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
)

// Request is a consultation with what was recalled for it.
type Request struct {
	Situation pack.Situation
	Recall    *knowledge.Recall
	Name      string   // the customer's, if known; only the first name is used
	Known     []string // values of the customer's that are personal, to be hidden from a model wherever they stand
	Note      string   // why a supervisor sent the version before back; "" for a first draft
	Shots     Shots    // answers that customers liked
}

// Draft is a drafter's answer.
type Draft struct {
	Text      string
	Reasoning string // the steps it took, one per line
	Model     string // "" for the embedded drafter
	Cited     map[string]bool
	Sent      knowledge.Sent // what a model was sent; nil when none was asked
}

// Drafter writes guidance.
type Drafter interface {
	Draft(ctx context.Context, r Request) (Draft, error)
	// Name says who drafted, as it is shown: "embedded advisor" or "openai/gpt-5-mini".
	Name() string
}
