package account

import (
	"context"
	"fmt"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
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
	where, args := f.where()
	args = append(args, f.Limit+1)
	err = dir.db.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = db.List(tx, "account: list people", func(row db.Row) (l Listed, err error) {
			l.Account, err = scanAccount(db.More(row, db.At(&l.SeenAt)))
			return l, err
		}, `SELECT `+accountColumns+`, coalesce((SELECT max(s.seen_at) FROM session s WHERE s.account_id = a.id), 0)
			FROM account a WHERE `+where+fmt.Sprintf(`
				ORDER BY a.disabled_at <> 0, lower(a.name), a.id LIMIT $%d`, len(args)), args...)
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

func (f PeopleFilter) where() (string, []any) {
	parts, args := []string{"1 = 1"}, []any(nil)
	add := func(format string, arg any) {
		args = append(args, arg)
		parts = append(parts, fmt.Sprintf(format, len(args)))
	}
	if words := strings.TrimSpace(f.Words); words != "" {
		like := db.Containing(words)
		args = append(args, like, like)
		parts = append(parts,
			fmt.Sprintf(`(lower(a.name) LIKE lower($%d) ESCAPE '\' OR lower(a.email) LIKE lower($%d) ESCAPE '\')`,
				len(args)-1, len(args)))
	}
	if f.Role != "" {
		add(`EXISTS (SELECT 1 FROM account_role r WHERE r.account_id = a.id AND r.role = $%d)`, string(f.Role))
	}
	switch f.Disabled {
	case "yes":
		parts = append(parts, `a.disabled_at <> 0`)
	case "no":
		parts = append(parts, `a.disabled_at = 0`)
	}
	if f.After != "" {
		add(
			`(a.disabled_at <> 0, lower(a.name), a.id) > (SELECT b.disabled_at <> 0, lower(b.name), b.id FROM account b WHERE b.id = $%d)`, f.After)
	}
	return strings.Join(parts, " AND "), args
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
