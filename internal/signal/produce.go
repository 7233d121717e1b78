package signal

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text"
	"preceptor/internal/signal/evaluator"
	"preceptor/internal/signal/observe"
	"preceptor/internal/signal/turn"
)

// This file is where the producers' words become signals, and signals theirs.

// Shipped are the evaluators that come with the program.
func Shipped() []string { return []string{evaluator.SQLValidator, evaluator.SQLErrorProfiler} }

// behind reports whether something is to be done about a turn that takes a while: what asks a model or a server, and
// the search for learnings.
func (s Settings) behind(t turn.Turn) bool {
	return !s.Silent && (s.Learn != LearnOff && (t.Query != "" || t.Reaction != "") ||
		len(t.Steps) > 0 && len(s.Prompts)+len(s.Servers)+len(s.Asked) > 0)
}

// sqlTools are the names of the agent's tools that run SQL.
func (s Settings) sqlTools() []string {
	if names := turn.Listed(s.SQLTools); len(names) > 0 {
		return names
	}
	return evaluator.SQLTools
}

// atOnce are the evaluators that need no network and are not switched off.
func (s Settings) atOnce() []evaluator.Evaluator {
	return slices.DeleteFunc([]evaluator.Evaluator{evaluator.ValidateSQL(s.sqlTools()),
		evaluator.ProfileSQLErrors(s.sqlTools())},
		func(e evaluator.Evaluator) bool { return slices.Contains(s.Off, e.Name) })
}

// notice is what is seen in a turn at once, without a network.
func (s *Store) notice(ctx context.Context, t turn.Turn, set Settings) (out []Signal) {
	if set.Silent {
		return nil
	}
	if o, ok := observe.Observe(t, s.told(ctx, t.Action, t.Reaction)); ok {
		out = append(out, s.observed(t, o))
	}
	run := evaluator.Run{Log: s.log}
	run.Steps(ctx, set.atOnce(), t)
	return append(out, s.found(t, run)...)
}

// told is what the encoder makes of a reaction to an action that no key word tells; "" where one does.
func (s *Store) told(ctx context.Context, action, reaction string) string {
	told, err := s.hearing.Told(ctx, action, reaction)
	if err != nil {
		s.log.Warn("a reaction was not read; it counts as neutral", "error", err)
	}
	return told
}

// observed is an observation of a turn as a signal.
func (s *Store) observed(t turn.Turn, o observe.Observation) Signal {
	return Signal{AgentID: t.AgentID, AgentName: t.Agent, User: t.User, Producer: Observer, Kind: Observation,
		Category: o.Kind, Action: s.hide(o.Action), Said: s.hide(o.Said),
		Context: o.Context, Confidence: o.Confidence, CreatedAt: t.At}
}

// found are the results of evaluators as signals.
func (s *Store) found(t turn.Turn, run evaluator.Run) []Signal {
	failed := lists.Map(run.Abstained, func(a evaluator.Abstention) Signal {
		return Signal{AgentID: t.AgentID, AgentName: t.Agent, User: t.User, TalkID: t.Session, TurnID: t.ID,
			Producer: a.Evaluator, Kind: Abstained, Content: fault.Message(a.Err)}
	})
	return append(failed, lists.Map(run.Results, func(r evaluator.Result) Signal {
		g := Signal{AgentID: t.AgentID, AgentName: t.Agent, User: t.User, TalkID: t.Session, TurnID: t.ID,
			Producer: r.Evaluator, Kind: Issue, Category: r.ErrorType, Action: t.Model, Said: s.hide(r.SQLQuery),
			Score: r.Score, Noted: t.Noted, Evidence: lists.Map(r.Issues, s.hide),
			Context: map[string]any{"query_idx": r.QueryIdx, "is_valid": r.IsValid, "step": r.Step}, CreatedAt: r.At()}
		if t.Task != "" {
			g.Scope = "task:" + t.Task
		}
		if len(r.Issues) == 0 {
			g.Kind = Right
		} else {
			g.Content = g.Evidence[0]
		}
		return g
	})...)
}

// resultOf is the result that a signal was made of.
func (g Signal) resultOf() evaluator.Result {
	var kept struct {
		QueryIdx *int  `json:"query_idx"`
		IsValid  *bool `json:"is_valid"`
	}
	_ = json.Unmarshal([]byte(jsonOf(g.Context)), &kept) // what found wrote
	return evaluator.Result{Evaluator: g.Producer, QueryIdx: kept.QueryIdx, Timestamp: evaluator.Stamp(g.CreatedAt),
		ErrorType: g.Category, Issues: g.Evidence, IsValid: kept.IsValid, Score: g.Score,
		SQLQuery: g.Said, Turn: g.TurnID, Session: g.TalkID}
}

// observationOf is the observation that a signal was made of.
func (g Signal) observationOf() observe.Observation {
	if g.Context == nil {
		g.Context = map[string]any{}
	}
	return observe.Observation{Kind: g.Category, Action: g.Action, Said: g.Said, Context: g.Context,
		Confidence: g.Confidence, At: g.CreatedAt, Session: g.TalkID, User: g.User, TurnID: cmp.Or(g.TurnID, g.ID)}
}

// proposed is a proposal as a signal of a session.
func proposed(t Session, p observe.Proposal) Signal {
	return Signal{AgentID: t.AgentID, AgentName: t.AgentName, User: t.User, TalkID: t.ID, Producer: Observer,
		Kind: Proposal, Category: p.Category, Scope: p.Scope, Content: p.Content,
		Confidence: p.Confidence, Priority: p.Priority, Count: len(p.Observations), Evidence: p.Evidence, State: Open}
}

// returned is a note that keeps coming, as a proposal.
func returned(t Session, n evaluator.Note) Signal {
	return Signal{AgentID: t.AgentID, AgentName: t.AgentName, User: t.User, TalkID: t.ID, Producer: n.Evaluator,
		Kind: Proposal, Category: observe.Correction, Scope: "universal", Content: n.Text,
		Confidence: min(float64(n.Count)/5, 1), Priority: 2, Count: n.Count,
		Evidence: []string{n.Evaluator + " found it in " + text.Count(len(n.Turns), "turn") + ", last on " +
			n.Last.Format("2 January 2006")}, State: Open}
}

// hide takes personal data out of what becomes part of a signal.
func (s *Store) hide(text string) string {
	safe, _ := s.priv.Pseudonymise(text)
	return safe
}

// hidden is a turn as a model or another server may see it.
func (s *Store) hidden(t turn.Turn) turn.Turn { return evaluator.Hidden(t, s.hide) }
