package unanswered

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"preceptor/internal/interaction"
	"preceptor/internal/llm"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/job"
)

const (
	// alike is the cosine of a question with the middle of a group from which it is of the group. In
	// TestGroupsByMeaning, 432 questions on 36 matters in mixed order, 92 in 100 are in a group of their own matter,
	// and 69 in the largest of it.
	alike = 0.72
	// compared is how many questions of an agent a new one is compared with, the latest.
	compared = 2000
)

// Work is the job that puts a question into its group.
type Work struct {
	InteractionID string `json:"interaction_id"`
}

// Kind names the job.
func (Work) Kind() string { return "unanswered.count" }

// CountTx has a draft counted that says that there is no guidance. A seeded check is nobody's question, and one that
// was sent back was counted when it was asked.
func (s *Store) CountTx(tx *db.Tx, in *interaction.Interaction) error {
	if !in.Provenance.Unanswered || in.Planted || in.Revises != "" {
		return nil
	}
	return s.jobs.InsertTx(tx, Work{InteractionID: in.ID}, job.Unique(), job.Patient())
}

func (s *Store) count(ctx context.Context, interactionID string) error {
	in, err := s.interactions.Get(ctx, interactionID)
	if err != nil || !in.ErasedAt.IsZero() {
		return err
	}
	seq, err := s.base.Seq(ctx)
	if err != nil {
		return err
	}
	if answered, err := s.answers(ctx, in); err != nil || answered {
		return err
	}
	vectors, err := s.encoder.Embed(ctx, []string{in.Consultation.Question})
	if err != nil {
		return fmt.Errorf("unanswered: read %s: %w", in.ID, err)
	}
	return s.d.Write(ctx, func(tx *db.Tx) error {
		if in, err = s.interactions.GetTx(tx, interactionID); err != nil || !in.ErasedAt.IsZero() {
			return err
		}
		counted, err := groupOf(tx, in.ID)
		if err != nil || counted != "" {
			return err
		}
		groupID, err := s.joinTx(tx, in, vectors[0])
		if err != nil {
			return err
		}
		err = db.Exec(tx, "unanswered: count "+in.ID, `INSERT INTO unanswered (interaction_id, group_id, model, vector,
				asked_at, seq)
			VALUES ($1, $2, $3, $4, $5, $6)`, in.ID, groupID, s.encoder.Name(), llm.Stored(vectors[0]),
			db.Ms(in.CreatedAt), seq)
		if err != nil {
			return err
		}
		return recenter(tx, groupID)
	})
}

// groupOf is the group of a question that counts; "" for another.
func groupOf(tx *db.Tx, interactionID string) (string, error) {
	return db.Maybe[string](tx, "unanswered: find the group of "+interactionID,
		`SELECT group_id FROM unanswered WHERE interaction_id = $1`, interactionID)
}

// joinTx finds the group whose middle is nearest to a question, or begins one.
func (s *Store) joinTx(tx *db.Tx, in *interaction.Interaction, v []float32) (groupID string, err error) {
	middles := map[string][]float32{}
	err = db.Each(tx, "unanswered: compare questions", func(row db.Row) error {
		var group string
		var blob []byte
		if err := row.Scan(&group, &blob); err != nil {
			return err
		}
		middles[group] = add(middles[group], llm.Vector(blob))
		return nil
	}, `SELECT u.group_id, u.vector FROM unanswered u JOIN unanswered_group g ON g.id = u.group_id
		WHERE g.agent_id = $1 AND g.pack = $2 AND u.model = $3 ORDER BY u.asked_at DESC, u.interaction_id LIMIT $4`,
		in.AgentID, in.Consultation.Pack, s.encoder.Name(), compared)
	if err != nil {
		return "", err
	}
	best := alike
	for group, middle := range middles {
		if c := llm.Dot(v, middle) / math.Sqrt(llm.Dot(middle, middle)); c > best || c == best && group < groupID {
			groupID, best = group, c
		}
	}
	if groupID != "" {
		return groupID, nil
	}
	groupID = id.New()
	return groupID, db.Exec(tx, "unanswered: begin a group", `INSERT INTO unanswered_group (id, agent_id, pack,
			central_id)
		VALUES ($1, $2, $3, $4)`,
		groupID, in.AgentID, in.Consultation.Pack, in.ID)
}

// recenter finds the question that is nearest to all of a group, the first asked of several; a group without any goes.
func recenter(tx *db.Tx, groupID string) error {
	type member struct {
		id     string
		vector []float32
	}
	members, err := db.List(tx, "unanswered: read a group", func(row db.Row) (m member, err error) {
		var blob []byte
		err = row.Scan(&m.id, &blob)
		m.vector = llm.Vector(blob)
		return m, err
	}, `SELECT interaction_id, vector FROM unanswered WHERE group_id = $1 ORDER BY asked_at, interaction_id`, groupID)
	if err != nil {
		return err
	}
	tx.Touch("knowledge")
	if len(members) == 0 {
		return db.Exec(tx, "unanswered: end a group", `DELETE FROM unanswered_group WHERE id = $1`, groupID)
	}
	var middle []float32
	for _, m := range members {
		middle = add(middle, m.vector)
	}
	central := slices.MaxFunc(members, func(a, b member) int {
		return cmp.Compare(llm.Dot(a.vector, middle), llm.Dot(b.vector, middle))
	})
	return db.Exec(tx, "unanswered: name a group", `UPDATE unanswered_group SET central_id = $1
		WHERE id = $2`, central.id, groupID)
}

// EraseTx forgets a question, and tells how many there were.
func (s *Store) EraseTx(tx *db.Tx, interactionID string) (int, error) {
	groupID, err := groupOf(tx, interactionID)
	if err != nil || groupID == "" {
		return 0, err
	}
	return 1, leave(tx, interactionID, groupID)
}

func leave(tx *db.Tx, interactionID, groupID string) error {
	if err := db.Exec(tx, "unanswered: "+interactionID+" leaves", `DELETE FROM unanswered
		WHERE interaction_id = $1`, interactionID); err != nil {
		return err
	}
	return recenter(tx, groupID)
}

func add(sum, v []float32) []float32 {
	if len(sum) != len(v) {
		return slices.Clone(v)
	}
	for i, x := range v {
		sum[i] += x
	}
	return sum
}
