package checklist_test

import (
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/compliance"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
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
				`INSERT INTO approval (id, kind, subject, version, base, payload, reason, state, proposed_by,
					proposed_name, proposed_at, decided_at)
					SELECT $1, 'check', $1, $2, 0, '{"version":1,"on":true}', $3, 'made', 'e', 'Eva', 1, 1`,
			} {
				args := []any{fmt.Sprint("c", i), stored[0], stored[1]}
				if strings.Contains(q, "approval") {
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

// A critical check that the file says one person took away is on all the same.
func TestNobodyTakesACriticalCheckAwayInTheFile(t *testing.T) {
	b := open(t)
	for i, code := range []string{compliance.MissingDBWarning, compliance.JargonForLiteracy} {
		b.exec(t, fmt.Sprintf(`INSERT INTO approval (id, kind, subject, version, base, payload, reason, state,
				proposed_by, proposed_name, proposed_at, decided_at)
			VALUES ('%s', 'check', '%s', %d, 0, '{"version":0,"on":false,"trial":""}', 'Why.', 'made', 'e-eva',
				'Eva', 1, 1)`, code, code, i+1))
	}
	if err := b.Sync(ctx); err != nil {
		t.Fatal(err)
	}
	if off := b.checker.Book().Off; len(off) != 1 || off[0] != compliance.JargonForLiteracy ||
		!b.get(t, compliance.MissingDBWarning).On {
		t.Errorf("off: %v", off)
	}
}

// A shipped check of critical severity is taken away by two people.
func TestACriticalShippedCheckTakesTwo(t *testing.T) {
	b := open(t)
	const text = "To move your final salary pension, ask the scheme for a transfer value and send the forms to the " +
		"new provider."
	ask := func() {
		t.Helper()
		if err := b.turn(compliance.MissingDBWarning, 0, false, eva); err != nil {
			t.Fatal(err)
		}
	}
	ask()
	if c := b.get(t, compliance.MissingDBWarning); !c.On || c.Asked == nil || len(b.codes(text)) == 0 {
		t.Fatalf("asking switched it off: %+v", c)
	}
	wants(t, "asked twice", b.turn(compliance.MissingDBWarning, 0, false, fay), fault.Conflict)
	id := b.asked(t, compliance.MissingDBWarning)
	wants(t, "agree to one's own", b.agree(id, eva), fault.Denied)
	wants(t, "a supervisor agrees", b.agree(id, sue), fault.Denied)
	if n, err := b.approvals.ForMe(ctx, fay.ID); n != 1 || err != nil {
		t.Errorf("%d wait, %v", n, err)
	}
	if _, err := b.approvals.Refuse(ctx, id, "It holds.", fay); err != nil {
		t.Fatal(err)
	}
	wants(t, "answered", b.agree(id, ada), fault.Conflict)
	ask()
	if _, err := b.approvals.Withdraw(ctx, b.asked(t, compliance.MissingDBWarning), eva); err != nil {
		t.Fatal(err)
	}
	ask()
	id = b.asked(t, compliance.MissingDBWarning)
	b.experts[eva.ID] = false
	wants(t, "the asker is no expert any more", b.agree(id, ada), fault.Conflict)
	b.experts[eva.ID] = true
	if err := b.agree(id, ada); err != nil {
		t.Fatal(err)
	}
	if c := b.get(t, compliance.MissingDBWarning); c.On || len(b.codes(text)) != 0 || c.Last.Answered.ID != ada.ID ||
		c.Last.Book != 1 {
		t.Errorf("%+v", c)
	}
	if err := b.turn(compliance.MissingDBWarning, 0, true, fay); err != nil {
		t.Fatal(err)
	}
	if len(b.codes(text)) == 0 || b.checker.Book().Version != 2 {
		t.Error("it is not back")
	}
}
