package checkbook_test

import (
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/db"
	"preceptor/internal/fault"
)

// What an earlier release stored: plain words run as phrases, a regular expression is shown and stops nothing.
func TestWhatAnEarlierReleaseStoredIsRead(t *testing.T) {
	b := open(t)
	if err := b.db.Write(ctx, func(tx *db.Tx) error {
		for i, stored := range [][2]string{{"words", "Money  pot*|nest * eggs"}, {"regexp", `money pots?`},
			{"words", "*pot"}} {
			for _, q := range []string{
				`INSERT INTO check_version (id, check_id, version, code, title, syntax, source, severity, why,
					reference, finds, leaves, reason, by_id, by_name, at)
					VALUES ($1, $1, 1, 'HOUSE_STYLE', 'Money pot', $2, $3, 'major', 'Say pension pot.', 'House style 4',
					'["My money pot."]', '["My pot."]', 'Why.', 'e', 'Eva', 1)`,
				`INSERT INTO check_switch (id, check_id, version, is_on, state, book, reason, by_id, by_name, at)
					SELECT $1, $1, 1, 1, 'done', $2, $3, 'e', 'Eva', 1`,
			} {
				args := []any{fmt.Sprint("c", i), stored[0], stored[1]}
				if strings.Contains(q, "check_switch") {
					args[1] = i + 1
				}
				if _, err := tx.Exec(q, args...); err != nil {
					return err
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := b.Sync(ctx); err != nil {
		t.Fatal(err)
	}
	if got := b.codes("Your money pots and your nest of eggs."); len(got) != 1 || len(b.checker.Book().Patterns) != 1 {
		t.Errorf("finds %v with %+v", got, b.checker.Book())
	}
	for id, want := range map[string]string{"c0": "", "c1": "no longer runs. Write it again as phrases.",
		"c2": "Write it again as phrases."} {
		c := b.get(t, id)
		if !c.On || !strings.Contains(c.Broken, want) || want == "" && c.Broken != "" {
			t.Errorf("%s: on %v, %q", id, c.On, c.Broken)
		}
		if _, err := c.InForce.Examples(); fault.Is(err, fault.Invalid) != (want != "") {
			t.Errorf("%s: %v", id, err)
		}
	}
	if c := b.get(t, "c1"); c.InForce.Source != `money pots?` {
		t.Errorf("it became %q", c.InForce.Source)
	}
	next := moneyPot()
	next.CheckID = "c1"
	if next = b.write(t, next, 1); next.Version != 2 {
		t.Errorf("%+v", next)
	}
	b.try(t, "c1", 2, "desk")
	if err := b.turn("c1", 2, true, eva); err != nil || b.get(t, "c1").Broken != "" {
		t.Errorf("%v", err)
	}
	wants(t, "back to what can't run", b.turn("c1", 1, true, eva), fault.Conflict)
}
