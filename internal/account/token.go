package account

import (
	"context"
	"crypto/rand"
	"hash/crc32"
	"slices"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// Scope is what a token may be used for. No scope decides anything: that takes a person.
type Scope string

// The scopes.
const (
	Submit   Scope = "submit"   // hand in guidance and read back what became of it
	Recall   Scope = "recall"   // ask the knowledge base
	Feedback Scope = "feedback" // report votes and outcomes
)

// Scopes lists all scopes.
var Scopes = []Scope{Submit, Recall, Feedback}

// Token is an agent's key to the API, without the key.
type Token struct {
	ID         string
	AgentID    string
	AgentName  string
	Former     []string // names that the agent had; only Authenticate reads them
	Pack       string   // the agent's
	Scopes     []Scope
	Hint       string // the first characters, to tell tokens apart
	CreatedAt  time.Time
	ExpiresAt  time.Time // zero: never
	LastUsedAt time.Time // to the minute; zero: not yet
	RevokedAt  time.Time // zero while it works
}

// Has reports whether the token may be used for s.
func (t Token) Has(s Scope) bool { return slices.Contains(t.Scopes, s) }

// Actor is the token's agent as the audit log names it.
func (t Token) Actor() audit.Actor {
	return audit.Actor{Kind: "agent", ID: t.AgentID, Name: t.AgentName}
}

// A token is "pcp_", 30 random characters (178 bits) and 6 of checksum, all base62. The prefix lets scanners of leaked
// secrets find it; the checksum lets us refuse a mistyped or invented one without asking the database.
const (
	tokenPrefix   = "pcp_"
	tokenRandom   = 30
	tokenChecksum = 6
	base62        = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

func newToken() string {
	random := make([]byte, 0, tokenRandom)
	b := make([]byte, 1)
	for len(random) < tokenRandom {
		rand.Read(b)
		if b[0] < 248 { // 4 × 62: keeps every character equally likely
			random = append(random, base62[b[0]%62])
		}
	}
	return tokenPrefix + string(random) + checksum(string(random))
}

func checksum(random string) string {
	sum := crc32.ChecksumIEEE([]byte(random))
	out := make([]byte, tokenChecksum)
	for i := tokenChecksum - 1; i >= 0; i-- {
		out[i] = base62[sum%62]
		sum /= 62
	}
	return string(out)
}

// wellFormed reports whether s can be one of our tokens at all.
func wellFormed(s string) bool {
	if len(s) != len(tokenPrefix)+tokenRandom+tokenChecksum || !strings.HasPrefix(s, tokenPrefix) {
		return false
	}
	random := s[len(tokenPrefix) : len(tokenPrefix)+tokenRandom]
	return s[len(tokenPrefix)+tokenRandom:] == checksum(random)
}

// ParseScopes reads scopes separated by commas or blanks, as the command line takes them.
func ParseScopes(s string) ([]Scope, error) {
	var out []Scope
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' }) {
		out = append(out, Scope(strings.ToLower(f)))
	}
	return checkScopes(out)
}

func checkScopes(in []Scope) ([]Scope, error) {
	var out []Scope
	for _, s := range Scopes {
		if slices.Contains(in, s) {
			out = append(out, s)
		}
	}
	for _, s := range in {
		if !slices.Contains(Scopes, s) {
			out = nil
		}
	}
	if len(out) == 0 {
		const msg = "Choose one or more of the scopes submit, recall and feedback."
		return nil, fault.Wrong(msg, "scopes", msg)
	}
	return out, nil
}

// CreateToken makes a token for the agent of this name, making the agent if it is missing, with this pack. An agent
// that there is must have it, unless packName is "". plain is shown once and kept nowhere. A zero expires means never.
func (dir *Directory) CreateToken(ctx context.Context, agentName, packName string, scopes []Scope, expires time.Time,
	by audit.Actor) (plain string, t Token, err error) {
	scopes, err = checkScopes(scopes)
	if err != nil {
		return "", Token{}, err
	}
	plain = newToken()
	err = dir.db.Write(ctx, func(tx *db.Tx) error {
		if !expires.IsZero() && !expires.After(tx.Now) {
			return fault.Wrong("The token would already have expired.", "expires", "Choose a date in the future.")
		}
		agent, err := ensureAgentTx(tx, agentName, packName, by)
		if err == nil {
			err = agent.CheckPack(packName)
		}
		if err != nil {
			return err
		}
		t = Token{ID: id.New(), AgentID: agent.ID, AgentName: agent.Name, Pack: agent.Pack, Scopes: scopes,
			Hint:      plain[:len(tokenPrefix)+4],
			CreatedAt: tx.Now, ExpiresAt: db.Time(db.Ms(expires))}
		_, err = tx.Exec(`INSERT INTO token (id, agent_id, secret_hash, hint, scopes, created_at, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			t.ID, t.AgentID, digest(plain), t.Hint, joinScopes(scopes), tx.NowMs(), db.Ms(expires))
		if err != nil {
			return err
		}
		return record(tx, by, "token.created", "token", t.ID,
			map[string]any{"agent": agent.Name, "scopes": scopes, "hint": t.Hint})
	})
	if err != nil {
		return "", Token{}, err
	}
	return plain, t, nil
}

func joinScopes(scopes []Scope) string {
	s := make([]string, len(scopes))
	for i := range scopes {
		s[i] = string(scopes[i])
	}
	return strings.Join(s, " ")
}

var errToken = fault.New(fault.Unsigned,
	"The token is missing, unknown, expired or revoked. Send a valid one as \"Authorization: Bearer pcp_…\".")

// Authenticate finds the token that a request carries; bearer is the token, with or without the word "Bearer" before
// it. Unsigned, without a reason, when it can't be used.
func (dir *Directory) Authenticate(ctx context.Context, bearer string) (t Token, err error) {
	plain := strings.TrimSpace(bearer)
	if len(plain) > 7 && strings.EqualFold(plain[:7], "bearer ") {
		plain = strings.TrimSpace(plain[7:])
	}
	if !wellFormed(plain) {
		return Token{}, errToken
	}
	var stale bool
	err = dir.db.Read(ctx, func(tx *db.Tx) error {
		t, err = scanToken(db.One(tx, "account: read a token", tokenSQL+`WHERE t.secret_hash = $1`, digest(plain)).
			Or(errToken))
		if err != nil {
			return err
		}
		if !t.RevokedAt.IsZero() || (!t.ExpiresAt.IsZero() && !tx.Now.Before(t.ExpiresAt)) {
			return errToken
		}
		stale = tx.Now.Sub(t.LastUsedAt) >= touchEvery
		t.Former, err = formerTx(tx, t.AgentID)
		return err
	})
	if err != nil {
		return Token{}, err
	}
	if stale {
		err = dir.db.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE token SET last_used_at = $1
				WHERE id = $2 AND last_used_at < $3`, tx.NowMs(), t.ID, tx.NowMs())
			return err
		})
	}
	return t, err
}

const tokenSQL = `SELECT t.id, t.agent_id, g.name, g.pack, t.scopes, t.hint, t.created_at, t.expires_at, t.last_used_at,
	t.revoked_at FROM token t JOIN agent g ON g.id = t.agent_id `

func scanToken(row db.Row) (t Token, err error) {
	var scopes string
	err = row.Scan(&t.ID, &t.AgentID, &t.AgentName, &t.Pack, &scopes, &t.Hint, db.At(&t.CreatedAt), db.At(&t.ExpiresAt),
		db.At(&t.LastUsedAt), db.At(&t.RevokedAt))
	for _, s := range strings.Fields(scopes) {
		t.Scopes = append(t.Scopes, Scope(s))
	}
	return t, err
}

// RevokeToken makes a token useless at once. Revoking twice is no error.
func (dir *Directory) RevokeToken(ctx context.Context, tokenID string, by audit.Actor) error {
	return dir.db.Write(ctx, func(tx *db.Tx) error {
		t, err := scanToken(db.One(tx, "account: read a token", tokenSQL+`WHERE t.id = $1`, tokenID))
		if err != nil || !t.RevokedAt.IsZero() {
			return err
		}
		if _, err := tx.Exec(`UPDATE token SET revoked_at = $1 WHERE id = $2`, tx.NowMs(), tokenID); err != nil {
			return err
		}
		return record(tx, by, "token.revoked", "token", tokenID, map[string]any{"agent": t.AgentName, "hint": t.Hint})
	})
}

// Tokens lists all tokens, by agent and then the newest first, revoked ones included.
func (dir *Directory) Tokens(ctx context.Context) ([]Token, error) {
	return db.Read(ctx, dir.db, TokensTx)
}

// TokensTx is Tokens in the caller's transaction.
func TokensTx(tx *db.Tx) ([]Token, error) {
	return db.List(tx, "account: tokens", scanToken, tokenSQL+`ORDER BY g.name_key, t.created_at DESC, t.id DESC`)
}
