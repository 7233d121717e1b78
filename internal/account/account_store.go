package account

import (
	"context"
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// Add makes an account. A Conflict if the e-mail address has one; Invalid names the fields.
func (dir *Directory) Add(ctx context.Context, n NewAccount, by audit.Actor) (Account, error) {
	a, hash, err := dir.prepare(ctx, n)
	if err != nil {
		return Account{}, err
	}
	err = dir.db.Write(ctx, func(tx *db.Tx) error { return addTx(tx, &a, hash, by) })
	return a, err
}

// prepare checks n and hashes its password, outside any transaction.
func (dir *Directory) prepare(ctx context.Context, n NewAccount) (Account, string, error) {
	a, wrong := n.check()
	if msg := checkPassword(n.Password, a.Email, a.Name); msg != "" {
		wrong = append(wrong, fault.Field{Name: "password", Msg: msg})
	}
	if len(wrong) > 0 {
		return Account{}, "", fault.WithFields(wrong[0].Msg, wrong...)
	}
	hash, err := dir.hash(ctx, n.Password)
	return a, hash, err
}

// check reads all but the password.
func (n NewAccount) check() (a Account, wrong []fault.Field) {
	n.Email, n.Name = strings.TrimSpace(n.Email), oneLine(n.Name)
	if msg := checkEmail(n.Email); msg != "" {
		wrong = append(wrong, fault.Field{Name: "email", Msg: msg})
	}
	if msg := checkName(n.Name); msg != "" {
		wrong = append(wrong, fault.Field{Name: "name", Msg: msg})
	}
	roles, err := checkRoles(n.Roles)
	if err != nil {
		wrong = append(wrong, fault.Fields(err)...)
	}
	return Account{Email: n.Email, Name: n.Name, Roles: roles}, wrong
}

// addTx makes an account whose roles take effect at once.
func addTx(tx *db.Tx, a *Account, hash string, by audit.Actor) error {
	if err := insertTx(tx, a, hash); err != nil {
		return err
	}
	if err := insertRoles(tx, a, a.Roles); err != nil {
		return err
	}
	if by.ID == "" && by.Kind == "" { // the first administrator adds themselves
		by = a.Actor()
	}
	return recordAdded(tx, *a, by, atOnce)
}

// recordAdded says who was added with which roles, and when those take effect.
func recordAdded(tx *db.Tx, a Account, by audit.Actor, when string) error {
	return record(tx, by, "account.added", "account", a.ID, map[string]any{"email": a.Email, "name": a.Name,
		"roles": a.Roles, takeEffect: when})
}

// takeEffect is where the log says when roles begin to count.
const takeEffect, atOnce = "roles_take_effect", "at once"

func effective(at time.Time) string {
	if at.IsZero() {
		return atOnce
	}
	return at.UTC().Format(time.RFC3339)
}

func insertTx(tx *db.Tx, a *Account, hash string) error {
	a.ID, a.CreatedAt, a.Version = id.New(), tx.Now, 1
	a.Prefs = Prefs{Theme: "system", Density: "comfortable", LetterKeys: true}
	_, err := tx.Exec(`INSERT INTO account (id, email, email_key, name, password_hash, created_at)
		VALUES ($1, $2, $3, $4, $5, $6)`,
		a.ID, a.Email, emailKey(a.Email), a.Name, hash, tx.NowMs())
	if db.IsUnique(err) {
		return fault.Wrap(fault.Conflict, err,
			"There is already an account with this e-mail address. Change that person's roles instead.")
	}
	return err
}

// insertRoles gives the account roles that count from a.CountsAt on.
func insertRoles(tx *db.Tx, a *Account, roles []Role) error {
	for _, r := range roles {
		if _, err := tx.Exec(`INSERT INTO account_role (account_id, role, counts_at) VALUES ($1, $2, $3)`, a.ID,
			string(r), db.Ms(a.CountsAt)); err != nil {
			return err
		}
	}
	return nil
}

func record(tx *db.Tx, by audit.Actor, action, kind, objectID string, content any) error {
	return audit.Note(tx, by, action, kind, objectID, content)
}

const accountColumns = `a.id, a.email, a.name, a.theme, a.density, a.letter_keys, a.created_at, a.disabled_at <> 0,
	a.password_hash = '', a.version`

func scanAccount(row db.Row) (a Account, err error) {
	err = row.Scan(&a.ID, &a.Email, &a.Name, &a.Prefs.Theme, &a.Prefs.Density, &a.Prefs.LetterKeys, db.At(&a.CreatedAt),
		&a.Disabled, &a.Invited, &a.Version)
	return a, err
}

func loadRoles(tx *db.Tx, a *Account) error { return rolesOf(tx, map[string]*Account{a.ID: a}) }

// rolesOf fills in the roles of people with one question.
func rolesOf(tx *db.Tx, people map[string]*Account) error {
	if len(people) == 0 {
		return nil
	}
	var ids []any
	for id := range people {
		ids = append(ids, id)
	}
	err := db.Each(tx, "account: load roles", func(row db.Row) error {
		var id string
		var r Role
		var counts time.Time
		if err := row.Scan(&id, &r, db.At(&counts)); err != nil {
			return err
		}
		a := people[id]
		a.Roles = append(a.Roles, r)
		if counts.After(tx.Now) {
			a.Waiting = append(a.Waiting, r)
			if a.Starts == nil {
				a.Starts = map[Role]time.Time{}
			}
			if a.Starts[r] = counts; counts.After(a.CountsAt) {
				a.CountsAt = counts
			}
		}
		return nil
	}, `SELECT account_id, role, counts_at FROM account_role WHERE account_id IN (`+db.In(1, len(ids))+`)`, ids...)
	for _, a := range people {
		a.Roles, a.Waiting = ordered(a.Roles), ordered(a.Waiting)
	}
	return err
}

func ordered(have []Role) []Role {
	return slices.SortedFunc(slices.Values(have), func(a, b Role) int {
		return slices.Index(Roles, a) - slices.Index(Roles, b)
	})
}

// Get returns one account.
func (dir *Directory) Get(ctx context.Context, accountID string) (Account, error) {
	return db.Read(ctx, dir.db, func(tx *db.Tx) (Account, error) { return getTx(tx, accountID) })
}

// ByEmail returns the account that signs in with this e-mail address.
func (dir *Directory) ByEmail(ctx context.Context, email string) (Account, error) {
	return db.Read(ctx, dir.db, func(tx *db.Tx) (Account, error) {
		row := db.One(tx, "account: read by e-mail", `SELECT `+accountColumns+` FROM account a WHERE a.email_key = $1`,
			emailKey(email))
		a, err := scanAccount(row.Or(fault.New(fault.NotFound, "Nobody signs in with %s.", email)))
		if err != nil {
			return a, err
		}
		return a, loadRoles(tx, &a)
	})
}

func getTx(tx *db.Tx, accountID string) (Account, error) {
	a, err := scanAccount(db.One(tx, "account: read", `SELECT `+accountColumns+` FROM account a WHERE a.id = $1`,
		accountID))
	if err != nil {
		return Account{}, err
	}
	return a, loadRoles(tx, &a)
}

// List returns everybody by name, the disabled ones last. A desk has tens of people, so the list is whole.
func (dir *Directory) List(ctx context.Context) (list []Account, err error) {
	err = dir.db.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = db.List(tx, "account: list", scanAccount, `SELECT `+accountColumns+` FROM account a
			ORDER BY a.disabled_at <> 0, lower(a.name), a.id`)
		if err != nil {
			return err
		}
		at := map[string]*Account{}
		for i := range list {
			at[list[i].ID] = &list[i]
		}
		return rolesOf(tx, at)
	})
	return list, err
}

func emailKey(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

func checkEmail(s string) string {
	if s == "" {
		return "Enter an e-mail address."
	}
	at := strings.LastIndexByte(s, '@')
	p, err := mail.ParseAddress(s)
	if err != nil || p.Address != s || len(s) > 254 || at < 1 || at == len(s)-1 {
		return "Enter an e-mail address in the format name@example.org."
	}
	return ""
}

func checkName(s string) string {
	if s == "" {
		return "Enter the name that colleagues know the person by."
	}
	if utf8.RuneCountInString(s) > 100 {
		return "Use at most 100 characters for the name."
	}
	if strings.ContainsFunc(s, unprintable) {
		return "Use only visible characters in the name."
	}
	return ""
}

// unprintable covers control and format characters, such as those that turn the direction of writing.
func unprintable(r rune) bool { return unicode.Is(unicode.C, r) || r == utf8.RuneError }
