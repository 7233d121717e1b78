package credit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
)

// show records that a draft was shown rules.
func (b *bench) show(interactionID string, rules ...knowledge.Rule) {
	b.t.Helper()
	b.write(func(tx *db.Tx) error {
		var used []knowledge.Used
		for i, r := range rules {
			used = append(used, knowledge.Used{ID: r.ID, Version: r.Version, Rank: i + 1, Score: 0.9,
				Why: []string{"applies"}})
		}
		_, err := b.kb.RecordUsageTx(tx, interactionID, "agent", used)
		return err
	})
}

func (b *bench) questions(interactionID string) []Question {
	b.t.Helper()
	list, err := b.Questions(context.Background(), interactionID, "agent")
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

func TestQuestionsKeepTheirOrderAndTellNothing(t *testing.T) {
	b := setUp(t)
	var rules []knowledge.Rule
	for n := range 6 {
		rules = append(rules, b.rule(n+1))
	}
	if list := b.questions("nothing"); len(list) != 0 {
		t.Errorf("a draft that was shown nothing: %v", list)
	}
	orders, planted, misleading := map[string]bool{}, 0, 0
	const drafts = 300
	for i := range drafts {
		in := fmt.Sprint("draft-", i)
		b.show(in, rules[:4]...)
		list := b.questions(in)
		if len(list) != 4 || !slices.Equal(list, b.questions(in)) {
			t.Fatalf("%d items, or another list at the second look", len(list))
		}
		order := ""
		for _, q := range list {
			at := slices.IndexFunc(rules, func(r knowledge.Rule) bool { return r.Principle == q.Text })
			order += fmt.Sprint(at, " ")
			if at < 0 {
				misleading++
			}
			if at < 0 || at > 3 {
				planted++
			}
			if len(q.Token) != tokenLength || q.Kind != "rule" ||
				slices.ContainsFunc(rules, func(r knowledge.Rule) bool { return strings.Contains(q.Token, r.ID) }) {
				t.Fatalf("%+v", q)
			}
		}
		orders[order] = true
	}
	if share := float64(planted) / (4 * drafts); share < plantedShare/2 || share > plantedShare*2 || misleading == 0 ||
		misleading == planted {
		t.Errorf("%d of %d items are planted, %d mislead", planted, 4*drafts, misleading)
	}
	if len(orders) < 24 {
		t.Errorf("%d orders", len(orders))
	}
	other := setUp(t)
	other.show("draft-1", other.rule(1))
	if other.questions("draft-1")[0].Token == b.questions("draft-1")[0].Token {
		t.Error("another installation has the same names")
	}
}

func TestAnswersCountOnceAndNeverFail(t *testing.T) {
	b := setUp(t)
	var rules []knowledge.Rule
	for n := range 6 {
		rules = append(rules, b.rule(n+1))
	}
	checks, ticked := 0, 0
	for i := range 120 {
		shown := rules[:3]
		o := b.decide("transfer", false, shown...)
		list := b.questions(o.InteractionID)
		a := Answer{}
		want := 0
		for _, q := range list {
			a.Asked = append(a.Asked, q.Token)
			if q.Text == rules[0].Principle {
				a.Ticked, want = append(a.Ticked, q.Token), 1
			}
			if !slices.ContainsFunc(shown, func(r knowledge.Rule) bool { return r.Principle == q.Text }) {
				checks++
				if i%2 == 0 {
					a.Ticked, ticked = append(a.Ticked, q.Token), ticked+1
				}
			}
		}
		if len(a.Ticked) == 0 {
			a.Ticked = []string{None}
		}
		a.Asked = append(a.Asked, "nonsense")
		b.write(func(tx *db.Tx) error {
			for range 2 { // a check counts once
				asked, n, err := b.AnswerTx(tx,
					Answered{OutcomeID: o.ID, InteractionID: o.InteractionID, By: "sam", Answer: a.String()})
				if err != nil || n != want || asked != 3 && asked != 2 {
					t.Fatalf("asked %d, ticked %d, %v", asked, n, err)
				}
			}
			return nil
		})
	}
	var kept, keptTicked int
	if err := b.d.Reader().QueryRow(`SELECT count(*), coalesce(sum(misled), 0) FROM credit
		WHERE item_id IN ('check true', 'check false') AND asked_by = 'sam'`).Scan(&kept, &keptTicked); err != nil || kept != checks || keptTicked != ticked ||
		kept == 0 {
		t.Errorf("%d checks kept of %d, %d ticked of %d, %v", kept, checks, keptTicked, ticked, err)
	}
	if s := b.standing(rules[0]); s.Asked == 0 || s.Misled != s.Asked {
		t.Errorf("%+v", s)
	}
	if s := b.standing(rules[1]); s.Asked == 0 || s.Misled != 0 {
		t.Errorf("%+v", s)
	}
	o := b.decide("transfer", false, rules[0])
	for name, answer := range map[string]string{"nothing": "", "no JSON": "{", "nothing ticked": `{"asked":["a"]}`,
		"names of nothing": `{"asked":["a"],"ticked":["a"]}`} {
		b.write(func(tx *db.Tx) error {
			if asked, _, err := b.AnswerTx(tx,
				Answered{OutcomeID: o.ID, InteractionID: o.InteractionID, By: "sam", Answer: answer}); err != nil ||
				asked != 0 {
				t.Errorf("%s: %d, %v", name, asked, err)
			}
			return nil
		})
	}
	for name, a := range map[string]Answer{"nothing asked": {Ticked: []string{"a"}},
		"nothing ticked": {Asked: []string{"a"}},
		"a long name":    {Asked: []string{strings.Repeat("a", 25)}, Ticked: []string{"a"}},
		"too many":       {Asked: make([]string, mostAnswers+1), Ticked: []string{"a"}}} {
		if a.String() != "" {
			t.Errorf("%s: %s", name, a)
		}
	}
}

func TestTurned(t *testing.T) {
	r := knowledge.Rule{RuleText: knowledge.RuleText{Situation: "the customer has a DB pension",
		Action: "Warn that guarantees are lost", Because: "they can't be had back"}}
	if text, ok := turned(r, 0); !ok ||
		text != "When the customer has a DB pension, do not warn that guarantees are lost because "+reasons[0] {
		t.Errorf("%q %v", text, ok)
	}
	for _, action := range []string{"avoid “you should”", "say a instead of b", "", "never promise"} {
		r.Action = action
		if text, ok := turned(r, 0.99); ok {
			t.Errorf("%q became %q", action, text)
		}
	}
}
