package db_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// Migration 00099 gives thresholds a kind. One that is switched on stays so, beside at most one version of a judge for
// each pack; and a version that gave way counts again only when the one after it is taken back.
func TestThresholdsOfAnOldFile(t *testing.T) {
	raw := rawOpen(t, filepath.Join(t.TempDir(), "old.db"))
	defer raw.Close()
	if _, err := oldGoose(t, raw).UpTo(ctx, 95); err != nil {
		t.Fatal(err)
	}
	do := func(q string, wrong string) {
		t.Helper()
		if _, err := raw.Exec(q); (err == nil) != (wrong == "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: %v, want %q", q, err, wrong)
		}
	}
	people := []string{
		`INSERT INTO account (id, email, email_key, name, password_hash, created_at)
			VALUES ('eve', 'e', 'e', 'Eve', 'x', 1), ('ada', 'a', 'a', 'Ada', 'x', 1)`,
		`INSERT INTO account_role (account_id, role) VALUES ('eve', 'expert'), ('ada', 'admin')`,
	}
	for _, q := range people {
		do(q, "")
	}
	propose := func(columns, values string) {
		t.Helper()
		do(`INSERT INTO judge_threshold (id, version, run_id, panel, content, state, proposed_at, asked_by, asked_name`+
			columns+`) VALUES (`+values+`)`, "")
	}
	on := func(id string) {
		t.Helper()
		do(`INSERT INTO judge_threshold_ask (id, threshold_id, state, why, by_id, by_name, at, answered_by,
				answered_name, answered_at)
			VALUES ('ask of `+id+`', '`+id+`', 'agreed', 'So.', 'eve', 'Eve', 1, 'ada', 'Ada', 2)`, "")
		do(`UPDATE judge_threshold SET state = 'active', switched_by = 'eve', switched_name = 'Eve', switched_at = 2
			WHERE id = '`+id+`'`, "")
	}
	end := func(id, state string) string {
		return `UPDATE judge_threshold SET state = '` + state + `', ended_at = 3 WHERE id = '` + id + `'`
	}
	propose("", `'t1', 1, 'r', 'p', '{}', 'proposed', 1, '', ''`)
	on("t1")
	do(end("t1", "superseded"), "")
	propose("", `'t2', 2, 'r', 'p', '{}', 'proposed', 1, '', ''`)
	on("t2")
	if _, err := oldGoose(t, raw).UpTo(ctx, 99); err != nil {
		t.Fatal(err)
	}
	var kinds, active string
	err := raw.QueryRow(`SELECT group_concat(DISTINCT kind || pack), max(id) FILTER (WHERE state = 'active')
		FROM judge_threshold`).Scan(&kinds, &active)
	if err != nil || kinds != "threshold" || active != "t2" {
		t.Errorf("%q, %s is on, %v", kinds, active, err)
	}
	for _, j := range []string{"3, 'judge', 'general'", "4, 'judge', 'pension'", "5, 'judge', 'general'"} {
		version, rest, _ := strings.Cut(j, ", ")
		propose(", kind, pack", `'t`+version+`', `+version+`, '', 'e', '{}', 'proposed', 1, '', '', `+rest)
	}
	on("t3")
	on("t4")
	do(`UPDATE judge_threshold SET pack = 'pension' WHERE id = 't5'`, "never changed")
	switchOn := `UPDATE judge_threshold SET state = 'active', switched_by = 'eve', switched_name = 'Eve',
		switched_at = 2
		WHERE id = 't5'`
	again := func(id string) string {
		return `UPDATE judge_threshold SET state = 'active', ended_at = 0 WHERE id = '` + id + `'`
	}
	do(switchOn, "UNIQUE") // another version counts
	do(end("t3", "superseded"), "")
	do(switchOn, "two people")
	do(again("t3"), "can't go that way") // nothing after it was taken back
	on("t5")
	do(end("t5", "off"), "")
	do(again("t5"), "can't go that way")
	do(again("t3"), "")
	do(end("t2", "off"), "")
	do(again("t1"), "can't go that way") // a threshold takes two people each time
}
