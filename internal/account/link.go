package account

import (
	"context"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// LinkFor is how long a link works by which a person chooses a password.
const LinkFor = 24 * time.Hour

// errNoLink says the same of a link that was used, replaced, has expired or never was, and of one whose account is
// disabled.
var errNoLink = fault.New(fault.NotFound,
	"This link no longer works. A link works once, within 24 hours. Ask an administrator for a new one.")

// Invite adds a person without a password, and makes the link with which they choose one. It is shown to by once.
func (dir *Directory) Invite(ctx context.Context, n NewAccount, by audit.Actor) (a Account, secret string, err error) {
	a, wrong := n.check()
	if len(wrong) > 0 {
		return Account{}, "", fault.WithFields(wrong[0].Msg, wrong...)
	}
	err = dir.db.Write(ctx, func(tx *db.Tx) (err error) {
		if err := insertTx(tx, &a, ""); err != nil {
			return err
		}
		a.Invited = true
		if _, err = dir.grantTx(tx, Grant{a, a.Roles, by}); err != nil {
			return err
		}
		counts, err := dir.countsTx(tx)
		if err != nil {
			return err
		}
		when := "when the link is used"
		if !counts.IsZero() {
			when = "24 hours after the link is used"
		}
		if err := recordAdded(tx, a, by, when); err != nil {
			return err
		}
		if a, err = getTx(tx, a.ID); err != nil { // with what of its roles waits
			return err
		}
		secret, err = makeLink(tx, a, by)
		return err
	})
	return a, secret, err
}

// MakeLink makes a link with which a person chooses a new password, in place of any earlier one. Nobody makes one for
// themselves: a borrowed browser would be enough to take an account.
func (dir *Directory) MakeLink(ctx context.Context, accountID string,
	by audit.Actor) (a Account, secret string, err error) {
	err = dir.change(ctx, accountID, &a, func(tx *db.Tx) error {
		switch {
		case a.Disabled:
			return fault.New(fault.Conflict, "%s can't sign in. Let them sign in again first.", a.Name)
		case by.Kind == audit.Person && by.ID == accountID:
			return fault.New(fault.Conflict, "Change your own password under Your account.")
		}
		if !a.Invited {
			if _, err := dir.grantTx(tx, Grant{a, nil, by}); err != nil {
				return err
			}
		}
		secret, err = makeLink(tx, a, by)
		return err
	})
	return a, secret, err
}

func makeLink(tx *db.Tx, a Account, by audit.Actor) (secret string, err error) {
	secret = id.Secret(32)
	expires := tx.Now.Add(LinkFor)
	_, err = tx.Exec(`INSERT INTO account_link (account_id, secret_hash, made_by, made_name, expires_at)
		VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (account_id) DO UPDATE SET secret_hash = excluded.secret_hash, made_by = excluded.made_by,
			made_name = excluded.made_name, expires_at = excluded.expires_at`,
		a.ID, digest(secret), by.ID, by.Name, db.Ms(expires))
	if err != nil {
		return "", err
	}
	return secret, record(tx, by, "account.link_made", "account", a.ID,
		map[string]any{"name": a.Name, "invitation": a.Invited, "roles": a.Roles, "expires": expires})
}

func dropLink(tx *db.Tx, accountID string) error {
	_, err := tx.Exec(`DELETE FROM account_link WHERE account_id = $1`, accountID)
	return err
}

// LinkExpires is when the link that a person was given stops working; the zero time when there is none.
func (dir *Directory) LinkExpires(ctx context.Context, accountID string) (at time.Time, err error) {
	err = dir.db.Read(ctx, func(tx *db.Tx) error {
		_, err := db.One(tx, "account: read a link", `SELECT expires_at FROM account_link
			WHERE account_id = $1 AND expires_at > $2`, accountID, tx.NowMs()).Find(db.At(&at))
		return err
	})
	return at, err
}

// CheckLink is whose the link of a secret is. Those that are none count like a failed sign-in from the address.
func (dir *Directory) CheckLink(ctx context.Context, secret, remoteIP string) (Account, error) {
	a, err := db.Read(ctx, dir.db, func(tx *db.Tx) (Account, error) {
		a, _, err := linkTx(tx, secret)
		return a, err
	})
	if fault.Is(err, fault.NotFound) {
		counters := map[limit]string{perAddress: digest(network(remoteIP))}
		if limited := dir.db.Write(ctx, func(tx *db.Tx) error { return countTx(tx, counters) }); limited != nil {
			return Account{}, limited
		}
	}
	return a, err
}

func linkTx(tx *db.Tx, secret string) (a Account, madeBy audit.Actor, err error) {
	var accountID string
	err = db.One(tx, "account: find a link", `SELECT account_id, made_by, made_name FROM account_link
		WHERE secret_hash = $1 AND expires_at > $2`, digest(secret), tx.NowMs()).
		Or(errNoLink).Scan(&accountID, &madeBy.ID, &madeBy.Name)
	if err != nil {
		return Account{}, madeBy, err
	}
	if a, err = getTx(tx, accountID); err == nil && a.Disabled {
		err = errNoLink
	}
	return a, madeBy, err
}

// UseLink sets the password that the link's person chose, uses the link up and ends their sessions. Whoever made the
// link may have opened it too, so once the firm has decided anything the account's roles count a day later.
func (dir *Directory) UseLink(ctx context.Context, secret, password, remoteIP string) (Account, error) {
	a, err := dir.CheckLink(ctx, secret, remoteIP)
	if err != nil {
		return Account{}, err
	}
	hash, err := dir.newHash(ctx, a, password)
	if err != nil {
		return Account{}, err
	}
	err = dir.change(ctx, a.ID, &a, func(tx *db.Tx) error {
		who, madeBy, err := linkTx(tx, secret) // again: a link works once
		if err != nil {
			return err
		}
		if err := setPasswordTx(tx, who, hash); err != nil {
			return err
		}
		counts, err := dir.countsTx(tx)
		if err != nil {
			return err
		}
		last, err := lastAdmin(tx, who.ID)
		if err != nil {
			return err
		}
		// the only administrator got their link from the server's operator, and nobody else could act for a day
		var stays Role
		if last {
			stays = Admin
		}
		if _, err := tx.Exec(`UPDATE account_role SET counts_at = $1
			WHERE account_id = $2 AND counts_at < $1 AND role <> $3`,
			db.Ms(counts), who.ID, string(stays)); err != nil {
			return err
		}
		if a, err = getTx(tx, who.ID); err != nil {
			return err
		}
		content := map[string]any{"link_from": madeBy.Name, "address": remoteIP, "roles": a.Roles,
			takeEffect: effective(a.CountsAt)}
		if len(a.Waiting) > 0 && len(a.Waiting) < len(a.Roles) {
			content["roles_that_wait"] = a.Waiting
		}
		return record(tx, who.Actor(), "account.joined", "account", who.ID, content)
	})
	return a, err
}
