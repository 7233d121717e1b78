package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/signal/turn"
)

// The demo's agents whose turns are looked through: one reports what it does, the other comes through the proxy.
const (
	MapAnalyst = "map-analyst"
	SiteBuild  = "site-builder"
)

// done is one thing that an agent did in the demo, and what was said to it.
type done struct{ Query, Action, Reaction, SQL, File, Response string }

// agentsAtWork has two agents do what is looked through, and ends their sessions, so that something waits for an
// expert.
func (w *Filling) agentsAtWork(ctx context.Context) error {
	if w.Signals == nil {
		return nil
	}
	at := w.clock.Now()
	for i, list := range spoken.Maps {
		if err := w.session(ctx, MapAnalyst, fmt.Sprintf("sites-%d", i+1), "analyst-7", turn.ByAPI,
			at.Add(time.Duration(i)*3*time.Minute), list); err != nil {
			return err
		}
	}
	return w.session(ctx, SiteBuild, "forms", "dev-3", turn.ByProxy, at.Add(6*time.Minute), spoken.Site)
}

// session is one session from its first turn to its summary.
func (w *Filling) session(ctx context.Context, agent, name, user, source string, at time.Time, list []done) error {
	a, err := w.Accounts.EnsureAgent(ctx, agent, pack.GeneralName)
	if err != nil {
		return err
	}
	for i, d := range list {
		w.clock.Set(at.Add(time.Duration(i) * 30 * time.Second))
		t := turn.Turn{AgentID: a.ID, Agent: a.Name, Session: name, User: user, Query: d.Query, Response: d.Response,
			Action: d.Action, Reaction: d.Reaction, Source: source, Model: "small-4", Context: map[string]any{}}
		if d.File != "" {
			t.Context["file"] = d.File
		}
		if d.SQL != "" {
			input, err := json.Marshal(map[string]string{"query": d.SQL})
			if err != nil {
				return err
			}
			t.Task, t.Steps = "site_maps", []turn.Step{{Tool: "sql_db_query", Input: input}}
		}
		if _, err := w.Signals.Record(ctx, t); err != nil {
			return fmt.Errorf("%s, turn %d: %w", name, i+1, err)
		}
	}
	if _, err := w.Signals.End(ctx, a.ID, user, name, nil); err != nil {
		return err
	}
	return w.Jobs.Drain(ctx)
}
