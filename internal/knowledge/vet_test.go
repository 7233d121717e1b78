package knowledge_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/rule"
)

const (
	pushed = "tell them they should buy an annuity now because it is guaranteed to be the best choice"
	named  = "Mention to Mrs Hollis that her cash is tax free."
)

// gated is a base whose guards find the one sentence and the one name; those of the program are tested where they are
// set (internal/app).
func gated(t testing.TB) bench {
	return setUp(t, knowledge.Options{
		Compliant: func(_, text string) string {
			if strings.Contains(text, "they should buy an annuity") {
				return "It recommends a choice."
			}
			return ""
		},
		Personal: func(text string, known ...string) (out []string) {
			for _, name := range append(known, "Mrs Hollis") {
				if strings.Contains(text, name) {
					out = append(out, name)
				}
			}
			return out
		},
	})
}

// everyAct is a text in each act in which it would be said or done, and in a reason and an example question.
func everyAct(text string) map[string]rule.Statement {
	tax := []rule.Condition{{Kind: rule.Topic, Values: []string{pack.Tax}}}
	out := map[string]rule.Statement{
		"because":  {When: tax, Do: rule.Act{Kind: rule.Ask, Text: "Do you have a partner?"}, Because: text},
		"swap":     {When: tax, Do: rule.Act{Kind: rule.Replace, Swaps: []rule.Swap{{Say: text, Avoid: "pot"}}}},
		"at start": {When: tax, Do: rule.Act{Kind: rule.Include, Text: text, Place: rule.AtStart}},
	}
	for _, kind := range []string{rule.Include, rule.Ask, rule.Point, rule.Other} {
		out[kind] = rule.Statement{When: tax, Do: rule.Act{Kind: kind, Text: text}}
	}
	if text == named { // what is never to be said and what a rule is for may be pushy; they may not name anybody
		out["never"] = rule.Statement{When: tax, Do: rule.Act{Kind: rule.Never, Phrases: []string{text}}}
		out["avoid"] = rule.Statement{When: tax,
			Do: rule.Act{Kind: rule.Replace, Swaps: []rule.Swap{{Say: "pension", Avoid: text}}}}
		out["example"] = rule.Statement{When: []rule.Condition{{Kind: rule.Like, Values: []string{text}}},
			Do: rule.Act{Kind: rule.Other, Text: "Be brief."}}
		out["mentions"] = rule.Statement{When: []rule.Condition{{Kind: rule.Mentions, Values: []string{text}}},
			Do: rule.Act{Kind: rule.Other, Text: "Be brief."}}
	}
	return out
}

// unvetted is a statement as a version has it, however it came there.
func unvetted(st rule.Statement) knowledge.RuleText { return knowledge.RuleOf(st, pack.Of("")) }

// doors are all ways in which a rule's text comes into use. Each returns the rule as it is afterwards, and what the
// person was told.
var doors = map[string]func(b bench, st rule.Statement) (string, error){
	"vet": func(b bench, st rule.Statement) (string, error) {
		_, err := b.Vet(ctx, knowledge.Vetting{Statement: st})
		return "", err
	},
	"add": func(b bench, st rule.Statement) (string, error) {
		return "", b.d.Write(ctx, func(tx *db.Tx) error {
			_, err := b.AddRuleTx(tx,
				knowledge.Rule{Status: knowledge.Active, Domain: knowledge.PensionEducation, RuleText: unvetted(st)})
			return err
		})
	},
	"edit": func(b bench, st rule.Statement) (string, error) {
		r := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: oldRule})
		_, err := b.EditStatement(ctx, r.ID, st, r.Version, "better", expert)
		now, _ := b.Rule(ctx, r.ID)
		if now.Version != r.Version {
			b.t.Error("a refused edit left a version")
		}
		return "", err
	},
	"edit inside": func(b bench, st rule.Statement) (string, error) {
		r := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: oldRule})
		r.RuleText = unvetted(st)
		return "", b.d.Write(ctx, func(tx *db.Tx) error { _, err := b.EditRuleTx(tx, r); return err })
	},
	"accept": func(b bench, st rule.Statement) (string, error) {
		r := b.addRule(knowledge.Rule{RuleText: unvetted(st)})
		return r.ID, b.d.Write(ctx, func(tx *db.Tx) error {
			_, err := b.SetRuleStatusTx(tx, r.ID, knowledge.Active, knowledge.Change{By: by, Reason: "accepted"})
			return err
		})
	},
	"lifted by a person": func(b bench, st rule.Statement) (string, error) {
		r := b.addRule(knowledge.Rule{Status: knowledge.Quarantined, RuleText: unvetted(st)})
		return r.ID, b.d.Write(ctx, func(tx *db.Tx) error {
			_, err := b.SetRuleStatusTx(tx, r.ID, knowledge.Active, knowledge.Change{By: by, Reason: "kept"})
			return err
		})
	},
	"lifted by the program": func(b bench, st rule.Statement) (string, error) {
		r := b.addRule(knowledge.Rule{Status: knowledge.Quarantined, RuleText: unvetted(st)})
		return r.ID, b.d.Write(ctx, func(tx *db.Tx) error {
			_, err := b.SetRuleStatusTx(tx, r.ID, knowledge.Active, knowledge.Change{Reason: "undone"})
			return err
		})
	},
	"rolled back": func(b bench, st rule.Statement) (string, error) {
		r := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: oldRule})
		b.planted(r, st)
		b.setStatus(r.ID, knowledge.Retired, by)
		now, _ := b.Rule(ctx, r.ID)
		_, err := b.RollBackRule(ctx, r.ID, r.Version, "it was better", now.Version, expert)
		return r.ID, err
	},
	"the base rolled back": func(b bench, st rule.Statement) (string, error) {
		r := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: oldRule})
		b.planted(r, st)
		s, err := b.SaveState(ctx, r.ID, expert)
		if err != nil {
			return r.ID, err
		}
		b.setStatus(r.ID, knowledge.Retired, by)
		p, err := b.PreviewRollback(ctx, s.ID)
		if err != nil || len(p.Items) != 1 || p.Items[0].Outcome != knowledge.RollbackWaits || p.Items[0].Why == "" {
			b.t.Errorf("the plan says %+v, %v", p.Items, err)
		}
		_, err = b.Rollback(ctx, s.ID, "it was better", p.Seq, expert)
		return r.ID, err
	},
	"from another file": func(b bench, st rule.Statement) (string, error) {
		text := unvetted(st)
		life := knowledge.Stored{Kind: knowledge.KindRule, ID: id.New(), Number: 7,
			Versions: []knowledge.StoredVersion{{Version: 1, Status: knowledge.Active,
				Domain: knowledge.PensionEducation, Rule: &text, By: knowledge.Author{Kind: by.Kind, ID: by.ID},
				At: b.clock.Now()}}}
		return life.ID, b.d.Write(ctx, func(tx *db.Tx) error {
			if _, err := b.RestoreRuleTx(tx, life, knowledge.Vectors{}); err == nil {
				b.t.Error("it came into use by itself")
			}
			waits, why := b.Waiting(tx, life, knowledge.Change{By: by, Reason: "imported"})
			if why == nil {
				b.t.Error("it is not marked")
			}
			_, err := b.RestoreRuleTx(tx, waits, knowledge.Vectors{})
			return err
		})
	},
}

// planted puts a text into a version in use past the gate, as one from before there was a gate.
func (b bench) planted(r knowledge.Rule, st rule.Statement) {
	b.t.Helper()
	content, err := json.Marshal(unvetted(st))
	if err != nil {
		b.t.Fatal(err)
	}
	b.write(func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE knowledge_rule_version SET content = $1 WHERE rule_id = $2`, string(content), r.ID)
		return err
	})
}

func TestEveryDoorRefusesEveryAct(t *testing.T) {
	for door, through := range doors {
		t.Run(door, func(t *testing.T) {
			b := gated(t)
			for _, text := range []string{pushed, named} {
				for act, st := range everyAct(text) {
					if text == pushed && (act == "swap") {
						st.Do.Swaps[0].Say = "they should buy an annuity"
					}
					ruleID, err := through(b, st)
					active, _, lerr := b.Rules(ctx, knowledge.Filter{Status: knowledge.Active})
					if lerr != nil {
						t.Fatal(lerr)
					}
					for _, r := range active {
						if r.Principle != oldText {
							t.Errorf("%s: %s is in use: %s", act, r.Label(), r.Principle)
						}
					}
					if err != nil {
						if !fault.Is(err, fault.Invalid) || len(fault.Fields(err)) == 0 {
							t.Errorf("%s: %v", act, err)
						}
						continue
					}
					r, rerr := b.Rule(ctx, ruleID)
					if rerr != nil || r.Status != knowledge.Candidate {
						t.Errorf("%s: it is neither refused nor waiting: %+v, %v", act, r, rerr)
					}
				}
			}
		})
	}
}

func TestWhatIsFineComesThroughEveryDoor(t *testing.T) {
	b := gated(t)
	r := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: oldRule})
	r.Supporting = []string{"c1"}
	b.write(func(tx *db.Tx) (err error) { r, err = b.EditRuleTx(tx, r); return err })
	st := rule.Statement{When: []rule.Condition{field("pensions", rule.Has, "db")},
		Do: say("  A transfer can't be undone. "), Because: oldRule.Because}
	made, err := b.EditStatement(ctx, r.ID, st, r.Version, "clearer", expert)
	if err != nil || made.Status != knowledge.Active || made.Statement.Do.Text != "A transfer can't be undone." {
		t.Fatalf("%+v, %v", made, err)
	}
	if made.Confidence != knowledge.Untried || !made.Provisional || made.Supporting != nil || !made.FCACompliant {
		t.Errorf("its validation does not begin again: %+v", made.RuleText)
	}
	st = made.Statement
	st.Because = "nobody takes it back"
	again, err := b.EditStatement(ctx, r.ID, st, made.Version, "a better reason", expert)
	if err != nil || again.Because != "nobody takes it back" || again.Confidence != made.Confidence {
		t.Errorf("%+v, %v", again, err)
	}
	back, err := b.RollBackRule(ctx, r.ID, 2, "it was better", again.Version, expert)
	if err != nil || back.Status != knowledge.Active || fmt.Sprint(back.Supporting) != "[c1]" {
		t.Errorf("%+v, %v", back, err)
	}
}

func TestVetComparesWithTheRulesBesideIt(t *testing.T) {
	b := gated(t)
	tax := rule.Condition{Kind: rule.Topic, Values: []string{pack.Tax}}
	never := func(p string) rule.Act { return rule.Act{Kind: rule.Never, Phrases: []string{p}} }
	//
	b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: stated(say("Your pot is taxed."), tax)})
	//
	b.addRule(knowledge.Rule{Status: knowledge.Active, AgentID: "them", RuleText: stated(say("Call us now."), tax)})
	// R-3 waits
	b.addRule(knowledge.Rule{RuleText: stated(never("allowance"), tax)})
	for _, test := range []struct {
		name, agent   string
		st            rule.Statement
		same, clashes string
		refused       bool
	}{
		{"the same", "", rule.Statement{When: []rule.Condition{tax}, Do: say("your pot is taxed")}, "R-1", "", false},
		{"for fewer", "", rule.Statement{When: []rule.Condition{tax, field("age", rule.Below, "55")},
			Do: say("Your pot is taxed.")}, "", "", false},
		{"the opposite", "", rule.Statement{When: []rule.Condition{tax}, Do: never("pot")}, "", "", true},
		{"the opposite for some", "",
			rule.Statement{When: []rule.Condition{tax, field("age", rule.Below, "55")}, Do: never("pot")}, "", "R-1",
			false},
		{"the opposite elsewhere", "",
			rule.Statement{When: []rule.Condition{{Kind: rule.Topic, Values: []string{pack.Annuity}}},
				Do: never("pot")}, "", "", false},
		{"the opposite of one that waits", "",
			rule.Statement{When: []rule.Condition{tax}, Do: say("There is an allowance.")}, "", "R-3", false},
		{"of another agent", "me", rule.Statement{When: []rule.Condition{tax}, Do: never("call us")}, "", "", false},
		{"of the same agent", "them", rule.Statement{When: []rule.Condition{tax}, Do: never("call us")}, "", "", true},
		{"for nobody", "", rule.Statement{Do: say("Hello.")}, "", "", true},
	} {
		v, err := b.Vet(ctx, knowledge.Vetting{AgentID: test.agent, Statement: test.st})
		if fault.Is(err, fault.Invalid) != test.refused || err != nil && !test.refused {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		same, clashes := "", ""
		if v.Same != nil {
			same = v.Same.Label()
		}
		for _, r := range v.Clashes {
			clashes += r.Label()
		}
		if same != test.same || clashes != test.clashes {
			t.Errorf("%s: the same as %q, clashes with %q; want %q and %q", test.name, same, clashes, test.same,
				test.clashes)
		}
	}
	v, err := b.Vet(ctx,
		knowledge.Vetting{Statement: rule.Statement{When: []rule.Condition{field("age", rule.Below, "40")},
			Do: say("Hello.")}, Situation: &pack.Situation{Age: 60}})
	if err != nil || len(v.Notes) != 1 {
		t.Errorf("a customer who doesn't meet it: %+v, %v", v.Notes, err)
	}
	if _, err := b.Vet(ctx, knowledge.Vetting{Statement: rule.Statement{When: everybody, Do: say("Ask Priya.")},
		Known: []string{"Priya"}}); !fault.Is(err, fault.Invalid) ||
		!strings.Contains(fault.Fields(err)[0].Msg, "Priya") {
		t.Errorf("a known name: %v", err)
	}
}
