package account

import (
	"context"
	"strings"
	"sync"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
)

// noted keeps refusals, which anybody can cause, from flooding the audit log: the same one is recorded once in an hour.
// A restart forgets; then it may be recorded once more.
type noted struct {
	mu   sync.Mutex
	seen map[string]time.Time
}

const (
	notedFor = time.Hour
	// different refusals within an hour; beyond that none is recorded, and the server's log has them all
	notedMost = 4096
)

// first reports whether key was not noted within the last hour.
func (n *noted) first(key string, now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if at, ok := n.seen[key]; ok && now.Sub(at) < notedFor {
		return false
	}
	if len(n.seen) >= notedMost {
		for k, at := range n.seen {
			if now.Sub(at) >= notedFor {
				delete(n.seen, k)
			}
		}
		if len(n.seen) >= notedMost {
			return false
		}
	}
	if n.seen == nil {
		n.seen = map[string]time.Time{}
	}
	n.seen[key] = now
	return true
}

func (dir *Directory) note(ctx context.Context, key string, e audit.Entry) error {
	if !dir.noted.first(key, dir.db.Now()) {
		return nil
	}
	return dir.db.Write(ctx, func(tx *db.Tx) error { return audit.Record(tx, e) })
}

// NoteDenied records that a person asked for something that their roles do not include: once an hour for each route.
func (dir *Directory) NoteDenied(ctx context.Context, a Account, method, route string) error {
	return dir.note(ctx, "denied\n"+a.ID+"\n"+method+" "+route, audit.Entry{Actor: a.Actor(), Action: "access.refused",
		ObjectKind: "route", ObjectID: method + " " + route, Content: map[string]any{"roles": a.Roles}})
}

// noteThrottled records that attempts to sign in were held up: once an hour for each account and address.
func (dir *Directory) noteThrottled(ctx context.Context, t attempt, remoteIP string) error {
	object := t.account.ID
	if object == "" {
		object = "unknown"
	}
	return dir.note(ctx, "throttled\n"+object+"\n"+t.from,
		audit.Entry{Actor: audit.System("sign-in"), Action: "account.sign_in_throttled",
			ObjectKind: "account", ObjectID: object, Content: map[string]any{"address": remoteIP}})
}

// NoteRefusedToken records that a call came with a token that can't be used: once an hour for each token that was ours,
// and for each address otherwise. Calls without any token are not recorded.
func (dir *Directory) NoteRefusedToken(ctx context.Context, bearer, remoteIP string) error {
	plain := strings.TrimSpace(bearer)
	if plain == "" {
		return nil
	}
	e := audit.Entry{Actor: audit.System("api"), Action: "token.refused", ObjectKind: "token", ObjectID: "unknown",
		Content: map[string]any{"address": remoteIP}}
	if wellFormed(plain) {
		err := dir.db.Read(ctx, func(tx *db.Tx) error {
			t, found, err := db.First(tx, "account: read a token", scanToken, tokenSQL+`
				WHERE t.secret_hash = $1`, digest(plain))
			if err != nil || !found {
				return err
			}
			why := "expired"
			if !t.RevokedAt.IsZero() {
				why = "revoked"
			}
			e.ObjectID, e.Content = t.ID,
				map[string]any{"address": remoteIP, "agent": t.AgentName, "hint": t.Hint, "why": why}
			return nil
		})
		if err != nil {
			return err
		}
	}
	key := e.ObjectID
	if key == "unknown" {
		key = network(remoteIP)
	}
	return dir.note(ctx, "token\n"+key, e)
}
