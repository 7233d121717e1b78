package account

import (
	"context"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
)

// PeopleFilter picks people; the zero value is everybody.
type PeopleFilter struct {
	Words    string // a part of the name or the e-mail address
	Role     Role   // "" is any
	Disabled string // "yes", "no", "" is both
	After    string // the id of the last person of the page before
	Limit    int    // 50 when 0
}

// Listed is a person in a list.
type Listed struct {
	Account
	SeenAt time.Time // the last request of a session that lives; zero: signed in nowhere
}

// People returns a page of people by name, those who may not sign in last. next is the After of the following page, ""
// on the last.
func (dir *Directory) People(ctx context.Context, f PeopleFilter) (list []Listed, next string, err error) {
	if f.Limit <= 0 {
		f.Limit = 50
	}
	w := f.where()
	w.Add(` ORDER BY a.disabled_at <> 0, lower(a.name), a.id LIMIT ?`, f.Limit+1)
	err = dir.db.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = db.List(tx, "account: list people", func(row db.Row) (l Listed, err error) {
			l.Account, err = scanAccount(db.More(row, db.At(&l.SeenAt)))
			return l, err
		}, `SELECT `+accountColumns+`, coalesce((SELECT max(s.seen_at) FROM session s WHERE s.account_id = a.id), 0)
			FROM account a WHERE 1 = 1`+w.SQL, w.Args...)
		if err != nil {
			return err
		}
		if len(list) > f.Limit {
			list = list[:f.Limit]
			next = list[f.Limit-1].ID
		}
		at := map[string]*Account{}
		for i := range list {
			at[list[i].ID] = &list[i].Account
		}
		return rolesOf(tx, at)
	})
	return list, next, err
}

func (f PeopleFilter) where() (w keyset.Where) {
	words := strings.TrimSpace(f.Words)
	like := db.Containing(words)
	w.If(words != "", `(lower(a.name) LIKE lower(?) ESCAPE '\' OR lower(a.email) LIKE lower(?) ESCAPE '\')`, like, like)
	w.If(f.Role != "", `EXISTS (SELECT 1 FROM account_role r WHERE r.account_id = a.id AND r.role = ?)`, string(f.Role))
	w.If(f.Disabled == "yes", `a.disabled_at <> 0`)
	w.If(f.Disabled == "no", `a.disabled_at = 0`)
	w.If(f.After != "", `(a.disabled_at <> 0, lower(a.name), a.id) > (SELECT b.disabled_at <> 0, lower(b.name), b.id
		FROM account b WHERE b.id = ?)`, f.After)
	return w
}

// EndAll ends every session of a person, as an administrator does for somebody who lost a machine, and tells how many
// there were.
func (dir *Directory) EndAll(ctx context.Context, accountID string, by audit.Actor) (a Account, n int, err error) {
	err = dir.db.Write(ctx, func(tx *db.Tx) error {
		if a, err = getTx(tx, accountID); err != nil {
			return err
		}
		if n, err = endSessionsTx(tx, accountID, ""); err != nil || n == 0 {
			return err
		}
		return record(tx, by, "account.sessions_ended", "account", accountID, map[string]any{"ended": n})
	})
	return a, n, err
}

// EndSessionsOfAllTx ends every session there is, and tells how many there were.
func (dir *Directory) EndSessionsOfAllTx(tx *db.Tx) (int, error) {
	return db.Change(tx, "account: end sessions", `DELETE FROM session`)
}
