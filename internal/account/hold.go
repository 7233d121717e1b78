package account

import (
	"context"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// MustHoldTx is nil for an account that may sign in and has the role, as it stands in tx, once the role counts. Acts
// that matter ask here within their own transaction: the request's roles were read before it.
func (dir *Directory) MustHoldTx(tx *db.Tx, accountID string, r Role) error {
	var counts time.Time
	err := db.One(tx, "account: look for a role", `SELECT r.counts_at
		FROM account a JOIN account_role r ON r.account_id = a.id
		WHERE a.id = $1 AND r.role = $2 AND a.disabled_at = 0`,
		accountID, string(r)).Or(fault.New(fault.Denied, "This needs the %s role, which this account doesn't have now.",
		roleWords[r])).Scan(db.At(&counts))
	if err == nil && counts.After(tx.Now) {
		err = Waits(r, counts)
	}
	return err
}

// Waits refuses what a role allows that takes effect later.
func Waits(r Role, at time.Time) *fault.Error {
	err := fault.New(fault.Denied, "The %s role takes effect at %s, a day after it was granted or the password was "+
		"reset. Nothing was changed.", roleWords[r], at.Local().Format("15:04 on 2 January"))
	err.Title = "Your role isn't in effect yet"
	return err
}

// grantTx gives roles, or with none named a way in to all that the person has. What a person grants counts as countsTx
// says, and those concerned are told; the server's operator could write into the file as well. at is when the roles
// take effect, zero at once.
func (dir *Directory) grantTx(tx *db.Tx, g Grant) (at time.Time, err error) {
	if g.By.Kind == audit.Person || len(g.Roles) == 0 {
		if at, err = dir.countsTx(tx); err != nil {
			return at, err
		}
		g.Who.CountsAt = at
	}
	if err := insertRoles(tx, &g.Who, g.Roles); err != nil || at.IsZero() || dir.hooks.OnGranted == nil {
		return at, err
	}
	return at, dir.hooks.OnGranted(tx, g)
}

// countsTx is from when on a role counts that is granted now: a day later once the firm has decided anything, and where
// nobody says whether it has. Before that there is nothing to protect, and the zero time is at once.
func (dir *Directory) countsTx(tx *db.Tx) (at time.Time, err error) {
	decided := true
	if dir.hooks.Decided != nil {
		decided, err = dir.hooks.Decided(tx)
	}
	if decided {
		at = tx.Now.Add(countsAfter)
	}
	return at, err
}

// countsAfter is how long after it was granted a role counts: colleagues can object until then.
const countsAfter = 24 * time.Hour

// Words names roles in a sentence.
func Words(roles []Role) string {
	var words []string
	for _, r := range roles {
		words = append(words, roleWords[r])
	}
	return strings.Join(words, ", ")
}

var roleWords = map[Role]string{Supervisor: "supervisor", Expert: "expert", Manager: "manager", Admin: "administrator"}

// Holders counts who may sign in and has the role in effect.
func (dir *Directory) Holders(ctx context.Context, r Role) (n int, err error) {
	return db.Read(ctx, dir.db, func(tx *db.Tx) (int, error) {
		return db.Value[int](tx, "account: count holders",
			`SELECT count(*) FROM account a JOIN account_role r ON r.account_id = a.id
			WHERE r.role = $1 AND r.counts_at <= $2 AND a.disabled_at = 0 AND a.password_hash <> ''`, string(r),
			tx.NowMs())
	})
}
