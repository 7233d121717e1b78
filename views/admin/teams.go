package admin

import (
	"slices"

	"preceptor/internal/account"
	"preceptor/views/accounts"
)

// TeamsView is every team, and what was typed into the form that did not go through.
type TeamsView struct {
	Side    Side
	Teams   []account.Team
	People  []account.Account
	Editing string   // the team whose form came back; "" for a new one
	Name    string   `form:"name"` // as typed
	Members []string `form:"members"`
	Version int      `form:"version"`
	Errors  accounts.Errors
}

func (v TeamsView) error(id string) string {
	if v.Editing != id {
		return ""
	}
	if e := v.Errors["name"]; e != "" {
		return e
	}
	return v.Errors["members"]
}

func (v TeamsView) newError() string { return v.error("") }

func (v TeamsView) name(t account.Team) string {
	if v.Editing == t.ID {
		return v.Name
	}
	return t.Name
}

func (v TeamsView) member(t account.Team, id string) bool {
	if v.Editing == t.ID {
		return slices.Contains(v.Members, id)
	}
	return t.Has(id)
}

// decides reports whether a team can be given cases.
func (v TeamsView) decides(t account.Team) bool {
	return slices.ContainsFunc(v.People, func(a account.Account) bool {
		return t.Has(a.ID) && !a.Disabled && a.Has(account.Supervisor)
	})
}

func memberHint(a account.Account) string {
	hint := accounts.RoleList(a)
	if a.Disabled {
		hint += ", can't sign in"
	}
	return hint
}
