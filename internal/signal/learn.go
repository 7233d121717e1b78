package signal

import (
	"context"

	"preceptor/internal/db"
	"preceptor/internal/signal/turn"
)

func (s *Store) learn(ctx context.Context, t turn.Turn, set Settings) ([]Signal, error) {
	return nil, nil
}

func (s *Store) keepTx(tx *db.Tx, t turn.Turn, set Settings, list []Signal) error { return nil }
