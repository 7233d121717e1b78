package browsertest

import (
	"encoding/json"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/account"
	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/job"
	"preceptor/internal/platform/table/imports"
	"preceptor/internal/policy"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/views/approvals"
	"preceptor/views/layout"
	"preceptor/views/ui"
)

// officeSide is the administration's navigation with something to do.
var officeSide = admin.Side{Shown: true, Parked: 3, Webhooks: 2, Proposals: 1}

func adminSamples() []Sample {
	return []Sample{
		{"admin", "Administration", func(f layout.Frame, w Words) templ.Component { return admin.Home(f, office(w)) }},
		{"administration-quiet", "Administration, nothing to do", func(f layout.Frame, _ Words) templ.Component {
			return admin.Home(f, admin.HomeView{Side: admin.Side{Shown: true}})
		}},
		{"admin-people", "People", func(f layout.Frame, w Words) templ.Component { return admin.People(f, folk(w)) }},
		{"join", "Choosing a password behind a link", func(f layout.Frame, w Words) templ.Component {
			f.Person, f.Nav = nil, nil
			return accounts.Join(f, accounts.JoinView{Secret: "s", Account: listed(w)[0].Account,
				Errors: accounts.Errors{"password": "Use at least 12 characters; this has 5."}})
		}},
		{"admin-people-none", "People, nobody matches", func(f layout.Frame, w Words) templ.Component {
			return admin.People(f, admin.PeopleView{Side: officeSide, Words: w.Name,
				Errors: accounts.Errors{"email": "Enter an e-mail address in the format name@example.org.",
					"roles": "Choose at least one role."}})
		}},
		{"admin-people-one", "Person", func(f layout.Frame, w Words) templ.Component {
			return admin.Person(f, samplePerson(w, false))
		}},
		{"admin-people-disabled", "Person, disabled, with an error", func(f layout.Frame, w Words) templ.Component {
			v := samplePerson(w, true)
			v.Errors = accounts.Errors{"": "This is the last administrator. Make somebody else an administrator first."}
			return admin.Person(f, v)
		}},
		{"admin-agents", "Agents, with a fresh token", func(f layout.Frame, w Words) templ.Component {
			return admin.Agents(f, tokens(w))
		}},
		{"admin-agents-none", "Agents, none", func(f layout.Frame, _ Words) templ.Component {
			return admin.Agents(f, admin.AgentsView{Side: officeSide})
		}},
		{"admin-jobs", "Jobs, parked", func(f layout.Frame, w Words) templ.Component { return admin.Jobs(f, jobs(w)) }},
		{"admin-jobs-none", "Jobs, none", func(f layout.Frame, _ Words) templ.Component {
			return admin.Jobs(f, admin.JobsView{Side: officeSide, State: job.Parked})
		}},
		{"admin-import", "Import, running", func(f layout.Frame, w Words) templ.Component {
			return admin.Import(f, admin.ImportView{Side: officeSide,
				Runs: []admin.ImportRun{
					{Run: imports.Run{Source: w.Goal, By: w.Name, StartedAt: w.Now, Done: 3, Total: 12}}}})
		}},
		{"admin-import-done", "Import, cut short, with earlier ones", func(f layout.Frame, w Words) templ.Component {
			return admin.Import(f, imported(w))
		}},
		{"admin-backup", "Backup and restore", func(f layout.Frame, w Words) templ.Component {
			return admin.Backup(f, admin.BackupView{Side: officeSide, Rows: rows(w)[:1]})
		}},
		{"admin-backup-none", "Backup, none yet", func(f layout.Frame, _ Words) templ.Component {
			return admin.Backup(f, admin.BackupView{Side: officeSide})
		}},
		{"admin-erasure", "Erasure and legal holds, with a preview", func(f layout.Frame, w Words) templ.Component {
			return admin.Erasure(f, erasures(w))
		}},
		{"admin-erasure-held", "Erasure, refused by a hold, with errors",
			func(f layout.Frame, w Words) templ.Component {
				v := erasures(w)
				v.Past, v.Preview.Holds, v.Errors = nil, v.Holds[:1],
					accounts.Errors{"": w.Reason, "subject": "A reference has at least three letters or digits."}
				return admin.Erasure(f, v)
			}},
		{"admin-erasure-none", "Erasure, nothing yet", func(f layout.Frame, _ Words) templ.Component {
			return admin.Erasure(f, admin.ErasureView{Side: officeSide})
		}},
		{"admin-audit", "Audit log", func(f layout.Frame, w Words) templ.Component {
			return admin.Audit(f, admin.AuditView{Side: officeSide, Rows: rows(w), Words: w.Goal,
				Pages:  ui.Pages{Next: "/admin/audit?before=9"},
				Report: &audit.Report{Rows: 41, Head: audit.Head{Seq: 41, Hash: "9f"}}})
		}},
		{"admin-audit-tampered", "Audit log, tampered with", func(f layout.Frame, w Words) templ.Component {
			return admin.Audit(f, admin.AuditView{Side: officeSide, Who: w.Name, Until: 20_001,
				Pages: ui.Pages{Next: "/admin/audit?before=20001"},
				Report: &audit.Report{Rows: 41,
					Bad: &audit.BadRow{Seq: 17, Why: "it does not follow from the row before it"}}})
		}},
		{"admin-audit-none", "Audit log, nothing matches", func(f layout.Frame, w Words) templ.Component {
			return admin.Audit(f, admin.AuditView{Side: officeSide, Who: w.Name, From: "soon",
				Errors: accounts.Errors{"from": "Give a day as 2026-11-02."}})
		}},
		{"admin-policies", "Review policy", func(f layout.Frame, w Words) templ.Component {
			return admin.Policies(f, policies(w))
		}},
		{"admin-policies-default", "Review policy, for somebody who reads it",
			func(f layout.Frame, _ Words) templ.Component {
				return admin.Policies(f, admin.PoliciesView{Here: "/admin/policies",
					InForce: []admin.PolicyRow{
						{Version: policy.Version{State: policy.Active, Policy: policy.Default()},
							Whom: "every agent"}}})
			}},
		{"admin-policies-one", "Proposed policy, to agree to", func(f layout.Frame, w Words) templ.Component {
			return admin.Policy(f, proposed(w))
		}},
		{"admin-policies-mine", "Proposed policy, by me, the only administrator",
			func(f layout.Frame, w Words) templ.Component {
				v := proposed(w)
				v.Waiting.Mine, v.Admins, v.Effect = true, 1, &policy.Effect{}
				return admin.Policy(f, v)
			}},
		{"admin-policies-stale", "Proposed policy, overtaken", func(f layout.Frame, w Words) templ.Component {
			v := proposed(w)
			v.Waiting.Overtaken, v.Waiting.May = true, true
			return admin.Policy(f, v)
		}},
		{"admin-policies-refused", "Refused policy", func(f layout.Frame, w Words) templ.Component {
			v := proposed(w)
			v.State, v.Ended, v.EndedWhy = policy.Refused,
				approval.Signature{By: "b", Name: w.Name, At: w.Now.Add(-time.Hour)}, w.Feedback
			return admin.Policy(f, v)
		}},
		{"approvals", "Waiting for a second person", func(f layout.Frame, w Words) templ.Component {
			mine, other, read, late := waitingChange(w), waitingChange(w), waitingChange(w), waitingChange(w)
			mine.ID, mine.Mine = "mine", true
			other.ID, other.May = "other", false
			read.ID, read.Unread = "unread", true
			late.ID, late.Overtaken = "late", true
			mine.Title, other.Title, read.Title, late.Title = "Version 8", "Version 9", "Version 10", "Version 11"
			return approvals.Page(f,
				approvals.List{Items: []approval.Waiting{waitingChange(w), mine, other, read, late},
					Agents: map[string]string{"": w.Agent},
					Acted:  "change", Typed: w.Reason,
					Errors: accounts.Errors{"refusal": "Use at most 2,000 characters."}})
		}},
		{"approvals-none", "Nothing waits for a second person", func(f layout.Frame, w Words) templ.Component {
			return approvals.Page(f, approvals.List{})
		}},
		{"admin-policies-propose", "Propose a policy, with a look and errors",
			func(f layout.Frame, w Words) templ.Component { return admin.Propose(f, proposing(w)) }},
	}
}

func office(w Words) admin.HomeView {
	return admin.HomeView{Side: officeSide, Notes: map[string]string{"people": "6 people", "agents": "1 agent"},
		Needs: []admin.Need{
			{Tone: ui.Red, Title: "2 events failed",
				Text: "An agent wasn't told the outcome of its guidance. All retries have failed.",
				Act:  "Review and send again", Href: "/admin/webhooks"},
			{Tone: ui.Red, Title: "3 jobs are parked", Text: "Parked jobs failed and won't be retried automatically.",
				Act: "See why and try again", Href: "/admin/jobs"},
			{Tone: ui.Amber, Title: "1 proposed change is waiting for you", Text: w.Reason, Act: "Read and decide",
				Href: "/approvals"},
		}, Steps: []admin.Step{{Key: "expert", Done: true, Title: "Invite an expert"},
			{Key: "token", Title: "Create a token", Text: w.Reason, Href: "/admin/agents"},
			{Key: "webhook", Dismissed: true, Title: "Add a webhook"}}}
}

func listed(w Words) []account.Listed {
	return []account.Listed{
		{Account: account.Account{ID: "a", Name: w.Name, Email: w.Agent + "@example.org", Roles: account.Roles},
			SeenAt: w.Now.Add(-4 * time.Minute)},
		{Account: account.Account{ID: "b", Name: "Bo", Email: "bo@example.org",
			Roles: []account.Role{account.Supervisor}, Disabled: true}},
	}
}

func folk(w Words) admin.PeopleView {
	return admin.PeopleView{Side: officeSide, People: listed(w), Teams: map[string]string{"a": w.Goal}, Me: "a",
		Pages: ui.Pages{Next: "/admin/people?after=b"},
		Fresh: &admin.FreshLink{Who: listed(w)[0].Account,
			Link: "https://preceptor.example/join/4Zr0kqP1nXgd7NKt3hgHRxfOEvlJro3zoVOQabcdefg", Until: w.Now},
		Form: admin.PersonForm{Name: w.Name}}
}

func samplePerson(w Words, disabled bool) admin.PersonView {
	a := listed(w)[0].Account
	a.Disabled = disabled
	v := admin.PersonView{Side: officeSide, Person: a, Roles: a.Roles, Me: "b"}
	if !disabled {
		v.Sessions = []account.Session{{ID: "s", UserAgent: "Mozilla/5.0 (X11; Linux) Firefox/140.0",
			Address: "10.1.2.3", SeenAt: w.Now.Add(-time.Minute)},
			{ID: "t", UserAgent: w.Goal, Address: "::1", SeenAt: w.Now}}
	}
	return v
}

func tokens(w Words) admin.AgentsView {
	return admin.AgentsView{Side: officeSide, Fresh: "pcp_4Zr0kqP1nXgd7NKt3hgHRxfOEvlJro3zoVOQ",
		Try: "curl -sS 'https://preceptor.example/api/guidance' -H 'Authorization: Bearer " +
			"pcp_4Zr0kqP1nXgd7NKt3hgHRxfOEvlJro3zoVOQ'",
		Agents: []account.Agent{{ID: "1", Name: w.Agent}, {ID: "2", Name: "another"}},
		Tokens: []account.Token{{ID: "t", AgentID: "1", AgentName: w.Agent, Scopes: account.Scopes, Hint: "pcp_4Zr0",
			CreatedAt: w.Now.Add(-time.Hour)},
			{ID: "u", AgentID: "1", AgentName: w.Agent, Scopes: account.Scopes[:1], Hint: "pcp_9aaa",
				CreatedAt: w.Now.Add(-300 * time.Hour), RevokedAt: w.Now, LastUsedAt: w.Now.Add(-time.Hour),
				ExpiresAt: w.Now.Add(time.Hour)}},
		Errors: accounts.Errors{"agent": "Give the agent a name, such as pension-advisor."}}
}

func jobs(w Words) admin.JobsView {
	return admin.JobsView{Side: officeSide, State: job.Parked,
		Counts: map[job.State]int{job.Parked: 3, job.Waiting: 12}, Here: "/admin/jobs",
		Pages: ui.Pages{Next: "/admin/jobs?before=7"},
		Loops: []job.Loop{{Name: "knowledge.consolidate", Every: 24 * time.Hour, StartedAt: w.Now.Add(-time.Hour),
			EndedAt: w.Now, Outcome: job.LoopDone, Runs: 4, NextAt: w.Now.Add(23 * time.Hour)},
			{Name: "learning.reflection", Every: time.Minute, StartedAt: w.Now.Add(-time.Hour), EndedAt: w.Now,
				Outcome: job.LoopFailed, Error: w.Reason, Runs: 4, PausedAt: w.Now, PausedBy: w.Name},
			{Name: "learning.revalidate", Every: 6 * time.Hour, Running: true},
			{Name: "review.drafts", Every: 24 * time.Hour}},
		Parked: []job.KindCount{{Kind: "delivery.send", N: 2}, {Kind: "learning.reflect", N: 1}},
		Jobs: []job.Job{{ID: 8, Kind: "learning.reflect", State: job.Parked, Attempt: 5, MaxAttempts: 5,
			Error: w.Reason, CreatedAt: w.Now.Add(-time.Hour), ScheduledAt: w.Now.Add(time.Hour)}}}
}

func imported(w Words) admin.ImportView {
	return admin.ImportView{Side: officeSide, Folder: w.Goal,
		Errors: accounts.Errors{"folder": "Give the whole path, as /srv/guidance."},
		Runs: []admin.ImportRun{
			{Run: imports.Run{Source: w.Goal, By: w.Name, StartedAt: w.Now.Add(-time.Hour),
				Failure: "Preceptor was stopped during the import. Import again; nothing is duplicated.",
				Report:  json.RawMessage("{}")},
				Report: knowledge.ImportReport{Files: 12, Imported: 40,
					Skipped: []knowledge.Skipped{{File: w.Agent, Line: 3, Why: "The front matter has no end."}}}},
			{Run: imports.Run{Source: w.Goal, By: w.Name, StartedAt: w.Now.Add(-48 * time.Hour), FinishedAt: w.Now},
				Report: knowledge.ImportReport{Imported: 40, Updated: 2}},
			{Run: imports.Run{Source: "b.zip", By: "Bo", StartedAt: w.Now.Add(-90 * time.Hour),
				Failure: "It stopped."}},
		}}
}

func rows(w Words) []audit.Row {
	content := func(v any) json.RawMessage { return output(v) }
	return []audit.Row{
		{Seq: 41, At: w.Now, Actor: audit.Actor{Kind: audit.Person, ID: "a", Name: w.Name}, Action: "backup.made",
			ObjectKind: "database", ObjectID: "main", Content: content(nil)},
		{Seq: 40, At: w.Now.Add(-time.Hour), Actor: audit.Actor{Kind: audit.Agent, ID: "g", Name: w.Agent},
			Action: "guidance.asked", ObjectKind: "interaction", ObjectID: "019f",
			Content: content(map[string]string{"question": w.Question, "task_type": w.Goal})},
		{Seq: 39, At: w.Now.Add(-2 * time.Hour), Actor: audit.Actor{Kind: audit.Person, ID: "b"},
			Action: "review.approved", ObjectKind: "interaction", ObjectID: "019e", ErasedAt: w.Now},
		{Seq: 38, At: w.Now.Add(-3 * time.Hour), Actor: audit.System("backup schedule"), Action: "backup.failed",
			ObjectKind: "database", ObjectID: "main", Content: content(map[string]string{"reason": w.Draft})},
	}
}

func lowered() policy.Policy {
	p := policy.Default()
	p.Version, p.Share, p.Planted, p.Always = 7, 0.4, 0.01, policy.Arriving[:5]
	return p
}

func version(w Words, state policy.State, p policy.Policy) admin.PolicyRow {
	return admin.PolicyRow{Whom: w.Agent,
		Version: policy.Version{ID: "v", State: state, Base: 3, Why: w.Reason, Policy: p,
			Proposed: approval.Signature{By: "a", Name: w.Name, At: w.Now.Add(-3 * time.Hour)}}}
}

func policies(w Words) admin.PoliciesView {
	old := version(w, policy.Superseded, policy.Default())
	old.Policy.Version, old.Agreed = 3, approval.Signature{By: "b", Name: w.Name, At: w.Now.Add(-time.Hour)}
	return admin.PoliciesView{Side: officeSide, MayChange: true, Admins: 1,
		Agents: []ui.Option{{Value: "g", Label: w.Agent}}, Pages: ui.Pages{Next: "/admin/policies?before=3"},
		Here:    "/admin/policies",
		InForce: []admin.PolicyRow{version(w, policy.Active, policy.Default()), version(w, policy.Active, lowered())},
		History: []admin.PolicyRow{version(w, policy.Proposed, lowered()), version(w, policy.Refused, lowered()),
			version(w, policy.Withdrawn, lowered()), old}}
}

func waitingChange(w Words) approval.Waiting {
	return approval.Waiting{Change: approval.Change{ID: "change", Kind: "policy", Reason: w.Reason,
		Proposed: approval.Signature{By: "a", Name: w.Name, At: w.Now.Add(-3 * time.Hour)}},
		May:  true,
		Says: approval.Says{Title: "Version 7", Href: "/admin/policies/7", Lines: []string{w.Goal, w.Feedback}}}
}

func proposed(w Words) admin.PolicyView {
	return admin.PolicyView{Side: officeSide, PolicyRow: version(w, policy.Proposed, lowered()), MayChange: true,
		Admins: 2, Waiting: waitingChange(w),
		Differences: policy.Default().Differences(lowered()),
		Effect:      &policy.Effect{Cases: 340, UnreadAfter: 121, SecondBefore: 41, SecondAfter: 40}}
}

func proposing(w Words) admin.ProposeView {
	return admin.ProposeView{Side: officeSide, AgentID: "g", Whom: w.Agent, Base: 3, From: 2, Own: true, Share: "many",
		Planted: "2.5", Soon: "4", Late: "24", Words: w.Goal, Why: w.Reason,
		Always: policy.Arriving, Second: policy.Default().SecondEyes, Preview: true,
		Differences: policy.Default().Differences(lowered()), Effect: &policy.Effect{Cases: 12, UnreadAfter: 3},
		Admins: 1, Errors: accounts.Errors{"share": "Enter a number.",
			"why": "Give a reason. The other administrators read it, and it stays on record."}}
}
