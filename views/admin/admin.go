// Package admin shows what administrators look after: people, agents and their tokens, jobs, the audit log, import and
// backup. Each view is a pure function of its struct.
package admin

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/job"
	"preceptor/views/accounts"
	"preceptor/views/ui"
)

// HomeView is the door to the parts, with what needs attention.
type HomeView struct {
	People, Agents, Parked int
}

// PeopleView is everybody, and the form that adds somebody.
type PeopleView struct {
	People []account.Account
	Me     string // the id of who is looking
	Form   PersonForm
	Errors accounts.Errors
}

// PersonForm is what was typed into the form that adds somebody.
type PersonForm struct {
	Email, Name string
	Roles       []account.Role
}

// AgentsView is every agent with its tokens.
type AgentsView struct {
	Agents []account.Agent
	Tokens []account.Token
	Fresh  string // a token that was just made: shown on this page and never again
	Agent  string // what was typed
	Scopes []account.Scope
	Errors accounts.Errors
}

// JobsView is the queue.
type JobsView struct {
	State  job.State
	Counts map[job.State]int
	Jobs   []job.Job
	Next   string
}

// AuditView is the record of who did what.
type AuditView struct {
	Rows   []audit.Row
	Action string
	Actor  string
	Object string
	Next   string
	Report *audit.Report // of a check that was just made
}

// ImportView is the form, and how the last import since the start went.
type ImportView struct {
	Run    *ImportRun
	Agent  string // what was typed
	Folder string
	Errors accounts.Errors
}

// ImportRun is one import.
type ImportRun struct {
	Source      string // the folder, or the name of the uploaded file
	By          string
	StartedAt   time.Time
	FinishedAt  time.Time // zero while it runs
	Done, Total int
	Error       string // when it stopped as a whole
	Summary     []ui.Fact
	Skipped     []ImportProblem
}

// ImportProblem is one thing that was not imported, or wants a person's eye.
type ImportProblem struct {
	File string
	Line int // 0 when unknown
	Why  string
}

// expiries are the choices for how long a token works.
var expiries = []ui.Option{
	{Value: "90", Label: "90 days"}, {Value: "365", Label: "One year"}, {Value: "30", Label: "30 days"}, {Value: "0", Label: "Until it is revoked"},
}

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

// details takes a row's content apart, by key. What is no JSON object is shown as it is.
func details(content json.RawMessage) []detail {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(content, &fields); err != nil {
		return []detail{{key: "content", value: string(content), long: true}}
	}
	out := make([]detail, 0, len(fields))
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		value := string(fields[key])
		var text string
		if json.Unmarshal(fields[key], &text) == nil {
			value = text
		}
		if value == "" || value == "null" {
			continue
		}
		out = append(out, detail{strings.ReplaceAll(key, "_", " "), value, utf8.RuneCountInString(value) > 90 || strings.Contains(value, "\n")})
	}
	return out
}
