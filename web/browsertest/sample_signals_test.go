package browsertest

import (
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/knowledge"
	"preceptor/internal/signal"
	"preceptor/internal/signal/learned"
	"preceptor/internal/signal/trend"
	"preceptor/views/layout"
	"preceptor/views/signals"
	"preceptor/views/ui"
)

func signalSamples() []Sample {
	return []Sample{
		{"sessions", "Sessions of agents", func(f layout.Frame, w Words) templ.Component {
			return signals.SessionsPage(f, sessions(w))
		}},
		{"sessions-empty", "Sessions of agents, none", func(f layout.Frame, w Words) templ.Component {
			v := sessions(w)
			v.List, v.Next = nil, ""
			return signals.SessionsPage(f, v)
		}},
		{"session", "A session with proposals", func(f layout.Frame, w Words) templ.Component {
			return signals.SummaryPage(f, session(w))
		}},
		{"session-refused", "A session with a proposal that was refused",
			func(f layout.Frame, w Words) templ.Component {
				v := session(w)
				v.At, v.Content, v.Scope, v.Message, v.Errors = "p1", w.Principle, "language:go",
					"This rule can't be saved yet.", map[string]string{"content": "Remove what is about one person."}
				return signals.SummaryPage(f, v)
			}},
		{"session-open", "A session that goes on", func(f layout.Frame, w Words) templ.Component {
			v := session(w)
			v.State, v.Signals, v.Told = signal.TalkOpen, nil, signal.Told{}
			return signals.SummaryPage(f, v)
		}},
		{"agent-signals", "What is noticed in an agent's turns", func(f layout.Frame, w Words) templ.Component {
			return signals.AgentPage(f, agentSignals(w))
		}},
		{"agent-signals-new", "What is noticed in a new agent's turns", func(f layout.Frame, w Words) templ.Component {
			return signals.AgentPage(f,
				signals.Agent{ID: "a1", Name: w.Agent, MayChange: true, Evaluators: []string{"sqlvalidator"}})
		}},
	}
}

func talk(w Words) signal.Session {
	return signal.Session{ID: "t1", AgentID: "a1", AgentName: w.Agent, User: "u-17", Name: "refactoring",
		State: signal.TalkTold, Turns: 12, StartedAt: w.Now.Add(-2 * time.Hour), LastAt: w.Now.Add(-time.Hour),
		Told: signal.Told{Observations: 9, Corrected: 1, Noticed: 2, Tokens: 41, By: "the session's own words"}}
}

func sessions(w Words) signals.Sessions {
	open := talk(w)
	open.ID, open.Name, open.State = "t2", "", signal.TalkOpen
	return signals.Sessions{List: []signal.Session{talk(w), open}, Open: map[string]int{"t1": 2},
		Agents: []ui.Option{{Value: "a1", Label: w.Agent}}, Filter: signal.Filter{AgentID: "a1"}, Next: "n", Now: w.Now}
}

func session(w Words) signals.Summary {
	score := .3
	v := signals.Summary{MayDecide: true, Now: w.Now}
	v.Session = talk(w)
	v.Signals = []signal.Signal{
		{ID: "p1", Kind: signal.Proposal, Category: "rule", Scope: "language:go", Content: w.Reason, Confidence: .3,
			Priority: 1, State: signal.Open, Evidence: []string{"split proxy.go into 3 files → approved", w.Principle}},
		{ID: "p2", Kind: signal.Proposal, Category: "correction", Scope: "universal", Content: "keep it short",
			Confidence: .4, Priority: 2, State: signal.Approved, DecidedBy: w.Name, LessonID: "l1"},
		{ID: "p3", Kind: signal.Learning, Category: "tool-usage", Scope: "universal", Content: "pnpm, not npm",
			Confidence: .7, Priority: 2, State: signal.Kept},
		{ID: "o1", Kind: signal.Observation, Category: "success", Action: "split proxy.go into 3 files",
			Said: "perfect", CreatedAt: w.Now},
		{ID: "i1", Kind: signal.Issue, Producer: "sqlvalidator", Content: w.Principle, Said: "SELECT * FROM sites",
			Score: &score, CreatedAt: w.Now},
	}
	against := signal.Signal{ID: "p4", TalkID: "t2", Content: w.Principle, State: signal.Approved}
	opposite := knowledge.Rule{ID: "r1", Number: 12, Status: knowledge.Active,
		RuleText: knowledge.RuleText{Principle: w.Principle}}
	v.Beside = map[string]signal.Beside{"p1": {Near: []signal.Signal{v.Signals[2]}, Against: []signal.Signal{against},
		Opposite: &opposite}}
	return v
}

func agentSignals(w Words) signals.Agent {
	return signals.Agent{ID: "a1", Name: w.Agent, MayChange: true,
		Evaluators: []string{"sqlvalidator", "sqlerrorprofiler"},
		Failing:    map[string]string{"lint": w.Reason},
		Notes:      "Previous SQL Errors to Avoid:\n1. " + w.Principle,
		Set: signal.Settings{Off: []string{"sqlerrorprofiler"}, Learn: signal.LearnKeep,
			Prompts: []signal.Prompted{{Name: "tone", Prompt: w.Principle}},
			Servers: []signal.Server{{Name: "lint", URL: "https://evaluators.example.com/lint"}}},
		SQLTools: "sql_db_query, sql",
		Reminders: []learned.Slice{{By: "part of day", Name: "morning", N: 12, Worked: 9, Effect: .71, Low: .47,
			High: .91}, {By: "trigger", Name: w.Principle, N: 3, Worked: 0, Effect: .1, High: .56}},
		Weeks: []trend.Week{{Evaluator: "sqlvalidator", From: w.Now.Add(-8 * 24 * time.Hour), Steps: 40, Issues: 12},
			{Evaluator: "sqlvalidator", From: w.Now.Add(-24 * time.Hour), Steps: 31, Issues: 3}},
		Effects: []trend.Effect{{Evaluator: "sqlvalidator", With: trend.Share{K: 5, N: 41, Low: .05, High: .26},
			Without: trend.Share{K: 10, N: 30, Low: .19, High: .51}}}}
}
