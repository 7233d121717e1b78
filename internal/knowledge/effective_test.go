package knowledge_test

import (
	"strings"
	"testing"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
	"preceptor/internal/search"
)

func (b bench) edit(t *testing.T, r knowledge.Rule, e knowledge.RuleEdit) knowledge.Rule {
	t.Helper()
	made, err := b.EditRule(ctx, r.ID, e, r.Version, expert)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// said is what recall gives of the rules for a question about transfers.
func (b bench) said(t *testing.T) string {
	t.Helper()
	r, err := b.Recall(ctx, knowledge.Query{Text: "a transfer of my final salary pension",
		Situation: pack.Situation{HasDB: true}})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, it := range r.Rules {
		out = append(out, it.Text)
	}
	return strings.Join(out, "\n")
}

var (
	oldRule = stated(rule.Act{Kind: rule.Other, Text: "warn of the transfer"}, field("pensions", rule.Has, "db"))
	newRule = stated(rule.Act{Kind: rule.Other, Text: "name the new advice threshold"},
		field("pensions", rule.Has, "db"))
	oldText = oldRule.Principle
	newText = newRule.Principle
)

func TestAVersionHoldsFromItsFirstDayInTheUKOn(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	r := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: oldRule})
	e := knowledge.EditOf(&r)
	e.Statement, e.ValidFrom, e.Reason = newRule.Statement, "2027-04-06", "the law changes"
	r = b.edit(t, r, e)
	if want := time.Date(2027, 4, 5, 23, 0, 0, 0, time.UTC); !r.ValidFrom.Equal(want) { // summer time
		t.Fatalf("it begins at %v, want %v", r.ValidFrom, want)
	}
	if got := b.said(t); got != oldText {
		t.Errorf("before its first day: %q", got)
	}
	b.clock.Advance(r.ValidFrom.Sub(b.clock.Now()) - time.Millisecond)
	if got := b.said(t); got != oldText {
		t.Errorf("a moment before: %q", got)
	}
	b.clock.Advance(time.Millisecond)
	if got := b.said(t); got != newText {
		t.Errorf("from its first moment on: %q", got)
	}
	if hits, err := b.index.Lexical(ctx, "threshold", search.Filter{Kind: search.KindRule}, 5); err != nil ||
		len(hits) != 0 {
		t.Errorf("before the date is minded the new words are found: %v, %v", hits, err)
	}
	if err := b.Turn(ctx); err != nil {
		t.Fatal(err)
	}
	if hits, err := b.index.Lexical(ctx, "threshold", search.Filter{Kind: search.KindRule}, 5); err != nil ||
		len(hits) != 1 {
		t.Errorf("after it they are not: %v, %v", hits, err)
	}
}

func TestAnEndIsAnEnd(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	r := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: oldRule})
	e := knowledge.EditOf(&r)
	e.Statement, e.ValidTo, e.Reason = newRule.Statement, "2026-11-03", "the relief ends"
	r = b.edit(t, r, e)
	if again := knowledge.EditOf(&r); again.ValidTo != "2026-11-03" {
		t.Errorf("the last day reads %s", again.ValidTo)
	}
	b.clock.Advance(38 * time.Hour) // 23:00 on the 3rd
	if got := b.said(t); got != newText {
		t.Errorf("on its last day: %q", got)
	}
	b.clock.Advance(time.Hour)
	if got := b.said(t); got != "" {
		t.Errorf("after its last day: %q", got)
	}
}

// A rule that was out of use in between does not come back with the text it had before, whatever begins later.
func TestWhatWasRetiredDoesNotComeBackByADate(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	r := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: oldRule})
	b.write(func(tx *db.Tx) (err error) {
		if r, err = b.SetRuleStatusTx(tx, r.ID, knowledge.Retired,
			knowledge.Change{By: by, Reason: "wrong"}); err != nil {
			return err
		}
		r.Status, r.RuleText, r.ValidFrom = knowledge.Active, newRule, b.clock.Now().AddDate(0, 1, 0)
		r, err = b.EditRuleTx(tx, r)
		return err
	})
	if got := b.said(t); got != "" {
		t.Errorf("%q is given", got)
	}
	b.clock.Advance(40 * 24 * time.Hour)
	if got := b.said(t); got != newText {
		t.Errorf("on its day: %q", got)
	}
}

func TestCasesHaveDatesToo(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	c := knowledge.Case{Origin: "o", CaseText: text("Tax free cash", "asks about cash", "A quarter is tax free.")}
	first := b.addCase(c)
	c.Guidance, c.ValidFrom = "A fifth is tax free.", b.clock.Now().AddDate(0, 0, 2)
	b.addCase(c)
	for _, want := range []string{"A quarter is tax free.", "A fifth is tax free."} {
		r, err := b.Recall(ctx, knowledge.Query{Text: "tax free cash"})
		if err != nil || len(r.Cases) != 1 || r.Cases[0].Text != want || r.Cases[0].ID != first.ID {
			t.Errorf("%v, %v, want %q", r.Cases, err, want)
		}
		b.clock.Advance(49 * time.Hour)
	}
}

func TestEditingARuleSaysOfEachFieldWhatIsWrong(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	r := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: oldRule})
	_, err := b.EditRule(ctx, r.ID, knowledge.RuleEdit{Domain: r.Domain, ReviewBy: "soon", ValidFrom: "2026-02-30",
		ValidTo: "x"}, r.Version, expert)
	fields := map[string]bool{}
	for _, f := range fault.Fields(err) {
		fields[f.Name] = true
	}
	if !fault.Is(err, fault.Invalid) || len(fields) != 4 {
		t.Errorf("%v: %v", err, fields)
	}
	e := knowledge.EditOf(&r)
	e.Reason = "nothing"
	if _, err := b.EditRule(ctx, r.ID, e, r.Version, expert); !fault.Is(err, fault.Invalid) {
		t.Errorf("nothing changed: %v", err)
	}
	e.Statement, e.ValidFrom, e.ValidTo = newRule.Statement, "2027-02-02", "2027-02-01"
	if _, err := b.EditRule(ctx, r.ID, e, r.Version, expert); !fault.Is(err, fault.Invalid) {
		t.Errorf("an end before the beginning: %v", err)
	}
	e.ValidTo = "2027-02-02"
	if _, err := b.EditRule(ctx, r.ID, e, r.Version+1, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("a version that nobody saw: %v", err)
	}
	if _, err := b.EditRule(ctx, r.ID, e, r.Version, knowledge.Person{Roles: []string{"supervisor"}}); !fault.Is(err,
		fault.Denied) {
		t.Errorf("a supervisor edits: %v", err)
	}
	b.edit(t, r, e)
}

// A version that is yet to begin is put back together with the one that holds until then.
func TestGoingBackToWhatIsYetToBegin(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	r := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: oldRule})
	e := knowledge.EditOf(&r)
	e.Statement, e.ValidFrom, e.Reason = newRule.Statement, "2027-04-06", "the law changes"
	r = b.edit(t, r, e)
	s, err := b.SaveState(ctx, "planned", expert)
	if err != nil {
		t.Fatal(err)
	}
	for _, back := range []func(){
		func() { b.back(t, s.ID) },
		func() {
			now, err := b.Rule(ctx, r.ID)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.RollBackRule(ctx, r.ID, 2, "better", now.Version, expert); err != nil {
				t.Fatal(err)
			}
		},
	} {
		b.setStatus(r.ID, knowledge.Retired, by)
		if got := b.said(t); got != "" {
			t.Fatalf("retired, %q is given", got)
		}
		back()
		if got := b.said(t); got != oldText {
			t.Errorf("until its day: %q", got)
		}
	}
	b.clock.Advance(r.ValidFrom.Sub(b.clock.Now()))
	if got := b.said(t); got != newText {
		t.Errorf("on its day: %q", got)
	}
}

// What left use before its newest wording began is shown, previewed and brought back as it was in use.
func TestWhatWasInUseIsSaid(t *testing.T) {
	for _, left := range []string{knowledge.Retired, knowledge.Withdrawn, knowledge.Quarantined} {
		t.Run(left, func(t *testing.T) {
			b := setUp(t, knowledge.Options{})
			r := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: oldRule})
			e := knowledge.EditOf(&r)
			e.Statement, e.ValidFrom, e.Reason = newRule.Statement, "2027-04-06", "the law changes"
			r = b.edit(t, r, e)
			s, err := b.SaveState(ctx, "scheduled", expert)
			if err != nil {
				t.Fatal(err)
			}
			empty, err := b.PreviewRollback(ctx, s.ID)
			if err != nil || len(empty.Items) != 0 {
				t.Fatalf("%+v, %v", empty, err)
			}
			b.setStatus(r.ID, left, by)
			life, err := b.RuleVersions(ctx, r.ID)
			if err != nil {
				t.Fatal(err)
			}
			shown, _, err := b.Rules(ctx, knowledge.Filter{Status: left, Held: true})
			if v := knowledge.LastInForce(life, b.clock.Now()); err != nil || v == nil || v.Version != 1 ||
				len(shown) != 1 || shown[0].Principle != oldText || shown[0].Status != left {
				t.Fatalf("%+v, %+v, %v", v, shown, err)
			}
			p, err := b.PreviewRollback(ctx, s.ID)
			if err != nil || len(p.Items) != 1 {
				t.Fatalf("%+v, %v", p, err)
			}
			it := p.Items[0]
			if it.After != oldText || it.Version != 1 || it.Before != oldText {
				t.Errorf("%+v", it)
			}
			if stays := left == knowledge.Quarantined; (it.Next == "") != stays ||
				!stays && (it.Next != newText || !it.NextFrom.Equal(r.ValidFrom)) {
				t.Errorf("%+v", it)
			}
			b.setStatus(r.ID, knowledge.Active, by)
			if got := b.said(t); got != oldText {
				t.Errorf("back in use: %q", got)
			}
			b.clock.Advance(r.ValidFrom.Sub(b.clock.Now()))
			if got := b.said(t); got != newText {
				t.Errorf("on its day: %q", got)
			}
			b.setStatus(r.ID, left, by)
			if life, err = b.RuleVersions(ctx, r.ID); err != nil {
				t.Fatal(err)
			}
			if v := knowledge.LastInForce(life, b.clock.Now()); v == nil || v.Rule.Principle != newText {
				t.Errorf("after its day: %+v", v)
			}
		})
	}
}

// A rollback that takes a wording out says which one is in use, and what is no longer to come.
func TestARollbackSaysTheWordingInUse(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	before, err := b.SaveState(ctx, "before it", expert)
	if err != nil {
		t.Fatal(err)
	}
	r := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: oldRule})
	as, err := b.SaveState(ctx, "unscheduled", expert)
	if err != nil {
		t.Fatal(err)
	}
	e := knowledge.EditOf(&r)
	e.Statement, e.ValidFrom, e.Reason = newRule.Statement, "2027-04-06", "the law changes"
	r = b.edit(t, r, e)
	for state, want := range map[string]string{before.ID: knowledge.RollbackOut, as.ID: knowledge.RollbackChanged} {
		p, err := b.PreviewRollback(ctx, state)
		if err != nil || len(p.Items) != 1 {
			t.Fatalf("%+v, %v", p, err)
		}
		it := p.Items[0]
		if it.Outcome != want || it.Before != oldText || it.After != oldText || it.Version != 1 || it.Next != "" ||
			it.Dropped.Equal(r.ValidFrom) != (want == knowledge.RollbackChanged) {
			t.Errorf("%+v", it)
		}
	}
}

// What a rule will say is no reason not to say it now, nor its opposite; what it says now stops saying so once it
// turns.
func TestAScheduledWordingDoesNotBlockOneThatHoldsNow(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	never := stated(rule.Act{Kind: rule.Never, Phrases: []string{"a bargain"}}, field("pensions", rule.Has, "db"))
	says := stated(rule.Act{Kind: rule.Include, Text: "This is a bargain."}, field("pensions", rule.Has, "db"))
	r := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: oldRule})
	e := knowledge.EditOf(&r)
	e.Statement, e.ValidFrom, e.Reason = never.Statement, "2027-04-06", "the law changes"
	r = b.edit(t, r, e)
	for name, c := range map[string]struct {
		st        rule.Statement
		from      string
		same      bool
		note, bad string
	}{
		"the same now":           {never.Statement, "", false, "From 6 April 2027 on R-1 is to say the same.", ""},
		"the opposite now":       {says.Statement, "", false, "From 6 April 2027 on R-1 is to contradict it", ""},
		"the opposite from then": {says.Statement, "2027-05-01", false, "", "says the opposite"},
		"the same from then":     {never.Statement, "2027-04-06", true, "", ""},
		"what it says now":       {oldRule.Statement, "", true, "", ""},
		"what it said till then": {oldRule.Statement, "2027-04-06", false, "", ""},
	} {
		from, err := knowledge.ParseDay(c.from)
		if err != nil {
			t.Fatal(err)
		}
		v, err := b.Vet(ctx, knowledge.Vetting{Statement: c.st, Validity: knowledge.Validity{ValidFrom: from}})
		if said := strings.Join(v.Notes, " "); (v.Same != nil) != c.same || !strings.Contains(said, c.note) ||
			c.note == "" && said != "" {
			t.Errorf("%s: same %v, notes %q", name, v.Same, said)
		}
		if (err != nil) != (c.bad != "") || err != nil && !strings.Contains(fault.Fields(err)[0].Msg, c.bad) {
			t.Errorf("%s: %v", name, err)
		}
	}
	o := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: newRule})
	e = knowledge.EditOf(&o)
	e.Statement, e.Reason = never.Statement, "from today on"
	b.edit(t, o, e)
}

// The list shows what a case says today, and when that changes.
func TestCasesAreListedAsTheyAreInUse(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	k := knowledge.Case{Source: knowledge.FromDocument, Origin: "o",
		CaseText: knowledge.CaseText{Title: "Pot", Situation: "asks what to take",
			Guidance: "A quarter of it is tax free."}}
	b.addCase(k)
	later := k
	later.Guidance, later.ValidFrom = "A fifth of it is tax free.", b.clock.Now().AddDate(0, 1, 0)
	b.addCase(later)
	list, _, err := b.Cases(ctx, knowledge.Filter{Held: true})
	if err != nil || len(list) != 1 || list[0].Guidance != k.Guidance || !list[0].Turns.Equal(later.ValidFrom) {
		t.Errorf("%+v %v", list, err)
	}
}
