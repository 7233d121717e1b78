package feedback

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/platform/db"
)

// Said is all that was said about one subject, oldest first: every version of every vote, and the outcomes.
type Said struct {
	Votes    []Vote
	Outcomes []Outcome
}

// SaidOf reads what was said about a subject. Erased words are empty.
func (b *Book) SaidOf(ctx context.Context, subjectID string) (s Said, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		s.Votes, err = votesTx(tx, `SELECT v.id, v.subject_id, v.user_id, v.agent_id, v.agent_type, v.topic, h.kind,
			h.value, h.norm, h.text, h.channel, h.version, h.at
			FROM vote v JOIN vote_history h ON h.vote_id = v.id WHERE v.subject_id = $1
				ORDER BY h.at, v.id, h.version`, subjectID)
		if err != nil {
			return err
		}
		s.Outcomes, err = outcomesTx(tx, ` WHERE subject_id = $1 ORDER BY at, id`, subjectID)
		return err
	})
	return s, err
}

// DislikedTx are an agent's votes on a topic, in any spelling, that are negative, say why, and came after since, the
// newest first.
func (b *Book) DislikedTx(tx *db.Tx, agentID, topic string, since time.Time, most int) ([]Vote, error) {
	spelt, err := db.Column[string](tx, "feedback: list topics", `SELECT DISTINCT topic FROM vote
		WHERE agent_id = $1 AND norm < 0.5 AND text <> ''`, agentID)
	if spelt = alike(spelt, topic); err != nil || len(spelt) == 0 {
		return nil, err
	}
	return votesTx(tx, selectVotes+` WHERE agent_id = $1 AND norm < 0.5 AND text <> '' AND at > $2
		AND topic IN (`+db.In(3, len(spelt))+`) ORDER BY at DESC, id DESC `+fmt.Sprintf("LIMIT $%d", 3+len(spelt)),
		append(append([]any{agentID, db.Ms(since)}, db.Anys(spelt)...), most)...)
}

func outcomesTx(tx *db.Tx, where string, args ...any) ([]Outcome, error) {
	return db.Rows(tx, "feedback: read outcomes", func(o *Outcome) []any {
		return []any{&o.ID, &o.SubjectID, &o.AgentID, &o.Satisfaction, &o.Comprehension, &o.GoalAlignment,
			db.JSON(&o.Issues), &o.GoalsMet, &o.UnderstandingChecked, &o.Signposted,
			&o.DBWarningGiven, &o.By, &o.Channel, &o.Version, db.At(&o.At)}
	}, `SELECT id, subject_id, agent_id, satisfaction, comprehension, goal_alignment, issues, goals_met,
		understanding_checked, signposted,
		db_warning_given, by_id, channel, version, at FROM outcome`+where, args...)
}

// walkStep is how many rows one transaction of a walk reads.
const walkStep = 1_000

// WalkOutcomes gives every outcome of a period, from and until before to, in the order in which they were put down. It
// reads in small transactions and gives between them, so that give may read too: for reports.
func (b *Book) WalkOutcomes(ctx context.Context, from, to time.Time, give func(Outcome) error) error {
	return walk(ctx, b.db, func(tx *db.Tx, after string) ([]Outcome, error) {
		return outcomesTx(tx, ` WHERE id > $1 AND at >= $2 AND at < $3
			ORDER BY id LIMIT $4`, after, db.Ms(from), db.Ms(to), walkStep)
	}, func(o Outcome) string { return o.ID }, give)
}

// WalkVotes gives every vote that stands and was given in a period, as WalkOutcomes does.
func (b *Book) WalkVotes(ctx context.Context, from, to time.Time, give func(Vote) error) error {
	return walk(ctx, b.db, func(tx *db.Tx, after string) ([]Vote, error) {
		return votesTx(tx, selectVotes+` WHERE id > $1 AND at >= $2 AND at < $3 AND `+CastSQL+`
			ORDER BY id LIMIT $4`, after, db.Ms(from), db.Ms(to), walkStep)
	}, func(v Vote) string { return v.ID }, give)
}

// walk reads steps after one another, each in a transaction of its own, and gives what it read outside of any.
func walk[T any](ctx context.Context, d *db.DB, read func(tx *db.Tx, after string) ([]T, error), id func(T) string,
	give func(T) error) error {
	for after, n := "", walkStep; n == walkStep; {
		var list []T
		err := d.Read(ctx, func(tx *db.Tx) (err error) {
			list, err = read(tx, after)
			return err
		})
		if err != nil {
			return err
		}
		if n = len(list); n > 0 {
			after = id(list[n-1])
		}
		for _, one := range list {
			if err := give(one); err != nil {
				return err
			}
		}
	}
	return nil
}
