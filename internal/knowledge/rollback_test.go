package knowledge_test

import (
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
)

func (b bench) back(t *testing.T, stateID string) knowledge.Rollback {
	t.Helper()
	p, err := b.PreviewRollback(ctx, stateID)
	if err != nil {
		t.Fatal(err)
	}
	r, err := b.Rollback(ctx, stateID, "it was better", p.Seq, expert)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func outcomes(items []knowledge.RollbackItem) string {
	var out []string
	for _, it := range items {
		out = append(out, it.Label+" "+it.Outcome)
	}
	return strings.Join(out, ", ")
}

func (b bench) setStatus(id, status string, who audit.Actor) {
	b.t.Helper()
	b.write(func(tx *db.Tx) error {
		_, err := b.SetRuleStatusTx(tx, id, status, knowledge.Change{By: who, Reason: "moved"})
		return err
	})
}

func TestARollbackRestoresAndLeavesOutWhatItMust(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	edited := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: oldRule})
	retired := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: principle("When b, mention c because d")})
	harmful := b.addRule(knowledge.Rule{Status: knowledge.Active,
		RuleText: stated(say("d"), field("age", rule.Below, "18"))})
	waiting := b.addRule(knowledge.Rule{RuleText: principle("When d, mention e because f")})
	erased := b.addCase(knowledge.Case{Origin: "1",
		CaseText: text("Umbrella", "asks about the weather", "It rains on Mondays.")})
	b.addCase(knowledge.Case{Origin: "2", CaseText: text("Two", "asks about two", "Some text about two.")})
	s, err := b.SaveState(ctx, "  May   base ", expert)
	if err != nil || s.Name != "May base" {
		t.Fatalf("%+v, %v", s, err)
	}
	asked := knowledge.Query{Text: "two", TopCases: 1, Situation: pack.Situation{HasDB: true, Age: 50}}
	before, err := b.Recall(ctx, asked)
	if err != nil {
		t.Fatal(err)
	}

	e := knowledge.EditOf(&edited)
	e.Statement, e.Reason = newRule.Statement, "new law"
	b.edit(t, edited, e)
	b.setStatus(retired.ID, knowledge.Retired, by)
	b.setStatus(harmful.ID, knowledge.Quarantined, audit.System("credit"))
	b.setStatus(waiting.ID, knowledge.Active, by)
	b.write(func(tx *db.Tx) error { _, err := b.EraseCaseTx(tx, erased.ID, "the law", by); return err })
	b.addCase(knowledge.Case{Origin: "2", CaseText: text("Two", "asks about two", "Another text about two.")})
	late := b.addCase(knowledge.Case{Origin: "3",
		CaseText: text("Three", "asks about three", "Some text about three.")})

	p, err := b.PreviewRollback(ctx, s.ID)
	want := "R-1 changed, R-2 back, R-3 quarantined, R-4 out, Case #001 erased, Case #002 changed, Case #003 out"
	if got := outcomes(p.Items); err != nil || got != want {
		t.Fatalf("the preview says %s, %v\nwant %s", got, err, want)
	}
	r := b.back(t, s.ID)
	if r.Changed != 5 || r.LeftOut != 2 || r.Before.Kind != knowledge.Automatic {
		t.Errorf("%+v", r)
	}
	after, err := b.Recall(ctx, asked)
	if err != nil || after.Prompt != before.Prompt {
		t.Errorf("recall gives\n%s\nand gave\n%s, %v", after.Prompt, before.Prompt, err)
	}
	for id, want := range map[string]string{edited.ID: knowledge.Active, retired.ID: knowledge.Active,
		harmful.ID: knowledge.Quarantined, waiting.ID: knowledge.Retired} {
		if got, _ := b.Rule(ctx, id); got.Status != want {
			t.Errorf("%s is %s, want %s", got.Label(), got.Status, want)
		}
	}
	if c, _ := b.Case(ctx, erased.ID); c.Status != knowledge.Retired || strings.Contains(c.Guidance, "one") {
		t.Errorf("%+v", c)
	}
	if c, _ := b.Case(ctx, late.ID); c.Status != knowledge.Retired ||
		c.Reason != `Rolled back to "May base": it was better` {
		t.Errorf("%+v", c)
	}

	undo := b.back(t, r.Before.ID) // and the rollback is rolled back
	if got := outcomes(undo.Items); got != "R-1 changed, R-2 out, R-4 back, Case #002 changed, Case #003 back" {
		t.Errorf("undoing does %s", got)
	}
	if got, _ := b.Rule(ctx, edited.ID); got.Principle != newText || got.Version != 4 {
		t.Errorf("%+v", got)
	}
	list, err := b.Rollbacks(ctx, 10)
	if err != nil || len(list) != 2 || list[1].State.Name != "May base" || list[1].LeftOut != 2 ||
		list[0].Reason != "it was better" {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestARollbackWantsWhatWasSeen(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	r := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: oldRule})
	s, err := b.SaveState(ctx, "one", expert)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.SaveState(ctx, "ONE", expert); !fault.Is(err, fault.Invalid) {
		t.Errorf("a name twice: %v", err)
	}
	if _, err := b.SaveState(ctx, "two", knowledge.Person{Roles: []string{"manager"}}); !fault.Is(err, fault.Denied) {
		t.Errorf("a manager names a state: %v", err)
	}
	p, err := b.PreviewRollback(ctx, s.ID)
	if err != nil || len(p.Items) != 0 {
		t.Fatalf("%+v, %v", p, err)
	}
	if _, err := b.Rollback(ctx, s.ID, "why", p.Seq, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("nothing to do: %v", err)
	}
	b.setStatus(r.ID, knowledge.Retired, by)
	if _, err := b.Rollback(ctx, s.ID, "why", p.Seq, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("what nobody saw: %v", err)
	}
	if _, err := b.Rollback(ctx, s.ID, " ", p.Seq+1, expert); !fault.Is(err, fault.Invalid) {
		t.Errorf("without a reason: %v", err)
	}
	if _, err := b.Rollback(ctx, "nowhere", "why", p.Seq+1, expert); !fault.Is(err, fault.NotFound) {
		t.Errorf("to nowhere: %v", err)
	}
	states, next, err := b.States(ctx, "", 1)
	if err != nil || len(states) != 1 || next != "" {
		t.Errorf("%+v, %q, %v", states, next, err)
	}
}

// Many items: their versions are written at once, and the index follows afterwards.
func TestARollbackOfManyIsFollowedByTheIndex(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	s, err := b.SaveState(ctx, "empty", expert)
	if err != nil {
		t.Fatal(err)
	}
	b.write(func(tx *db.Tx) error {
		for i := range 120 {
			if _, err := b.AddCaseTx(tx,
				knowledge.Case{Source: knowledge.FromReview, Origin: fmt.Sprint(i),
					CaseText: text(fmt.Sprint("About ", i), "asks",
						fmt.Sprint("Guidance on transfers ", i))}); err != nil {
				return err
			}
		}
		return nil
	})
	r := b.back(t, s.ID)
	if got, err := b.Recall(ctx, knowledge.Query{Text: "transfers"}); r.Changed != 120 || err != nil ||
		len(got.Items) != 0 {
		t.Errorf("%d changed, recall gives %v, %v", r.Changed, got.Items, err)
	}
	b.back(t, r.Before.ID)
	if got, err := b.Recall(ctx, knowledge.Query{Text: "transfers"}); err != nil || len(got.Cases) != 3 {
		t.Errorf("recall gives %v, %v", got.Items, err)
	}
	if r, err := b.index.Check(ctx); err != nil || len(r.Problems) > 0 || r.Active != 120 {
		t.Errorf("the index: %+v, %v", r, err)
	}
}

func TestARuleGoesBackToAVersion(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	r := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: oldRule})
	e := knowledge.EditOf(&r)
	e.Statement, e.Domain, e.Reason = newRule.Statement, knowledge.RiskDisclosure, "new law"
	r = b.edit(t, r, e)
	back := func(to, version int, want string, status string) knowledge.Rule {
		t.Helper()
		got, err := b.RollBackRule(ctx, r.ID, to, "better", version, expert)
		if err != nil || got.Principle != want || got.Status != status {
			t.Fatalf("%+v, %v", got, err)
		}
		return got
	}
	got := back(1, 2, oldText, knowledge.Active)
	if got.Version != 3 || got.Domain != knowledge.PensionEducation ||
		got.Reason != "Rolled back to version 1: better" {
		t.Errorf("%+v", got)
	}
	if _, err := b.RollBackRule(ctx, r.ID, 3, "better", 3, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("to where it stands: %v", err)
	}
	if _, err := b.RollBackRule(ctx, r.ID, 9, "better", 3, expert); !fault.Is(err, fault.NotFound) {
		t.Errorf("to a version that is not there: %v", err)
	}
	if _, err := b.RollBackRule(ctx, r.ID, 1, "better", 2, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("a version that nobody saw: %v", err)
	}
	b.setStatus(r.ID, knowledge.Retired, by) // 4
	back(2, 4, newText, knowledge.Active)    // 5
	b.setStatus(r.ID, knowledge.Quarantined, audit.System("credit"))
	back(1, 6, oldText, knowledge.Quarantined) // 7
	b.setStatus(r.ID, knowledge.Retired, by)   // 8
	back(2, 8, newText, knowledge.Quarantined)
	if life, err := b.RuleVersions(ctx, r.ID); err != nil || len(life) != 9 || life[8].Rule.Principle != oldText {
		t.Errorf("%d versions, %v", len(life), err)
	}
}
