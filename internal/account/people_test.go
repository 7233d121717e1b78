package account_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

func (d desk) person(t *testing.T, name, email string, roles ...account.Role) account.Account {
	t.Helper()
	a, err := d.Add(t.Context(), account.NewAccount{Email: email, Name: name, Password: goodPassword, Roles: roles},
		operator)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestPeopleAreFoundByNameRoleAndState(t *testing.T) {
	d := open(t)
	d.person(t, "Zoe Admin", "zoe@example.org", account.Admin)
	d.person(t, "ann archer", "ann@example.org", account.Supervisor, account.Expert)
	d.person(t, "Bob 100%", "bob@else.example", account.Supervisor)
	gone := d.person(t, "Adam Ash", "adam@example.org", account.Manager)
	if _, err := d.Disable(t.Context(), gone.ID, operator); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		f    account.PeopleFilter
		want string
	}{
		{"everybody", account.PeopleFilter{}, "ann archer, Bob 100%, Zoe Admin, Adam Ash"},
		{"a part of the name", account.PeopleFilter{Words: " ARCH "}, "ann archer"},
		{"a part of the address", account.PeopleFilter{Words: "else"}, "Bob 100%"},
		{"a sign with a meaning", account.PeopleFilter{Words: "0%"}, "Bob 100%"},
		{"and one without", account.PeopleFilter{Words: "a%a"}, ""},
		{"a role", account.PeopleFilter{Role: account.Supervisor}, "ann archer, Bob 100%"},
		{"disabled", account.PeopleFilter{Disabled: "yes"}, "Adam Ash"},
		{"not disabled", account.PeopleFilter{Disabled: "no", Words: "a"}, "ann archer, Bob 100%, Zoe Admin"},
	} {
		var names []string
		for f := c.f; ; {
			f.Limit = 1
			page, next, err := d.People(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range page {
				names = append(names, p.Name)
				if len(p.Roles) == 0 {
					t.Errorf("%s has no roles", p.Name)
				}
			}
			if f.After = next; next == "" {
				break
			}
		}
		if got := strings.Join(names, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestAListOfPeopleAsksTwiceWhateverItsLength(t *testing.T) {
	d := open(t)
	for i := range 30 {
		d.person(t, fmt.Sprint("Person ", i), fmt.Sprintf("p%d@example.org", i), account.Supervisor)
	}
	before := d.db.Statements()
	if list, _, err := d.People(t.Context(), account.PeopleFilter{}); err != nil || len(list) != 30 {
		t.Fatal(len(list), err)
	}
	if n := d.db.Statements() - before; n != 2 {
		t.Errorf("%d statements", n)
	}
}

func TestAnAdministratorSignsSomebodyOutEverywhere(t *testing.T) {
	d := open(t)
	boss, ann := d.person(t, "Boss", "boss@example.org", account.Admin),
		d.person(t, "Ann", "ann@example.org", account.Supervisor)
	secret, err := d.StartSession(t.Context(), ann.ID, "browser", "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := d.People(t.Context(), account.PeopleFilter{Words: "ann@"})
	if err != nil || len(list) != 1 || list[0].SeenAt.IsZero() {
		t.Fatalf("%+v, %v", list, err)
	}
	if _, n, err := d.EndAll(t.Context(), ann.ID, boss.Actor()); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if _, _, err := d.Session(t.Context(), secret); !fault.Is(err, fault.Unsigned) {
		t.Errorf("the session lives: %v", err)
	}
	page, err := audit.List(t.Context(), d.db, audit.Filter{Action: "account.sessions_ended"})
	if err != nil || len(page.Rows) != 1 || page.Rows[0].Actor.ID != boss.ID || page.Rows[0].ObjectID != ann.ID {
		t.Errorf("%+v, %v", page.Rows, err)
	}
	if _, _, err := d.EndAll(t.Context(), "nobody", boss.Actor()); !fault.Is(err, fault.NotFound) {
		t.Errorf("nobody: %v", err)
	}
}

func (d desk) count(t *testing.T, act string) (n int) {
	t.Helper()
	for _, a := range d.acts(t) {
		if a == act {
			n++
		}
	}
	return n
}

func TestRefusalsAreRecordedOnceAnHour(t *testing.T) {
	d := open(t)
	ann := d.add(t, "ann@example.org", account.Supervisor)
	for range 3 {
		for _, route := range []string{"/admin", "/admin/people"} {
			if err := d.NoteDenied(t.Context(), ann, "GET", route); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := d.count(t, "access.refused"); n != 2 {
		t.Errorf("%d rows", n)
	}
	d.clock.Advance(time.Hour)
	if err := d.NoteDenied(t.Context(), ann, "GET", "/admin"); err != nil || d.count(t, "access.refused") != 3 {
		t.Errorf("an hour later: %v", err)
	}
}

func TestRefusedTokensAreRecorded(t *testing.T) {
	d := open(t)
	plain, token, err := d.CreateToken(t.Context(), "a", "", []account.Scope{account.Submit}, time.Time{}, operator)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.RevokeToken(t.Context(), token.ID, operator); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for _, bearer := range []string{"", plain, "pcp_nonsense", "another"} {
			if err := d.NoteRefusedToken(t.Context(), bearer, "10.0.0.1"); err != nil {
				t.Fatal(err)
			}
		}
	}
	page, err := audit.List(t.Context(), d.db, audit.Filter{Action: "token.refused"})
	if err != nil || len(page.Rows) != 2 {
		t.Fatalf("%+v, %v", page.Rows, err)
	}
	if page.Rows[1].ObjectID != token.ID || !strings.Contains(string(page.Rows[1].Content), `"why":"revoked"`) ||
		page.Rows[0].ObjectID != "unknown" {
		t.Errorf("%s", page.Rows[1].Content)
	}
	for _, r := range page.Rows {
		if strings.Contains(string(r.Content), plain) || strings.Contains(string(r.Content), "nonsense") {
			t.Errorf("what was sent stands in the log: %s", r.Content)
		}
	}
}

func TestHeldUpSignInsAreRecorded(t *testing.T) {
	d := open(t)
	ann := d.add(t, "ann@example.org", account.Supervisor)
	for range 12 {
		if _, err := d.SignIn(t.Context(), "ann@example.org", "wrong", "10.0.0.1"); err == nil {
			t.Fatal("a wrong password")
		}
	}
	if n := d.count(t, "account.sign_in_throttled"); n != 1 {
		t.Errorf("%d rows", n)
	}
	page, _ := audit.List(t.Context(), d.db, audit.Filter{Action: "account.sign_in_throttled"})
	if page.Rows[0].ObjectID != ann.ID {
		t.Errorf("of %s", page.Rows[0].ObjectID)
	}
}

func TestRolesAreAskedForInTheTransaction(t *testing.T) {
	d := open(t)
	boss, ann := d.person(t, "Boss", "boss@example.org", account.Admin),
		d.person(t, "Ann", "ann@example.org", account.Admin, account.Supervisor)
	holds := func(id string, r account.Role) error {
		return d.db.Read(t.Context(), func(tx *db.Tx) error { return d.MustHoldTx(tx, id, r) })
	}
	if err := holds(ann.ID, account.Supervisor); err != nil {
		t.Error(err)
	}
	if err := holds(boss.ID, account.Supervisor); !fault.Is(err, fault.Denied) {
		t.Errorf("not a supervisor: %v", err)
	}
	if n, err := d.Holders(t.Context(), account.Admin); n != 2 || err != nil {
		t.Error(n, err)
	}
	if _, err := d.Disable(t.Context(), ann.ID, operator); err != nil {
		t.Fatal(err)
	}
	if err := holds(ann.ID, account.Supervisor); !fault.Is(err, fault.Denied) {
		t.Errorf("disabled: %v", err)
	}
	if n, err := d.Holders(t.Context(), account.Admin); n != 1 || err != nil {
		t.Error(n, err)
	}
	if !slices.Contains(d.acts(t), "account.disabled") {
		t.Error("no record")
	}
}
