package feedback

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/platform/fault"
)

// Day is what one agent's users said in a period.
type Day struct {
	AgentID      string
	AgentType    string
	Interactions int // reported in the period
	Positive     int // votes whose present version is of the period
	Negative     int
	Neutral      int
}

// DaysOf reckons up a period for every agent and type that had interactions or votes in it, in the order of names.
func (b *Book) DaysOf(ctx context.Context, from, to time.Time) ([]Day, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]Day, error) {
		return db.Rows(tx, "feedback: reckon up a day", func(d *Day) []any {
			return []any{&d.AgentID, &d.AgentType, &d.Interactions, &d.Positive, &d.Negative, &d.Neutral}
		}, `SELECT agent_id, agent_type, sum(logged), sum(ups), sum(downs), sum(neutral) FROM (
				SELECT agent_id, agent_type, 1 AS logged, 0 AS ups, 0 AS downs, 0 AS neutral FROM observed
					WHERE created_at >= $1 AND created_at < $2
				UNION ALL SELECT agent_id, agent_type, 0, CASE WHEN norm > 0.5 THEN 1 ELSE 0 END, CASE
					WHEN norm < 0.5 THEN 1 ELSE 0 END, CASE WHEN norm = 0.5 THEN 1 ELSE 0 END
				FROM vote WHERE at >= $1 AND at < $2 AND `+CastSQL+`) AS said
			GROUP BY agent_id, agent_type ORDER BY agent_type, agent_id`, db.Ms(from), db.Ms(to))
	})
}

// Sample is one answer with what its users made of it.
type Sample struct {
	SubjectID string
	Query     string
	Response  string
	Liked     bool
}

// Samples gives answers that were voted on in a period and that more users were for or against, the latest first, at
// most n.
func (b *Book) Samples(ctx context.Context, agentID, agentType string, from, to time.Time,
	n int) (list []Sample, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = db.List(tx, "feedback: sample", func(row db.Row) (s Sample, err error) {
			var mean float64
			err = row.Scan(&s.SubjectID, &mean)
			s.Liked = mean > 0.5
			return s, err
		}, `SELECT subject_id, avg(norm) FROM vote WHERE agent_type = $1 AND agent_id = $2 AND at >= $3 AND at < $4
			AND `+CastSQL+` GROUP BY subject_id HAVING avg(norm) <> 0.5
			ORDER BY max(at) DESC, subject_id DESC LIMIT $5`, agentType,
			agentID, db.Ms(from), db.Ms(to), n)
		return err
	})
	if err != nil {
		return nil, err
	}
	kept := list[:0]
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		for _, s := range list {
			subject, err := b.SubjectTx(tx, agentID, s.SubjectID)
			if fault.Is(err, fault.NotFound) || err == nil && (!subject.Released || subject.Response == "") {
				continue
			}
			if err != nil {
				return err
			}
			s.Query, s.Response = subject.Query, subject.Response
			kept = append(kept, s)
		}
		return nil
	})
	return kept, err
}

// Moves are how exemplars of an agent changed in a period.
type Moves struct{ Promoted, Demoted, Retired int }

// MovesOf counts exemplars that were made, and that fell or were retired, in a period.
func (b *Book) MovesOf(ctx context.Context, agentID, agentType string, from, to time.Time) (m Moves, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		return db.One(tx, "feedback: count exemplars", `SELECT coalesce(sum(CASE WHEN created_at >= $1
				AND created_at < $2 THEN 1 ELSE 0 END), 0),
				coalesce(sum(CASE WHEN state IN ('demoted', 'replaced') AND changed_at >= $1
					AND changed_at < $2 THEN 1 ELSE 0 END), 0),
				coalesce(sum(CASE WHEN state = 'retired' AND changed_at >= $1 AND changed_at < $2 THEN 1 ELSE 0 END), 0)
			FROM exemplar WHERE agent_id = $3 AND agent_type = $4`, db.Ms(from), db.Ms(to), agentID,
			agentType).Scan(&m.Promoted, &m.Demoted, &m.Retired)
	})
	return m, err
}

// RefreshDue weighs the groups that had votes since they were weighed last: busy ones. It tells how many there were.
func (b *Book) RefreshDue(ctx context.Context) (n int, err error) {
	for {
		var ids []string
		err := b.db.Read(ctx, func(tx *db.Tx) (err error) {
			ids, err = db.Column[string](tx, "feedback: find groups to weigh", `SELECT id FROM query_group
				WHERE voted_at > counted_at ORDER BY voted_at, id LIMIT $1`, batch)
			return err
		})
		if err != nil || len(ids) == 0 {
			return n, err
		}
		for _, groupID := range ids { // each in a transaction of its own, so that votes don't wait
			if err := b.db.Write(ctx, func(tx *db.Tx) error {
				_, err := b.weighTx(tx, groupID)
				return err
			}); err != nil {
				return n, err
			}
			n++
		}
	}
}

// RetireLow retires the active exemplars whose share of positive votes is surely below line: the upper end of its
// interval is. It tells how many.
func (b *Book) RetireLow(ctx context.Context, line float64) (n int, err error) {
	after := ""
	for {
		var list []Exemplar
		err := b.db.Read(ctx, func(tx *db.Tx) (err error) {
			list, err = exemplarsTx(tx, `WHERE state = 'active' AND id > $1 ORDER BY id LIMIT $2`, after, batch)
			return err
		})
		if err != nil || len(list) == 0 {
			return n, err
		}
		for _, e := range list {
			after = e.ID
			err := b.db.Write(ctx, func(tx *db.Tx) error {
				ups, downs, err := RecordTx(tx, e.ID)
				if err != nil {
					return err
				}
				if _, high := estimate.Wilson(ups, ups+downs, estimate.Z95); high >= line {
					return nil
				}
				n++
				return b.RetireTx(tx, e.ID,
					fmt.Sprintf("%d of %d votes on it and on answers written with it were for them, which is "+
						"significantly below %.0f%%.", ups, ups+downs, 100*line), me)
			})
			if err != nil && !fault.Is(err, fault.Conflict) {
				return n, err
			}
		}
	}
}
