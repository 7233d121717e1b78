package account

import (
	"context"

	"preceptor/internal/platform/db"
)

// With lists everybody with a role who may sign in, by name.
func (dir *Directory) With(ctx context.Context, r Role) ([]Account, error) {
	return db.Read(ctx, dir.db, func(tx *db.Tx) ([]Account, error) { return dir.ListTx(tx, r) })
}
