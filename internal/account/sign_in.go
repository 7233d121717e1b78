package account

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// limit is a counter of failures: after free ones each further attempt waits, first for base, then twice as long, up to
// most. Failures are forgotten when none was added for window.
type limit struct {
	kind               string
	free               int
	base, most, window time.Duration
}

var (
	perPair = limit{"pair", 5, 2 * time.Second, 15 * time.Minute, time.Hour}
	// perAddress holds up who tries many accounts, but nobody who signed in from there before: a whole office has one
	// address.
	perAddress = limit{"address", 30, 2 * time.Second, 5 * time.Minute, 15 * time.Minute}
	// perAccount counts attempts from addresses the account has never signed in from; it slows a guess that comes from
	// everywhere at once to about four an hour, and never holds up the person at their usual desk.
	perAccount = limit{"account", 30, 2 * time.Second, 15 * time.Minute, time.Hour}
)

// keepAddress is how long an address counts as known after somebody signed in from it.
const keepAddress = 180 * 24 * time.Hour

// wait is how long after the last failure the next attempt may be made.
func (l limit) wait(failures int) time.Duration {
	if failures < l.free {
		return 0
	}
	w := l.base
	for range failures - l.free {
		if w >= l.most {
			break
		}
		w *= 2
	}
	return min(w, l.most)
}

var errWrong = fault.New(fault.Unsigned, "The e-mail address or password is wrong.")

// SignIn checks an e-mail address and a password. Unsigned when they do not match, whatever the reason; Limited, with
// the time to wait, when too many tries failed. remoteIP is the peer's address as the server established it.
func (dir *Directory) SignIn(ctx context.Context, email, password, remoteIP string) (Account, error) {
	return dir.verify(ctx, email, password, remoteIP)
}

// attempt is one try: what it is counted under and what the database knows about its account.
type attempt struct {
	account  Account // zero when the address is unknown
	stored   string
	counters map[limit]string
	from     string
}

func (dir *Directory) verify(ctx context.Context, email, password, remoteIP string) (Account, error) {
	t, err := dir.begin(ctx, email, remoteIP)
	if fault.Is(err, fault.Limited) {
		return Account{}, errors.Join(err, dir.noteThrottled(ctx, t, remoteIP))
	}
	if err != nil {
		return Account{}, err
	}
	stored := t.stored
	if stored == "" {
		stored = decoy
	}
	ok, outdated, err := dir.matches(ctx, password, stored)
	if err != nil {
		return Account{}, err
	}
	if !ok || t.stored == "" || t.account.Disabled {
		return Account{}, dir.failed(ctx, t, remoteIP)
	}
	var renewed string
	if outdated {
		if renewed, err = dir.hash(ctx, password); err != nil {
			return Account{}, err
		}
	}
	if err := dir.passed(ctx, t, renewed); err != nil {
		return Account{}, err
	}
	t.account.proof = cmp.Or(renewed, t.stored)
	return t.account, nil
}

// begin counts the attempt as failed before its password is looked at, or refuses it.
func (dir *Directory) begin(ctx context.Context, email, remoteIP string) (t attempt, err error) {
	key := emailKey(email)
	t.from = digest(network(remoteIP))
	t.counters = map[limit]string{perPair: digest(key + "\n" + network(remoteIP))}
	err = dir.db.Write(ctx, func(tx *db.Tx) error {
		known := false
		row := db.One(tx, "account: read who signs in",
			`SELECT `+accountColumns+`, a.password_hash FROM account a WHERE a.email_key = $1`, key)
		a, err := scanAccount(db.More(row, &t.stored))
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return err
		default:
			t.account = a
			if err := loadRoles(tx, &t.account); err != nil {
				return err
			}
			if known, err = isKnown(tx, a.ID, t.from); err != nil {
				return err
			}
		}
		if !known {
			t.counters[perAddress], t.counters[perAccount] = t.from, digest(key)
		}
		return countTx(tx, t.counters)
	})
	return t, err
}

func isKnown(tx *db.Tx, accountID, from string) (bool, error) {
	var n int
	err := db.One(tx, "account: look for an address", `SELECT count(*) FROM known_address
		WHERE account_id = $1 AND address = $2`, accountID, from).Scan(&n)
	return n > 0, err
}

// countTx refuses when a counter asks to wait, and otherwise counts one failure on each. A refused attempt counts
// nowhere, so that waiting always ends.
func countTx(tx *db.Tx, counters map[limit]string) error {
	var longest time.Duration
	have := map[limit]int{}
	for l, key := range counters {
		var failures int
		var last int64
		if _, err := db.One(tx, "account: count failures", `SELECT failures, last_at FROM sign_in_count
			WHERE kind = $1 AND key = $2`, l.kind, key).Find(&failures, &last); err != nil {
			return err
		}
		since := tx.Now.Sub(db.Time(last))
		if last == 0 || since >= l.window || since < 0 { // set back, the clock would lock out until it is there again
			failures = 0
		}
		if wait := l.wait(failures) - since; failures > 0 && wait > longest {
			longest = wait
		}
		have[l] = failures
	}
	if longest > 0 {
		f := fault.New(fault.Limited, "Too many failed attempts. Wait %s and try again.", waiting(longest))
		f.RetryAfter = longest
		return f
	}
	for l, key := range counters {
		_, err := tx.Exec(`INSERT INTO sign_in_count (kind, key, failures, last_at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (kind, key) DO UPDATE SET failures = excluded.failures, last_at = excluded.last_at`, l.kind,
			key, have[l]+1, tx.NowMs())
		if err != nil {
			return err
		}
	}
	_, err := tx.Exec(`DELETE FROM sign_in_count WHERE last_at < $1`, db.Ms(tx.Now.Add(-24*time.Hour)))
	return err
}

// waiting is a time to wait, rounded up, as one says it.
func waiting(d time.Duration) string {
	n, unit := (d+time.Second-1)/time.Second, "second"
	if d > 90*time.Second {
		n, unit = (d+time.Minute-1)/time.Minute, "minute"
	}
	if n > 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}

// Sweep forgets addresses from which nobody signed in for keepAddress: they no longer tell the owner from a stranger.
func (dir *Directory) Sweep(ctx context.Context) error {
	return dir.db.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(`DELETE FROM known_address WHERE seen_at < $1`, db.Ms(tx.Now.Add(-keepAddress)))
		return err
	})
}

func (dir *Directory) failed(ctx context.Context, t attempt, remoteIP string) error {
	err := dir.db.Write(ctx, func(tx *db.Tx) error {
		object := t.account.ID
		if object == "" {
			object = "unknown"
		}
		return record(tx, audit.System("sign-in"), "account.sign_in_failed", "account", object,
			map[string]any{"address": remoteIP})
	})
	if err != nil {
		return err
	}
	return errWrong
}

// passed takes the attempt back from the counters and remembers where it came from. The audit row is written when the
// session starts.
func (dir *Directory) passed(ctx context.Context, t attempt, renewed string) error {
	return dir.db.Write(ctx, func(tx *db.Tx) error {
		for l, key := range t.counters {
			q := `UPDATE sign_in_count SET failures = failures - 1 WHERE kind = $1 AND key = $2 AND failures > 0`
			if l == perPair {
				q = `DELETE FROM sign_in_count WHERE kind = $1 AND key = $2`
			}
			if _, err := tx.Exec(q, l.kind, key); err != nil {
				return err
			}
		}
		if renewed != "" {
			if _, err := tx.Exec(`UPDATE account SET password_hash = $1
				WHERE id = $2 AND password_hash = $3`, renewed, t.account.ID, t.stored); err != nil {
				return err
			}
		}
		_, err := tx.Exec(`INSERT INTO known_address (account_id, address, seen_at) VALUES ($1, $2, $3)
			ON CONFLICT (account_id, address) DO UPDATE SET seen_at = excluded.seen_at`, t.account.ID, t.from,
			tx.NowMs())
		return err
	})
}

// network is what an address is counted under: itself, or the /64 of an IPv6 address, which one household has whole.
func network(ip string) string {
	a, err := netip.ParseAddr(ip)
	if err != nil {
		return ip
	}
	a = a.Unmap().WithZone("")
	if a.Is6() && !a.IsLoopback() {
		if p, err := a.Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.String()
}

func digest(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}
