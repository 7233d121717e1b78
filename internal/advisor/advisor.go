// Package advisor drafts guidance from recall. It owns no table: a draft arrives at interaction, what it was shown goes
// into knowledge's ledger.
//
// Two drafters answer the same request. Embedded needs no network. It chooses and does not write: it takes reviewed
// sections whole, one for each need of the question, and cuts only long ones, never their warnings. Every sentence of a
// draft is one of an imported document, of a statement of a rule whose conditions hold, of a released text whose
// customer's particulars are out, or one of the pack's frames. It carries out acts exactly (act.go) and names for the
// supervisor what it can't. Prompted asks a language model for the same, with the customer's words as data in one JSON
// field and everything personal replaced before it leaves. A model that fails for good falls back to Embedded, and a
// note says so.
//
// What it promises. A rule that was accepted a moment ago changes the next draft; a rule whose conditions do not hold,
// or can't be decided, does not. What a draft says already is not said again. A sentence that a rule forbids is not
// chosen, and a draft that would be a stump without it is not made. Where nothing answers the question the draft says
// so. A draft never reaches anybody from here: it enters the queue as drafting becomes waiting.
//
// Marks tell which sentence comes from which rule or source, Notes what a supervisor has to know; both stand beside the
// draft.
//
// A draft that was sent back is made again. Prompted is given the note as what has to be met; Embedded reads no notes
// and shows it to the supervisor.
//
// Decided against: rewriting for readers (a rule names what to replace), runs of sentences out of a section (they lost
// limits and risks), and a sentence of released guidance with any particular of its customer (released.go errs towards
// leaving out).
package advisor

import (
	"context"

	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/text/compare"
)

// Request is a consultation with what was recalled for it.
type Request struct {
	Situation pack.Situation
	Recall    *knowledge.Recall
	Needs     []string // ids of the cases that answer the parts of the question, in the order asked; see Service.needs
	Name      string   // the customer's, if known; only the first name is used
	Known     []string // values of the customer's that are personal, to be hidden from a model wherever they stand
	Note      string   // why a supervisor sent the version before back; "" for a first draft
	Shots     Shots    // answers that customers liked
	Ruled     []string // texts of the agent's rules: released texts are no source of them, since a rule has conditions
	// Nearest is the nearest case, where none is near enough to be in Recall.
	Nearest *knowledge.Item
	Compare compare.Func // tells which rules contradict each other
}

// Draft is a drafter's answer.
type Draft struct {
	Text      string
	Reasoning string // the steps it took, one per line
	Model     string // "" for the embedded drafter
	Cited     map[string]bool
	Sent      knowledge.Sent // what a model was sent; nil when none was asked
	interaction.Provenance
}

// Drafter writes guidance.
type Drafter interface {
	Draft(ctx context.Context, r Request) (Draft, error)
	// Name says who drafted, as it is shown: "embedded advisor" or "openai/gpt-5-mini".
	Name() string
}
