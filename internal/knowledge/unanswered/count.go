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
	// compared is how many groups of an agent a new question is compared with: those put aside, and the latest.
	compared = 2000
	// sampled is how many questions of a group make its middle, the latest.
	sampled = 200
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
		err = db.Exec(tx, "unanswered: count "+in.ID, `INSERT INTO unanswered (interaction_id, group_id, vector,
				asked_at, seq)
			VALUES ($1, $2, $3, $4, $5)`, in.ID, groupID, llm.Stored(vectors[0]), db.Ms(in.CreatedAt), seq)
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

// openOf is groupOf for what wasn't put aside; listed: and isn't answered.
func openOf(tx *db.Tx, interactionID string, listed bool) (string, error) {
	return db.Maybe[string](tx, "unanswered: find the open group of "+interactionID,
		`SELECT g.id FROM unanswered u JOIN unanswered_group g ON g.id = u.group_id
		WHERE u.interaction_id = $1 AND g.aside_at = 0 AND (NOT $2 OR u.seq >= 0)`, interactionID, listed)
}

// joinTx finds the group whose middle is nearest to a question, or begins one.
func (s *Store) joinTx(tx *db.Tx, in *interaction.Interaction, v []float32) (groupID string, err error) {
	best := alike
	err = db.Each(tx, "unanswered: compare with groups", func(row db.Row) error {
		var group string
		var blob []byte
		if err := row.Scan(&group, &blob); err != nil {
			return err
		}
		middle := llm.Vector(blob)
		if c := llm.Dot(v, middle) / math.Sqrt(llm.Dot(middle, middle)); c > best || c == best && group < groupID {
			groupID, best = group, c
		}
		return nil
	}, `SELECT id, middle FROM unanswered_group WHERE agent_id = $1 AND pack = $2 AND model = $3
		ORDER BY aside_at DESC, asked_at DESC, id LIMIT $4`,
		in.AgentID, in.Consultation.Pack, s.encoder.Name(), compared)
	if err != nil || groupID != "" {
		return groupID, err
	}
	groupID = id.New()
	return groupID, db.Exec(tx, "unanswered: begin a group", `INSERT INTO unanswered_group (id, agent_id, pack,
			central_id, model, middle, asked_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		groupID, in.AgentID, in.Consultation.Pack, in.ID, s.encoder.Name(), llm.Stored(v), db.Ms(in.CreatedAt))
}

// recenter finds the middle of a group, and the question that is nearest to it, the first asked of several: of those
// that are answered only where no other is left. A group without any goes.
func recenter(tx *db.Tx, groupID string) error {
	type member struct {
		id     string
		vector []float32
		at     int64
	}
	members, err := db.List(tx, "unanswered: read a group", func(row db.Row) (m member, err error) {
		var blob []byte
		err = row.Scan(&m.id, &blob, &m.at)
		m.vector = llm.Vector(blob)
		return m, err
	}, `SELECT interaction_id, vector, asked_at FROM unanswered
		WHERE group_id = $1 AND (seq >= 0 OR NOT EXISTS (SELECT 1 FROM unanswered o
			WHERE o.group_id = $1 AND o.seq >= 0))
		ORDER BY asked_at DESC, interaction_id DESC LIMIT $2`, groupID, sampled)
	if err != nil {
		return err
	}
	tx.Touch("knowledge")
	if len(members) == 0 {
		return db.Exec(tx, "unanswered: end a group", `DELETE FROM unanswered_group WHERE id = $1`, groupID)
	}
	last := members[0].at
	slices.Reverse(members)
	var middle []float32
	for _, m := range members {
		middle = add(middle, m.vector)
	}
	central := slices.MaxFunc(members, func(a, b member) int {
		return cmp.Compare(llm.Dot(a.vector, middle), llm.Dot(b.vector, middle))
	})
	return db.Exec(tx, "unanswered: name a group", `UPDATE unanswered_group SET central_id = $1, middle = $2,
			asked_at = $3
		WHERE id = $4`, central.id, llm.Stored(middle), last, groupID)
}

// EraseTx forgets a question, and tells how many there were.
func (s *Store) EraseTx(tx *db.Tx, interactionID string) (int, error) {
	groupID, err := groupOf(tx, interactionID)
	if err != nil || groupID == "" {
		return 0, err
	}
	if err := db.Exec(tx, "unanswered: "+interactionID+" leaves", `DELETE FROM unanswered WHERE interaction_id = $1`,
		interactionID); err != nil {
		return 0, err
	}
	return 1, recenter(tx, groupID)
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
