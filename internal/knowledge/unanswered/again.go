package unanswered

import (
	"context"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
)

// atOnce is how many questions one run of Reread asks again: a few seconds' work.
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

func (s *Store) again(ctx context.Context, groupID string) error {
	ids, err := db.Read(ctx, s.d, func(tx *db.Tx) ([]string, error) {
		return db.Column[string](tx, "unanswered: list a group",
			`SELECT interaction_id FROM unanswered WHERE group_id = $1 ORDER BY asked_at, interaction_id`, groupID)
	})
	if err != nil {
		return err
	}
	return s.ask(ctx, ids)
}

// Reread asks again what was last asked of an older base, the longest ago first, and lets go what the advisor answers
// now. What was put aside isn't asked: it stays aside with its group.
func (s *Store) Reread(ctx context.Context) error {
	seq, err := s.base.Seq(ctx)
	if err != nil {
		return err
	}
	ids, err := db.Read(ctx, s.d, func(tx *db.Tx) ([]string, error) {
		return db.Column[string](tx, "unanswered: list what was asked of an older base",
			`SELECT u.interaction_id FROM unanswered u JOIN unanswered_group g ON g.id = u.group_id
			WHERE u.seq < $1 AND g.aside_at = 0 ORDER BY u.seq, u.interaction_id LIMIT $2`, seq, atOnce)
	})
	if err != nil {
		return err
	}
	return s.ask(ctx, ids)
}

// ask asks questions again, and lets go those that the advisor answers.
func (s *Store) ask(ctx context.Context, ids []string) error {
	for _, interactionID := range ids {
		seq, err := s.base.Seq(ctx)
		if err != nil {
			return err
		}
		in, err := s.interactions.Get(ctx, interactionID)
		if err != nil {
			return err
		}
		answered, err := s.answers(ctx, in)
		if err != nil {
			return err
		}
		err = s.d.Write(ctx, func(tx *db.Tx) error {
			groupID, err := openOf(tx, interactionID)
			if err != nil || groupID == "" {
				return err
			}
			if answered {
				return leave(tx, interactionID, groupID)
			}
			return db.Exec(tx, "unanswered: "+interactionID+" was asked again",
				`UPDATE unanswered SET seq = $1 WHERE interaction_id = $2`, seq, interactionID)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func notFound() error {
	return fault.New(fault.NotFound,
		"These questions are no longer on the list. They are answered now, or were erased.")
}
