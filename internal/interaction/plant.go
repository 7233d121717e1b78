package interaction

import (
	"fmt"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
)

// PlantTx stores a known-bad draft that tests the desk, along the way that a real one takes: the same statuses, history
// and hooks. With asked it stands as drafting, and DraftArrived brings its text, as if our own advisor wrote it; else
// it is waiting at once. Only the mark in its row, which no page shows before the case is closed, and the audit row
// tell. For review/planted only.
func (s *Store) PlantTx(tx *db.Tx, sub Submission, asked bool) (string, error) {
	sub.clean()
	if asked {
		if err := refuse(sub.Consultation.check()); err != nil {
			return "", err
		}
	} else if err := sub.check(); err != nil {
		return "", err
	}
	in, err := s.interaction(tx, &sub)
	if err != nil {
		return "", err
	}
	in.Planted = true
	event := "submitted"
	if asked {
		in.Status, event = Drafting, "asked"
		in.Guidance, in.GuidanceHash, in.Reasoning, in.Model, in.Drafter, in.KnowledgeUsed = "", TextHash(""), "", "",
			"", nil
	}
	if err := insert(tx, in); err != nil {
		return "", fmt.Errorf("interaction: plant: %w", err)
	}
	if err := s.NoteTx(tx, in.ID, event, sub.By, ""); err != nil {
		return "", err
	}
	if err := audit.Note(tx, audit.System("Seeded checks"), "guidance.planted", "interaction", in.ID,
		map[string]any{"agent": in.AgentName, "task_type": in.Consultation.TaskType,
			"question": in.Consultation.Question, "guidance": sub.Guidance}); err != nil {
		return "", err
	}
	if asked {
		tx.Touch("interactions")
		return in.ID, nil
	}
	return in.ID, s.submitted(tx, in, s.read(in.Guidance, in.Consultation))
}
