package interaction

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"preceptor/internal/audit"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/id"
)

// Receipt is the answer to a submission. The same key and body give the same receipt, but for Replayed.
type Receipt struct {
	ID       string
	Status   Status // as it was when it was first answered
	Replayed bool   // this is the answer to an earlier call
}

// Submit stores guidance that an agent brings, as waiting, and has what follows done. key may be nil. It returns an
// Invalid fault that names each wrong field, and for a key that was used with another body.
func (s *Store) Submit(ctx context.Context, sub Submission, key *Idempotency) (rec Receipt, err error) {
	sub.clean()
	if err := sub.check(); err != nil {
		return Receipt{}, err
	}
	if err := s.settlePack(ctx, &sub); err != nil {
		return Receipt{}, err
	}
	sub.follow = s.read(sub.Guidance, sub.Consultation)
	return db.Write(ctx, s.db, func(tx *db.Tx) (Receipt, error) { return s.SubmitTx(tx, sub, key) })
}

// SubmitTx is Submit in the caller's transaction.
func (s *Store) SubmitTx(tx *db.Tx, sub Submission, key *Idempotency) (Receipt, error) {
	if err := key.Check("submission"); err != nil {
		return Receipt{}, err
	}
	if sub.follow == nil { // Submit checked it before it held others up
		sub.clean()
		if err := sub.check(); err != nil {
			return Receipt{}, err
		}
	}
	if earlier, ok, err := s.replay(tx, key); err != nil || ok {
		return earlier, err
	}
	if err := sub.checkTime(tx.Now); err != nil {
		return Receipt{}, err
	}
	if err := s.checkRevises(tx, sub.Revises, sub.AgentID); err != nil {
		return Receipt{}, err
	}
	in, err := s.interaction(tx, &sub)
	if err != nil {
		return Receipt{}, err
	}
	if sub.follow == nil {
		sub.follow = s.read(in.Guidance, in.Consultation)
	}
	if err := insert(tx, in); err != nil {
		return Receipt{}, fmt.Errorf("interaction: submit: %w", err)
	}
	if err := s.record(tx, in, "submitted", "guidance.submitted", sub.By, ""); err != nil {
		return Receipt{}, err
	}
	if err := s.submitted(tx, in, sub.follow); err != nil {
		return Receipt{}, err
	}
	rec := Receipt{ID: in.ID, Status: in.Status}
	return rec, s.remember(tx, key, rec)
}

func (s *Store) interaction(tx *db.Tx, sub *Submission) (*Interaction, error) {
	var err error
	if sub.Consultation.Pack, err = s.packOf(tx, sub.AgentID); err != nil {
		return nil, err
	}
	in := &Interaction{
		ID: id.New(), AgentID: sub.AgentID, AgentName: sub.AgentName, Origin: sub.Origin, Status: Waiting,
		Consultation: sub.Consultation, Guidance: sub.Guidance, GuidanceHash: TextHash(sub.Guidance),
		Reasoning: sub.Reasoning, Model: sub.Model, Drafter: sub.Drafter, KnowledgeUsed: sub.KnowledgeUsed,
		Steps: sub.Steps, Metadata: sub.Metadata, CreatedAt: tx.Now, Version: 1,
		Revises: sub.Revises, Handling: sub.Handling, Actions: sub.Actions, NoText: sub.noText,
	}
	if in.Origin == "" {
		in.Origin = OriginAPI
	}
	in.TaskTypeBy = in.Consultation.settleTask()
	return in, nil
}

// settlePack reads the pack of the agent that a submission is from, before its text is read.
func (s *Store) settlePack(ctx context.Context, sub *Submission) error {
	return s.db.Read(ctx, func(tx *db.Tx) (err error) {
		sub.Consultation.Pack, err = s.packOf(tx, sub.AgentID)
		return err
	})
}

func (s *Store) packOf(tx *db.Tx, agentID string) (string, error) {
	name, err := s.hooks.PackOf(tx, agentID)
	if err != nil {
		return "", fmt.Errorf("interaction: the pack of agent %s: %w", agentID, err)
	}
	return cmp.Or(name, pack.Pension), nil
}

// read has a text read, its task settled as it will be stored.
func (s *Store) read(text string, c Consultation) Follow {
	c.settleTask()
	return s.hooks.Read(text, c)
}

// submitted runs what follows when an interaction becomes waiting.
func (s *Store) submitted(tx *db.Tx, in *Interaction, follow Follow) error {
	if err := follow(tx, in); err != nil {
		return fmt.Errorf("interaction: after %s was submitted: %w", in.ID, err)
	}
	tx.Touch("interactions")
	return nil
}

// record writes the history line and the audit row of a new interaction.
func (s *Store) record(tx *db.Tx, in *Interaction, event, action string, by audit.Actor, note string) error {
	if err := s.NoteTx(tx, in.ID, event, by, note); err != nil {
		return err
	}
	row := map[string]any{
		"agent": in.AgentName, "origin": in.Origin, "task_type": in.Consultation.TaskType, "model": in.Model,
		"customer": in.Consultation.Customer, "question": in.Consultation.Question,
		"guidance": in.Guidance, "guidance_hash": in.GuidanceHash, "revises": in.Revises,
	}
	if talk := in.Consultation.Talk(); talk != "" {
		row["messages_hash"] = TextHash(talk)
	}
	if len(in.Actions) > 0 {
		row["actions"] = in.Actions
	}
	return audit.Note(tx, by, action, "interaction", in.ID, row)
}

func insert(tx *db.Tx, in *Interaction) error {
	customer, err := json.Marshal(in.Consultation.Customer)
	if err != nil {
		return fmt.Errorf("write the customer as JSON: %w", err)
	}
	used, err := marshalUsed(in.KnowledgeUsed)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO interaction (id, agent_id, agent_name, origin, status, task, task_by, question,
			customer,
			guidance, guidance_hash, reasoning, model, drafter, knowledge_used, steps, metadata, created_at, version,
			revises, planted, pack, thread, messages, urgency, channel, expires_at, actions, no_text)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
			$23, $24, $25, $26, $27, $28, $29)`,
		in.ID, in.AgentID, in.AgentName, in.Origin, in.Status, in.Consultation.TaskType, in.TaskTypeBy,
		in.Consultation.Question, string(customer),
		in.Guidance, in.GuidanceHash, in.Reasoning, in.Model, in.Drafter, used, string(in.Steps), string(in.Metadata),
		tx.NowMs(), in.Version,
		in.Revises, in.Planted, in.Consultation.Pack, in.Consultation.Thread, in.Consultation.Talk(),
		in.Urgency, in.Channel, db.Ms(in.ExpiresAt), in.Actions.Column(), in.NoText)
	return err
}
