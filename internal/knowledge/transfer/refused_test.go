package transfer_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/transfer"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	stated "preceptor/internal/rule"
	"preceptor/internal/search"
)

// What would not pass the gate comes in marked, by its line, and cannot be accepted; what is from before rules were
// data is carried over.
func TestWhatCantBeAcceptedIsNamedByItsLine(t *testing.T) {
	from := newBase(t)
	from.addRule(rule("You should buy it."))
	r := rule("old")
	r.RuleText = knowledge.RuleText{Title: "Old",
		Principle: "When the customer asks about tax, never say 'pot' because nobody knows the word", Confidence: .9,
		FCACompliant: true, Supporting: []string{"c"}}
	from.addRule(r)
	r.Principle = "When the moon is full, be kind"
	from.addRule(r)
	// what it reads as is not what it says
	file := strings.ReplaceAll(from.export(), "include “You should buy it.”", "be kind")
	_, body, _ := strings.Cut(file, "\n")
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	kb := knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{Compliant: func(_, text string) string {
		if strings.HasPrefix(text, "You should buy") {
			return "It recommends."
		}
		return ""
	}})
	to := base{t, d, clock, kb, transfer.New(d, kb, transfer.Agents{})}
	rep := to.mustTake(sealed(body))
	if rep.Added != 3 || rep.Waiting != 3 || rep.Refused != 2 || len(rep.Notes) != 2 || rep.Notes[0].Line != 2 ||
		rep.Notes[1].Line != 4 || !strings.Contains(rep.Notes[0].Why, "It recommends.") {
		t.Fatalf("%+v", rep)
	}
	rules, _, err := to.Rules(ctx, knowledge.Filter{Status: knowledge.Candidate})
	if err != nil || len(rules) != 3 {
		t.Fatalf("%+v, %v", rules, err)
	}
	slices.Reverse(rules)
	if rules[0].FCACompliant || !strings.Contains(rules[0].Principle, "You should buy it.") {
		t.Errorf("it reads otherwise than it says: %+v", rules[0].RuleText)
	}
	if got := rules[1]; got.Statement.Do.Kind != stated.Never || got.Statement.When[0].Kind != stated.Topic ||
		got.Supporting != nil || !got.Provisional {
		t.Errorf("the old one: %+v", got.RuleText)
	}
	for i, want := range []bool{false, true, false} {
		err := to.d.Write(ctx, func(tx *db.Tx) error {
			_, err := to.SetRuleStatusTx(tx, rules[i].ID, knowledge.Active, knowledge.Change{By: eve, Reason: "fine"})
			return err
		})
		if (err == nil) != want {
			t.Errorf("%s is accepted: %v", rules[i].Label(), err)
		}
	}
}

// Any history at all: what is exported, imported and exported again is the same, but that no rule is in use.
func TestExportOfAnImportIsTheExport(t *testing.T) {
	if testing.Short() {
		t.Skip("carries real bases over and back; make check runs it")
	}
	statuses := []string{knowledge.Candidate, knowledge.Active, knowledge.Rejected, knowledge.Withdrawn,
		knowledge.Retired, knowledge.Quarantined}
	words := rapid.StringOfN(rapid.RuneFrom([]rune("ab ü<&>\"\\\n\u2028£€—")), 1, 30, -1)
	rapid.Check(t, func(rt *rapid.T) {
		from, to := newBase(t), newBase(t)
		from.t, to.t = rt, rt
		defer func() { rt.Log(errors.Join(from.d.Close(), to.d.Close())) }() // not hundreds of them open at once
		var cases, rules []string
		for range rapid.IntRange(0, 15).Draw(rt, "steps") {
			from.clock.Advance(time.Duration(rapid.IntRange(1, 100_000).Draw(rt, "ms")) * time.Millisecond)
			switch rapid.IntRange(0, 4).Draw(rt, "what") {
			case 0:
				c := story(rapid.SampledFrom([]string{"", "o1", "o2", "o3"}).Draw(rt, "origin"),
					"g"+words.Draw(rt, "text"))
				c.Exemplar, c.AgentID = rapid.Bool().Draw(rt, "exemplar"),
					rapid.SampledFrom([]string{"", "agent"}).Draw(rt, "agent")
				cases = append(cases, from.addCase(c).ID)
			case 1:
				r := rule("x"+words.Draw(rt, "text"),
					rapid.SliceOfN(rapid.SampledFrom(append(cases, "none")), 0, 3).Draw(rt, "evidence")...)
				r.Status = rapid.SampledFrom(statuses).Draw(rt, "status")
				r.Confidence = rapid.Float64Range(0.01, 1).Draw(rt, "confidence")
				rules = append(rules, from.addRule(r).ID)
			case 2:
				if len(rules) > 0 {
					from.write(func(tx *db.Tx) error {
						_, err := from.SetRuleStatusTx(tx, rapid.SampledFrom(rules).Draw(rt, "rule"),
							rapid.SampledFrom(statuses).Draw(rt, "status"),
							knowledge.Change{By: eve, Reason: words.Draw(rt, "why")})
						return err
					})
				}
			case 3:
				if len(rules) > 0 {
					from.write(func(tx *db.Tx) error {
						r, err := from.RuleTx(tx, rapid.SampledFrom(rules).Draw(rt, "rule"))
						if err != nil {
							return err
						}
						r.Principle, r.ValidFrom = "p"+words.Draw(rt, "text"), tx.Now.Add(time.Hour)
						_, err = from.EditRuleTx(tx, *r)
						return err
					})
				}
			default:
				if len(cases) > 0 {
					from.write(func(tx *db.Tx) error {
						return from.RetireCaseTx(tx, rapid.SampledFrom(cases).Draw(rt, "case"),
							knowledge.Change{By: by, Reason: words.Draw(rt, "why")})
					})
				}
			}
		}
		file := from.export()
		rep := to.mustTake(file)
		if got, want := lives(rt, to.export()), lives(rt, file); !reflect.DeepEqual(got, want) {
			rt.Fatalf("it came back as\n%v\nand was\n%v", got, want)
		}
		for _, it := range active(rt, to) {
			rt.Fatalf("%s came into use", it.Label())
		}
		if again := to.mustTake(file); again.Known != rep.Added || again.Items != rep.Added {
			rt.Fatalf("again: %+v", again)
		}
	})
}
