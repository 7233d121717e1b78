package feedback

import (
	"context"
	"database/sql"
	"time"

	"preceptor/internal/db"
)

// Said is all that was said about one subject, oldest first: every version of every vote, and the outcomes.
type Said struct {
	Votes    []Vote
	Outcomes []Outcome
}

// SaidOf reads what was said about a subject. Erased words are empty.
func (b *Book) SaidOf(ctx context.Context, subjectID string) (s Said, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		err := db.Each(tx, "feedback: read votes", func(row db.Row) error {
			var v Vote
			if err := row.Scan(&v.ID, &v.SubjectID, &v.UserID, &v.Kind, &v.Value, &v.Norm, &v.Text, &v.Channel, &v.AgentID, &v.Version, db.At(&v.At)); err != nil {
				return err
			}
			s.Votes = append(s.Votes, v)
			return nil
		}, `SELECT v.id, v.subject_id, v.user_id, h.kind, h.value, h.norm, h.text, h.channel, v.agent_id, h.version, h.at
			FROM vote v JOIN vote_history h ON h.vote_id = v.id WHERE v.subject_id = $1 ORDER BY h.at, v.id, h.version`, subjectID)
		if err != nil {
			return err
		}
		s.Outcomes, err = outcomesTx(tx, ` WHERE subject_id = $1 ORDER BY at, id`, subjectID)
		return err
	})
	return s, err
}

func outcomesTx(tx *db.Tx, where string, args ...any) (list []Outcome, err error) {
	return db.List(tx, "feedback: read outcomes", func(row db.Row) (o Outcome, err error) {
		var met, checked, signposted, warned sql.NullBool
		if err := row.Scan(&o.ID, &o.SubjectID, &o.AgentID, &o.Satisfaction, &o.Comprehension, &o.GoalAlignment, db.JSON(&o.Issues), &met, &checked, &signposted,
			&warned, &o.By, &o.Channel, &o.Version, db.At(&o.At)); err != nil {
			return o, err
		}
		o.GoalsMet, o.UnderstandingChecked, o.Signposted, o.DBWarningGiven = answered(met), answered(checked), answered(signposted), answered(warned)
		return o, nil
	}, `SELECT id, subject_id, agent_id, satisfaction, comprehension, goal_alignment, issues, goals_met, understanding_checked, signposted,
		db_warning_given, by_id, channel, version, at FROM outcome`+where, args...)
}

// answered is an answer that may not have been given.
func answered(b sql.NullBool) *bool {
	if !b.Valid {
		return nil
	}
	return &b.Bool
}

// walkStep is how many rows one transaction of a walk reads.
const walkStep = 1_000

// WalkOutcomes gives every outcome of a period, from and until before to, in the order in which they were put down. It reads in small
// transactions and gives between them, so that give may read too: for reports.
func (b *Book) WalkOutcomes(ctx context.Context, from, to time.Time, give func(Outcome) error) error {
	return walk(ctx, b.db, func(tx *db.Tx, after string) ([]Outcome, error) {
		return outcomesTx(tx, ` WHERE id > $1 AND at >= $2 AND at < $3 ORDER BY id LIMIT $4`, after, db.Ms(from), db.Ms(to), walkStep)
	}, func(o Outcome) string { return o.ID }, give)
}

// WalkVotes gives every vote that stands and was given in a period, as WalkOutcomes does.
func (b *Book) WalkVotes(ctx context.Context, from, to time.Time, give func(Vote) error) error {
	return walk(ctx, b.db, func(tx *db.Tx, after string) (list []Vote, err error) {
		return db.Rows(tx, "feedback: walk votes", func(v *Vote) []any {
			return []any{&v.ID, &v.SubjectID, &v.UserID, &v.AgentID, &v.Kind, &v.Value, &v.Norm, &v.Text, &v.Channel, &v.Version, db.At(&v.At)}
		},
			`SELECT id, subject_id, user_id, agent_id, kind, value, norm, text, channel, version, at FROM vote
			WHERE id > $1 AND at >= $2 AND at < $3 ORDER BY id LIMIT $4`, after, db.Ms(from), db.Ms(to), walkStep)
	}, func(v Vote) string { return v.ID }, give)
}

// walk reads steps after one another, each in a transaction of its own, and gives what it read outside of any.
func walk[T any](ctx context.Context, d *db.DB, read func(tx *db.Tx, after string) ([]T, error), id func(T) string, give func(T) error) error {
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
