package feedback

import (
	"context"
	"database/sql"
	"math"
	"strings"

	"preceptor/internal/llm"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/id"
)

// probe is the vector of a query, asked for before the transaction. The zero value is none: then the same words count
// together, and like ones do not.
type probe struct {
	model  string
	vector []float32
}

// probe embeds the query of what is voted on, unless it is in a group already. An embedder that does not answer costs
// the likeness and not the vote.
func (b *Book) probe(ctx context.Context, v Vote) (p probe, err error) {
	var s Subject
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		if s, err = b.SubjectTx(tx, v.AgentID, v.SubjectID); err != nil {
			return err
		}
		known, err := memberTx(tx, s.ID)
		if err != nil || known != "" {
			s.Query = "" // nothing to ask
		}
		return err
	})
	if err != nil || s.Query == "" {
		return p, err
	}
	return b.embed(ctx, s, s.Query), nil
}

// mostRead is how many bytes of a query are read for its likeness, to bound the time.
const mostRead = 1200

func (b *Book) embed(ctx context.Context, s Subject, text string) probe {
	if b.embedder == nil {
		return probe{}
	}
	if !llm.IsLocal(b.embedder) {
		text = b.hooks.Clean(s, text)
	}
	text = strings.ToValidUTF8(text[:min(len(text), mostRead)], "")
	vectors, err := b.embedder.Embed(ctx, []string{text})
	if err != nil || len(vectors) != 1 || !finite(vectors[0]) {
		b.log.Warn("the embedder did not answer; queries count together by their words alone", "embedder",
			b.embedder.Name(), "error", err)
		return probe{}
	}
	return probe{b.embedder.Name(), vectors[0]}
}

func finite(v []float32) bool {
	var s float64
	for _, x := range v {
		s += float64(x) * float64(x)
	}
	return s > 1e-6 && !math.IsInf(s, 0) && !math.IsNaN(s)
}

// memberTx is the group of a subject; "" before its first vote.
func memberTx(tx *db.Tx, subjectID string) (groupID string, err error) {
	return db.Maybe[string](tx, "feedback: find the group of "+subjectID, `SELECT group_id FROM query_member
		WHERE subject_id = $1`, subjectID)
}

// joinTx puts a subject into the group of its query, once and for good: that of the same words, else the likest, else a
// new one.
func (b *Book) joinTx(tx *db.Tx, s Subject, p probe) (groupID string, err error) {
	if groupID, err = memberTx(tx, s.ID); err != nil || groupID != "" {
		return groupID, err
	}
	hash := s.queryHash()
	groupID, err = db.Maybe[string](tx, "feedback: look for the same query", `SELECT group_id FROM query_member
		WHERE query_hash = $1 LIMIT 1`, hash)
	if err != nil {
		return "", err
	}
	if groupID == "" && p.vector != nil {
		if groupID, err = likestTx(tx, s, p); err != nil {
			return "", err
		}
	}
	if groupID == "" {
		groupID = id.New()
		if err := db.Exec(tx, "feedback: begin a group", `INSERT INTO query_group (id, agent_id, agent_type, topic,
				model, vector, voted_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			groupID, s.AgentID, s.AgentType, s.Topic, p.model, llm.Stored(p.vector), tx.NowMs()); err != nil {
			return "", err
		}
	}
	if err := db.Exec(tx, "feedback: join a group", `INSERT INTO query_member (subject_id, group_id, query_hash, answer,
			eligible, at)
		VALUES ($1, $2, $3, $4, $5, $6)`,
		s.ID, groupID, hash, s.answerHash(), s.Released, tx.NowMs()); err != nil {
		return "", err
	}
	return groupID, nil
}

// likestTx finds the group among the Recent ones whose first query is like p; "" when none is.
func likestTx(tx *db.Tx, s Subject, p probe) (best string, err error) {
	most := Similar
	err = db.Each(tx, "feedback: look for like queries", func(row db.Row) error {
		var groupID, model string
		var blob sql.RawBytes
		if err := row.Scan(&groupID, &model, &blob); err != nil {
			return err
		}
		if model != p.model {
			return nil
		}
		if c := llm.Dot(p.vector, llm.Vector(blob)); c >= most {
			best, most = groupID, math.Nextafter(c, 2)
		}
		return nil
	}, `SELECT id, model, vector FROM query_group WHERE agent_id = $1 AND agent_type = $2 AND topic = $3
		ORDER BY voted_at DESC, id LIMIT $4`,
		s.AgentID, s.AgentType, s.Topic, Recent)
	return best, err
}

// countTx counts a vote for its group and weighs the group, and reports whether an exemplar came of it.
func (b *Book) countTx(tx *db.Tx, s Subject, v Vote, p probe) (promoted bool, err error) {
	groupID, err := memberTx(tx, s.ID)
	if err != nil || groupID == "" && v.Norm == 0.5 {
		return false, err // a neutral vote on what nobody had an opinion of weighs nothing
	}
	if groupID, err = b.joinTx(tx, s, p); err != nil {
		return false, err
	}
	var n int
	if err := db.One(tx, "feedback: count a vote", `UPDATE query_group SET votes = votes + 1, voted_at = $1
		WHERE id = $2 RETURNING votes`, tx.NowMs(), groupID).Scan(&n); err != nil {
		return false, err
	}
	if n > Busy && n%(n/100) != 0 {
		return false, nil
	}
	return b.weighTx(tx, groupID)
}

// RefreshTx looks anew at whether a guidance may carry an exemplar: after it was released, recalled or erased.
func (b *Book) RefreshTx(tx *db.Tx, subjectID string) error {
	groupID, err := memberTx(tx, subjectID)
	if err != nil || groupID == "" {
		return err
	}
	s, err := b.SubjectTx(tx, "", subjectID)
	if err != nil {
		return err
	}
	// A corrected text is another answer than the one that the votes were for.
	if err := db.Exec(tx, "feedback: look anew at "+subjectID, `UPDATE query_member SET eligible = CASE
		WHEN answer = $1 THEN $2 ELSE 0 END
		WHERE subject_id = $3`, s.answerHash(), s.Released, subjectID); err != nil {
		return err
	}
	_, err = b.weighTx(tx, groupID)
	return err
}
