package seedtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/erase"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/signal"
)

// notes are what the agent is told of its earlier errors.
func (a agent) notes() string {
	a.Helper()
	return text(a.get("/api/notes"), "prompt")
}

func TestSeed003(t *testing.T) {
	query := func(sql string) object { return object{"tool": "sql_db_query", "input": object{"query": sql}} }
	schema := func(out string) object {
		return object{"tool": "sql_db_schema", "input": "users", "output": out}
	}
	const first = "SELECT * FROM users WHERE ST_DWithin(geom, point, 10)"
	const table = "CREATE TABLE users (\n\tid INTEGER NOT NULL,\n\tgeom geometry(POINT,4326),\n\tname TEXT\n)"
	for name, c := range map[string]struct {
		context object
		turns   [][]object // steps of each turn
		found   bool
	}{
		"the reference system is nowhere":    {nil, [][]object{{query(first)}}, false},
		"its schema is in the turn":          {object{"schema": table}, [][]object{{query(first)}}, true},
		"an earlier step said it":            {nil, [][]object{{schema(table), query(first)}}, true},
		"an earlier turn of the session did": {nil, [][]object{{schema(table)}, {query(first)}}, true},
		"a geography":                        {nil, [][]object{{schema("geom | geography(Point,4326)"), query(first)}}, false},
		"in metres":                          {nil, [][]object{{schema("geom geometry(Point, 28355)"), query(first)}}, false},
		"two tables, two systems": {nil, [][]object{{schema(table + ", geom geometry(Point,28355)"),
			query(first)}}, false},
		"a point of plausible degrees": {nil, [][]object{{query(
			"SELECT id FROM users WHERE ST_DWithin(geom, ST_MakePoint(144.38078, -38.08395), 100)")}}, true},
		"a point in metres": {nil, [][]object{{query(
			"SELECT id FROM users WHERE ST_DWithin(geom, ST_MakePoint(270000, 5782000), 100)")}}, false},
	} {
		t.Run("Example: SQL Validation Loop, "+name, func(t *testing.T) {
			a := newAgent(t, "spatial")
			for _, steps := range c.turns {
				a.post("/api/turns", object{"session_id": "s", "user_id": "ann", "query": "Who is near?", "steps": steps,
					"context": c.context})
			}
			if got := a.notes(); strings.Contains(got, "degrees") != c.found {
				t.Errorf("%q", got)
			}
			results := a.api.Get(t, "/api/evaluations").Body
			if c.found && !strings.Contains(results, `"score":0.7`) {
				t.Errorf("%s", results)
			}
		})
	}

	t.Run("Trajectory Evaluation: SQLErrorProfiler", func(t *testing.T) {
		a := newAgent(t, "spatial")
		fails := func(sql, output string) object {
			return object{"tool": "sql_db_query", "input": object{"query": sql}, "output": output}
		}
		for _, steps := range [][]object{
			{query("SELECT u.id FROM users u, sites s WHERE u.id > 3")},
			{query("SELECT u.name FROM users u, sites s WHERE s.id > 3"),
				fails("SELECT ST_Foo(geom) FROM sites WHERE id = 1", "Error: function st_foo(geometry) does not exist")},
			{fails("SELECT ST_Foo(g) FROM users WHERE id = 2", "Error: function st_foo(geometry) does not exist")},
		} {
			a.post("/api/turns", object{"session_id": "s", "user_id": "ann", "query": "Who?", "steps": steps})
		}
		a.ended(text(a.post("/api/sessions/end", object{"session_id": "s", "user_id": "ann"}), "id"))
		for _, want := range []string{"Missing join conditions in 2 steps (1 and 2), each with table users and table sites. Join",
			"Unknown functions in 2 steps (3 and 4), each with st_foo(). Call only functions"} {
			if got := a.notes(); !strings.Contains(got, want) {
				t.Errorf("%q", got)
			}
		}
	})

	t.Run("SQL Validation Loop: a query that the database refused", func(t *testing.T) {
		a := newAgent(t, "spatial")
		a.post("/api/turns", object{"query": "Who?", "steps": []object{{"tool": "sql_db_query",
			"input":  object{"query": "SELECT nme FROM users WHERE id = 1"},
			"output": "Error: column \"nme\" does not exist"}}})
		if results := a.api.Get(t, "/api/evaluations").Body; !strings.Contains(results, `"is_valid":false,"score":0.1`) {
			t.Errorf("%s", results)
		}
		if got := a.notes(); !strings.Contains(got, "The query failed: Unknown columns. Look the table's columns up first.") {
			t.Errorf("%q", got)
		}
	})

	t.Run("Record Format: query_idx, and results of long ago", func(t *testing.T) {
		a := newAgent(t, "spatial")
		a.post("/api/turns", object{"query": "Who?", "query_idx": 11, "steps": []object{query("SELECT * FROM users")}})
		a.post("/api/turns", object{"query": "Who?", "context": object{"query_idx": 12},
			"steps": []object{query("SELECT * FROM users, sites")}})
		results := a.api.Get(t, "/api/evaluations").Body
		if !strings.Contains(results, `"query_idx":11`) || !strings.Contains(results, `"query_idx":12`) {
			t.Errorf("%s", results)
		}
		old := object{"evaluator_type": "mine", "timestamp": "2025-12-05 17:30:27", "issues": []string{"Old."}}
		got := a.post("/api/evaluations", object{"results": []object{old, old, {"evaluator_type": "mine",
			"issues": []string{"Say it in metres."}}}})
		if got["stored"] != 3.0 || got["too_old"] != 2.0 ||
			text(got, "note") != "3 stored, 2 too old to become notes: older than 30 days." {
			t.Errorf("%v", got)
		}
		if notes := a.notes(); strings.Contains(notes, "Old.") || !strings.Contains(notes, "metres") {
			t.Errorf("%q", notes)
		}
	})

	t.Run("Custom Evaluator: of steps and of trajectories", func(t *testing.T) {
		var asked sync.Map
		maker := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var about struct{ Evaluator, Turns any }
			_ = json.NewDecoder(r.Body).Decode(&about)
			turns, _ := about.Turns.([]any)
			asked.Store(about.Evaluator, len(turns))
			fmt.Fprintf(w, `{"issues": ["The agent never showed its %v."], "score": 0.2, "error_type": "Planning"}`,
				about.Evaluator)
		}))
		t.Cleanup(maker.Close)
		s := apptest.Open(t, func(c *config.Config) { c.WebhookAllow = []string{"127.0.0.1/32"} })
		a := joined(t, s, "spatial")
		agents, err := s.Accounts.Agents(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		page := "/learning/agents/" + agents[0].ID
		for name, whole := range map[string]string{"plan": "true", "query": "false"} {
			if r := a.expert.Post(t, page, url.Values{"name": {name}, "url": {maker.URL}, "whole": {whole}}); r.Status !=
				http.StatusSeeOther {
				t.Fatalf("%d %s", r.Status, r.Body)
			}
		}
		for range 2 {
			a.post("/api/turns", object{"session_id": "s", "user_id": "ann", "query": "Who?",
				"steps": []object{query("SELECT id FROM users WHERE id = 3")}})
		}
		a.site.Drain(t)
		if _, early := asked.Load("plan"); early {
			t.Error("a session that isn't over was evaluated")
		}
		a.ended(text(a.post("/api/sessions/end", object{"session_id": "s", "user_id": "ann"}), "id"))
		for name, turns := range map[string]int{"plan": 2, "query": 1} {
			if got, _ := asked.Load(name); got != turns {
				t.Errorf("%s was asked about %v turns", name, got)
			}
			if got := a.notes(); !strings.Contains(got, "The agent never showed its "+name) {
				t.Errorf("%q", got)
			}
		}
	})

	t.Run("Custom Evaluator: at an address that is refused", func(t *testing.T) {
		a := newAgent(t, "spatial")
		agents, err := a.site.Accounts.Agents(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		const why = "start the program with --webhook-allow 127.0.0.1"
		page, private := "/learning/agents/"+agents[0].ID, "http://127.0.0.1:9/check"
		r := a.expert.Post(t, page, url.Values{"name": {"plan"}, "url": {private}})
		if r.Status != http.StatusUnprocessableEntity || !strings.Contains(r.Body, why) {
			t.Errorf("saved: %d %s", r.Status, r.Body)
		}
		a.settings(signal.Settings{Servers: []signal.Server{{Name: "plan", URL: private}}}) // as saved before
		ask := func() string {
			a.post("/api/turns", object{"session_id": "s", "query": "Who?", "steps": []object{query("SELECT 1 FROM users")}})
			a.site.Drain(t)
			return a.expert.Get(t, page).Body
		}
		if got := ask(); !strings.Contains(got, "plan gave no result last time. 127.0.0.1 is this machine. To allow it") {
			t.Errorf("%s", got)
		}
		talks, _, _, err := a.site.Signals.Sessions(t.Context(), signal.Filter{})
		if err != nil || !strings.Contains(a.expert.Get(t, "/learning/sessions/"+talks[0].ID).Body, why) {
			t.Errorf("its session doesn't say why: %v", err)
		}
	})

	t.Run("Monitor File Growth: retention", func(t *testing.T) {
		a := newAgent(t, "spatial")
		if _, err := a.site.Erase.SetHold(t.Context(), erase.HoldInput{How: interaction.ByReference, Subject: "cust-held",
			Reason: "A complaint.", By: audit.Actor{Kind: audit.Person, ID: "p", Name: "Ada"}}); err != nil {
			t.Fatal(err)
		}
		say := func(user string) {
			a.post("/api/turns", object{"session_id": "s-" + user, "user_id": user, "action": "ran the query",
				"reaction": "no", "steps": []object{query("SELECT * FROM users, sites")}})
			a.says(user, "Never use force push")
			a.learned(user)
			a.site.Drain(t)
		}
		say("cust-held")
		say("ann")
		a.settings(signal.Settings{KeepDays: 30})
		prune := func() (turns, results, audited int) {
			if err := a.site.Signals.Prune(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := a.site.DB.Read(t.Context(), func(tx *db.Tx) error {
				return tx.QueryRow(`SELECT (SELECT count(*) FROM turn), (SELECT count(*) FROM audit
					WHERE action = 'signal.pruned')`).Scan(&turns, &audited)
			}); err != nil {
				t.Fatal(err)
			}
			return turns, strings.Count(a.api.Get(t, "/api/evaluations").Body, "\n"), audited
		}
		turns, results, _ := prune()
		if turns != 4 || results == 0 {
			t.Errorf("too early: %d turns, %d results", turns, results)
		}
		a.site.Clock.Advance(31 * 24 * time.Hour)
		a.did("s-new", nil, [2]string{"wrote a test", "good"})
		if turns, left, audited := prune(); turns != 3 || left*2 != results || audited != 1 {
			t.Errorf("%d turns, %d of %d results, %d audited", turns, left, results, audited)
		}
		if turns, left, audited := prune(); turns != 3 || left*2 != results || audited != 1 {
			t.Errorf("again: %d turns, %d results, %d audited", turns, left, audited)
		}
		if page := a.page("Never use force push"); page == "" {
			t.Error("what waits for a person went, too")
		}
		agents, err := a.site.Accounts.Agents(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for days, status := range map[string]int{"-1": http.StatusUnprocessableEntity, "90": http.StatusSeeOther} {
			if r := a.site.SignedIn(t, account.Expert).Post(t, "/learning/agents/"+agents[0].ID,
				url.Values{"keep_days": {days}}); r.Status != status {
				t.Errorf("keep %s days: %d", days, r.Status)
			}
		}
	})
}
