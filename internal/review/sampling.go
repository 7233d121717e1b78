package review

import (
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
	"preceptor/internal/policy"
)

// sampler is the author of what a policy let go.
var sampler = Person{Name: "Sampling policy"}

// sampleTx lets a draft go that nobody read, as two administrators agreed: held like any other, so that a supervisor
// can still stop it, and released by the same job. Nothing is learned from it, and it counts as nobody's approval.
func (q *Queue) sampleTx(tx *db.Tx, in *interaction.Interaction, a Assessment, p policy.Policy) error {
	dec := &Decision{
		ID: id.New(), InteractionID: in.ID, Kind: Sampled, State: Held, By: sampler, Text: in.Guidance,
		FinalHash: interaction.TextHash(in.Guidance),
		TextHash:  in.GuidanceHash, Version: 1, Flags: a.Flags, DecidedAt: tx.Now, HeldUntil: tx.Now.Add(q.policy.Hold),
		PolicyVersion: p.Version,
		Opening:       text.Opening(in.Consultation.Question, openingLength), Interaction: in,
	}
	if err := q.holdTx(tx, dec); err != nil {
		return err
	}
	in.Status, in.Version = dec.Interaction.Status, dec.Interaction.Version
	return nil
}
