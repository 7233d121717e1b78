package seedtest

import (
	"strings"
	"testing"
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
		for _, want := range []string{"Missing join conditions ×2 in users, sites (steps 1, 2)",
			"Unknown functions ×2 in st_foo (steps 3, 4)"} {
			if got := a.notes(); !strings.Contains(got, want) {
				t.Errorf("%q", got)
			}
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
}
