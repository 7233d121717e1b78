package account_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/platform/fault"
)

func TestSignIn(t *testing.T) {
	d := open(t)
	a := d.add(t, "ann@example.org", account.Supervisor)
	got, err := d.SignIn(t.Context(), " ANN@example.org", goodPassword, "192.0.2.1")
	if err != nil || got.ID != a.ID || !got.Has(account.Supervisor) {
		t.Fatalf("got %+v, %v", got, err)
	}
	for name, try := range map[string][2]string{
		"wrong password":  {"ann@example.org", otherPassword},
		"empty password":  {"ann@example.org", ""},
		"unknown address": {"nobody@example.org", goodPassword},
		"empty address":   {"", goodPassword},
		"a very long one": {"ann@example.org", fmt.Sprintf("%0100000d", 1)},
	} {
		_, err := d.SignIn(t.Context(), try[0], try[1], "192.0.2.1")
		wantKind(t, err, fault.Unsigned)
		if fault.Message(err) != "The e-mail address or password is wrong." {
			t.Errorf("%s: %q tells too much", name, fault.Message(err))
		}
	}
	d.wantAct(t, "account.sign_in_failed")
}

func TestDisabledCannotSignIn(t *testing.T) {
	d := open(t)
	a := d.add(t, "ann@example.org", account.Supervisor)
	if _, err := d.Disable(t.Context(), a.ID, operator); err != nil {
		t.Fatal(err)
	}
	_, err := d.SignIn(t.Context(), "ann@example.org", goodPassword, "192.0.2.1")
	wantKind(t, err, fault.Unsigned)
	_, err = d.StartSession(t.Context(), a.ID, "browser", "192.0.2.1")
	wantKind(t, err, fault.Unsigned)
}

// After some wrong passwords an address has to wait, is told how long, and gets in afterwards.
func TestThrottlePerAccountAndAddress(t *testing.T) {
	d := open(t)
	d.add(t, "ann@example.org", account.Supervisor)
	for i := range 5 {
		_, err := d.SignIn(t.Context(), "ann@example.org", "wrong", "192.0.2.1")
		if !fault.Is(err, fault.Unsigned) {
			t.Fatalf("try %d: %v", i+1, err)
		}
	}
	_, err := d.SignIn(t.Context(), "ann@example.org", goodPassword, "192.0.2.1")
	wantKind(t, err, fault.Limited)
	wait := fault.RetryAfter(err)
	if wait <= 0 {
		t.Fatal("no time to wait was given")
	}
	// Refused attempts do not prolong the wait.
	for range 20 {
		_, err = d.SignIn(t.Context(), "ann@example.org", "wrong", "192.0.2.1")
		wantKind(t, err, fault.Limited)
	}
	d.clock.Advance(wait)
	if _, err := d.SignIn(t.Context(), "ann@example.org", goodPassword, "192.0.2.1"); err != nil {
		t.Fatalf("after the wait: %v", err)
	}
	// Success clears the count.
	if _, err := d.SignIn(t.Context(), "ann@example.org", "wrong", "192.0.2.1"); !fault.Is(err, fault.Unsigned) {
		t.Errorf("after a success: %v", err)
	}
}

// Nobody can lock somebody else out of the desk they usually sign in from.
func TestVictimIsNotLockedOut(t *testing.T) {
	d := open(t)
	a := d.add(t, "ann@example.org", account.Supervisor)
	if _, err := d.SignIn(t.Context(), "ann@example.org", goodPassword, "192.0.2.1"); err != nil {
		t.Fatal(err)
	}
	limited := 0
	for i := range 60 { // an attacker with many addresses
		_, err := d.SignIn(t.Context(), "ann@example.org", "wrong", fmt.Sprintf("198.51.100.%d", i))
		if fault.Is(err, fault.Limited) {
			limited++
		}
	}
	if limited == 0 {
		t.Error("guesses from everywhere were never slowed down")
	}
	got, err := d.SignIn(t.Context(), "ann@example.org", goodPassword, "192.0.2.1")
	if err != nil || got.ID != a.ID {
		t.Errorf("the usual desk: %v", err)
	}
}

// One address may not try many accounts either, whether they exist or not.
func TestThrottlePerAddress(t *testing.T) {
	d := open(t)
	limited := false
	for i := range 40 {
		_, err := d.SignIn(t.Context(), fmt.Sprintf("person%d@example.org", i), "wrong", "192.0.2.1")
		limited = limited || fault.Is(err, fault.Limited)
	}
	if !limited {
		t.Error("forty accounts from one address were never slowed down")
	}
}

// Wrong passwords from an office hold up strangers there, and guesses at one person, but not the colleagues who work
// there.
func TestColleaguesAreNotLockedOut(t *testing.T) {
	d := open(t)
	const office = "192.0.2.1"
	for _, who := range []string{"ann@example.org", "bob@example.org"} {
		d.add(t, who, account.Supervisor)
		if _, err := d.SignIn(t.Context(), who, goodPassword, office); err != nil {
			t.Fatal(err)
		}
	}
	d.add(t, "new@example.org", account.Supervisor)
	for i := range 34 {
		_, _ = d.SignIn(t.Context(), fmt.Sprintf("person%d@example.org", i), "wrong", office)
	}
	for range 6 {
		_, _ = d.SignIn(t.Context(), "bob@example.org", "wrong", office)
	}
	if _, err := d.SignIn(t.Context(), "ann@example.org", goodPassword, office); err != nil {
		t.Errorf("a colleague at her desk: %v", err)
	}
	for _, who := range []string{"bob@example.org", "new@example.org"} { // guessed at here; never here before
		if _, err := d.SignIn(t.Context(), who, goodPassword, office); !fault.Is(err, fault.Limited) {
			t.Errorf("%s: %v", who, err)
		}
	}
}

// A clock that is set back locks nobody out, whatever was counted before.
func TestAClockThatIsSetBackLocksNobodyOut(t *testing.T) {
	for _, back := range []time.Duration{time.Second, time.Hour, 400 * 24 * time.Hour} {
		d := open(t)
		d.add(t, "ann@example.org", account.Supervisor)
		for range 8 {
			_, _ = d.SignIn(t.Context(), "ann@example.org", "wrong", "192.0.2.1")
		}
		d.clock.Advance(-back)
		_, err := d.SignIn(t.Context(), "ann@example.org", goodPassword, "192.0.2.1")
		if err != nil {
			t.Errorf("set back by %s: %v", back, err)
		}
		for range 8 {
			_, err = d.SignIn(t.Context(), "ann@example.org", "wrong", "192.0.2.1")
		}
		if wait := fault.RetryAfter(err); wait <= 0 || wait > time.Minute {
			t.Errorf("after %s, the ninth guess waits %s: %v", back, wait, err)
		}
	}
}

// Guesses sent at once gain nothing: each is counted before its password is looked at.
func TestParallelGuessesAreCounted(t *testing.T) {
	d := open(t)
	d.add(t, "ann@example.org", account.Supervisor)
	var wg sync.WaitGroup
	var mu sync.Mutex
	looked := 0
	for range 40 {
		wg.Go(func() {
			_, err := d.SignIn(t.Context(), "ann@example.org", "wrong", "192.0.2.1")
			mu.Lock()
			defer mu.Unlock()
			if fault.Is(err, fault.Unsigned) {
				looked++
			}
		})
	}
	wg.Wait()
	if looked > 5 {
		t.Errorf("%d passwords were looked at, want at most 5", looked)
	}
}

func TestPasswordChange(t *testing.T) {
	d := open(t)
	a := d.add(t, "ann@example.org", account.Supervisor)
	secret, err := d.StartSession(t.Context(), a.ID, "browser", "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	err = d.ChangePassword(t.Context(), a.ID, "wrong", otherPassword, "192.0.2.1")
	wantKind(t, err, fault.Invalid)
	if _, _, err := d.Session(t.Context(), secret); err != nil {
		t.Errorf("a failed change ended the session: %v", err)
	}
	if err := d.ChangePassword(t.Context(), a.ID, goodPassword, otherPassword, "192.0.2.1"); err != nil {
		t.Fatal(err)
	}
	d.wantAct(t, "account.password_changed")
	_, _, err = d.Session(t.Context(), secret)
	wantKind(t, err, fault.Unsigned)
	_, err = d.SignIn(t.Context(), "ann@example.org", goodPassword, "192.0.2.1")
	wantKind(t, err, fault.Unsigned)
	if _, err := d.SignIn(t.Context(), "ann@example.org", otherPassword, "192.0.2.1"); err != nil {
		t.Errorf("the new password: %v", err)
	}
	wantKind(t, d.ChangePassword(t.Context(), a.ID, otherPassword, "short", "192.0.2.1"), fault.Invalid)
}

func TestSessionLifetimes(t *testing.T) {
	for _, tc := range []struct {
		name  string
		steps []time.Duration // a request after each
		alive bool
	}{
		{"at once", []time.Duration{0}, true},
		{"just before idle", []time.Duration{29 * time.Minute}, true},
		{"idle", []time.Duration{30 * time.Minute}, false},
		{"kept alive by requests", []time.Duration{20 * time.Minute, 20 * time.Minute, 20 * time.Minute}, true},
		{"absolute", slices.Repeat([]time.Duration{20 * time.Minute}, 24), false}, // 8 h
		{"just before absolute", slices.Repeat([]time.Duration{20 * time.Minute}, 23), true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := open(t, account.WithLifetimes(30*time.Minute, 8*time.Hour))
			a := d.add(t, "ann@example.org", account.Supervisor)
			secret, err := d.StartSession(t.Context(), a.ID, "browser", "192.0.2.1")
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range tc.steps {
				d.clock.Advance(step)
				_, _, err = d.Session(t.Context(), secret)
			}
			if (err == nil) != tc.alive {
				t.Errorf("after %v: %v, want alive=%v", tc.steps, err, tc.alive)
			}
		})
	}
}

// A request a second does not write a row a second.
func TestSessionIsTouchedOnceAMinute(t *testing.T) {
	d := open(t)
	a := d.add(t, "ann@example.org", account.Supervisor)
	secret, _ := d.StartSession(t.Context(), a.ID, "browser", "192.0.2.1")
	start := d.clock.Now()
	for range 59 {
		d.clock.Advance(time.Second)
		if _, _, err := d.Session(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
	}
	if s, _, _ := d.Session(t.Context(), secret); !s.SeenAt.Equal(start) {
		t.Errorf("touched at %s, before a minute had passed", s.SeenAt)
	}
	d.clock.Advance(time.Second)
	d.Session(t.Context(), secret)
	if s, _, _ := d.Session(t.Context(), secret); !s.SeenAt.Equal(start.Add(time.Minute)) {
		t.Errorf("seen at %s, want a minute later", s.SeenAt)
	}
}

func TestSessionsEnd(t *testing.T) {
	start := func(t *testing.T, d desk, id string) string {
		t.Helper()
		secret, err := d.StartSession(t.Context(), id, "Firefox\x1b[31m\r\n", "192.0.2.1")
		if err != nil {
			t.Fatal(err)
		}
		return secret
	}
	for _, tc := range []struct {
		name  string
		end   func(t *testing.T, d desk, a account.Account, mine, other string) error
		mine  bool // whether mine lives on
		other bool
		act   string
	}{
		{"sign-out", func(t *testing.T, d desk, _ account.Account, mine, _ string) error {
			return d.EndSession(t.Context(), mine)
		}, false, true, "account.signed_out"},
		{"ending the others", func(t *testing.T, d desk, a account.Account, mine, _ string) error {
			s, _, err := d.Session(t.Context(), mine)
			if err != nil {
				return err
			}
			n, err := d.EndOthers(t.Context(), a.ID, s.ID)
			if n != 1 {
				t.Errorf("%d ended", n)
			}
			return err
		}, true, false, "account.sessions_ended"},
		{"ending one", func(t *testing.T, d desk, a account.Account, _, other string) error {
			s, _, err := d.Session(t.Context(), other)
			if err != nil {
				return err
			}
			_, err = d.EndOne(t.Context(), a.ID, s.ID)
			return err
		}, true, false, "account.sessions_ended"},
		{"disabling", func(t *testing.T, d desk, a account.Account, _, _ string) error {
			_, err := d.Disable(t.Context(), a.ID, operator)
			return err
		}, false, false, "account.disabled"},
		{"a new password", func(t *testing.T, d desk, a account.Account, _, _ string) error {
			return d.resetTo(t, a.ID, otherPassword)
		}, false, false, "account.joined"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := open(t)
			a := d.add(t, "ann@example.org", account.Supervisor)
			b := d.add(t, "bob@example.org", account.Supervisor)
			mine, other, bobs := start(t, d, a.ID), start(t, d, a.ID), start(t, d, b.ID)
			if mine == other || len(mine) != 43 {
				t.Fatalf("secrets %q and %q", mine, other)
			}
			if err := tc.end(t, d, a, mine, other); err != nil {
				t.Fatal(err)
			}
			d.wantAct(t, tc.act)
			for secret, alive := range map[string]bool{mine: tc.mine, other: tc.other, bobs: true} {
				if _, _, err := d.Session(t.Context(), secret); (err == nil) != alive {
					t.Errorf("session: %v, want alive=%v", err, alive)
				}
			}
		})
	}
}

// Roles are read with every request.
func TestRoleChangeCountsAtOnce(t *testing.T) {
	d := open(t)
	a := d.add(t, "ann@example.org", account.Supervisor)
	secret, _ := d.StartSession(t.Context(), a.ID, "browser", "192.0.2.1")
	if _, err := d.SetRoles(t.Context(), a.ID, []account.Role{account.Manager}, operator, ""); err != nil {
		t.Fatal(err)
	}
	_, got, err := d.Session(t.Context(), secret)
	if err != nil || got.Has(account.Supervisor) || !got.Has(account.Manager) {
		t.Errorf("got %v, %v", got.Roles, err)
	}
}

func TestSessionSecretsAreKeptAsHashes(t *testing.T) {
	d := open(t)
	a := d.add(t, "ann@example.org", account.Supervisor)
	secret, _ := d.StartSession(t.Context(), a.ID, "browser", "192.0.2.1")
	var n int
	if err := d.db.Reader().QueryRow(`SELECT count(*) FROM session
		WHERE secret_hash = $1 OR id = $1`, secret).Scan(&n); err != nil || n != 0 {
		t.Errorf("the secret stands in the database (%d, %v)", n, err)
	}
	for _, bad := range []string{"", "x", secret[:42], secret + "x", secret[:42] + "\x00"} {
		_, _, err := d.Session(t.Context(), bad)
		wantKind(t, err, fault.Unsigned)
	}
}

func TestNotice(t *testing.T) {
	d := open(t)
	a := d.add(t, "ann@example.org", account.Supervisor)
	secret, _ := d.StartSession(t.Context(), a.ID, "browser", "192.0.2.1")
	s, _, _ := d.Session(t.Context(), secret)
	if err := d.Notify(t.Context(), s.ID, "Saved.\x1b[2J"); err != nil {
		t.Fatal(err)
	}
	if s, _, _ = d.Session(t.Context(), secret); s.Notice != "Saved.[2J" {
		t.Errorf("notice %q", s.Notice)
	}
}

func TestSetup(t *testing.T) {
	d := open(t)
	n := account.NewAccount{Email: "ann@example.org", Name: "Ann", Password: goodPassword,
		Roles: []account.Role{account.Supervisor}}
	old, needed, err := d.SetupLink(t.Context())
	if err != nil || !needed {
		t.Fatalf("needed %v, %v", needed, err)
	}
	secret, _, _ := d.SetupLink(t.Context()) // the next start
	for name, s := range map[string]string{"an earlier link": old, "none": "", "a guess": secret[:42] + "!"} {
		if _, err := d.Setup(t.Context(), s, n); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := n
	bad.Password = "short"
	if _, err := d.Setup(t.Context(), secret, bad); !fault.Is(err, fault.Invalid) {
		t.Errorf("a bad password: %v", err)
	}
	a, err := d.Setup(t.Context(), secret, n)
	if err != nil || !a.Has(account.Admin) || !a.Has(account.Supervisor) {
		t.Fatalf("got %+v, %v", a, err)
	}
	d.wantAct(t, "account.added")
	n.Email = "bob@example.org"
	if _, err := d.Setup(t.Context(), secret, n); !fault.Is(err, fault.NotFound) {
		t.Errorf("a used link: %v", err)
	}
	if _, needed, err := d.SetupLink(t.Context()); needed || err != nil {
		t.Errorf("needed %v, %v", needed, err)
	}
}

func TestSetupLinkEnds(t *testing.T) {
	n := account.NewAccount{Email: "ann@example.org", Name: "Ann", Password: goodPassword}
	t.Run("by time", func(t *testing.T) {
		d := open(t)
		secret, _, _ := d.SetupLink(t.Context())
		d.clock.Advance(24 * time.Hour)
		_, err := d.Setup(t.Context(), secret, n)
		wantKind(t, err, fault.NotFound)
	})
	t.Run("by an account from the command line", func(t *testing.T) {
		d := open(t)
		secret, _, _ := d.SetupLink(t.Context())
		d.add(t, "bob@example.org", account.Admin)
		_, err := d.Setup(t.Context(), secret, n)
		wantKind(t, err, fault.NotFound)
	})
}

// Two browsers with the same link: one administrator.
func TestSetupOnce(t *testing.T) {
	d := open(t)
	secret, _, _ := d.SetupLink(t.Context())
	var wg sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		wg.Go(func() {
			_, errs[i] = d.Setup(t.Context(), secret,
				account.NewAccount{Email: fmt.Sprintf("p%d@example.org", i), Name: "P", Password: goodPassword})
		})
	}
	wg.Wait()
	made := 0
	for _, err := range errs {
		if err == nil {
			made++
		}
	}
	if made != 1 {
		t.Errorf("%d administrators were made: %v", made, errs)
	}
}

// A new password ends every session; one that was being begun with the old password must not slip in behind it.
func TestAnOldPasswordStartsNoSessionAfterANewOne(t *testing.T) {
	d := open(t)
	ann := d.add(t, "ann@example.org", account.Supervisor)
	in, err := d.SignIn(t.Context(), "ann@example.org", goodPassword, "203.0.113.9")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.StartSessionOf(t.Context(), in, "", ""); err != nil {
		t.Errorf("without a change: %v", err)
	}
	if err := d.resetTo(t, ann.ID, otherPassword); err != nil {
		t.Fatal(err)
	}
	if _, err := d.StartSessionOf(t.Context(), in, "", ""); !fault.Is(err, fault.Unsigned) {
		t.Errorf("after the change: %v", err)
	}
	if list, err := d.ListSessions(t.Context(), ann.ID); err != nil || len(list) != 0 {
		t.Errorf("%d sessions, %v", len(list), err)
	}
}
