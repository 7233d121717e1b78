package account

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// Session is one signed-in browser.
type Session struct {
	ID        string // names it on its owner's page
	AccountID string
	UserAgent string
	Address   string
	Notice    string // one line to show on the next page
	CreatedAt time.Time
	SeenAt    time.Time // to the minute
}

var errEnded = fault.New(fault.Unsigned, "You are not signed in, or your session has ended. Sign in to continue.")

// StartSession makes a session for an account that has just signed in. The secret is for the browser's cookie alone;
// only its hash is kept.
func (dir *Directory) StartSession(ctx context.Context, accountID, userAgent, ip string) (secret string, err error) {
	return dir.StartSessionOf(ctx, Account{ID: accountID}, userAgent, ip)
}

// StartSessionOf is StartSession for an account as SignIn returned it. If its password was changed in the meantime,
// which ended all sessions, the old one starts none.
func (dir *Directory) StartSessionOf(ctx context.Context, who Account,
	userAgent, ip string) (secret string, err error) {
	accountID := who.ID
	secret = id.Secret(32)
	err = dir.db.Write(ctx, func(tx *db.Tx) error {
		a, err := getTx(tx, accountID)
		if err != nil {
			return err
		}
		if a.Disabled {
			return errWrong
		}
		if err := stillProven(tx, who); err != nil {
			return err
		}
		if err := dropExpired(tx, dir.idle, dir.absolute); err != nil {
			return err
		}
		sessionID := id.New()
		_, err = tx.Exec(`INSERT INTO session (id, secret_hash, account_id, user_agent, address, created_at, seen_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			sessionID, digest(secret), accountID, clip(userAgent, 300), clip(ip, 64), tx.NowMs(), tx.NowMs())
		if err != nil {
			return err
		}
		return record(tx, a.Actor(), "account.signed_in", "account", accountID,
			map[string]any{"session": sessionID, "address": ip})
	})
	return secret, err
}

func stillProven(tx *db.Tx, who Account) error {
	if who.proof == "" {
		return nil
	}
	var stored string
	if err := db.One(tx, "account: read a password", `SELECT password_hash FROM account
		WHERE id = $1`, who.ID).Scan(&stored); err != nil {
		return err
	}
	if stored != who.proof {
		return errWrong
	}
	return nil
}

func dropExpired(tx *db.Tx, idle, absolute time.Duration) error {
	_, err := tx.Exec(`DELETE FROM session WHERE seen_at <= $1 OR created_at <= $2`, db.Ms(tx.Now.Add(-idle)),
		db.Ms(tx.Now.Add(-absolute)))
	return err
}

const sessionColumns = `s.id, s.account_id, s.user_agent, s.address, s.notice, s.created_at, s.seen_at`

func (s *Session) columns() []any {
	return []any{&s.ID, &s.AccountID, &s.UserAgent, &s.Address, &s.Notice, db.At(&s.CreatedAt), db.At(&s.SeenAt)}
}

// Session finds the session of a secret and its account with the roles it has now. Unsigned when it has ended, was
// never, or its account is disabled.
func (dir *Directory) Session(ctx context.Context, secret string) (s Session, a Account, err error) {
	s, a, stale, err := dir.find(ctx, secret)
	if err != nil || !stale {
		return s, a, err
	}
	return s, a, dir.db.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE session SET seen_at = $1
			WHERE id = $2 AND seen_at < $3`, tx.NowMs(), s.ID, tx.NowMs())
		return err
	})
}

// Peek is Session for what a page asks by itself: it does not count as somebody being there, so that an open page does
// not keep its session alive.
func (dir *Directory) Peek(ctx context.Context, secret string) (Session, Account, error) {
	s, a, _, err := dir.find(ctx, secret)
	return s, a, err
}

func (dir *Directory) find(ctx context.Context, secret string) (s Session, a Account, stale bool, err error) {
	if len(secret) != 43 { // 32 bytes in base64; anything else is not ours
		return s, a, false, errEnded
	}
	err = dir.db.Read(ctx, func(tx *db.Tx) error {
		row := db.One(tx, "account: find a session", `SELECT `+accountColumns+`, `+sessionColumns+`
			FROM session s JOIN account a ON a.id = s.account_id
			WHERE s.secret_hash = $1`, digest(secret)).
			Or(errEnded)
		if a, err = scanAccount(db.More(row, s.columns()...)); err != nil {
			return err
		}
		if a.Disabled || tx.Now.Sub(s.SeenAt) >= dir.idle || tx.Now.Sub(s.CreatedAt) >= dir.absolute {
			return errEnded
		}
		stale = tx.Now.Sub(s.SeenAt) >= touchEvery
		return loadRoles(tx, &a)
	})
	if err != nil {
		return Session{}, Account{}, false, err
	}
	return s, a, stale, nil
}

// EndSession ends the session of a secret: sign-out. A secret without a session is no error.
func (dir *Directory) EndSession(ctx context.Context, secret string) error {
	return dir.db.Write(ctx, func(tx *db.Tx) error {
		var accountID string
		found, err := db.One(tx, "account: end a session", `DELETE FROM session
			WHERE secret_hash = $1 RETURNING account_id`, digest(secret)).Find(&accountID)
		if err != nil || !found {
			return err
		}
		a, err := getTx(tx, accountID)
		if err != nil {
			return err
		}
		return record(tx, a.Actor(), "account.signed_out", "account", accountID, nil)
	})
}

// EndOthers ends all sessions of the account but keepID, and tells how many there were.
func (dir *Directory) EndOthers(ctx context.Context, accountID, keepID string) (n int, err error) {
	return dir.end(ctx, accountID, func(tx *db.Tx) (int, error) { return endSessionsTx(tx, accountID, keepID) })
}

// EndOne ends one session of the account by its id.
func (dir *Directory) EndOne(ctx context.Context, accountID, sessionID string) (n int, err error) {
	return dir.end(ctx, accountID, func(tx *db.Tx) (int, error) {
		return db.Change(tx, "account: end sessions", `DELETE FROM session
			WHERE account_id = $1 AND id = $2`, accountID, sessionID)
	})
}

func (dir *Directory) end(ctx context.Context, accountID string, del func(tx *db.Tx) (int, error)) (n int, err error) {
	err = dir.db.Write(ctx, func(tx *db.Tx) error {
		a, err := getTx(tx, accountID)
		if err != nil {
			return err
		}
		if n, err = del(tx); err != nil || n == 0 {
			return err
		}
		return record(tx, a.Actor(), "account.sessions_ended", "account", accountID, map[string]any{"ended": n})
	})
	return n, err
}

func endSessionsTx(tx *db.Tx, accountID, keepID string) (int, error) {
	return db.Change(tx, "account: end sessions", `DELETE FROM session
		WHERE account_id = $1 AND id <> $2`, accountID, keepID)
}

// ListSessions returns the account's live sessions, the last seen first.
func (dir *Directory) ListSessions(ctx context.Context, accountID string) ([]Session, error) {
	return db.Read(ctx, dir.db, func(tx *db.Tx) ([]Session, error) {
		return db.Rows(tx, "account: list sessions", (*Session).columns, `SELECT `+sessionColumns+` FROM session s
			WHERE s.account_id = $1 AND s.seen_at > $2 AND s.created_at > $3
			ORDER BY s.seen_at DESC, s.id DESC LIMIT 100`, accountID, db.Ms(tx.Now.Add(-dir.idle)),
			db.Ms(tx.Now.Add(-dir.absolute)))
	})
}

// Notify keeps one line to show on the session's next page; an empty one clears it.
func (dir *Directory) Notify(ctx context.Context, sessionID, line string) error {
	return dir.db.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE session SET notice = $1 WHERE id = $2`, clip(line, 500), sessionID)
		return err
	})
}

// Lifetime is how long a session lasts at most: what the cookie says.
func (dir *Directory) Lifetime() time.Duration { return dir.absolute }

// clip keeps the first n characters of what a client sent, without control characters.
func clip(s string, n int) string {
	s = strings.ToValidUTF8(s, "?")
	s = strings.Map(func(r rune) rune {
		if unprintable(r) {
			return -1
		}
		return r
	}, s)
	if utf8.RuneCountInString(s) > n {
		s = string([]rune(s)[:n])
	}
	return s
}
