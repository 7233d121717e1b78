package stats

import (
	"testing"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
)

// The last vote on any of a conversation's answers is the conversation's; a neutral one says nothing.
func TestTheLastVoteIsTheConversations(t *testing.T) {
	d := dbtest.New(t)
	r := New(d, time.UTC, quiet())
	now := d.Now()
	if err := d.Write(t.Context(), func(tx *db.Tx) error {
		for i, c := range []struct {
			id, talk string
			norms    []float64
		}{{"a", "t1", []float64{1, 0}}, {"b", "t1", []float64{1, .5}}, {"c", "t2", []float64{0}}, {"d", "", []float64{1}},
			{"e", "t3", []float64{.5}}} {
			if err := db.Exec(tx, "interaction", `INSERT INTO interaction (id, agent_id, agent_name, origin, status, task,
					task_by, question, customer, guidance, guidance_hash, reasoning, model, drafter, knowledge_used, steps,
					metadata, created_at)
				VALUES ($1, 'x', 'x', 'api', 'waiting', '', 'agent', 'q', '{}', 'g', 'h', '', '', '', '[]', '', '', $2)`, c.id,
				db.Ms(now)); err != nil {
				return err
			}
			if err := db.Exec(tx, "review", `INSERT INTO review (id, agent_id, agent_name, task, state, priority, why, who,
					opening, label, passed, blocked, borderline, confidence, flags, source, text_hash, created_at, talk, decided_at)
				VALUES ($1, 'x', 'x', '', 'decided', 4, '', '', 'q', '', 1, 0, 0, 1, '[]', '', 'h', $2, $3, $2)`, c.id, db.Ms(now),
				c.talk); err != nil {
				return err
			}
			if err := db.Exec(tx, "decision", `INSERT INTO decision (id, review_id, kind, state, by_id, by_name, text,
					text_hash, version, reason, reason_code, feedback, confirmation, flags, seconds, decided_at, held_until)
				VALUES ($1, $1, 'approve', 'released', 'p', 'P', '', 'h', 1, '', '', '', '', '[]', 1, $2, 0)`, c.id,
				db.Ms(now)); err != nil {
				return err
			}
			for n, norm := range c.norms {
				if err := db.Exec(tx, "vote", `INSERT INTO vote (id, subject_id, user_id, agent_id, agent_type, topic, kind,
						value, norm, text, channel, version, first_at, at)
					VALUES ($1, $2, $1, 'x', 'x', '', 'thumbs', 1, $3, '', 'api', 1, $4, $4)`, c.id+string(rune('0'+n)), c.id,
					norm, db.Ms(now.Add(time.Duration(10*i+n)*time.Second))); err != nil {
					return err
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	c, err := r.Conversations(t.Context(), Filter{Range: Days(now, 2, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	if s := c.Satisfied; s.Part != 1 || s.N != 2 {
		t.Errorf("%d of %d, want t1's 1 of 2", s.Part, s.N)
	}
	if before := c.Satisfied.Before; before == nil || before.Known {
		t.Errorf("before: %+v", before)
	}
}
