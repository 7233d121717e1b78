package admin

import (
	"slices"
	"strings"

	"preceptor/internal/account"
	"preceptor/views/accounts"
	"preceptor/views/layout"
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

// Side is what the administration's own navigation shows: where something needs a person. Not shown to those who only
// read a page of it.
type Side struct {
	Shown     bool
	Parked    int // jobs
	Webhooks  int // endpoints that are off and events that were given up
	Proposals int // changes that wait for this person
}

func (s Side) count(key string) int {
	return map[string]int{"jobs": s.Parked, "webhooks": s.Webhooks, "approvals": s.Proposals}[key]
}

// part is one page of the administration. who says who may change what there: it is the one place where that is written
// for people; routes.go is the one place where it is enforced.
type part struct {
	key, href, label, text, counted, who string
}

var parts = []part{
	{"home", "/admin", "Overview", "", "", ""},
	{"people", "/admin/people", "People", "Who can sign in, and what each person can do.", "",
		"Administrators add people and change what they can do. There must always be at least one administrator."},
	{"teams", "/admin/teams", "Teams", "Groups of people to assign reviews to and share filters with.", "",
		"Administrators create teams and choose who is in them."},
	{"agents", "/admin/agents", "Agents and tokens",
		"The AI systems whose guidance is reviewed, and their keys to the API.", "",
		"Administrators create and revoke tokens."},
	{"webhooks", "/admin/webhooks", "Webhooks", "Tell each agent the outcome of its guidance.", "need attention",
		"Administrators set up webhooks and send events again."},
	{"policies", "/admin/policies", "Review policy",
		"What must be reviewed before sending, and what needs a second supervisor.", "",
		"Everyone who is signed in can read this. One administrator proposes a change, and another agrees to it."},
	{"approvals", "/approvals", "Waiting for a second person",
		"Changes that one person proposed and another has to agree to.", "wait for you",
		"Administrators and compliance experts agree or refuse. Nobody agrees to their own."},
	{"jobs", "/admin/jobs", "Jobs", "Work that runs in the background. Parked jobs can be run again.", "parked",
		"Administrators run parked jobs again, and pause and resume scheduled jobs."},
	{"import", "/admin/import", "Import", "Guidance documents become cases of the knowledge base.", "",
		"Administrators import documents. Everyone can see the results under Knowledge."},
	{"erasure", "/admin/erasure", "Erasure",
		"Erase one customer's texts everywhere on request, or hold them where the law requires it.", "",
		"Administrators erase texts, and set and release legal holds. Erased texts can't be restored."},
	{"backup", "/admin/backup", "Backup and restore",
		"A consistent copy of everything in one file, and how to put it back.", "",
		"Administrators download backups. Restoring one needs access to the server."},
	{"audit", "/admin/audit", "Audit log", "Who did what and when, in a chain that shows tampering.", "",
		"Administrators read, check and export the log. Nobody can change it."},
}

func (p part) current(path string) bool {
	return path == p.href || p.key != "home" && strings.HasPrefix(path, p.href+"/") ||
		p.key == "webhooks" && strings.HasPrefix(path, "/admin/events/")
}

// WhoMay says who may change what on the page of this path; "" for a page that is not the administration's.
func WhoMay(path string) string {
	for _, p := range parts {
		if p.current(path) {
			return p.who
		}
	}
	return ""
}

func wide(f layout.Frame) layout.Frame {
	f.Wide = true
	return f
}
