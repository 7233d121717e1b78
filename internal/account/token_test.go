package account_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/account"
	"preceptor/internal/platform/fault"
)

var both = []account.Scope{account.Submit, account.Recall}

func TestTokenLife(t *testing.T) {
	d := open(t)
	plain, made, err := d.CreateToken(t.Context(), "pension-advisor", "", both, time.Time{}, operator)
	if err != nil {
		t.Fatal(err)
	}
	d.wantAct(t, "token.created")
	if !strings.HasPrefix(plain, "pcp_") || len(plain) != 40 {
		t.Errorf("token %q", plain)
	}
	for _, bearer := range []string{plain, "Bearer " + plain, "bearer  " + plain + " "} {
		got, err := d.Authenticate(t.Context(), bearer)
		if err != nil || got.ID != made.ID || got.AgentName != "pension-advisor" || !got.Has(account.Submit) ||
			got.Has(account.Feedback) {
			t.Errorf("%q: %+v, %v", bearer, got, err)
		}
	}
	if err := d.RevokeToken(t.Context(), made.ID, operator); err != nil {
		t.Fatal(err)
	}
	d.wantAct(t, "token.revoked")
	_, err = d.Authenticate(t.Context(), plain)
	wantKind(t, err, fault.Unsigned)
	before := len(d.acts(t))
	if err := d.RevokeToken(t.Context(), made.ID, operator); err != nil || len(d.acts(t)) != before {
		t.Errorf("revoked twice: %v", err)
	}
	wantKind(t, d.RevokeToken(t.Context(), "absent", operator), fault.NotFound)
}

func TestTokenExpires(t *testing.T) {
	d := open(t)
	expires := d.clock.Now().Add(time.Hour)
	plain, _, err := d.CreateToken(t.Context(), "a", "", both, expires, operator)
	if err != nil {
		t.Fatal(err)
	}
	d.clock.Advance(time.Hour - time.Millisecond)
	if _, err := d.Authenticate(t.Context(), plain); err != nil {
		t.Errorf("just before: %v", err)
	}
	d.clock.Advance(time.Millisecond)
	_, err = d.Authenticate(t.Context(), plain)
	wantKind(t, err, fault.Unsigned)
	_, _, err = d.CreateToken(t.Context(), "a", "", both, expires, operator)
	wantKind(t, err, fault.Invalid)
}

func TestTokenIsTouchedOnceAMinute(t *testing.T) {
	d := open(t)
	plain, _, _ := d.CreateToken(t.Context(), "a", "", both, time.Time{}, operator)
	used := func() time.Time {
		t.Helper()
		if _, err := d.Authenticate(t.Context(), plain); err != nil {
			t.Fatal(err)
		}
		list, err := d.Tokens(t.Context())
		if err != nil || len(list) != 1 {
			t.Fatalf("%v, %v", list, err)
		}
		return list[0].LastUsedAt
	}
	first := used()
	d.clock.Advance(59 * time.Second)
	if got := used(); !got.Equal(first) {
		t.Errorf("touched after 59 s: %s", got)
	}
	d.clock.Advance(time.Second)
	if got := used(); !got.Equal(first.Add(time.Minute)) {
		t.Errorf("last used %s, want a minute later", got)
	}
}

func TestCreateTokenRefuses(t *testing.T) {
	d := open(t)
	for name, tc := range map[string]struct {
		agent  string
		scopes []account.Scope
	}{
		"no agent":          {" ", both},
		"a long name":       {strings.Repeat("a", 81), both},
		"a name of escapes": {"a\x1b[2J", both},
		"no scope":          {"a", nil},
		"an unknown scope":  {"a", []account.Scope{"decide"}},
	} {
		if _, _, err := d.CreateToken(t.Context(), tc.agent, "", tc.scopes, time.Time{}, operator); !fault.Is(err,
			fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list, err := d.Agents(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("agents were left behind: %v, %v", list, err)
	}
}

func TestAgentsHaveAPack(t *testing.T) {
	d := open(t)
	if _, made, err := d.CreateToken(t.Context(), "it-helpdesk", "", both, time.Time{}, operator); err != nil ||
		made.Pack != "general" {
		t.Errorf("a new agent: %+v, %v", made, err)
	}
	plain, made, err := d.CreateToken(t.Context(), "advisor", "pension", both, time.Time{}, operator)
	if err != nil || made.Pack != "pension" {
		t.Fatalf("%+v, %v", made, err)
	}
	if got, err := d.Authenticate(t.Context(), plain); err != nil || got.Pack != "pension" {
		t.Errorf("the token's agent: %+v, %v", got, err)
	}
	if _, made, err := d.CreateToken(t.Context(), "Advisor", "", both, time.Time{}, operator); err != nil ||
		made.Pack != "pension" {
		t.Errorf("a second token: %+v, %v", made, err)
	}
	for agent, packName := range map[string]string{"advisor": "general", "new": "pensions"} {
		_, _, err := d.CreateToken(t.Context(), agent, packName, both, time.Time{}, operator)
		if fields := fault.Fields(err); !fault.Is(err, fault.Invalid) || len(fields) != 1 || fields[0].Name != "pack" {
			t.Errorf("%s with %s: %v", agent, packName, err)
		}
	}
	list, err := d.Agents(t.Context())
	if err != nil || len(list) != 2 || list[0].Pack != "pension" || list[1].Pack != "general" {
		t.Errorf("agents %+v, %v", list, err)
	}
}

func TestAgents(t *testing.T) {
	d := open(t)
	a, err := d.EnsureAgent(t.Context(), "Pension  Advisor", "")
	if err != nil || a.Name != "Pension Advisor" {
		t.Fatalf("%+v, %v", a, err)
	}
	again, err := d.EnsureAgent(t.Context(), "pension advisor", "")
	if err != nil || again.ID != a.ID {
		t.Errorf("a second agent: %+v, %v", again, err)
	}
	if got, err := d.AgentByName(t.Context(), "PENSION ADVISOR"); err != nil || got.ID != a.ID {
		t.Errorf("by name: %+v, %v", got, err)
	}
	if got, err := d.Agent(t.Context(), a.ID); err != nil || got.Name != a.Name {
		t.Errorf("by id: %+v, %v", got, err)
	}
	_, err = d.AgentByName(t.Context(), "nobody")
	wantKind(t, err, fault.NotFound)
}

// Nothing but the hash and the hint of a token is at rest.
func TestTokenIsKeptAsHash(t *testing.T) {
	d := open(t)
	plain, made, _ := d.CreateToken(t.Context(), "a", "", both, time.Time{}, operator)
	var all string
	err := d.db.Reader().QueryRow(`SELECT id || secret_hash || hint || scopes FROM token`).Scan(&all)
	if err != nil || strings.Contains(all, plain[10:]) || made.Hint != plain[:8] {
		t.Errorf("row %q, hint %q, %v", all, made.Hint, err)
	}
}

// What is not one of our tokens is refused without a question to the database: here there is none to ask.
func TestBadChecksumIsRefusedBeforeTheDatabase(t *testing.T) {
	d := open(t)
	plain, _, _ := d.CreateToken(t.Context(), "a", "", both, time.Time{}, operator)
	before := d.db.Statements()
	rapid.Check(t, func(rt *rapid.T) {
		b := []byte(plain)
		i := rapid.IntRange(0, len(b)-1).Draw(rt, "position")
		c := rapid.SampledFrom([]byte("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_ \x00")).Draw(rt,
			"character")
		if b[i] == c {
			rt.Skip("unchanged")
		}
		b[i] = c
		if _, err := d.Authenticate(t.Context(), string(b)); !fault.Is(err, fault.Unsigned) {
			rt.Fatalf("%q: %v", b, err)
		}
	})
	for _, bad := range []string{"", "Bearer", "Bearer ", "pcp_", plain[:39], plain + "0", strings.ToUpper(plain),
		"Basic " + plain} {
		_, err := d.Authenticate(t.Context(), bad)
		wantKind(t, err, fault.Unsigned)
	}
	if got := d.db.Statements(); got != before {
		t.Errorf("%d statements were run", got-before)
	}
}

func FuzzAuthenticate(f *testing.F) {
	dir := account.New(nil) // a well-formed token would panic here: it has no database
	f.Add("pcp_000000000000000000000000000000abcdef")
	f.Add("Bearer \xff")
	f.Fuzz(func(t *testing.T, s string) {
		defer func() {
			if r := recover(); r != nil && !strings.Contains(s, "pcp_") {
				t.Fatalf("%q: %v", s, r)
			}
		}()
		if _, err := dir.Authenticate(t.Context(), s); err == nil {
			t.Fatalf("%q let somebody in", s)
		}
	})
}
