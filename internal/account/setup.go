package account

import (
	"context"
	"crypto/subtle"
	"slices"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// setupFor is how long a set-up link works; each start of the server without an account makes a new one.
const setupFor = 24 * time.Hour

var errNoSetup = fault.New(fault.NotFound,
	"This set-up link no longer works. If nobody has an account yet, restart the server: it prints a new link.")

// SetupLink makes the one-time secret with which the first administrator is made, in place of any earlier one. It is
// not needed once there is an account.
func (dir *Directory) SetupLink(ctx context.Context) (secret string, needed bool, err error) {
	err = dir.db.Write(ctx, func(tx *db.Tx) error {
		n, err := countAccounts(tx)
		if err != nil || n > 0 {
			return err
		}
		secret, needed = id.Secret(32), true
		_, err = tx.Exec(`INSERT INTO setup_link (id, secret_hash, expires_at) VALUES (1, $1, $2)
			ON CONFLICT (id) DO UPDATE SET secret_hash = excluded.secret_hash, expires_at = excluded.expires_at`,
			digest(secret), db.Ms(tx.Now.Add(setupFor)))
		return err
	})
	return secret, needed, err
}

// CheckSetup reports whether the link of this secret would work now.
func (dir *Directory) CheckSetup(ctx context.Context, secret string) error {
	return dir.db.Read(ctx, func(tx *db.Tx) error { return checkSetup(tx, secret) })
}

func checkSetup(tx *db.Tx, secret string) error {
	n, err := countAccounts(tx)
	if err != nil {
		return err
	}
	var hash string
	var expires int64
	found, err := db.One(tx, "account: read the setup link", `SELECT secret_hash, expires_at FROM setup_link
		WHERE id = 1`).Find(&hash, &expires)
	if err != nil {
		return err
	}
	if n > 0 || !found || subtle.ConstantTimeCompare([]byte(hash), []byte(digest(secret))) != 1 ||
		tx.NowMs() >= expires {
		return errNoSetup
	}
	return nil
}

// Setup makes the first administrator and uses the link up, in one transaction.
func (dir *Directory) Setup(ctx context.Context, secret string, n NewAccount) (Account, error) {
	if err := dir.CheckSetup(ctx, secret); err != nil { // before anything is hashed
		return Account{}, err
	}
	if !slices.Contains(n.Roles, Admin) {
		n.Roles = append(slices.Clone(n.Roles), Admin)
	}
	a, hash, err := dir.prepare(ctx, n)
	if err != nil {
		return Account{}, err
	}
	err = dir.db.Write(ctx, func(tx *db.Tx) error {
		if err := checkSetup(tx, secret); err != nil {
			return err
		}
		if _, err := tx.Exec(`DELETE FROM setup_link`); err != nil {
			return err
		}
		return addTx(tx, &a, hash, audit.Actor{})
	})
	return a, err
}

func countAccounts(tx *db.Tx) (n int, err error) {
	return db.Value[int](tx, "account: count", `SELECT count(*) FROM account`)
}

// Any reports whether anybody has an account.
func (dir *Directory) Any(ctx context.Context) (any bool, err error) {
	err = dir.db.Read(ctx, func(tx *db.Tx) error {
		n, err := countAccounts(tx)
		any = n > 0
		return err
	})
	return any, err
}
