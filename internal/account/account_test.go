package account_test

import (
	"slices"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
)

const (
	goodPassword  = "a lamp beside the window"
	otherPassword = "seven boats in the harbour"
)

var operator = audit.System("test")

// desk is an open directory with its clock.
type desk struct {
	*account.Directory
	db    *db.DB
	clock *dbtest.Clock
}

func open(t *testing.T, opts ...account.Option) desk {
	t.Helper()
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	dir := account.New(d, opts...)
	dir.HashForTests()
	return desk{dir, d, clock}
}

func (d desk) add(t *testing.T, email string, roles ...account.Role) account.Account {
	t.Helper()
	a, err := d.Add(t.Context(), account.NewAccount{Email: email, Name: "Ann Example", Password: goodPassword,
		Roles: roles}, operator)
	if err != nil {
		t.Fatalf("add %s: %v", email, err)
	}
	return a
}

// acts lists what the audit log says, newest first.
func (d desk) acts(t *testing.T) []string {
	t.Helper()
	page, err := audit.List(t.Context(), d.db, audit.Filter{Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	var acts []string
	for _, r := range page.Rows {
		acts = append(acts, r.Action)
	}
	return acts
}

func (d desk) wantAct(t *testing.T, act string) {
	t.Helper()
	if got := d.acts(t); len(got) == 0 || got[0] != act {
		t.Errorf("newest audit row is %v, want %s", got, act)
	}
}

func wantKind(t *testing.T, err error, k fault.Kind) {
	t.Helper()
	if err == nil || fault.KindOf(err) != k {
		t.Errorf("got error %v, want a fault of kind %s", err, k)
	}
}

func TestAddRefuses(t *testing.T) {
	d := open(t)
	d.add(t, "ann@example.org", account.Supervisor)
	ok := account.NewAccount{Email: "bob@example.org", Name: "Bob", Password: goodPassword,
		Roles: []account.Role{account.Expert}}
	for _, tc := range []struct {
		name  string
		with  func(n *account.NewAccount)
		field string
		kind  fault.Kind
	}{
		{"the same address in capitals", func(n *account.NewAccount) {
			n.Email = "ANN@Example.ORG"
		}, "", fault.Conflict},
		{"no address", func(n *account.NewAccount) { n.Email = " " }, "email", fault.Invalid},
		{"an address with a name", func(n *account.NewAccount) {
			n.Email = "Bob <bob@example.org>"
		}, "email", fault.Invalid},
		{"an address without a host", func(n *account.NewAccount) { n.Email = "bob@" }, "email", fault.Invalid},
		{"no name", func(n *account.NewAccount) { n.Name = "" }, "name", fault.Invalid},
		{"a name that turns the writing", func(n *account.NewAccount) {
			n.Name = "Bob\u202egnp.exe"
		}, "name", fault.Invalid},
		{"a long name", func(n *account.NewAccount) { n.Name = strings.Repeat("b", 101) }, "name", fault.Invalid},
		{"no role", func(n *account.NewAccount) { n.Roles = nil }, "roles", fault.Invalid},
		{"an unknown role", func(n *account.NewAccount) { n.Roles = []account.Role{"root"} }, "roles", fault.Invalid},
		{"a short password", func(n *account.NewAccount) { n.Password = "short" }, "password", fault.Invalid},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := ok
			tc.with(&n)
			_, err := d.Add(t.Context(), n, operator)
			wantKind(t, err, tc.kind)
			fields := fault.Fields(err)
			if tc.field != "" && (len(fields) != 1 || fields[0].Name != tc.field) {
				t.Errorf("fields %v, want %s", fields, tc.field)
			}
		})
	}
	list, err := d.List(t.Context())
	if err != nil || len(list) != 1 {
		t.Errorf("%d accounts (%v), want the first alone", len(list), err)
	}
}

func TestAddKeepsWhatWasGiven(t *testing.T) {
	d := open(t)
	a := d.add(t, "Ann.Smith@Example.org", account.Admin, account.Supervisor, account.Admin)
	got, err := d.ByEmail(t.Context(), "ann.smith@example.ORG")
	if err != nil {
		t.Fatal(err)
	}
	if got.ID != a.ID || got.Email != "Ann.Smith@Example.org" ||
		!slices.Equal(got.Roles, []account.Role{account.Supervisor, account.Admin}) {
		t.Errorf("got %+v", got)
	}
	if got.Prefs != (account.Prefs{Theme: "system", Density: "comfortable", LetterKeys: true}) {
		t.Errorf("preferences %+v", got.Prefs)
	}
	d.wantAct(t, "account.added")
}

func TestRolesChange(t *testing.T) {
	d := open(t)
	a := d.add(t, "ann@example.org", account.Supervisor)
	got, err := d.SetRoles(t.Context(), a.ID, []account.Role{account.Expert, account.Manager}, operator, "")
	if err != nil || !got.Has(account.Expert) || got.Has(account.Supervisor) || got.Version != 2 {
		t.Fatalf("got %+v, %v", got, err)
	}
	d.wantAct(t, "account.roles_changed")
	if _, err := d.SetRoles(t.Context(), "absent", []account.Role{account.Expert}, operator, ""); !fault.Is(err,
		fault.NotFound) {
		t.Errorf("roles of nobody: %v", err)
	}
}

// Somebody must always be able to get into the administration.
func TestLastAdministratorStays(t *testing.T) {
	d := open(t)
	first := d.add(t, "ann@example.org", account.Admin)
	_, err := d.SetRoles(t.Context(), first.ID, []account.Role{account.Expert}, operator, "")
	wantKind(t, err, fault.Conflict)
	_, err = d.Disable(t.Context(), first.ID, operator)
	wantKind(t, err, fault.Conflict)

	second := d.add(t, "bob@example.org", account.Admin)
	if _, err := d.Disable(t.Context(), second.ID, operator); err != nil {
		t.Fatal(err)
	}
	_, err = d.SetRoles(t.Context(), first.ID, []account.Role{account.Expert}, operator, "")
	wantKind(t, err, fault.Conflict) // the other one is disabled and does not count
	if _, err := d.Enable(t.Context(), second.ID, operator); err != nil {
		t.Fatal(err)
	}
	_, err = d.SetRoles(t.Context(), first.ID, []account.Role{account.Expert}, first.Actor(), "")
	wantKind(t, err, fault.Conflict) // their own
	if _, err := d.SetRoles(t.Context(), first.ID, []account.Role{account.Expert}, second.Actor(), ""); err != nil {
		t.Errorf("with a second administrator: %v", err)
	}
}

func TestPrefs(t *testing.T) {
	d := open(t)
	a := d.add(t, "ann@example.org", account.Supervisor)
	want := account.Prefs{Theme: "dark", Density: "compact"}
	if err := d.SetPrefs(t.Context(), a.ID, want); err != nil {
		t.Fatal(err)
	}
	got, err := d.Get(t.Context(), a.ID)
	if err != nil || got.Prefs != want {
		t.Errorf("got %+v, %v", got.Prefs, err)
	}
	wantKind(t, d.SetPrefs(t.Context(), a.ID, account.Prefs{Theme: "pink", Density: "compact"}), fault.Invalid)
	wantKind(t, d.SetPrefs(t.Context(), a.ID, account.Prefs{Theme: "dark", Density: "tiny"}), fault.Invalid)
}

func TestParse(t *testing.T) {
	roles, err := account.ParseRoles("Admin, supervisor")
	if err != nil || !slices.Equal(roles, []account.Role{account.Supervisor, account.Admin}) {
		t.Errorf("roles %v, %v", roles, err)
	}
	for _, bad := range []string{"", "boss", "admin,boss", ","} {
		if _, err := account.ParseRoles(bad); !fault.Is(err, fault.Invalid) {
			t.Errorf("roles %q: %v", bad, err)
		}
	}
	scopes, err := account.ParseScopes("recall,submit")
	if err != nil || !slices.Equal(scopes, []account.Scope{account.Submit, account.Recall}) {
		t.Errorf("scopes %v, %v", scopes, err)
	}
	for _, bad := range []string{"", "decide", "submit,decide"} {
		if _, err := account.ParseScopes(bad); !fault.Is(err, fault.Invalid) {
			t.Errorf("scopes %q: %v", bad, err)
		}
	}
}
