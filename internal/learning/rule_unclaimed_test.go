package learning

import (
	"strings"
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
	"preceptor/internal/rule"
)

var broughtIn = rule.Statement{When: []rule.Condition{{Kind: rule.Topic, Values: []string{"lost_pensions"}}},
	Do:      rule.Act{Kind: rule.Point, Text: "The Pension Tracing Service is free."},
	Because: "paid services charge for the same"}

// bringIn puts a rule into the base as an import does: waiting, and without a lesson.
func (b *bench) bringIn(text knowledge.RuleText) (r knowledge.Rule) {
	b.t.Helper()
	text.Confidence, text.Provisional = .5, true
	b.write(func(tx *db.Tx) (err error) {
		r, err = b.kb.AddRuleTx(tx, knowledge.Rule{Status: knowledge.Candidate, Domain: lightest(""),
			By: audit.System("import"), Reason: "imported", RuleText: text})
		return err
	})
	return r
}

func TestARuleWithoutALessonIsAcceptedByItself(t *testing.T) {
	b := open(t, nil, Policy{})
	b.decide(dbRevision())
	b.drain() // one rule that a lesson waits with
	r := b.bringIn(knowledge.RuleOf(broughtIn, pack.Of("")))

	list, err := b.Unclaimed(b.ctx)
	if err != nil || len(list) != 1 || list[0].ID != r.ID {
		t.Fatalf("unclaimed: %v %+v", err, list)
	}
	if c, err := b.Counts(b.ctx); err != nil || c.Unclaimed != 1 || c.Accept != 1 {
		t.Errorf("counts %+v, %v", c, err)
	}
	for name, c := range map[string]struct {
		edited  *rule.Statement
		reason  string
		version int
		by      knowledge.Person
		kind    fault.Kind
		field   string
	}{
		"a supervisor":       {nil, "It is right.", 1, supervisor, fault.Denied, ""},
		"another version":    {nil, "It is right.", 2, expert, fault.Conflict, ""},
		"no reason":          {nil, " ", 1, expert, fault.Invalid, "reason"},
		"a very long reason": {nil, strings.Repeat("x", text.MaxReason+1), 1, expert, fault.Invalid, "reason"},
		"for nobody":         {&rule.Statement{Do: broughtIn.Do}, "It is right.", 1, expert, fault.Invalid, "when"},
		"what the guards block": {&rule.Statement{When: broughtIn.When,
			Do: rule.Act{Kind: rule.Other, Text: "say: you should transfer it"}}, "It is right.", 1, expert,
			fault.Invalid, "text"},
	} {
		_, err := b.AcceptRule(b.ctx, r.ID, knowledge.Instead{}, c.edited, c.reason, c.version, c.by)
		if !fault.Is(err, c.kind) || c.field != "" &&
			(len(fault.Fields(err)) == 0 || fault.Fields(err)[0].Name != c.field) {
			t.Errorf("%s: %v %v", name, err, fault.Fields(err))
		}
	}
	made, err := b.AcceptRule(b.ctx, r.ID, knowledge.Instead{}, nil, "We say so already.", 1, expert)
	if err != nil || made.Status != knowledge.Active || made.Version != 2 || !made.Provisional ||
		!sameStatement(made.Statement, broughtIn) || made.Reason != "Accepted by Edie. We say so already." {
		t.Fatalf("%v %+v", err, made)
	}
	if _, err := b.AcceptRule(b.ctx, r.ID, knowledge.Instead{}, nil, "Again.", 2, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("accepted twice: %v", err)
	}
	if list, err := b.Unclaimed(b.ctx); err != nil || len(list) != 0 {
		t.Errorf("it still waits: %v %+v", err, list)
	}
	if b.audited("rule.accepted") != 1 {
		t.Error("the audit log has nothing of it")
	}
}

func TestARuleWithoutALessonIsRejectedByItself(t *testing.T) {
	b := open(t, nil, Policy{})
	r := b.bringIn(knowledge.RuleOf(broughtIn, pack.Of("")))
	if err := b.RejectRule(b.ctx, r.ID, "", 1, expert); !fault.Is(err, fault.Invalid) {
		t.Errorf("without a reason: %v", err)
	}
	if err := b.RejectRule(b.ctx, r.ID, "Not ours.", 1, expert); err != nil {
		t.Fatal(err)
	}
	if got, err := b.kb.Rule(b.ctx, r.ID); err != nil || got.Status != knowledge.Rejected || got.Reason != "Not ours." {
		t.Errorf("%v %+v", err, got)
	}
}

func TestARuleWithALessonIsSettledThere(t *testing.T) {
	b := open(t, nil, Policy{})
	dec := b.decide(dbRevision())
	b.drain()
	r := b.rule(b.lesson(dec))
	if _, err := b.AcceptRule(b.ctx, r.ID, knowledge.Instead{},
		nil, "Past the lesson.", r.Version, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("accepted past its lesson: %v", err)
	}
	if err := b.RejectRule(b.ctx, r.ID, "Past the lesson.", r.Version, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("rejected past its lesson: %v", err)
	}
}

func TestAReasonToRejectIsBounded(t *testing.T) {
	b := open(t, nil, Policy{})
	dec := b.decide(dbRevision())
	b.drain()
	l := b.lesson(dec)
	if err := b.Reject(b.ctx, l.ID, strings.Repeat("x", 100_000), l.Version, expert); !fault.Is(err, fault.Invalid) ||
		len(fault.Fields(err)) == 0 {
		t.Errorf("100,000 characters: %v", err)
	}
}

// A rule from before rules were stated is let in once somebody states it.
func TestAnOldRuleHasToBeStated(t *testing.T) {
	b := open(t, nil, Policy{})
	r := b.bringIn(knowledge.RuleText{Title: "Old",
		Principle: "When asked about lost pensions, point to the tracing service because it is free"})
	if _, err := b.AcceptRule(b.ctx, r.ID, knowledge.Instead{},
		nil, "It is right.", 1, expert); !fault.Is(err, fault.Invalid) {
		t.Errorf("as it stands: %v", err)
	}
	made, err := b.AcceptRule(b.ctx, r.ID, knowledge.Instead{}, &broughtIn, "It is right.", 1, expert)
	if err != nil || made.Status != knowledge.Active || !sameStatement(made.Statement, broughtIn) ||
		!strings.HasPrefix(made.Reason, "Edited and accepted by Edie") {
		t.Errorf("%v %+v", err, made)
	}
}
