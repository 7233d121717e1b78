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
type done struct {
	query, action, reaction, sql, file, response string
}

// sessions of the map analyst: its units are wrong, its notes say so, and it does better.
var mapSessions = [][]done{
	{
		{query: "Which audit sites lie within 100 metres of the pumping station?",
			action: "queried sites around a point", reaction: "that can't be right, it found half the county",
			sql: "SELECT * FROM audit_site " +
				"WHERE ST_DWithin(geom, ST_SetSRID(ST_MakePoint(144.38, -38.08), 4326), 100)"},
		{query: "And within 50?", action: "queried sites around a point", reaction: "stop, the units are still wrong",
			sql: "SELECT id FROM audit_site " +
				"WHERE ST_DWithin(geom, ST_SetSRID(ST_MakePoint(144.38, -38.08), 4326), 50)"},
		{query: "How many sites has each council?", action: "counted sites by council and put the largest first",
			reaction: "perfect",
			sql:      "SELECT council, count(*) FROM audit_site GROUP BY council ORDER BY 2 DESC"},
	},
	{
		{query: "How many sites were audited in each year?", action: "counted sites by year and put the newest first",
			reaction: "good",
			sql:      "SELECT year, count(*) FROM audit_site GROUP BY year ORDER BY year DESC"},
		{query: "And by kind of site?", action: "counted sites by kind and put the largest first", reaction: "exactly",
			sql: "SELECT kind, count(*) FROM audit_site GROUP BY kind ORDER BY 2 DESC"},
		{query: "By owner, please.", action: "counted sites by owner and put the largest first",
			reaction: "perfect, as before",
			sql:      "SELECT owner, count(*) FROM audit_site GROUP BY owner ORDER BY 2 DESC"},
		{query: "Which lie within a kilometre of the creek?", action: "queried sites around a line",
			reaction: "yes, those four",
			sql: "SELECT id FROM audit_site WHERE ST_DWithin(ST_Transform(geom, 28355), " +
				"ST_Transform(ST_SetSRID(ST_MakePoint(144.38, -38.08), 4326), 28355), 1000)"},
	},
}

var siteSession = []done{
	{query: "Split the form into parts.", action: "split form.go into 3 files", reaction: "perfect", file: "form.go",
		response: "I put the fields, the checks and the page into files of their own."},
	{query: "The list page, too.", action: "split list.go into 2 files", reaction: "good", file: "list.go",
		response: "The list and its filter are apart now."},
	{query: "And the settings.", action: "split settings.go into 2 files", reaction: "exactly", file: "settings.go",
		response: "Reading and writing are apart now."},
	{query: "What did you change in total?", action: "explained all changes at length", reaction: "don't write so much",
		response: "Seven files were made of three."},
	{query: "Why is the check in the form?", action: "explained the check at length",
		reaction: "never more than three sentences, please", response: "It belongs to what is typed."},
}

// agentsAtWork has two agents do what is looked through, and ends their sessions, so that something waits for an
// expert.
func (w *Filling) agentsAtWork(ctx context.Context) error {
	if w.Signals == nil {
		return nil
	}
	at := w.clock.Now()
	for i, list := range mapSessions {
		if err := w.session(ctx, MapAnalyst, fmt.Sprintf("sites-%d", i+1), "analyst-7", turn.ByAPI,
			at.Add(time.Duration(i)*3*time.Minute), list); err != nil {
			return err
		}
	}
	return w.session(ctx, SiteBuild, "forms", "dev-3", turn.ByProxy, at.Add(6*time.Minute), siteSession)
}

// session is one session from its first turn to its summary.
func (w *Filling) session(ctx context.Context, agent, name, user, source string, at time.Time, list []done) error {
	a, err := w.Accounts.EnsureAgent(ctx, agent, pack.GeneralName)
	if err != nil {
		return err
	}
	for i, d := range list {
		w.clock.Set(at.Add(time.Duration(i) * 30 * time.Second))
		t := turn.Turn{AgentID: a.ID, Agent: a.Name, Session: name, User: user, Query: d.query, Response: d.response,
			Action: d.action, Reaction: d.reaction, Source: source, Model: "small-4", Context: map[string]any{}}
		if d.file != "" {
			t.Context["file"] = d.file
		}
		if d.sql != "" {
			input, err := json.Marshal(map[string]string{"query": d.sql})
			if err != nil {
				return err
			}
			t.Task, t.Steps = "site_maps", []turn.Step{{Tool: "sql_db_query", Input: input}}
		}
		if _, err := w.Signals.Record(ctx, t); err != nil {
			return fmt.Errorf("%s, turn %d: %w", name, i+1, err)
		}
	}
	if _, err := w.Signals.End(ctx, a.ID, user, name); err != nil {
		return err
	}
	return w.Jobs.Drain(ctx)
}
