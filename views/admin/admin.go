// Package admin shows what administrators look after: people, agents and their tokens, jobs, the audit log, import and
// backup. Each view is a pure function of its struct.
package admin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/backup"
	"preceptor/internal/platform/job"
	"preceptor/internal/platform/limiter"
	"preceptor/internal/platform/table/imports"
	"preceptor/internal/review"
	"preceptor/views/accounts"
	runs "preceptor/views/imports"
	"preceptor/views/ui"
)

// HomeView says what needs a person, and leads to the parts.
type HomeView struct {
	Side  Side
	Needs []Need
	Steps []Step            // what is left of setting up; none when all is done
	Notes map[string]string // by the part's key: "3 people"
}

// stepsDone is how far the setting up is.
func (v HomeView) stepsDone() string {
	n := 0
	for _, s := range v.Steps {
		if s.Done {
			n++
		}
	}
	return strconv.Itoa(n) + " of " + strconv.Itoa(len(v.Steps)) + " done"
}

// Need is one thing that waits for a person.
type Need struct {
	Tone        ui.Tone
	Title, Text string
	Act, Href   string
}

// Step is one thing to set up.
type Step struct {
	Key               string // in addresses and the audit log
	Done, Dismissed   bool
	Title, Text, Href string
}

// PeopleView is a page of people, and the form that adds somebody.
type PeopleView struct {
	Side   Side
	People []account.Listed
	Teams  map[string]string // their names, by account
	Me     string            // the id of who is looking
	Words  string            `form:"q"` // the filter
	Role   account.Role      `form:"role"`
	Access string            `form:"access"`
	After  string            `form:"after"`
	Pages  ui.Pages
	Fresh  *FreshLink
	Form   PersonForm
	Errors accounts.Errors
}

// PersonForm is what was typed into the form that adds somebody.
type PersonForm struct {
	Email, Name string
	Roles       []account.Role
}

// PersonView is one person.
type PersonView struct {
	Side      Side
	Person    account.Account
	Roles     []account.Role // as chosen in the form
	Name      string         // as typed
	Email     string         // as typed
	Sessions  []account.Session
	Me        string
	Fresh     *FreshLink
	Loss      review.Loss
	LinkUntil time.Time // when the link that the person was given stops working
	Errors    accounts.Errors
}

// takesBack is what becomes of a person's open work when they can no longer decide.
func (v PersonView) takesBack() string {
	s := ""
	if n := v.Loss.Approvals; n > 0 {
		s = " It also takes back " + ui.Count(n, "first approval") + " of " + v.Person.Name +
			": each of those reviews then needs two new approvals, and giving access back doesn't restore them."
	}
	if n := v.Loss.Held; n > 0 {
		s += " " + ui.Count(n, "decision") + " of " + v.Person.Name +
			" not sent yet will be undone, and the drafts go back to the queue."
	}
	if n := v.Loss.Reviews; n > 0 {
		s += " " + ui.Count(n, "review") + " assigned to or open with " + v.Person.Name +
			" will go back to the queue."
	}
	return s
}

// TookBack is what became of the open work of a person who can no longer decide.
func TookBack(l review.Loss) string {
	s := ""
	if l.Approvals > 0 {
		s = " Taken back: " + ui.Count(l.Approvals, "first approval") + "."
	}
	if n := l.Held + l.Reviews; n > 0 {
		s += " Back in the queue: " + ui.Count(n, "review") + "."
	}
	return s
}

// FreshLink is a link with which Who chooses a password.
type FreshLink struct {
	Who   account.Account
	Link  string
	Until time.Time
}

func (l *FreshLink) title() string {
	if l.Who.Invited {
		return l.Who.Name + " invited"
	}
	return "Reset link for " + l.Who.Name
}

// resetStops is what a reset link does besides: whoever made it could open it too.
const resetStops = "Once your firm has made its first decision, none of their roles works for 24 hours after that, " +
	"and colleagues are told."

// starts is when the roles of the link's person work.
func (l *FreshLink) starts() string {
	if l.Who.Invited {
		return StartsLine(l.Who)
	}
	return " When it is used, they are signed out everywhere else. " + resetStops
}

// StartsLine tells who grants a role when it takes effect; nothing where it has.
func StartsLine(a account.Account) string {
	role := " The new role (" + account.Words(a.Waiting) + ") takes effect "
	switch {
	case len(a.Waiting) == 0:
		return ""
	case a.Invited:
		return role + "24 hours after they choose their password; until then they can't do its work."
	}
	return role + "on " + ui.Absolute(a.CountsAt) + "; until then they can't do its work."
}

// AgentsView is every agent with its tokens.
type AgentsView struct {
	Side    Side
	Agents  []account.Agent // in use
	Away    []account.Agent
	Tokens  []account.Token
	Voted   []string                   // names of no agent here, under which votes came in
	Refused map[string]limiter.Refused // by the token's id
	Fresh   string                     // a token that was just made: shown once
	Of      string                     // its agent, as it is called
	Typed   string                     // the name by which it was asked for
	Try     string                     // a request that works with it
	Agent   string                     `form:"agent"` // what was typed
	Pack    string                     `form:"pack"`
	Days    string                     `form:"days"`
	ID      string                     `form:"id"` // of the agent to change, with the name that it had on the screen
	Name    string                     `form:"name"`
	Back    bool                       `form:"back"` // it is to be taken back
	Open    string                     // the act that went wrong: PutAway or Move
	Scopes  []account.Scope            `form:"scopes"`
	Errors  accounts.Errors
}

// Acts whose forms are open when they went wrong.
const (
	PutAway = "away"
	Move    = "move"
)

// agent is the option of the agent to change, with the name that it has.
func (v AgentsView) agent() string {
	id, _, _ := strings.Cut(v.ID, " ")
	for _, a := range v.Agents {
		if a.ID == id {
			return id + " " + a.Name
		}
	}
	return ""
}

// JobsView is the queue.
type JobsView struct {
	Side   Side
	State  job.State `form:"state"`
	Kind   string    `form:"kind"` // "" is all
	Before int64     `form:"before"`
	Counts map[job.State]int
	Parked []job.KindCount
	Jobs   []job.Job
	Loops  []job.Loop
	Here   string // the address of this page
	Pages  ui.Pages
}

// AuditView is the record of who did what. From and To are days, as 2026-11-02.
type AuditView struct {
	Side   Side
	Rows   []audit.Row
	Words  string `form:"words"`
	Who    string `form:"who"`
	Action string `form:"action"`
	Object string `form:"object"`
	From   string `form:"from"`
	To     string `form:"to"`
	Before int64  `form:"before"`
	Pages  ui.Pages
	Until  int64 // looking for words stopped here
	Report *audit.Report
	Names  map[string]string // of what rows are about, by ObjectKey, and of whom their details name, by id
	Errors accounts.Errors
}

// ObjectKey is what a row is about, as a key.
func ObjectKey(r audit.Row) string { return r.ObjectKind + " " + r.ObjectID }

// hidden is the filter as names and values, for a form.
func (v AuditView) hidden() (out [][2]string) {
	v.Before = 0
	q := ui.Query(v)
	for _, name := range slices.Sorted(maps.Keys(q)) {
		out = append(out, [2]string{name, q.Get(name)})
	}
	return out
}

func (v AuditView) filtered() bool { return len(v.hidden()) > 0 }

// BackupView is the copies on record.
type BackupView struct {
	Side   Side
	Rows   []audit.Row
	Plan   backup.Plan
	Folder string `form:"folder"` // what was typed
	Hour   string `form:"hour"`
	Days   string `form:"days"`
	Weeks  string `form:"weeks"`
	Months string `form:"months"`
	Base   string `form:"base"`
	Errors accounts.Errors
}

// hours are those of a day.
func hours() (list []ui.Option) {
	for h := range 24 {
		list = append(list, ui.Option{Value: strconv.Itoa(h), Label: fmt.Sprintf("%02d:00", h)})
	}
	return list
}

// ImportView is the form, how the last import went, and the ones before.
type ImportView struct {
	Side   Side
	Runs   []ImportRun // the newest first
	Shares knowledge.Shares
	Agent  string `form:"agent"`  // what was typed
	Create bool   `form:"create"` // agents that there are not
	Pack   string `form:"pack"`
	Folder string `form:"folder"`
	// Addresses of web pages, one a line.
	Addresses string `form:"addresses"`
	Errors    accounts.Errors
}

// ImportRun is one import.
type ImportRun struct {
	imports.Run
	Report knowledge.ImportReport
}

func (r *ImportRun) outcome() runs.Outcome {
	rep := r.Report
	o := runs.Outcome{Title: "Imported " + r.Source, Stopped: "The import of " + r.Source + " stopped",
		Label: "Not imported"}
	if len(r.Run.Report) > 0 {
		o.Facts = []ui.Fact{
			{Label: "Documents", Value: ui.Thousands(rep.Files)},
			{Label: "New cases", Value: ui.Thousands(rep.Imported)},
			{Label: "Updated", Value: ui.Thousands(rep.Updated)},
			{Label: "Unchanged", Value: ui.Thousands(rep.Unchanged)},
			{Label: "Retired, section removed", Value: ui.Thousands(rep.Retired)},
			{Label: "Back in use", Value: ui.Thousands(rep.Restored)},
			{Label: "Stay retired", Value: ui.Thousands(rep.StayRetired)},
			{Label: "Flagged for review", Value: ui.Thousands(len(rep.Flagged))},
			{Label: "Near-duplicates", Value: ui.Thousands(len(rep.Duplicates))},
		}
	}
	for _, s := range rep.Skipped {
		o.Problems = append(o.Problems, imports.Problem{File: s.File, Line: s.Line, Why: s.Why, Note: s.Note})
		bad := s.Bad || !s.Note && r.nothing()
		if bad {
			o.Refused++
		}
		if bad || s.Note {
			o.All++
		}
	}
	if r.nothing() {
		o.Title = "Nothing was imported from " + r.Source
	}
	return o
}

// left is how many files and parts of them gave nothing.
func (r ImportRun) left() (n int) {
	for _, s := range r.Report.Skipped {
		if !s.Note {
			n++
		}
	}
	return n
}

// nothing reports whether no file of the import gave anything.
func (r *ImportRun) nothing() bool {
	return r.Report.Files+r.Report.Updated+r.Report.Retired == 0 && len(r.Report.Skipped) > 0
}

// packOptions are the packs by their titles; nothing is chosen for one who has to choose.
func packOptions() []ui.Option {
	list := []ui.Option{{Label: "Choose a domain"}}
	for _, p := range pack.All() {
		list = append(list, ui.Option{Value: p.Name, Label: p.Title})
	}
	return list
}

// expiries are the choices for how long a token works.
var expiries = []ui.Option{
	{Value: "90", Label: "90 days"}, {Value: "365", Label: "One year"}, {Value: "30", Label: "30 days"},
	{Value: "0", Label: "No expiry"},
}

// The choices of the filters of people.
var (
	roleOptions = func() []ui.Option {
		list := []ui.Option{{Value: "", Label: "any"}}
		for _, r := range account.Roles {
			list = append(list, ui.Option{Value: string(r), Label: accounts.RoleLabel(r)})
		}
		return list
	}()
	accessOptions = []ui.Option{{Value: "", Label: "all"}, {Value: "no", Label: "can sign in"},
		{Value: "yes", Label: "can't sign in"}}
)

func tokenState(t account.Token, now time.Time) (ui.Tone, string) {
	switch {
	case !t.RevokedAt.IsZero():
		return ui.Neutral, "revoked"
	case !t.ExpiresAt.IsZero() && !now.Before(t.ExpiresAt):
		return ui.Neutral, "expired"
	default:
		return ui.Green, "works"
	}
}

func scopeList(t account.Token) string {
	s := ""
	for i, scope := range t.Scopes {
		if i > 0 {
			s += ", "
		}
		s += string(scope)
	}
	return s
}

// detail is one thing that an audit row says. A long one, as the text of a draft, is folded away.
type detail struct {
	key, value string
	long       bool
}

// details takes a row's content apart, by key; ids are shown as the names they have. What is no JSON object is shown as
// it is.
func details(content json.RawMessage, names map[string]string) []detail {
	var fields map[string]any
	d := json.NewDecoder(bytes.NewReader(content))
	d.UseNumber()
	if err := d.Decode(&fields); err != nil {
		return []detail{{key: "content", value: string(content), long: true}}
	}
	var called []string
	for id, name := range names {
		if name != "" && !strings.Contains(id, " ") { // the others are of objects
			called = append(called, id, name)
		}
	}
	call := strings.NewReplacer(called...)
	out := make([]detail, 0, len(fields))
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		value := call.Replace(audit.Plain(fields[key]))
		if value == "" || value == never {
			continue
		}
		out = append(out, detail{strings.ReplaceAll(key, "_", " "), value,
			utf8.RuneCountInString(value) > 90 || strings.Contains(value, "\n") || isHash(value)})
	}
	return out
}

// never is how an earlier version noted that a legal hold has no last day.
const never = "0001-01-01T00:00:00Z"

// isHash reports whether a value says nothing to a reader.
func isHash(s string) bool { return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == "" }
