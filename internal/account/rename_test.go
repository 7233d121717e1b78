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

// wantRenamed looks at the newest audit row.
func (d desk) wantRenamed(t *testing.T, action, before, after string) {
	t.Helper()
	page, err := audit.List(t.Context(), d.db, audit.Filter{Limit: 1})
	if err != nil || page.Rows[0].Action != action ||
		!strings.Contains(string(page.Rows[0].Content), `"before":"`+before+`"`) ||
		!strings.Contains(string(page.Rows[0].Content), `"after":"`+after+`"`) {
		t.Errorf("audit: %+v, %v; want %s from %s to %s", page.Rows, err, action, before, after)
	}
}

func TestPeopleAreRenamed(t *testing.T) {
	var told []string
	d := open(t, account.WithHooks(account.Hooks{OnRenamed: func(_ *db.Tx, _, name string) error {
		told = append(told, name)
		return nil
	}}))
	ann := d.person(t, "Ann Archer", "ann@example.org", account.Supervisor)
	for _, c := range []struct {
		name, want string
		kind       fault.Kind // of what is refused
	}{
		{"Ann  Baker ", "Ann Baker", 0}, {"Ann Baker", "Ann Baker", 0}, {"Änn O'Neil", "Änn O'Neil", 0},
		{" ", "", fault.Invalid}, {strings.Repeat("x", 101), "", fault.Invalid}, {"Ann\u202eBaker", "", fault.Invalid},
	} {
		before := d.count(t, "account.renamed")
		a, err := d.Rename(t.Context(), ann.ID, c.name, operator, "")
		if c.want == "" {
			wantKind(t, err, c.kind)
			if d.count(t, "account.renamed") != before {
				t.Errorf("%q left an audit row", c.name)
			}
			continue
		}
		got, _ := d.Get(t.Context(), ann.ID)
		if err != nil || a.Name != c.want || got.Name != c.want || !got.Has(account.Supervisor) {
			t.Errorf("%q: %q, stored %q, %v", c.name, a.Name, got.Name, err)
		}
	}
	if want := []string{"Ann Baker", "Änn O'Neil"}; !slices.Equal(told, want) || d.count(t, "account.renamed") != 2 {
		t.Errorf("told %q, %d audit rows", told, d.count(t, "account.renamed"))
	}
	d.wantRenamed(t, "account.renamed", "Ann Baker", "Änn O'Neil")
	_, err := d.Rename(t.Context(), "absent", "Ann", operator, "")
	wantKind(t, err, fault.NotFound)
}

// A renamed agent answers to all its names; nobody else can take one of them.
func TestAgentsAreRenamed(t *testing.T) {
	d := open(t)
	plain, made, err := d.CreateToken(t.Context(), "Help Desk", "", both, time.Time{}, operator)
	if err != nil {
		t.Fatal(err)
	}
	other, err := d.EnsureAgent(t.Context(), "pension", "")
	if err != nil {
		t.Fatal(err)
	}
	rename := func(agentID, name string) error {
		_, err := d.RenameAgent(t.Context(), agentID, name, operator, "")
		return err
	}
	for _, name := range []string{"", "  ", strings.Repeat("x", 81), "a\u200bb", "PENSION"} {
		wantKind(t, rename(made.AgentID, name), fault.Invalid)
	}
	wantKind(t, rename("absent", "x"), fault.NotFound)
	steps := []string{"it-helpdesk", "IT-Helpdesk", "Service", "help desk"} // the last was its own once
	for i, name := range steps {
		if err := rename(made.AgentID, " "+name); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if i == 0 {
			d.wantRenamed(t, "agent.renamed", "Help Desk", "it-helpdesk")
		}
		for _, known := range append([]string{"help  desk"}, steps[:i+1]...) {
			a, err := d.EnsureAgent(t.Context(), known, "")
			if err != nil || a.ID != made.AgentID || a.Name != name {
				t.Errorf("now %s, asked for as %s: %+v, %v", name, known, a, err)
			}
			wantKind(t, rename(other.ID, known), fault.Invalid)
		}
	}
	if err := rename(made.AgentID, "help desk"); err != nil || d.count(t, "agent.renamed") != len(steps) {
		t.Errorf("to the name that it has: %d rows, %v", d.count(t, "agent.renamed"), err)
	}
	token, err := d.Authenticate(t.Context(), plain)
	if err != nil || token.AgentName != "help desk" || !token.Named("it-HELPDESK") || !token.Named(" service ") ||
		token.Named("pension") || token.Named("") {
		t.Errorf("token %+v, %v", token, err)
	}
	if list, err := d.Agents(t.Context()); err != nil || len(list) != 2 {
		t.Errorf("%d agents, %v", len(list), err)
	}
}
