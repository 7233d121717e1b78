package account

import (
	"context"

	"preceptor/internal/db"
)

// With lists everybody with a role who may sign in, by name.
func (dir *Directory) With(ctx context.Context, r Role) (list []Account, err error) {
	err = dir.db.Read(ctx, func(tx *db.Tx) error {
		list, err = dir.ListTx(tx, r)
		return err
	})
	return list, err
}
