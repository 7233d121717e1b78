// Package accounts shows signing in, setting up and a person's own account. Each view is a pure function of its struct.
package accounts

import (
	"strings"

	"preceptor/internal/account"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/views/ui"
)

// Pending names the roles of a person that haven't taken effect, each with when it does. Those of an invited person
// wait for them.
func Pending(a account.Account) string {
	if a.Invited {
		return account.Words(a.Waiting) + ", until 24 hours after they choose a password"
	}
	return strings.Join(lists.Map(a.Waiting, func(r account.Role) string {
		return account.Words([]account.Role{r}) + " from " + ui.Absolute(a.Starts[r])
	}), ", ")
}

// SignInView is the sign-in page.
type SignInView struct {
	Email, Next, Error string
	Kept               []Kept            // what was typed before the session ended; comes back with the form
	NobodyYet          bool              // no account exists: the terminal has a set-up link
	Demo               []account.Account // one-click sign-in, in the demo only
}

// Kept is a field of a form that goes over a sign-in.
type Kept struct{ Name, Value string }

// SetupView is the page behind the set-up link.
type SetupView struct {
	Secret, Email, Name string
	Roles               []account.Role
	Errors              Errors
}

// JoinView is the page behind a link with which a person chooses a password.
type JoinView struct {
	Secret  string
	Account account.Account
	Errors  Errors
}

// AccountView is a person's own page.
type AccountView struct {
	Account  account.Account
	Sessions []account.Session
	Current  string // the id of the session that asks
	Errors   Errors
}

// Errors are messages by field name; "" is about the whole form.
type Errors map[string]string

// ErrorsOf sorts what is wrong with an input by field.
func ErrorsOf(err error) Errors {
	e := Errors{}
	for _, f := range fault.Fields(err) {
		if e[f.Name] == "" {
			e[f.Name] = f.Msg
		}
	}
	if err != nil && len(e) == 0 {
		e[""] = fault.Message(err)
	}
	return e
}

// RoleHints says what each role does.
var RoleHints = map[account.Role]string{
	account.Supervisor: "reviews drafts and decides on them",
	account.Expert:     "decides borderline cases and accepts rules",
	account.Manager:    "sees satisfaction, quality and learning",
	account.Admin:      "manages people, agents, imports, jobs, audit and backups",
}

// RoleLabel is a role as a page writes it.
func RoleLabel(r account.Role) string { return pack.Upper(account.Words([]account.Role{r})) }

// RoleList writes an account's roles in a row.
func RoleList(a account.Account) string { return pack.Upper(account.Words(a.Roles)) }

// Browser is a user agent in few words; what can't be told is shown as it came, cut short.
func Browser(agent string) string {
	for _, name := range []string{"Firefox", "Edg", "Chrome", "Safari"} {
		if strings.Contains(agent, name+"/") {
			return map[string]string{"Edg": "Edge"}[name] + strings.TrimPrefix(name, "Edg")
		}
	}
	if r := []rune(agent); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return agent
}
