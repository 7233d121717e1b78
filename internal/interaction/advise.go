package interaction

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// Draft is what our own advisor wrote for a consultation.
type Draft struct {
	Text          string
	Reasoning     string
	Model         string
	Drafter       string // which drafter, as "embedded advisor"
	KnowledgeUsed []Used
	Provenance
}

// Provenance is what a drafter of ours says of its text.
type Provenance struct {
	Marks []Mark   `json:"marks,omitempty"` // where its sentences come from, in order
	Notes []string `json:"notes,omitempty"` // for the supervisor
	Unmet []Unmet  `json:"unmet,omitempty"` // rules that apply and are left to the supervisor
	// Unanswered: it says that there is no reviewed guidance for the question.
	Unanswered bool `json:"unanswered,omitempty"`
}

// Unmet is a rule that a drafter couldn't carry out, and what the supervisor is told of it.
type Unmet struct {
	Rule string `json:"rule"` // its id
	Note string `json:"note"`
	Text string `json:"text,omitempty"` // what it wants said; "" where the text can't tell
}

// Mark says where a part of a draft comes from.
type Mark struct {
	Start int    `json:"start"` // in bytes of the text
	End   int    `json:"end"`
	Kind  string `json:"kind"`  // MarkRule or MarkSource
	Label string `json:"label"` // of the rule or source, as R-12 or Case #003
}

// Kinds of marks.
const (
	MarkRule   = "rule"
	MarkSource = "source"
)

// Advise asks our own advisor, under the agent's name: the interaction is drafting, and its draft is being made. The
// answer is an id, never a text: the draft enters the queue like any other. key may be nil.
func (s *Store) Advise(ctx context.Context, c Consultation, agentID, agentName, origin string, by audit.Actor,
	key *Idempotency) (string, error) {
	rec, err := s.AdviseReceipt(ctx, Submission{AgentID: agentID, AgentName: agentName, Origin: origin, By: by,
		Consultation: c}, key)
	return rec.ID, err
}

// AdviseReceipt is Advise for those who must tell an answer from its repetition.
func (s *Store) AdviseReceipt(ctx context.Context, sub Submission, key *Idempotency) (Receipt, error) {
	return db.Write(ctx, s.db, func(tx *db.Tx) (Receipt, error) { return s.AdviseTx(tx, sub, key) })
}

// AdviseTx is AdviseReceipt in the caller's transaction. A submission that asks has no guidance yet.
func (s *Store) AdviseTx(tx *db.Tx, sub Submission, key *Idempotency) (Receipt, error) {
	sub.Consultation.clean()
	if err := cmp.Or(key.Check("submission"),
		refuse(append(sub.Consultation.check(), sub.Handling.check()...))); err != nil {
		return Receipt{}, err
	}
	if earlier, ok, err := s.replay(tx, key); err != nil || ok {
		return earlier, err
	}
	rec, err := s.ask(tx, sub, "")
	if err != nil {
		return Receipt{}, err
	}
	return rec, s.remember(tx, key, rec)
}

// ask stores a drafting interaction and has its draft made.
func (s *Store) ask(tx *db.Tx, sub Submission, note string) (Receipt, error) {
	in, err := s.interaction(tx, &sub)
	if err != nil {
		return Receipt{}, err
	}
	in.Status = Drafting
	if err := insert(tx, in); err != nil {
		return Receipt{}, fmt.Errorf("interaction: advise: %w", err)
	}
	if err := s.record(tx, in, "asked", "guidance.asked", sub.By, note); err != nil {
		return Receipt{}, err
	}
	if err := s.hooks.OnAsked(tx, in); err != nil {
		return Receipt{}, fmt.Errorf("interaction: after %s was asked: %w", in.ID, err)
	}
	tx.Touch("interactions")
	return Receipt{ID: in.ID, Status: in.Status}, nil
}

// DraftArrived stores the draft, makes the interaction waiting and has what follows done. A draft that arrives twice
// has one effect. A failed interaction takes a draft too: somebody retried its job.
func (s *Store) DraftArrived(ctx context.Context, id string, d Draft) error {
	if strings.TrimSpace(d.Text) == "" {
		return fault.New(fault.Invalid, "The draft is empty.")
	}
	if len(d.Text) > MaxGuidance {
		return fault.New(fault.Invalid, "The draft is too long. %s", text.TooBig(d.Text, MaxGuidance))
	}
	d.Text = strings.ToValidUTF8(d.Text, "\uFFFD")
	asked, err := s.Get(ctx, id)
	if err != nil {
		return err
	}
	follow := s.read(d.Text, asked.Consultation)
	return s.db.Write(ctx, func(tx *db.Tx) error {
		in, err := s.GetTx(tx, id)
		if err != nil {
			return err
		}
		if in.Status != Drafting && in.Status != Failed || !in.ErasedAt.IsZero() {
			return nil
		}
		if err := s.storeDraft(tx, in, d); err != nil {
			return err
		}
		by := audit.System("Advisor")
		if err := s.NoteTx(tx, id, "drafted", by, d.Drafter); err != nil {
			return err
		}
		if err := audit.Note(tx, by, "guidance.drafted", "interaction", id, map[string]any{
			"drafter": d.Drafter, "model": d.Model, "guidance": d.Text, "guidance_hash": in.GuidanceHash,
		}); err != nil {
			return err
		}
		return s.submitted(tx, in, follow)
	})
}

// storeDraft writes d into the row and into in.
func (s *Store) storeDraft(tx *db.Tx, in *Interaction, d Draft) error {
	used, err := marshalUsed(d.KnowledgeUsed)
	if err != nil {
		return err
	}
	provenance, err := json.Marshal(d.Provenance)
	if err != nil {
		return fmt.Errorf("interaction: write how %s was drafted as JSON: %w", in.ID, err)
	}
	hash := TextHash(d.Text)
	err = db.One(tx, "interaction: store the draft of "+in.ID, `UPDATE interaction SET status = 'waiting',
		guidance = $1, guidance_hash = $2, reasoning = $3, model = $4, drafter = $5,
			knowledge_used = $6, provenance = $7, failure = '', version = version + 1
		WHERE id = $8 AND status IN ('drafting', 'failed') RETURNING version`,
		d.Text, hash, d.Reasoning, d.Model, d.Drafter, used, string(provenance), in.ID).Scan(&in.Version)
	if err != nil {
		return err
	}
	in.Status, in.Guidance, in.GuidanceHash, in.Failure = Waiting, d.Text, hash, ""
	in.Reasoning, in.Model, in.Drafter, in.KnowledgeUsed, in.Provenance = d.Reasoning, d.Model, d.Drafter,
		d.KnowledgeUsed, d.Provenance
	return nil
}

// DraftFailed notes that no draft can be made, and why in words for a person. It changes nothing once there is a draft.
func (s *Store) DraftFailed(ctx context.Context, id, why string) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if n, err := db.Change(tx, "interaction: note the failure of "+id, `UPDATE interaction SET status = 'failed',
			failure = $1, version = version + 1
			WHERE id = $2 AND status = 'drafting'`, why, id); err != nil || n == 0 {
			return err
		}
		by := audit.System("Advisor")
		if err := s.NoteTx(tx, id, "failed", by, why); err != nil {
			return err
		}
		tx.Touch("interactions")
		return audit.Note(tx, by, "guidance.failed", "interaction", id, map[string]any{"why": why})
	})
}
