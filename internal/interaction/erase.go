package interaction

import (
	"fmt"
	"regexp"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// EraseTx takes every text of an interaction away, which the law may demand: what was asked, answered and sent, who the
// customer is, and the notes of its history. The row stays, with who did what when, and says when it was erased. What
// nobody decided yet is closed: there is nothing left to decide on. It returns how many texts there were; again is
// none. Conflict while a decision is held, which takes a minute at most.
func (s *Store) EraseTx(tx *db.Tx, id string, by audit.Actor) (texts int, err error) {
	in, err := s.GetTx(tx, id)
	if err != nil || !in.ErasedAt.IsZero() {
		return 0, err
	}
	switch in.Status {
	case Held:
		return 0, fault.New(fault.Conflict,
			"A decision on guidance %s is held and will be sent in a moment. Try again in a minute, or undo the "+
				"decision first.", id)
	case Waiting, Drafting:
		if err := s.set(tx, id, in.Status, Closed); err != nil {
			return 0, err
		}
	}
	customer, err := in.Consultation.Customer.MarshalJSON()
	if err != nil {
		return 0, fmt.Errorf("interaction: erase %s: %w", id, err)
	}
	for _, text := range []string{in.Consultation.Question, in.Guidance, in.FinalText, in.Reasoning, in.Failure,
		string(in.Steps), string(in.Metadata), string(customer), in.Consultation.Thread, in.Actions.Column()} {
		if text != "" && text != "{}" {
			texts++
		}
	}
	texts += len(in.Consultation.Before())
	mark := func(text string) string { return audit.ErasedIn(text, tx.Now) }
	if err := db.Exec(tx, "interaction: erase "+id, `UPDATE interaction SET question = $1, customer = '{}',
		guidance = $2, guidance_hash = '', reasoning = $3, steps = '', metadata = '', provenance = '', actions = '',
			thread = '', messages = '', final_text = $4, failure = $5, erased_at = $6, version = version + 1 WHERE id = $7`,
		mark(in.Consultation.Question), mark(in.Guidance), mark(in.Reasoning), mark(in.FinalText), mark(in.Failure),
		tx.NowMs(), id); err != nil {
		return 0, err
	}
	// Who asked, and when, stays; why a person did what they did may quote the customer. A retry of the submission
	// meets another body than the one that is remembered, and makes nothing anew.
	for _, q := range []string{
		`UPDATE interaction_event SET note = '' WHERE interaction_id = $1`,
		`UPDATE idempotency SET body_hash = '' WHERE interaction_id = $1`,
		`UPDATE held_call SET answer = '' WHERE interaction_id = $1`,
	} {
		if err := db.Exec(tx, "interaction: erase "+id, q, id); err != nil {
			return 0, err
		}
	}
	tx.Touch("interactions")
	return texts, s.NoteTx(tx, id, "erased", by, "")
}

var picked = regexp.MustCompile(`"of":"([^"]+)"`)

// RefuseErasedTx refuses statements with a question that was picked before its customer was erased: of a form that was
// open at the time.
func RefuseErasedTx(tx *db.Tx, statements string) error {
	for _, of := range picked.FindAllStringSubmatch(statements, -1) {
		gone, err := db.Value[bool](tx, "interaction: look for an example", `SELECT EXISTS (SELECT 1 FROM interaction
			WHERE id = $1 AND erased_at > 0)`, of[1])
		if err != nil {
			return err
		}
		if gone {
			return fault.Wrong("An example is the question of a customer who was erased.", "statements",
				"Undo the example, or reload the page.")
		}
	}
	return nil
}
