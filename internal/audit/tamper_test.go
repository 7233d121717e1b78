package audit_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the plain driver, without our authorizer: what an attacker with the file has
	"pgregory.net/rapid"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
)

const tampered = 9 // rows of the log that is tampered with, one erasure and its tombstone among them

// original writes a log, closes it and returns its file and its head.
func original(t *testing.T) (string, audit.Head) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "original.db")
	d, err := db.Open(ctx, path, db.Options{Clock: dbtest.NewClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for i := range tampered - 1 {
		record(t, d, entry([]audit.Actor{ann, bob}[i%2], fmt.Sprintf("act.%d", i), fmt.Sprint(i%4), i))
	}
	erase(t, d, "1", "asked for")
	r := verify(t, d, nil)
	if r.Bad != nil || r.Rows != tampered || r.Erased != 2 {
		t.Fatalf("the original: %+v", r)
	}
	return path, r.Head
}

// tamper copies the file, has f work on it with neither triggers nor authorizer, and verifies the copy.
func tamper(t testing.TB, path string, anchor *audit.Head, f func(raw *sql.DB) error) audit.Report {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "copy.db")
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(copied, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	raw, err := sql.Open("sqlite", copied)
	if err != nil {
		t.Fatal(err)
	}
	raw.SetMaxOpenConns(1)
	for _, trigger := range []string{"audit_no_update", "audit_no_delete", "audit_no_replace"} {
		if _, err := raw.Exec("DROP TRIGGER " + trigger); err != nil {
			t.Fatal(err)
		}
	}
	if err := f(raw); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := db.Open(ctx, copied, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	return verify(t, d, anchor)
}

func run(raw *sql.DB, queries ...string) error {
	for _, q := range queries {
		if _, err := raw.Exec(q); err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
	}
	return nil
}

// TestNoMutationGoesUnnoticed makes every kind of change that a file's owner could make, on every row and column.
func TestNoMutationGoesUnnoticed(t *testing.T) {
	path, head := original(t)
	kinds := map[string]func(k int) []string{
		"edit time": func(k int) []string {
			return []string{fmt.Sprintf("UPDATE audit SET at = at + 1 WHERE seq = %d", k)}
		},
		"edit erasure": func(k int) []string {
			return []string{fmt.Sprintf("UPDATE audit_content SET erased_at = erased_at + 1 WHERE seq = %d", k)}
		},
		"erase without a tombstone": func(k int) []string {
			return []string{fmt.Sprintf(`UPDATE audit_content SET salt = '', actor_name = '', content = '',
				erased_at = 1793610000001
				WHERE seq = %d`, k)}
		},
		"delete": func(k int) []string {
			return []string{fmt.Sprintf("DELETE FROM audit_content WHERE seq = %d", k),
				fmt.Sprintf("DELETE FROM audit WHERE seq = %d", k)}
		},
		"delete row only": func(k int) []string {
			return []string{"PRAGMA foreign_keys = OFF", fmt.Sprintf("DELETE FROM audit WHERE seq = %d", k)}
		},
		"delete content only": func(k int) []string {
			return []string{fmt.Sprintf("DELETE FROM audit_content WHERE seq = %d", k)}
		},
		"delete and close the gap": func(k int) []string {
			return []string{"PRAGMA foreign_keys = OFF",
				fmt.Sprintf("DELETE FROM audit_content WHERE seq = %d", k),
				fmt.Sprintf("DELETE FROM audit WHERE seq = %d", k),
				fmt.Sprintf(`UPDATE audit SET seq = seq - 1
					WHERE seq > %d`, k), fmt.Sprintf("UPDATE audit_content SET seq = seq - 1 WHERE seq > %d", k)}
		},
		"truncate": func(k int) []string {
			return []string{fmt.Sprintf("DELETE FROM audit_content WHERE seq >= %d", k),
				fmt.Sprintf("DELETE FROM audit WHERE seq >= %d", k)}
		},
		"swap": func(k int) []string {
			j := k%tampered + 1
			return []string{"PRAGMA foreign_keys = OFF", fmt.Sprintf("UPDATE audit SET seq = -1 WHERE seq = %d", k),
				fmt.Sprintf("UPDATE audit SET seq = %d WHERE seq = %d", k, j),
				fmt.Sprintf("UPDATE audit SET seq = %d WHERE seq = -1", j)}
		},
		"swap contents": func(k int) []string {
			j := k%tampered + 1
			return []string{fmt.Sprintf("CREATE TABLE t AS SELECT * FROM audit_content WHERE seq IN (%d, %d)", k, j),
				fmt.Sprintf(`UPDATE audit_content SET (salt, actor_name, content) = (SELECT salt, actor_name,
					content || '' FROM t WHERE seq = %d)
					WHERE seq = %d`, j, k),
				fmt.Sprintf(`UPDATE audit_content SET content = content || ' '
					WHERE seq = %d AND content = (SELECT content FROM t WHERE seq = %d)`, k, k)}
		},
		"insert": func(k int) []string {
			return []string{fmt.Sprintf(`INSERT INTO audit
				SELECT %d, at, actor_kind, actor_id, action, object_kind, object_id, content_hash, prev_hash, hash
				FROM audit WHERE seq = %d`, tampered+1, k),
				fmt.Sprintf(`INSERT INTO audit_content SELECT %d, salt, actor_name, content, erased_at
					FROM audit_content WHERE seq = %d`, tampered+1, k)}
		},
		"insert before the first": func(k int) []string {
			return []string{fmt.Sprintf(`INSERT INTO audit
				SELECT %d, at, actor_kind, actor_id, action, object_kind, object_id, content_hash, prev_hash, hash
				FROM audit WHERE seq = %d`, -k, k)}
		},
		"stray content": func(k int) []string {
			return []string{"PRAGMA foreign_keys = OFF", fmt.Sprintf(`INSERT INTO audit_content
				VALUES (%d, '', '', '', 0)`, tampered+k)}
		},
	}
	for _, column := range []string{
		"audit.actor_kind", "audit.actor_id", "audit.action", "audit.object_kind", "audit.object_id",
		"audit.content_hash",
		"audit.prev_hash", "audit.hash", "audit_content.salt", "audit_content.actor_name", "audit_content.content",
	} {
		table, name, _ := strings.Cut(column, ".")
		kinds["edit "+column] = func(k int) []string {
			return []string{fmt.Sprintf("UPDATE %s SET %s = %s || 'x' WHERE seq = %d", table, name, name, k)}
		}
	}
	step := 1
	if testing.Short() { // make check takes every row
		step = 4
	}
	for name, queries := range kinds {
		t.Run(name, func(t *testing.T) {
			for k := 1; k <= tampered; k += step {
				r := tamper(t, path, &head, func(raw *sql.DB) error { return run(raw, queries(k)...) })
				if r.Bad == nil || r.Bad.Why == "" {
					t.Errorf("unnoticed: %v", queries(k))
				}
			}
		})
	}
}

// TestAnyRecordVerifies has odd text of every length in every field, where a careless encoding would let two records
// share a hash, and erases some of it.
func TestAnyRecordVerifies(t *testing.T) {
	c := dbtest.NewClock()
	d := dbtest.NewAt(t, c)
	rows := int64(0)
	rapid.Check(t, func(rt *rapid.T) {
		s := rapid.String()
		e := audit.Entry{
			Actor:  audit.Actor{Kind: s.Draw(rt, "kind"), ID: s.Draw(rt, "actor"), Name: s.Draw(rt, "name")},
			Action: "x" + s.Draw(rt, "action"), ObjectKind: "interaction", ObjectID: s.Draw(rt, "object"),
			Content: rapid.SliceOf(s).Draw(rt, "content"),
		}
		record(t, d, e)
		rows++
		if rapid.Bool().Draw(rt, "erase") {
			c.Advance(rapid.SampledFrom([]time.Duration{0, time.Millisecond}).Draw(rt, "pause"))
			if erase(t, d, e.ObjectID, "why") > 0 {
				rows++
			}
		}
		if r := verify(t, d, nil); r.Bad != nil || r.Rows != rows {
			rt.Fatalf("%+v (%+v), want %d rows", r, r.Bad, rows)
		}
	})
}

func TestTheFirstBadRowIsNamed(t *testing.T) {
	path, head := original(t)
	for _, c := range []struct {
		name    string
		queries []string
		seq     int64
		why     string
	}{
		{"edited", []string{`UPDATE audit SET action = 'forged'
			WHERE seq = 4`, `UPDATE audit SET action = 'forged'
				WHERE seq = 7`}, 4, "its fields do not give its hash: it was changed after it was written"},
		{"removed", []string{"DELETE FROM audit_content WHERE seq = 3", "DELETE FROM audit WHERE seq = 3"}, 3,
			"it is missing: row 4 follows row 2"},
		{"content", []string{`UPDATE audit_content SET content = '99'
			WHERE seq = 5`}, 5, "its content is not what was recorded"},
		{"cut", []string{"DELETE FROM audit_content WHERE seq > 6", "DELETE FROM audit WHERE seq > 6"}, 2,
			"its content was removed and no tombstone says so"},
		{"emptied", []string{`UPDATE audit_content SET salt = '', actor_name = '', content = '', erased_at = 5
			WHERE seq = 8`}, 8, "its content was removed and no tombstone says so"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := tamper(t, path, &head, func(raw *sql.DB) error { return run(raw, c.queries...) })
			if r.Bad == nil || r.Bad.Seq != c.seq || r.Bad.Why != c.why {
				t.Fatalf("%+v, want row %d: %s", r.Bad, c.seq, c.why)
			}
		})
	}
}

// TestOnlyAnAnchorSeesACutTail states the limit of a chain, so that nobody believes more of it.
func TestOnlyAnAnchorSeesACutTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	o, err := db.Open(ctx, path, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		record(t, o, entry(ann, "act", fmt.Sprint(i), i))
	}
	head := verify(t, o, nil).Head
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	cut := func(raw *sql.DB) error {
		return run(raw, "DELETE FROM audit_content WHERE seq > 3", "DELETE FROM audit WHERE seq > 3")
	}
	if r := tamper(t, path, nil, cut); r.Bad != nil {
		t.Fatalf("without an anchor: %+v", r.Bad)
	}
	r := tamper(t, path, &head, cut)
	if r.Bad == nil || r.Bad.Seq != 4 ||
		r.Bad.Why != "the log ends at row 3 and the anchor knows row 5: its tail was cut off" {
		t.Fatalf("with an anchor: %+v", r.Bad)
	}
	// A chain that was written anew is sound in itself; it does not lead to the anchor.
	r = tamper(t, path, &head, func(raw *sql.DB) error {
		return run(raw, "DELETE FROM audit_content", "DELETE FROM audit")
	})
	if r.Bad == nil || r.Bad.Seq != 1 {
		t.Fatalf("an emptied log: %+v", r.Bad)
	}
	other := dbtest.New(t)
	for i := range 6 {
		record(t, other, entry(ann, "forged", fmt.Sprint(i), i))
	}
	if r := verify(t, other, &head); r.Bad == nil || r.Bad.Seq != 5 {
		t.Fatalf("a chain written anew: %+v", r.Bad)
	}
}
