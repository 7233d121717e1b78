package advisor

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/rule"
)

func TestPreviewShowsWhatARuleWouldDo(t *testing.T) {
	b := newBench(t, Embedded{})
	ids := map[string]string{}
	for i, q := range []string{"What does an annuity pay?", "May I combine pots abroad?", "Which exit fees are there?",
		"Is combining pots quick?", "How can I combine my pots?", "Can pots be combined at 60?"} {
		ids[q] = b.ask(t, q)
		b.clock.Advance(time.Duration(i) * time.Minute)
	}
	b.drain(t)
	f := PreviewFor{InteractionID: ids["How can I combine my pots?"],
		Statement: when(include("Ask for the form first.", rule.AtEnd),
			rule.Condition{Kind: rule.Mentions, Values: []string{"combine"}},
			rule.Condition{Kind: rule.Mentions, Values: []string{"abroad"}, Not: true})}
	p, err := b.service.Preview(ctx, f)
	if err != nil {
		t.Fatal(err)
	}
	if !p.Met || strings.Contains(p.Without, "form first") || !strings.Contains(p.With, "Ask for the form first.") ||
		!strings.Contains(p.With, "Hello Ada") {
		t.Errorf("%+v", p)
	}
	if len(p.Changes) != 2 || p.Changes[0].Question != "Is combining pots quick?" ||
		p.Changes[1].Question != "Can pots be combined at 60?" || p.Changes[0].Without == p.Changes[0].With {
		t.Errorf("changes %+v", p.Changes)
	}
	if len(p.Stays) != 3 || p.Stays[0].Question != "May I combine pots abroad?" || p.Stays[0].With != "" {
		t.Errorf("stays %+v", p.Stays)
	}
	if p.Undone != "" {
		t.Errorf("it is carried out: %q", p.Undone)
	}
	for _, place := range []string{rule.AtStart, rule.AtEnd} { // what points back stands nowhere
		f.Statement.Do = rule.Act{Kind: rule.Include, Place: place, Text: "It is fine to put the telephone down."}
		p, err = b.service.Preview(ctx, f)
		if err != nil || p.With != p.Without || !strings.HasPrefix(p.Undone, "This rule is not carried out: ") {
			t.Errorf("%s: %+v, %v", place, p, err)
		}
	}
	f.Statement.Do = rule.Act{Kind: rule.Other, Text: "write warmly"}
	if p, err = b.service.Preview(ctx, f); err != nil || !p.Met || p.With != p.Without || len(p.Changes) != 0 {
		t.Errorf("%+v, %v", p, err)
	}
	f.Statement = when(include("Fees are told yearly.", rule.AtEnd),
		rule.Condition{Kind: rule.Mentions, Values: []string{"statement"}, Draft: true})
	if p, err = b.service.Preview(ctx, f); err != nil || !p.Met || !strings.Contains(p.With, "told yearly") {
		t.Errorf("on the draft: %+v, %v", p, err)
	}
	if _, err := b.service.Preview(ctx, PreviewFor{InteractionID: "nowhere"}); err == nil {
		t.Error("a preview of nothing")
	}
}

// Of the questions that a rule would change the least alike are shown, and of those that it misses the most alike.
func TestPreviewShowsTheWorstFitting(t *testing.T) {
	b := newBench(t, Embedded{})
	id := b.ask(t, "How can I combine my pots?")
	for _, q := range []string{"Can I combine my pots?", "How do I combine two pots?",
		"How can I put my pots together into one?", "Is it a good idea to merge small pension pots?",
		"Which fees come with combining pots?",
		"What does an annuity pay?", "When is my office open?", "Who gets my pension when I die?",
		"Can I move abroad?"} {
		b.ask(t, q)
		b.clock.Advance(time.Minute)
	}
	b.drain(t)
	f := PreviewFor{InteractionID: id,
		Statement: when(include("Ask for the form first.", rule.AtEnd),
			rule.Condition{Kind: rule.Like, Values: []string{"How can I combine my pots?"}})}
	near, err := b.service.Preview(ctx, f)
	if err != nil || len(near.Changes) == 0 || len(near.Changes) > 3 || len(near.Stays) != 3 {
		t.Fatalf("%d change, %d stay, %v", len(near.Changes), len(near.Stays), err)
	}
	alike := func(e Example) float64 {
		return b.kb.Alike(f.Statement, "", pack.Situation{Question: e.Question})
	}
	for i, list := range [][]Example{near.Changes, near.Stays} {
		for k := 1; k < len(list); k++ {
			if up := alike(list[k]) >= alike(list[k-1]); up != (i == 0) {
				t.Errorf("%q stands behind %q", list[k].Question, list[k-1].Question)
			}
		}
	}
	f.Statement.When[0].Wide = true
	wide, err := b.service.Preview(ctx, f)
	if err != nil || alike(wide.Changes[0]) >= alike(near.Changes[0]) || alike(wide.Stays[0]) >= alike(near.Stays[0]) {
		t.Errorf("less alike: %+v after %+v, %v", wide.Changes, near.Changes, err)
	}
	if slices.ContainsFunc(wide.Changes, func(e Example) bool { return e.Question == "Can I combine my pots?" }) {
		t.Error("the best fitting is shown")
	}
}

func TestPreviewLeavesTheEditedRuleOut(t *testing.T) {
	b := newBench(t, Embedded{})
	r := knowledge.Rule{Domain: "pension_education", Status: knowledge.Active,
		RuleText: knowledge.RuleOf(always(include("To combine pots you fill in a form.", "")), pack.Of("pension"))}
	if err := b.kb.PrepareRule(ctx, &r); err != nil {
		t.Fatal(err)
	}
	if err := b.d.Write(ctx, func(tx *db.Tx) (err error) { r, err = b.kb.AddRuleTx(tx, r); return err }); err != nil {
		t.Fatal(err)
	}
	s := pack.Situation{Question: "How can I combine my pots?"}
	p, err := b.service.Preview(ctx, PreviewFor{AgentID: "agent-1", RuleID: r.ID, Situation: s,
		Statement: always(include("To combine pots you ring them.", ""))})
	if err != nil || strings.Contains(p.With, "fill in a form") || !strings.Contains(p.With, "ring them") ||
		strings.Contains(p.Without, "fill in") {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := b.service.Preview(ctx,
		PreviewFor{AgentID: "agent-1", Statement: always(include("Do write again.", ""))}); err != nil || !p.Met {
		t.Errorf("without a question: %+v, %v", p, err)
	}
}

// What says the opposite of a rule in use is shown in its place, on other questions too.
func TestPreviewOfAnOpposite(t *testing.T) {
	b := newBench(t, Embedded{})
	const may, never = "The provider may use an emergency tax code, and HMRC pays it back.",
		"The provider may not use an emergency tax code, and HMRC does not pay it back."
	r := knowledge.Rule{Domain: "pension_education", Status: knowledge.Active,
		RuleText: knowledge.RuleOf(always(include(may, rule.AtEnd)), pack.Of("pension"))}
	if err := b.kb.PrepareRule(ctx, &r); err != nil {
		t.Fatal(err)
	}
	if err := b.d.Write(ctx, func(tx *db.Tx) (err error) { r, err = b.kb.AddRuleTx(tx, r); return err }); err != nil {
		t.Fatal(err)
	}
	id := b.ask(t, "How can I combine my pots?")
	b.ask(t, "Can pots be combined at 60?")
	b.drain(t)
	for _, on := range []rule.Condition{{Kind: rule.Scope, Values: []string{rule.Universal}},
		{Kind: rule.Mentions, Values: []string{"pots"}}} {
		p, err := b.service.Preview(ctx, PreviewFor{InteractionID: id, Statement: when(include(never, rule.AtEnd), on)})
		if err != nil || !strings.Contains(p.Without, may) || strings.Contains(p.With, may) ||
			!strings.Contains(p.With, never) || len(p.Changes) != 1 || !slices.Equal(p.Instead, []string{"R-1"}) {
			t.Errorf("%+v, %v", p, err)
		}
	}
}

// What is never to be said is looked for where it is said; a rule in use for fewer customers that says it holds there.
func TestPreviewOfAWiderOpposite(t *testing.T) {
	b := newBench(t, Embedded{})
	const said = "Which part of this would help to go over again?"
	for _, word := range []string{"combine", "annuity"} {
		r := knowledge.Rule{Domain: "pension_education", Status: knowledge.Active, RuleText: knowledge.RuleOf(
			when(include(said, rule.AtEnd), rule.Condition{Kind: rule.Mentions, Values: []string{word}}),
			pack.Of("pension"))}
		if err := b.kb.PrepareRule(ctx, &r); err != nil {
			t.Fatal(err)
		}
		if err := b.d.Write(ctx, func(tx *db.Tx) (err error) { r, err = b.kb.AddRuleTx(tx, r); return err }); err != nil {
			t.Fatal(err)
		}
	}
	id := b.ask(t, "Can I move abroad?")
	b.ask(t, "What does an annuity pay?")
	for range 8 {
		b.ask(t, "Who gets my pension when I die?")
		b.clock.Advance(time.Minute)
	}
	b.drain(t)
	f := PreviewFor{InteractionID: id, Statement: when(rule.Act{Kind: rule.Never, Phrases: []string{said}},
		rule.Condition{Kind: rule.Mentions, Values: []string{"annuity"}})}
	p, err := b.service.Preview(ctx, f)
	if err != nil || len(p.Changes) != 1 || len(p.Yields) != 0 {
		t.Errorf("where both are for the same: %+v, %v", p, err)
	}
	f.Statement.When[0] = rule.Condition{Kind: rule.Mentions, Values: []string{"annuity", "abroad"}}
	if p, err = b.service.Preview(ctx, f); err != nil || len(p.Changes) != 0 || !slices.Equal(p.Yields, []string{"R-2"}) ||
		len(p.Stays) == 0 || p.With != p.Without {
		t.Errorf("where one is for fewer: %+v, %v", p, err)
	}
	// It is said by a document, too: the question on which it is changes, however many others there are.
	f.Statement.When[0] = rule.Condition{Kind: rule.Scope, Values: []string{rule.Universal}}
	f.Statement.Do.Phrases = []string{"annuity"}
	if p, err = b.service.Preview(ctx, f); err != nil || len(p.Stays) == 0 {
		t.Errorf("for everyone: %+v, %v", p, err)
	}
	if !slices.ContainsFunc(append(p.Changes, p.Stays...), func(e Example) bool {
		return strings.Contains(e.Question, "annuity")
	}) {
		t.Errorf("what says it is not looked at: %+v", p)
	}
}

func BenchmarkPreview(b *testing.B) {
	bench := newBench(b, Embedded{})
	var last string
	for i := range 40 {
		id, err := bench.interactions.Advise(ctx,
			interaction.Consultation{Question: fmt.Sprintf("How can I combine my %d pots, and what of exit fees?", i)},
			"agent-1", "advisor", interaction.OriginAdvise, system, nil)
		if err != nil {
			b.Fatal(err)
		}
		last = id
	}
	st := when(include("Ask for the form first.", rule.AtEnd),
		rule.Condition{Kind: rule.Like,
			Values: []string{"Can I merge pots?", "What are exit fees?", "How do I put pots together?"}, Wide: true})
	for b.Loop() {
		if _, err := bench.service.Preview(ctx, PreviewFor{InteractionID: last, Statement: st}); err != nil {
			b.Fatal(err)
		}
	}
}
