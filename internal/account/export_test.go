package account

import (
	"context"

	"preceptor/internal/db"
)

// ByEmail returns the account with this e-mail address.
func (dir *Directory) ByEmail(ctx context.Context, email string) (Account, error) {
	return db.Read(ctx, dir.db, func(tx *db.Tx) (Account, error) {
		a, err := scanAccount(tx.QueryRow(`SELECT `+accountColumns+` FROM account a WHERE a.email_key = $1`, emailKey(email)))
		if err != nil {
			return a, err
		}
		return a, loadRoles(tx, &a)
	})
}
