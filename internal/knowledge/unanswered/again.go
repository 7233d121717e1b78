package unanswered

import (
	"context"
	"errors"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
)

// atOnce is how many questions one run asks again: a few seconds' work.
const atOnce = 100

// Again is the job that asks all of a group again.
type Again struct {
	GroupID string `json:"group_id"`
}

// Kind names the job.
func (Again) Kind() string { return "unanswered.again" }

// Write brings a section into use, and has the group that it was written for asked again; "" is none.
func (s *Store) Write(ctx context.Context, groupID string, sec knowledge.Section,
	by knowledge.Person) (knowledge.Case, error) {
	return s.base.WriteSection(ctx, sec, by, func(tx *db.Tx) error {
		if groupID == "" {
			return nil
		}
		return s.jobs.InsertTx(tx, Again{GroupID: groupID}, job.Unique())
	})
}

// again asks what of a group wasn't asked of this base yet, some at a time.
func (s *Store) again(ctx context.Context, groupID string) error {
	n, err := s.ask(ctx, groupID)
	if err != nil || n < atOnce {
		return err
	}
	// Not Unique: this job still runs.
	return s.d.Write(ctx, func(tx *db.Tx) error { return s.jobs.InsertTx(tx, Again{GroupID: groupID}) })
}

// Reread asks again what was last asked of an older base, the longest ago first: what the advisor answers now leaves,
// and what it answers no more is back. What was put aside isn't asked: it stays aside with its group.
func (s *Store) Reread(ctx context.Context) error {
	_, err := s.ask(ctx, "")
	return err
}

// ask asks some questions again, of one group or of all; n is how many.
func (s *Store) ask(ctx context.Context, groupID string) (n int, err error) {
	seq, err := s.base.Seq(ctx)
	if err != nil {
		return 0, err
	}
	ids, err := db.Read(ctx, s.d, func(tx *db.Tx) ([]string, error) {
		return db.Column[string](tx, "unanswered: list what was asked of an older base",
			`SELECT u.interaction_id FROM unanswered u JOIN unanswered_group g ON g.id = u.group_id
			WHERE abs(u.seq) < $1 AND g.aside_at = 0 AND ($2 = '' OR u.group_id = $2)
			ORDER BY abs(u.seq), u.interaction_id LIMIT $3`, seq, groupID, atOnce)
	})
	if err != nil {
		return 0, err
	}
	answered := map[string]bool{}
	for _, interactionID := range ids {
		in, err := s.interactions.Get(ctx, interactionID)
		if err == nil {
			answered[interactionID], err = s.answers(ctx, in)
		}
		if err != nil {
			return 0, errors.Join(err, s.asked(ctx, ids[:n], answered, seq))
		}
		n++
	}
	return n, s.asked(ctx, ids, answered, seq)
}

// asked stores what came of asking.
func (s *Store) asked(ctx context.Context, ids []string, answered map[string]bool, seq int64) error {
	return s.d.Write(ctx, func(tx *db.Tx) error {
		changed := map[string]bool{}
		for _, interactionID := range ids {
			groupID, err := openOf(tx, interactionID, false)
			if err == nil && groupID != "" { // neither erased nor put aside meanwhile
				now := seq
				if answered[interactionID] {
					now = -seq
				}
				n := 0
				n, err = db.Change(tx, "unanswered: "+interactionID+" leaves or is back",
					`UPDATE unanswered SET seq = $1 WHERE interaction_id = $2 AND (seq < 0) <> $3`, now, interactionID,
					answered[interactionID])
				if changed[groupID] = changed[groupID] || n > 0; err == nil && n == 0 {
					err = db.Exec(tx, "unanswered: "+interactionID+" was asked again",
						`UPDATE unanswered SET seq = $1 WHERE interaction_id = $2`, now, interactionID)
				}
			}
			if err != nil {
				return err
			}
		}
		for groupID, really := range changed {
			if !really {
				continue
			}
			if err := recenter(tx, groupID); err != nil {
				return err
			}
		}
		return nil
	})
}

func notFound() error {
	return fault.New(fault.NotFound,
		"These questions are no longer on the list. They are answered now, or were erased.")
}
