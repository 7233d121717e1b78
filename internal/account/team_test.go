package account_test

import (
	"slices"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

func (d desk) named(t *testing.T, email, name string, roles ...account.Role) account.Account {
	t.Helper()
	a, err := d.Add(t.Context(), account.NewAccount{Email: email, Name: name, Password: goodPassword, Roles: roles},
		operator)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (d desk) members(t *testing.T, teamID string) (ids []string) {
	t.Helper()
	if err := d.db.Read(t.Context(), func(tx *db.Tx) (err error) {
		ids, err = d.TeamMembersTx(tx, teamID)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return ids
}

func TestTeams(t *testing.T) {
	d := open(t)
	ben, ann := d.named(t, "ben@example.org", "Ben", account.Supervisor),
		d.named(t, "ann@example.org", "Ann", account.Supervisor)
	team, err := d.AddTeam(t.Context(), "  Pension   transfers ", operator)
	if err != nil || team.Name != "Pension transfers" {
		t.Fatal(team, err)
	}
	d.wantAct(t, "team.added")
	if _, err := d.AddTeam(t.Context(), "pension TRANSFERS", operator); !fault.Is(err, fault.Conflict) {
		t.Errorf("the same name again: %v", err)
	}
	for _, bad := range []string{"", "\u202e"} {
		if _, err := d.AddTeam(t.Context(), bad, operator); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	changed, err := d.ChangeTeam(t.Context(), team.ID, team.Version, "Transfers", []string{ben.ID, ann.ID, ben.ID},
		operator)
	if err != nil || len(changed.Members) != 2 || changed.Members[0].Name != "Ann" || !changed.Has(ben.ID) {
		t.Fatal(changed, err)
	}
	d.wantAct(t, "team.changed")
	if _, err := d.ChangeTeam(t.Context(), team.ID, team.Version, "Transfers", nil, operator); !fault.Is(err,
		fault.Conflict) {
		t.Errorf("a page that is out of date: %v", err)
	}
	if _, err := d.ChangeTeam(t.Context(), team.ID, changed.Version, "Transfers", []string{"nobody"},
		operator); !fault.Is(err, fault.Invalid) {
		t.Errorf("a stranger: %v", err)
	}
	if got := d.members(t, team.ID); len(got) != 2 {
		t.Errorf("a refused change left %v", got)
	}

	if _, err := d.Disable(t.Context(), ben.ID, operator); err != nil {
		t.Fatal(err)
	}
	if got := d.members(t, team.ID); !slices.Equal(got, []string{ann.ID}) {
		t.Errorf("who is told: %v", got)
	}
	if of, err := d.TeamsOf(t.Context(), ann.ID); err != nil || len(of) != 1 || len(of[0].Members) != 2 ||
		!of[0].Members[1].Disabled {
		t.Errorf("Ann's teams: %+v, %v", of, err)
	}
	if _, err := d.CloseTeam(t.Context(), team.ID, operator); err != nil {
		t.Fatal(err)
	}
	d.wantAct(t, "team.closed")
	if list, err := d.Teams(t.Context()); err != nil || len(list) != 0 || len(d.members(t, team.ID)) != 0 {
		t.Errorf("closed: %v, %v", list, err)
	}
	if _, err := d.CloseTeam(t.Context(), team.ID, operator); !fault.Is(err, fault.NotFound) {
		t.Errorf("twice: %v", err)
	}
	if _, err := d.AddTeam(t.Context(), "Transfers", operator); err != nil {
		t.Errorf("the name of a closed team is free: %v", err)
	}
}

func TestPeopleWithARole(t *testing.T) {
	d := open(t)
	d.named(t, "admin@example.org", "Zed", account.Admin)
	ben, gone := d.named(t, "ben@example.org", "Ben", account.Supervisor, account.Expert),
		d.named(t, "gone@example.org", "Gone", account.Supervisor)
	if _, err := d.Disable(t.Context(), gone.ID, operator); err != nil {
		t.Fatal(err)
	}
	err := d.db.Read(t.Context(), func(tx *db.Tx) error {
		list, err := d.ListTx(tx, account.Supervisor)
		if err != nil || len(list) != 1 || list[0].ID != ben.ID {
			t.Errorf("%+v, %v", list, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestOldAddressesAreForgotten(t *testing.T) {
	d := open(t)
	d.add(t, "ann@example.org", account.Supervisor)
	left := func() (n int) {
		if err := d.db.Read(t.Context(), func(tx *db.Tx) error {
			return tx.QueryRow(`SELECT COUNT(*) FROM known_address`).Scan(&n)
		}); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if _, err := d.SignIn(t.Context(), "ann@example.org", goodPassword, "192.0.2.7"); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		after time.Duration
		want  int
	}{{179 * 24 * time.Hour, 1}, {2 * 24 * time.Hour, 0}} {
		d.clock.Advance(step.after)
		if err := d.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := left(); got != step.want {
			t.Errorf("%d are known, want %d", got, step.want)
		}
	}
}
