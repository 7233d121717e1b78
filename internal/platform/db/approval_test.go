package db_test

import (
	"database/sql"
	"path/filepath"
	"slices"
	"testing"
)

// Migration 00102 moves what two people agreed to, or were asked to, into one table.
func TestChangesOfAnOldFile(t *testing.T) {
	raw := rawOpen(t, filepath.Join(t.TempDir(), "old.db"))
	defer raw.Close()
	if _, err := oldGoose(t, raw).UpTo(ctx, 99); err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{
		`INSERT INTO account (id, email, email_key, name, password_hash, created_at)
			VALUES ('ann', 'e', 'e', 'Ann', 'x', 1), ('bob', 'a', 'a', 'Bob', 'x', 1)`,
		`INSERT INTO account_role (account_id, role) VALUES ('ann', 'admin'), ('bob', 'admin')`,
		`INSERT INTO policy (id, agent_id, version, base_version, state, follows, content, why, proposed_by,
				proposed_name, proposed_at) VALUES
			('p1', '', 1, 0, 'proposed', 0, '{"share_percent":40}', 'one', 'ann', 'Ann', 1),
				('p2', '', 2, 0, 'proposed', 0, '{}', 'two', 'ann', 'Ann', 1),
			('p3', 'a', 3, 0, 'proposed', 1, '{}', 'three', 'ann', 'Ann', 1),
				('p4', '', 4, 1, 'proposed', 0, '{"share_percent":50}', 'four', 'bob', 'Bob', 4)`,
		`UPDATE policy SET state = 'active', agreed_by = 'bob', agreed_name = 'Bob', agreed_at = 2 WHERE id = 'p1'`,
		`UPDATE policy SET state = 'refused', ended_by = 'bob', ended_name = 'Bob', ended_at = 3, ended_why = 'No.'
			WHERE id = 'p2'`,
		`UPDATE policy SET state = 'withdrawn', ended_by = 'ann', ended_name = 'Ann', ended_at = 3 WHERE id = 'p3'`,
		`INSERT INTO check_switch (id, check_id, version, is_on, state, book, trial_id, reason, by_id, by_name, at)
			VALUES
			('c1', 'own', 3, 1, 'done', 1, 'trial', 'on', 'ann', 'Ann', 1),
				('c2', 'PRESSURE', 0, 0, 'asked', 0, '', 'off', 'ann', 'Ann', 2)`,
		`UPDATE check_switch SET state = 'refused', answered_by = 'bob', answered_name = 'Bob', answered_at = 3,
			answer = 'No.'
			WHERE id = 'c2'`,
		`INSERT INTO check_switch (id, check_id, version, is_on, state, reason, by_id, by_name, at)
			VALUES ('c3', 'PRESSURE', 0, 0, 'asked', 'off', 'ann', 'Ann', 4)`,
		`UPDATE check_switch SET state = 'done', book = 2, answered_by = 'bob', answered_name = 'Bob', answered_at = 5
			WHERE id = 'c3'`,
		`INSERT INTO check_switch (id, check_id, version, is_on, state, book, reason, by_id, by_name, at) VALUES
			('c4', 'PRESSURE', 0, 1, 'done', 3, 'on', 'ann', 'Ann', 6),
				('c5', 'PRESSURE', 0, 0, 'asked', 0, 'off', 'ann', 'Ann', 7)`,
		`INSERT INTO judge_threshold (id, version, run_id, panel, content, state, proposed_at, asked_by, asked_name,
				kind, pack) VALUES
			('t1', 1, 'r', 'p', '{}', 'proposed', 1, '', '', 'threshold', ''),
				('t2', 2, '', 'p', '{}', 'proposed', 1, '', '', 'judge', 'pension'),
			('t3', 3, 'r', 'p', '{}', 'proposed', 1, '', '', 'threshold', '')`,
		`INSERT INTO judge_threshold_ask (id, threshold_id, state, why, by_id, by_name, at, answered_by, answered_name,
				answered_at) VALUES
			('q0', 't1', 'refused', 'why', 'ann', 'Ann', 1, 'ann', 'Ann', 2),
				('q1', 't1', 'agreed', 'why', 'ann', 'Ann', 3, 'bob', 'Bob', 4),
				('q2', 't2', 'asked', '', 'ann', 'Ann', 5, '', '', 0)`,
		`UPDATE judge_threshold SET state = 'active', switched_by = 'ann', switched_name = 'Ann', switched_at = 4
			WHERE id = 't1'`,
		`INSERT INTO judge_threshold_ask (id, threshold_id, state, why, by_id, by_name, at)
			VALUES ('q3', 't3', 'asked', 'why', 'bob', 'Bob', 6)`,
		`INSERT INTO rubric (kind, version, state, text, reason, by_id, by_name, at, agreed_by, agreed_name, agreed_at)
			VALUES
			('rubric', 1, 'in_force', 'Old.', 'It comes with the program.', '', 'Preceptor', 1, '', 'Preceptor', 1),
				('rubric', 2, 'in_force', 'New.', 'why', 'ann', 'Ann', 2, 'bob', 'Bob', 3),
			('rubric', 3, 'refused', 'Newer.', 'why', 'ann', 'Ann', 4, 'ann', 'Ann', 5),
				('taxonomy', 1, 'proposed', '[]', '', 'ann', 'Ann', 4, '', '', 0)`,
		`INSERT INTO notice (id, account_id, kind, roll, n, case_id, object_id, task, by_id, by_name, at)
			VALUES ('n', 'bob', 'check_off', '', 1, '', 'PRESSURE', '', 'ann', 'Ann', 7)`,
	} {
		if _, err := raw.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	if _, err := oldGoose(t, raw).Up(ctx); err != nil {
		t.Fatal(err)
	}
	got := all(t, raw,
		`SELECT kind || ' ' || id || ' ' || subject || ' ' || version || ' ' || base || ' ' || payload || ' ' || reason || ' ' || state || ' ' ||
		proposed_by || proposed_name || proposed_at || ' ' || decided_by || decided_name || decided_at || answer
			FROM approval ORDER BY kind, id`)
	want := []string{
		`check c1 own 1 0 {"version":3,"on":true,"trial":"trial"} on made annAnn1 1`,
		`check c2 PRESSURE 0 0 {"version":0,"on":false,"trial":""} off refused annAnn2 bobBob3No.`,
		`check c3 PRESSURE 2 0 {"version":0,"on":false,"trial":""} off agreed annAnn4 bobBob5`,
		`check c4 PRESSURE 3 2 {"version":0,"on":true,"trial":""} on made annAnn6 6`,
		`check c5 PRESSURE 0 3 {"version":0,"on":false,"trial":""} off proposed annAnn7 0`,
		`judge q2 pension 2 0 t2 No reason was given. proposed annAnn5 0`,
		`policy p1  1 0 {"share_percent":40} one agreed annAnn1 bobBob2`,
		`policy p2  2 0 {} two refused annAnn1 bobBob3No.`,
		`policy p3 a 3 0 {"follows":true} three withdrawn annAnn1 annAnn3`,
		`policy p4  4 1 {"share_percent":50} four proposed bobBob4 0`,
		`rubric rubric-1 pension 1 0 Old. It comes with the program. made Preceptor1 Preceptor1`,
		`rubric rubric-2 pension 2 1 New. why agreed annAnn2 bobBob3`,
		`rubric rubric-3 pension 3 2 Newer. why withdrawn annAnn4 annAnn5`,
		`taxonomy taxonomy-1 pension 1 0 [] No reason was given. proposed annAnn4 0`,
		`threshold q0  0 0 t1 why withdrawn annAnn1 annAnn2`,
		`threshold q1  1 0 t1 why agreed annAnn3 bobBob4`,
		`threshold q3  3 1 t3 why proposed bobBob6 0`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if told := all(t, raw, `SELECT object_id FROM notice`); !slices.Equal(told, []string{"c5"}) {
		t.Errorf("the notice is of %q", told)
	}
	if _, err := raw.Exec(`UPDATE approval SET state = 'agreed', decided_by = 'ann', decided_name = 'Ann',
		decided_at = 9
		WHERE id = 'p4'`); err != nil {
		t.Errorf("what waited can't be agreed to: %v", err)
	}
}

func all(t *testing.T, raw *sql.DB, query string) (out []string) {
	t.Helper()
	rows, err := raw.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}
