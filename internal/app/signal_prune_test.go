package app_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/erase"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/signal"
)

// What retention takes is looked up in batches: without a hold nobody's guidance is read, and with one the turns of whom
// it is on stay.
func TestRetentionAsksOnceForHolds(t *testing.T) {
	s := apptest.Open(t)
	agent, err := s.Accounts.EnsureAgent(t.Context(), "Advisor", "general")
	if err != nil {
		t.Fatal(err)
	}
	settings, _ := json.Marshal(signal.Settings{KeepDays: 30})
	turns := func(n int, user string) {
		t.Helper()
		if err := s.DB.Write(t.Context(), func(tx *db.Tx) error {
			talk := "talk-" + user
			if err := db.Exec(tx, "test", `INSERT INTO talk (id, agent_id, agent_name, user_id, name, state, turns, started_at,
				last_at) VALUES ($1, $2, 'Advisor', $3, '', 'told', $4, $5, $6)`, talk, agent.ID, user, n, tx.NowMs(),
				tx.NowMs()); err != nil {
				return err
			}
			for i := range n {
				if err := db.Exec(tx, "test", `INSERT INTO turn (id, talk_id, agent_id, user_id, ref, query, response, model,
					task, action, reaction, steps, context, source, pending, created_at)
					VALUES ($1, $2, $3, $4, $5, '', '', '', '', '', '', '[]', '{}', 'api', 0, $6)`,
					fmt.Sprintf("%s-%04d", user, i), talk, agent.ID, user, fmt.Sprintf("%s-ref-%d", user, i),
					tx.NowMs()); err != nil {
					return err
				}
			}
			return db.Exec(tx, "test", `INSERT INTO agent_signal (agent_id, settings, updated_at) VALUES ($1, $2, $3)
				ON CONFLICT DO NOTHING`, agent.ID, string(settings), tx.NowMs())
		}); err != nil {
			t.Fatal(err)
		}
	}
	prune := func() (left int, asked int64) {
		t.Helper()
		s.Clock.Advance(31 * 24 * time.Hour)
		before := s.DB.Statements()
		if err := s.Signals.Prune(t.Context()); err != nil {
			t.Fatal(err)
		}
		asked = s.DB.Statements() - before
		if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
			left, err = db.Value[int](tx, "test", `SELECT count(*) FROM turn`)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return left, asked
	}
	turns(600, "ann")
	if left, asked := prune(); left != 0 || asked > 40 {
		t.Errorf("without a hold %d turns stay after %d statements", left, asked)
	}
	if _, err := s.Erase.SetHold(t.Context(), erase.HoldInput{How: interaction.ByReference, Subject: "held",
		Reason: "A complaint.", By: audit.Actor{Kind: audit.Person, ID: "p", Name: "Ada"}}); err != nil {
		t.Fatal(err)
	}
	turns(510, "held")
	turns(20, "bob")
	if left, asked := prune(); left != 510 || asked > 80 {
		t.Errorf("%d turns stay of one under hold, after %d statements", left, asked)
	}
	if left, _ := prune(); left != 510 {
		t.Errorf("again: %d turns stay", left)
	}
}
