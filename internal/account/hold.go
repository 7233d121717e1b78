package account

import (
	"context"

	"preceptor/internal/db"
	"preceptor/internal/fault"
)

// MustHoldTx is nil for an account that may sign in and has the role, as it stands in tx. Acts that matter ask here within
// their own transaction: the request's roles were read before it.
func (dir *Directory) MustHoldTx(tx *db.Tx, accountID string, r Role) error {
	var one int
	err := db.One(tx, "account: look for a role", `SELECT 1 FROM account a JOIN account_role r ON r.account_id = a.id WHERE a.id = $1 AND r.role = $2 AND a.disabled_at = 0`,
		accountID, string(r)).Or(fault.New(fault.Denied, "This takes the role %s, which this account does not have now.", roleWords[r])).Scan(&one)
	return err
}

var roleWords = map[Role]string{Supervisor: "supervisor", Expert: "expert", Manager: "manager", Admin: "administrator"}

// Holders counts who has the role and may sign in.
func (dir *Directory) Holders(ctx context.Context, r Role) (n int, err error) {
	return db.Read(ctx, dir.db, func(tx *db.Tx) (int, error) {
		return db.Value[int](tx, "account: count holders",
			`SELECT count(*) FROM account a JOIN account_role r ON r.account_id = a.id WHERE r.role = $1 AND a.disabled_at = 0`,
			string(r))
	})
}
