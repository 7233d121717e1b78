package account

import (
	"context"
	"slices"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// SetRoles gives the account exactly these roles. What is taken away is gone at the next request; what a person adds
// counts as grantTx says. The last administrator who may sign in can't lose that role. base is Words of the roles that
// were on the screen, see fault.Stale.
func (dir *Directory) SetRoles(ctx context.Context, accountID string, roles []Role, by audit.Actor,
	base string) (a Account, err error) {
	roles, err = checkRoles(roles)
	if err != nil {
		return Account{}, err
	}
	err = dir.change(ctx, accountID, &a, func(tx *db.Tx) error {
		was, before := a, a.Roles
		if err := fault.Stale(base, Words(before)); err != nil {
			return err
		}
		if slices.Equal(before, roles) {
			return nil
		}
		if slices.Contains(before, Admin) && !slices.Contains(roles, Admin) {
			if err := keepAdmin(tx, accountID); err != nil {
				return err
			}
			if by.Kind == audit.Person && by.ID == accountID {
				return fault.New(fault.Conflict,
					"You can't take your own administrator role away: it would be a day until you had it back. "+
						"Another administrator can.")
			}
		}
		for _, r := range before {
			if !slices.Contains(roles, r) {
				if _, err := tx.Exec(`DELETE FROM account_role
					WHERE account_id = $1 AND role = $2`, accountID, string(r)); err != nil {
					return err
				}
			}
		}
		added := slices.DeleteFunc(slices.Clone(roles), func(r Role) bool { return slices.Contains(before, r) })
		content := map[string]any{"before": before, "after": roles}
		if len(added) > 0 {
			at, err := dir.grantTx(tx, Grant{a, added, by})
			if err != nil {
				return err
			}
			content["added"], content[takeEffect] = added, effective(at)
		}
		if err := record(tx, by, "account.roles_changed", "account", accountID, content); err != nil {
			return err
		}
		fewer := len(roles) < len(before)+len(added)
		if a, err = getTx(tx, accountID); err != nil || !fewer {
			return err
		}
		return dir.takenTx(tx, was, a, by)
	})
	return a, err
}

// Disable keeps the account from signing in and ends its sessions, and what it works on goes back; Enable lets it in
// again.
func (dir *Directory) Disable(ctx context.Context, accountID string, by audit.Actor) (a Account, err error) {
	err = dir.change(ctx, accountID, &a, func(tx *db.Tx) error {
		if a.Disabled {
			return nil
		}
		if by.Kind == audit.Person && by.ID == accountID {
			return fault.New(fault.Conflict, "You can't disable your own account. Another administrator can.")
		}
		if err := keepAdmin(tx, accountID); err != nil {
			return err
		}
		if _, err := tx.Exec(`UPDATE account SET disabled_at = $1 WHERE id = $2`, tx.NowMs(), accountID); err != nil {
			return err
		}
		a.Disabled = true
		if err := dropLink(tx, accountID); err != nil {
			return err
		}
		if _, err := endSessionsTx(tx, accountID, ""); err != nil {
			return err
		}
		if err := record(tx, by, "account.disabled", "account", accountID, nil); err != nil {
			return err
		}
		return dir.takenTx(tx, a, a, by)
	})
	return a, err
}

func (dir *Directory) takenTx(tx *db.Tx, before, left Account, by audit.Actor) error {
	if dir.hooks.OnTaken == nil {
		return nil
	}
	return dir.hooks.OnTaken(tx, before, left, by)
}

// Enable lets a disabled account sign in again.
func (dir *Directory) Enable(ctx context.Context, accountID string, by audit.Actor) (a Account, err error) {
	err = dir.change(ctx, accountID, &a, func(tx *db.Tx) error {
		if !a.Disabled {
			return nil
		}
		if _, err := tx.Exec(`UPDATE account SET disabled_at = 0 WHERE id = $1`, accountID); err != nil {
			return err
		}
		a.Disabled = false
		return record(tx, by, "account.enabled", "account", accountID, nil)
	})
	return a, err
}

// ChangePassword is what a person does on their own page: the old password is asked for, under the same throttle as
// signing in, and every session ends. The caller starts a new one for the browser that asked.
func (dir *Directory) ChangePassword(ctx context.Context, accountID, current, password, remoteIP string) error {
	a, err := dir.Get(ctx, accountID)
	if err != nil {
		return err
	}
	if _, err := dir.verify(ctx, a.Email, current, remoteIP); err != nil {
		if fault.Is(err, fault.Unsigned) {
			return fault.Wrong("The current password is wrong.", "current", "This isn't your current password.")
		}
		return err
	}
	hash, err := dir.newHash(ctx, a, password)
	if err != nil {
		return err
	}
	return dir.change(ctx, a.ID, &a, func(tx *db.Tx) error {
		if err := setPasswordTx(tx, a, hash); err != nil {
			return err
		}
		return record(tx, a.Actor(), "account.password_changed", "account", a.ID, nil)
	})
}

// newHash checks a new password of the person and makes its stored form.
func (dir *Directory) newHash(ctx context.Context, a Account, password string) (string, error) {
	if msg := checkPassword(password, a.Email, a.Name); msg != "" {
		return "", fault.Wrong(msg, "password", msg)
	}
	return dir.hash(ctx, password)
}

// setPasswordTx stores a password that its person chose, and ends all that the old one or a link still opened.
func setPasswordTx(tx *db.Tx, a Account, hash string) error {
	if _, err := tx.Exec(`UPDATE account SET password_hash = $1 WHERE id = $2`, hash, a.ID); err != nil {
		return err
	}
	if err := dropLink(tx, a.ID); err != nil {
		return err
	}
	_, err := endSessionsTx(tx, a.ID, "")
	return err
}

// SetPrefs keeps how a person wants the pages.
func (dir *Directory) SetPrefs(ctx context.Context, accountID string, p Prefs) error {
	if !slices.Contains([]string{"system", "light", "dark"}, p.Theme) {
		return fault.Wrong("Choose a theme from the list.", "theme", "Choose system, light or dark.")
	}
	if !slices.Contains([]string{"comfortable", "compact"}, p.Density) {
		return fault.Wrong("Choose a density from the list.", "density", "Choose comfortable or compact.")
	}
	var a Account
	return dir.change(ctx, accountID, &a, func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE account SET theme = $1, density = $2, letter_keys = $3
			WHERE id = $4`, p.Theme, p.Density, p.LetterKeys, accountID)
		return err
	})
}

// change loads the account into a, runs f and counts the version up, in one transaction.
func (dir *Directory) change(ctx context.Context, accountID string, a *Account, f func(tx *db.Tx) error) error {
	return dir.db.Write(ctx, func(tx *db.Tx) error {
		var err error
		if *a, err = getTx(tx, accountID); err != nil {
			return err
		}
		if err := f(tx); err != nil {
			return err
		}
		a.Version++
		_, err = tx.Exec(`UPDATE account SET version = version + 1 WHERE id = $1`, accountID)
		return err
	})
}

// keepAdmin refuses when no other administrator could act any more: one whose role hasn't taken effect can't.
func keepAdmin(tx *db.Tx, except string) error {
	last, err := lastAdmin(tx, except)
	if err == nil && last {
		err = fault.New(fault.Conflict, "This is the only administrator whose role is in effect. "+
			"Give the role to another person first, and wait until it takes effect.")
	}
	return err
}

// lastAdmin reports whether the account is an administrator and nobody else could act as one.
func lastAdmin(tx *db.Tx, accountID string) (bool, error) {
	var isAdmin, others int
	err := db.One(tx, "account: count administrators", `SELECT
			(SELECT count(*) FROM account_role WHERE account_id = $1 AND role = 'admin'),
			(SELECT count(*) FROM account a JOIN account_role r ON r.account_id = a.id
			WHERE r.role = 'admin' AND r.counts_at <= $2 AND a.disabled_at = 0 AND a.password_hash <> ''
				AND a.id <> $1)`,
		accountID, tx.NowMs()).Scan(&isAdmin, &others)
	return isAdmin > 0 && others == 0, err
}
