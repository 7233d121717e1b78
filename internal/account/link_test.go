package account_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

const here = "192.0.2.1"

// resetTo gives a person a new password by a link.
func (d desk) resetTo(t *testing.T, accountID, password string) error {
	t.Helper()
	_, secret, err := d.MakeLink(t.Context(), accountID, operator)
	if err == nil {
		_, err = d.UseLink(t.Context(), secret, password, here)
	}
	return err
}

func (d desk) invite(t *testing.T, email string, by audit.Actor, roles ...account.Role) (account.Account, string) {
	t.Helper()
	a, secret, err := d.Invite(t.Context(), account.NewAccount{Email: email, Name: "Bob Example", Roles: roles}, by)
	if err != nil {
		t.Fatal(err)
	}
	return a, secret
}

func TestALinkWorksOnceForADay(t *testing.T) {
	d := open(t)
	a, secret := d.invite(t, "bob@example.org", operator, account.Supervisor)
	if _, err := d.SignIn(t.Context(), a.Email, "", here); !fault.Is(err, fault.Unsigned) {
		t.Errorf("an invited person signs in without a password: %v", err)
	}
	if n, err := d.Holders(t.Context(), account.Supervisor); err != nil || n != 0 {
		t.Errorf("%d supervisors, %v; an invited one can't sign in", n, err)
	}
	for range 2 { // looking uses nothing up
		if got, err := d.CheckLink(t.Context(), secret, here); err != nil || got.ID != a.ID || !got.Invited {
			t.Fatal(got, err)
		}
	}
	_, err := d.UseLink(t.Context(), secret, "short", here)
	wantKind(t, err, fault.Invalid)
	if got, err := d.UseLink(t.Context(), secret, goodPassword, here); err != nil || got.Invited ||
		!slices.Contains(got.Roles, account.Supervisor) {
		t.Fatal(got, err)
	}
	d.wantAct(t, "account.joined")
	if _, err := d.SignIn(t.Context(), a.Email, goodPassword, here); err != nil {
		t.Errorf("sign in: %v", err)
	}
	wantNoLink := func(what, secret string) {
		t.Helper()
		if _, err := d.UseLink(t.Context(), secret, otherPassword, here); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	wantNoLink("used", secret)
	_, old, err := d.MakeLink(t.Context(), a.ID, operator)
	if err != nil {
		t.Fatal(err)
	}
	_, newer, _ := d.MakeLink(t.Context(), a.ID, operator)
	wantNoLink("replaced", old)
	d.clock.Advance(account.LinkFor)
	wantNoLink("expired", newer)
	_, live, _ := d.MakeLink(t.Context(), a.ID, operator)
	if err := d.ChangePassword(t.Context(), a.ID, goodPassword, otherPassword, here); err != nil {
		t.Fatal(err)
	}
	wantNoLink("of a person who changed the password since", live)
	_, live, _ = d.MakeLink(t.Context(), a.ID, operator)
	if _, err := d.Disable(t.Context(), a.ID, operator); err != nil {
		t.Fatal(err)
	}
	wantNoLink("of a disabled account", live)
	_, _, err = d.MakeLink(t.Context(), a.ID, operator)
	wantKind(t, err, fault.Conflict)
	_, _, err = d.MakeLink(t.Context(), a.ID, a.Actor())
	wantKind(t, err, fault.Conflict)
}

func TestLinksAreKeptAsHashes(t *testing.T) {
	d := open(t)
	_, secret := d.invite(t, "bob@example.org", operator, account.Supervisor)
	var stored []string
	if err := d.db.Read(t.Context(), func(tx *db.Tx) (err error) {
		stored, err = db.Column[string](tx, "read what is kept", `SELECT secret_hash FROM account_link
			UNION ALL SELECT content FROM audit_content`)
		return err
	}); err != nil || strings.Contains(strings.Join(stored, " "), secret) || len(secret) != 43 {
		t.Errorf("%q holds %q, %v", stored, secret, err)
	}
}

// Whoever tries out links is held up, and a link that works still does.
func TestGuessedLinksAreHeldUp(t *testing.T) {
	d := open(t)
	_, secret := d.invite(t, "bob@example.org", operator, account.Supervisor)
	limited := 0
	for range 40 {
		if _, err := d.CheckLink(t.Context(), strings.Repeat("x", 43), "203.0.113.9"); fault.Is(err, fault.Limited) {
			limited++
		}
	}
	if limited < 9 {
		t.Errorf("%d of 40 guesses were held up", limited)
	}
	if _, err := d.CheckLink(t.Context(), secret, "203.0.113.9"); err != nil {
		t.Errorf("the true link: %v", err)
	}
}

// Before the first decision a role counts at once; after it, a day after a person granted it or a link was used.
func TestARoleCountsADayAfterItWasGranted(t *testing.T) {
	decided := false
	var told []account.Grant
	d := open(t, account.WithHooks(account.Hooks{
		Decided:   func(*db.Tx) (bool, error) { return decided, nil },
		OnGranted: func(_ *db.Tx, g account.Grant) error { told = append(told, g); return nil },
	}))
	may := func(a account.Account, r account.Role) error {
		return d.db.Read(t.Context(), func(tx *db.Tx) error { return d.MustHoldTx(tx, a.ID, r) })
	}
	boss := d.add(t, "ann@example.org", account.Admin)
	early, secret := d.invite(t, "early@example.org", boss.Actor(), account.Supervisor)
	if _, err := d.UseLink(t.Context(), secret, goodPassword, here); err != nil ||
		may(early, account.Supervisor) != nil || len(told) != 0 {
		t.Fatalf("before the first decision: %v, %v, %v", err, may(early, account.Supervisor), told)
	}
	decided = true
	if may(early, account.Supervisor) != nil {
		t.Error("a role from before the first decision no longer counts")
	}

	got, err := d.SetRoles(t.Context(), boss.ID, []account.Role{account.Supervisor, account.Admin}, boss.Actor(), "")
	if err != nil || len(got.Waiting) != 1 || got.Waiting[0] != account.Supervisor ||
		!got.CountsAt.Equal(d.clock.Now().Add(24*time.Hour)) {
		t.Fatalf("%+v, %v", got, err)
	}
	wantKind(t, may(boss, account.Supervisor), fault.Denied)
	if may(boss, account.Admin) != nil {
		t.Error("a role that was there waits too")
	}
	late, secret := d.invite(t, "late@example.org", boss.Actor(), account.Supervisor, account.Expert)
	if len(told) != 2 || told[1].Who.ID != late.ID || len(told[1].Roles) != 2 || told[1].By.ID != boss.ID {
		t.Fatalf("told %+v", told)
	}
	d.clock.Advance(23 * time.Hour)
	if _, err := d.UseLink(t.Context(), secret, goodPassword, here); err != nil {
		t.Fatal(err)
	}
	d.clock.Advance(time.Hour)
	if may(boss, account.Supervisor) != nil {
		t.Error("a day later the role doesn't count")
	}
	wantKind(t, may(late, account.Supervisor), fault.Denied) // the day begins when the link is used
	if err := d.resetTo(t, early.ID, otherPassword); err != nil {
		t.Fatal(err)
	}
	wantKind(t, may(early, account.Supervisor), fault.Denied)
	if len(told) != 3 || len(told[2].Roles) != 0 || told[2].Who.ID != early.ID {
		t.Errorf("told %+v", told)
	}
	// Who waits has none of the role's powers and is no administrator on whom the last one could leave.
	next, secret := d.invite(t, "next@example.org", boss.Actor(), account.Admin)
	if _, err := d.UseLink(t.Context(), secret, goodPassword, here); err != nil {
		t.Fatal(err)
	}
	if next, err = d.Get(t.Context(), next.ID); err != nil || next.Has(account.Admin) || len(next.Roles) != 1 {
		t.Errorf("%+v, %v", next, err)
	}
	if n, err := d.Holders(t.Context(), account.Admin); err != nil || n != 1 {
		t.Errorf("%d administrators, %v", n, err)
	}
	_, err = d.Disable(t.Context(), boss.ID, next.Actor())
	wantKind(t, err, fault.Conflict)
	_, err = d.SetRoles(t.Context(), boss.ID, []account.Role{account.Supervisor}, boss.Actor(), "")
	wantKind(t, err, fault.Conflict)
	// The only administrator whose password the operator reset can act at once: nobody else could for a day.
	if err := d.resetTo(t, boss.ID, otherPassword); err != nil {
		t.Fatal(err)
	}
	if may(boss, account.Admin) != nil {
		t.Error("nobody is an administrator now")
	}
	wantKind(t, may(boss, account.Supervisor), fault.Denied)
	// Taking a role away and giving it back is no way round.
	for _, roles := range [][]account.Role{{account.Expert}, {account.Expert, account.Supervisor}} {
		if _, err := d.SetRoles(t.Context(), late.ID, roles, boss.Actor(), ""); err != nil {
			t.Fatal(err)
		}
	}
	d.clock.Advance(23 * time.Hour)
	wantKind(t, may(late, account.Supervisor), fault.Denied)
	d.clock.Advance(time.Hour)
	for _, a := range []account.Account{early, late} {
		if err := may(a, account.Supervisor); err != nil {
			t.Errorf("a day later: %v", err)
		}
	}
}

// Whichever way a role is given, the log says which one, who gave it and when it takes effect.
func TestTheLogNamesTheRolesThatAreGiven(t *testing.T) {
	decided := false
	d := open(t, account.WithHooks(account.Hooks{Decided: func(*db.Tx) (bool, error) { return decided, nil }}))
	want := func(act string, by audit.Actor, parts ...string) {
		t.Helper()
		p, err := audit.List(t.Context(), d.db, audit.Filter{Action: act, Limit: 1})
		if err != nil || len(p.Rows) != 1 || p.Rows[0].Actor.ID != by.ID {
			t.Fatalf("%s: %+v, %v", act, p.Rows, err)
		}
		for _, part := range parts {
			if !strings.Contains(string(p.Rows[0].Content), part) {
				t.Errorf("%s says %s, without %s", act, p.Rows[0].Content, part)
			}
		}
	}
	secret, _, err := d.SetupLink(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	boss, err := d.Setup(t.Context(), secret, account.NewAccount{Email: "ann@example.org", Name: "Ann Example",
		Password: goodPassword})
	if err != nil {
		t.Fatal(err)
	}
	want("account.added", boss.Actor(), `"roles":["admin"]`, `"roles_take_effect":"at once"`)
	early, secret := d.invite(t, "early@example.org", boss.Actor(), account.Manager)
	want("account.added", boss.Actor(), `"roles":["manager"]`, `"roles_take_effect":"when the link is used"`)
	want("account.link_made", boss.Actor(), `"roles":["manager"]`)
	if _, err := d.UseLink(t.Context(), secret, goodPassword, here); err != nil {
		t.Fatal(err)
	}
	want("account.joined", early.Actor(), `"roles":["manager"]`, `"roles_take_effect":"at once"`)
	decided = true
	late, secret := d.invite(t, "late@example.org", operator, account.Supervisor, account.Admin)
	want("account.added", operator, `"roles":["supervisor","admin"]`,
		`"roles_take_effect":"24 hours after the link is used"`)
	if _, err := d.UseLink(t.Context(), secret, goodPassword, here); err != nil {
		t.Fatal(err)
	}
	tomorrow := `"roles_take_effect":"` + d.clock.Now().UTC().Add(24*time.Hour).Format(time.RFC3339) + `"`
	want("account.joined", late.Actor(), `"roles":["supervisor","admin"]`, tomorrow)
	if _, err := d.SetRoles(t.Context(), early.ID, []account.Role{account.Expert, account.Manager}, boss.Actor(),
		""); err != nil {
		t.Fatal(err)
	}
	want("account.roles_changed", boss.Actor(), `"added":["expert"]`, tomorrow)
}
