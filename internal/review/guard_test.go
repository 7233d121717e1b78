package review_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/review"
)

// refusedSQL runs statements in one transaction on the application's own connection and wants the last one refused.
func (k *desk) refusedSQL(t *testing.T, why string, statements ...string) {
	t.Helper()
	err := k.db.Write(ctx, func(tx *db.Tx) error {
		for i, q := range statements {
			if _, err := tx.Exec(q); err != nil {
				if i < len(statements)-1 {
					t.Fatalf("%s: %v", q, err)
				}
				return err
			}
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("%s: %v, want %q", statements[len(statements)-1], err, why)
	}
}

const (
	forge = `INSERT INTO decision (id, review_id, kind, state, by_id, by_name, text, text_hash, version, reason, reason_code, feedback, confirmation, flags, seconds, decided_at, held_until`
	// second makes a decision held with Bob's signature.
	second = `UPDATE decision SET state = 'held', second_by = 'bob', second_name = 'Bob', second_at = 1, held_until = 1`
)

// With one signature under a text that needs two, no statement through the application's connection lets it go.
func TestDirectSQLDoesNotReplaceTheSecondSupervisor(t *testing.T) {
	k := open(t)
	id := k.submit(t, vulnerable)
	dec := k.decide(t, id, ann, review.Approve)
	row := `SELECT 'x', '` + id + `', 'approve', 'held', 'bob', 'Bob', 'Mine.', '', 1, '', '', '', '', '[]', 1, 1, 1`
	for _, c := range []struct {
		why        string
		statements []string
	}{
		{"two supervisors", []string{`UPDATE decision SET state = 'held'`}},
		{"two supervisors", []string{`UPDATE decision SET state = 'released'`}},
		{"without its audit row", []string{second}},
		{"two supervisors", []string{strings.Replace(second, "'bob'", "'ann'", 1)}},
		{"two supervisors", []string{strings.Replace(second, "'bob'", "'nobody'", 1)}},
		{"signature is given once", []string{`UPDATE decision SET second_by = 'bob'`}},
		{"never changed", []string{`UPDATE decision SET needs_second = 0`}},
		{"never changed", []string{`UPDATE decision SET by_id = 'bob'`}},
		{"never changed", []string{`UPDATE decision SET text = 'Mine.'`}},
		{"never changed", []string{`UPDATE decision SET final_hash = ''`}},
		{"never changed", []string{`UPDATE decision SET kind = 'sampled'`}},
		{"never changed", []string{`UPDATE decision SET rowid = 77`}},
		{"never waived", []string{`UPDATE review SET two_eyes = 0`}},
		{"never waived", []string{`UPDATE review SET two_eyes = 0 WHERE id = '` + id + `'`}},
		{"never waived", []string{`UPDATE review SET planted = 1`}},
		{"never waived", []string{`UPDATE review SET asked_by = 'x'`}},
		{"this case is kept", []string{`DELETE FROM review`}},
		{"decisions are kept", []string{`DELETE FROM decision`}},
		{"decisions are kept", []string{`REPLACE INTO decision SELECT * FROM decision`}},
		{"queued once", []string{`REPLACE INTO review SELECT * FROM review`}},
		{"queued once", []string{`INSERT OR IGNORE INTO review SELECT * FROM review`}},
		{"comes in once", []string{`REPLACE INTO interaction SELECT * FROM interaction`}},
		{"another decision stands",
			[]string{strings.Replace(forge, "INSERT", "INSERT OR REPLACE", 1) + `) ` +
				strings.Replace(row, "'held'", "'pending'", 1)}},
		{"decisions are kept",
			[]string{strings.Replace(forge, "INSERT", "INSERT OR REPLACE", 1) + `, rowid) ` +
				strings.Replace(row, "'held'", "'undone'", 1) + `, (SELECT rowid FROM decision)`}},
		{"two supervisors", []string{`UPDATE decision SET state = 'undone'`, forge + `) ` + row}},
		{"two supervisors", []string{`UPDATE decision SET state = 'undone'`,
			forge + `, second_by, needs_second) ` + row + `, 'ann', 1`}},
		{"agreed policy", []string{`UPDATE decision SET state = 'undone'`,
			forge + `) ` + strings.Replace(row, "'approve'", "'sampled'", 1)}},
		{"two supervisors", []string{`UPDATE decision SET state = 'undone'`,
			forge + `) ` + strings.Replace(row, "'held'", "'released'", 1)}},
		{"can't go that way", []string{`UPDATE decision SET state = 'undone'`,
			`UPDATE decision SET state = 'pending'`}},
		{"no decision is held", []string{`UPDATE interaction SET status = 'held'`}},
		{"nobody released", []string{`UPDATE interaction SET status = 'released', final_text = guidance`}},
		{"nobody released", []string{`UPDATE interaction SET final_text = guidance`}},
		{"nobody released", []string{`UPDATE interaction SET status = 'released'`}},
		{"never changes", []string{`UPDATE interaction SET planted = 1`}},
		{"without a text for the customer", []string{`INSERT INTO interaction (id, agent_id, agent_name, origin, status,
			task, task_by, question, customer, guidance, guidance_hash, reasoning, model, drafter, knowledge_used, steps,
			metadata, final_text, failure, created_at, released_at, version, revises, planted)
			SELECT 'new', agent_id, agent_name, origin, 'released', task, task_by, question, customer, guidance,
			guidance_hash, reasoning,
			model, drafter, knowledge_used, steps, metadata, 'Mine.', failure, created_at, released_at, version,
				revises, planted FROM interaction`}},
		{"only what waits", []string{`UPDATE interaction SET ended = 'expired'`}},
		{"append-only", []string{`INSERT OR REPLACE INTO audit SELECT * FROM audit`}},
		{"not authorized", []string{`DROP TRIGGER decision_second_update`}},
		{"not authorized", []string{`PRAGMA writable_schema = ON`}},
		{"not authorized", []string{`CREATE TEMP TABLE account AS SELECT 1 AS id`}},
	} {
		if dbtest.Unread(strings.Join(c.statements, ";")) {
			continue
		}
		k.refusedSQL(t, c.why, c.statements...)
	}
	k.wantState(t, dec.ID, review.Pending)
	if n := k.count(t, `SELECT COUNT(*) FROM decision`); n != 1 || k.status(t, id) != interaction.Waiting {
		t.Errorf("%d decisions, %s", n, k.status(t, id))
	}
	k.decide(t, id, bob, review.Approve) // and the way that is meant is open
}

// The guard looks at the people as they are now, and at an audit row that is younger than the first signature.
func TestTheGuardWantsTwoSupervisorsWhoMayDecideNow(t *testing.T) {
	seconded := func(k *desk, id string) {
		err := k.db.Write(ctx, func(tx *db.Tx) error {
			return audit.Record(tx, audit.Entry{Actor: bob.Actor(), Action: "review.seconded",
				ObjectKind: "interaction", ObjectID: id})
		})
		if err != nil {
			panic(err)
		}
	}
	for name, c := range map[string]struct{ before, after, why string }{
		"the second lost the role": {"", `DELETE FROM account_role WHERE account_id = 'bob'`, "two supervisors"},
		"the first lost the role":  {"", `DELETE FROM account_role WHERE account_id = 'ann'`, "two supervisors"},
		"the second is disabled":   {"", `UPDATE account SET disabled_at = 1 WHERE id = 'bob'`, "two supervisors"},
		"another role": {"", `UPDATE account_role SET role = 'expert'
			WHERE account_id = 'bob'`, "two supervisors"},
		"an older audit row": {"old", ``, "without its audit row"},
	} {
		t.Run(name, func(t *testing.T) {
			k := open(t)
			id := k.submit(t, vulnerable)
			if c.before != "" {
				seconded(k, id)
			}
			k.decide(t, id, ann, review.Approve)
			if c.before == "" {
				seconded(k, id)
			}
			if c.after != "" {
				k.exec(t, c.after)
			}
			k.refusedSQL(t, c.why, second)
		})
	}
}

// What is held is released with its own text, by whoever signed it, and in no other way.
func TestDirectSQLDoesNotChangeWhatIsReleased(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	dec := k.decide(t, id, ann, review.Approve)
	for why, statements := range map[string][]string{
		// the decision is held still
		"nobody released": {`UPDATE interaction SET status = 'released', final_text = guidance`},
		"never changed":   {`UPDATE decision SET text = 'Mine.'`},
		"nobody released this": {`UPDATE decision SET state = 'released'`, `UPDATE interaction SET status = 'released',
			final_text = 'Mine.'`},
	} {
		k.refusedSQL(t, why, statements...)
	}
	k.clock.Advance(time.Minute)
	k.drain(t)
	k.refusedSQL(t, "nobody released", `UPDATE interaction SET final_text = 'Mine.'`)
	k.refusedSQL(t, "can't go that way", `UPDATE decision SET state = 'held'`)
	k.refusedSQL(t, "can't go that way", `UPDATE decision SET state = 'undone'`)
	k.refusedSQL(t, "no decision is held", `UPDATE interaction SET status = 'held'`)
	k.refusedSQL(t, "nobody released", `UPDATE interaction SET status = 'waiting'`,
		`UPDATE interaction SET status = 'released'`)
	k.wantState(t, dec.ID, review.Released)
}

func TestAPlantedCheckIsNeverReleasedBySQL(t *testing.T) {
	k := open(t)
	k.decide(t, k.plant(t), ann, review.Approve)
	k.refusedSQL(t, "nobody released", `UPDATE decision SET state = 'released'`, `UPDATE interaction
		SET status = 'released', final_text = guidance`)
	k.refusedSQL(t, "never changes", `UPDATE interaction SET planted = 0`)
	k.refusedSQL(t, "stays one", `UPDATE review SET planted = 0`)
}

// Only a policy that two administrators agreed on, and that is in force, lets go what nobody read.
func TestSamplingTakesAnAgreedPolicy(t *testing.T) {
	sample := forge +
		`, policy_version) SELECT 'x', id, 'sampled', 'held', '', 'Sampling policy', 'Text.', '', 1, '', '', '', '', '[]', 1, 1, 1, %d FROM review`
	k := open(t)
	k.submit(t)
	k.refusedSQL(t, "agreed policy", fmt.Sprintf(sample, 0))
	k.refusedSQL(t, "agreed policy", fmt.Sprintf(sample, agreedVersion))
	k.agreed(t)
	k.refusedSQL(t, "agreed policy", fmt.Sprintf(sample, agreedVersion+1))
	k.refusedSQL(t, "agreed policy", strings.Replace(fmt.Sprintf(sample, agreedVersion), "''", "'ann'", 1))
	k.exec(t, `INSERT INTO approval (id, subject, version, base, state, payload, reason, proposed_by, proposed_name,
			proposed_at, kind)
		VALUES ('q', '', $1, $2, 'proposed', '{}', 'why', 'eve', 'Eve', 3, 'policy')`, agreedVersion+1, agreedVersion)
	k.refusedSQL(t, "agreed policy", fmt.Sprintf(sample, agreedVersion+1)) // one signature
	if err := k.db.Write(ctx, func(tx *db.Tx) error {
		// an agent that has a policy of its own does not go by the one for all
		for _, q := range []string{`UPDATE approval SET state = 'agreed', decided_by = 'dee', decided_name = 'Dee',
			decided_at = 5
			WHERE id = 'q'`,
			`INSERT INTO approval (id, subject, version, base, state, payload, reason, proposed_by, proposed_name,
					proposed_at, kind)
				VALUES ('o', 'agent-1', 9, 4, 'proposed', '{}', 'why', 'eve', 'Eve', 6, 'policy')`,
			`UPDATE approval SET state = 'agreed', decided_by = 'dee', decided_name = 'Dee', decided_at = 7
				WHERE id = 'o'`} {
			if _, err := tx.Exec(q); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	k.refusedSQL(t, "agreed policy", fmt.Sprintf(sample, agreedVersion)) // another took its place
	k.refusedSQL(t, "agreed policy", fmt.Sprintf(sample, agreedVersion+1))
	k.exec(t, fmt.Sprintf(sample, 9))
	planted := open(t)
	planted.agreed(t)
	planted.plant(t)
	planted.refusedSQL(t, "there to be read", fmt.Sprintf(sample, agreedVersion))
}

// The audit row of a signature that was taken back signs nothing any more, whoever took it back and whatever was put
// back for it.
func TestTheGuardWantsARowThatWasNotTakenBack(t *testing.T) {
	undo := func(t *testing.T, k *desk, dec *review.Decision, by review.Person, why string) {
		t.Helper()
		if _, err := k.Undo(ctx, dec.ID, by, why); err != nil {
			t.Fatal(err)
		}
	}
	for name, before := range map[string]func(t *testing.T, k *desk, id string){
		"by the second": func(t *testing.T, k *desk, id string) {
			undo(t, k, k.decideTwice(t, id, ann, bob, review.Approve), bob, "")
		},
		"by the first, who signs again": func(t *testing.T, k *desk, id string) {
			undo(t, k, k.decideTwice(t, id, ann, bob, review.Approve), ann, "")
			k.decide(t, id, ann, review.Approve)
		},
		"and another decision overruled the first and was undone": func(t *testing.T, k *desk, id string) {
			undo(t, k, k.decideTwice(t, id, ann, bob, review.Approve), bob, "")
			undo(t, k, k.decide(t, id, bob, review.Reject), bob, "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			k := open(t)
			id := k.submit(t, vulnerable)
			before(t, k, id)
			k.refusedSQL(t, "without its audit row", second+` WHERE state = 'pending'`)
			k.decide(t, id, bob, review.Approve) // and the way that is meant is open
		})
	}
}
