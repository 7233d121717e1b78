package feedback

import (
	"context"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Standing is an exemplar with what was said of answers written with it in sight.
type Standing struct {
	Exemplar
	Sources            []string
	Positive, Negative int
}

// Exemplar finds one with how it stands.
func (b *Book) Exemplar(ctx context.Context, exemplarID string) (st Standing, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		e, err := b.exemplarTx(tx, exemplarID)
		if err != nil {
			return err
		}
		st.Exemplar = *e
		if st.Positive, st.Negative, err = RecordTx(tx, exemplarID); err != nil {
			return err
		}
		st.Sources, err = carriersTx(tx, exemplarID)
		return err
	})
	return st, err
}

// History lists every version of a vote, the first one first.
func (b *Book) History(ctx context.Context, voteID string) ([]Vote, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]Vote, error) {
		return votesTx(tx, `SELECT v.id, v.subject_id, v.user_id, v.agent_id, v.agent_type, v.topic, h.kind, h.value,
			h.norm, h.text, h.channel, h.version, h.at
			FROM vote_history h JOIN vote v ON v.id = h.vote_id WHERE h.vote_id = $1 ORDER BY h.version`, voteID)
	})
}

// Exemplar finds one; NotFound when there is none.
func (b *Book) exemplarTx(tx *db.Tx, exemplarID string) (*Exemplar, error) {
	list, err := exemplarsTx(tx, `WHERE id = $1`, exemplarID)
	if err == nil && len(list) == 0 {
		err = fault.New(fault.NotFound, "There is no such example.")
	}
	if err != nil {
		return nil, err
	}
	return &list[0], nil
}
