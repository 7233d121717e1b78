package browsertest

import (
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/rule"
	base "preceptor/views/knowledge"
	"preceptor/views/layout"
	"preceptor/views/statement"
)

func historySamples() []Sample {
	return []Sample{
		{"knowledge-history", "Knowledge history", func(f layout.Frame, w Words) templ.Component {
			return base.HistoryPage(f, baseHistory(w))
		}},
		{"knowledge-history-empty", "History, empty", func(f layout.Frame, w Words) templ.Component {
			return base.HistoryPage(f, base.History{MayChange: true, Now: w.Now})
		}},
		{"knowledge-back", "Going back to a state", func(f layout.Frame, w Words) templ.Component {
			return base.GoingBackPage(f, goingBack(w))
		}},
		{"knowledge-back-nothing", "Going back, nothing to do", func(f layout.Frame, w Words) templ.Component {
			v := goingBack(w)
			v.Items = nil
			return base.GoingBackPage(f, v)
		}},
		{"rule-edit", "Editing a rule, changed meanwhile", func(f layout.Frame, w Words) templ.Component {
			return base.RuleEditPage(f, ruleEdit(w))
		}},
		{"knowledge-prompt", "Original prompt", func(f layout.Frame, w Words) templ.Component {
			return base.RecallPage(f, pastPrompt(w))
		}},
		{"knowledge-prompt-erased", "The prompt, a part erased, for an expert",
			func(f layout.Frame, w Words) templ.Component {
				v := pastPrompt(w)
				v.MayOpen, v.BlockMatch, v.PromptMatch = false, knowledge.Erased, knowledge.Different
				v.Items[0].ErasedAt, v.Items[0].Block = w.Now, "[Case #040, version 1: erased on 3 May 2027]"
				return base.RecallPage(f, v)
			}},
	}
}

func baseHistory(w Words) base.History {
	edie := audit.Actor{Kind: audit.Person, Name: w.Name}
	states := []knowledge.State{{ID: "s2", Name: "Before the import of " + w.Agent, Kind: knowledge.Automatic,
		CreatedAt: w.Now.Add(-time.Hour)},
		{ID: "s1", Name: w.Goal, Kind: knowledge.ByPerson, By: edie, CreatedAt: w.Now.Add(-50 * time.Hour)}}
	return base.History{States: states, Next: "n", Cursor: "c", MayChange: true, Now: w.Now, Name: w.Goal,
		Errors: map[string]string{"name": "There is already a state with this name. Choose another."},
		Rollbacks: []knowledge.Rollback{{ID: "r1", State: states[1], Before: states[0], Reason: w.Reason, By: edie,
			Changed: 12, LeftOut: 2, CreatedAt: w.Now.Add(-30 * time.Minute)}}}
}

func goingBack(w Words) base.GoingBack {
	item := func(n int, outcome string) knowledge.RollbackItem {
		return knowledge.RollbackItem{Kind: "rule", ID: "r", Label: knowledge.Rule{Number: n}.Label(),
			Title: w.Goal, From: 3, To: 2, Outcome: outcome, Before: w.Principle, After: w.Feedback}
	}
	return base.GoingBack{Preview: knowledge.Preview{State: baseHistory(w).States[1], Seq: 40,
		Items: []knowledge.RollbackItem{item(1, knowledge.RollbackChanged), item(2, knowledge.RollbackBack),
			item(3, knowledge.RollbackOut), item(4, knowledge.LeftQuarantined), item(5, knowledge.LeftErased)}},
		MayChange: true, Reason: w.Reason, Now: w.Now,
		Message: "The knowledge has changed since you looked. Check again what the rollback would change, then decide."}
}

func ruleEdit(w Words) base.RuleEdit {
	r := knowledge.Rule{ID: "r12", Number: 12, Version: 3, Domain: knowledge.RiskDisclosure,
		RuleText: knowledge.RuleText{Principle: w.Principle}}
	return base.RuleEdit{Rule: &r, Typed: knowledge.RuleEdit{Domain: knowledge.RegulatoryCompliance,
		ValidFrom: "2027-04-06", ValidTo: "2027-01-01", Reason: w.Reason},
		Errors:  map[string]string{"valid_to": "Give a last day that is not before the first."},
		Message: "R-12 has changed: it is now at version 3 and you saw version 2. Check it again.", Changed: true,
		Teach: ruleTeach(w)}
}

func ruleTeach(w Words) *statement.Editor {
	p := pack.Of(pack.Pension)
	e := &statement.Editor{Form: statement.Of(rule.Statement{When: statedFor(),
		Do: rule.Act{Kind: rule.Other, Text: w.Principle}}, nil), Base: "/knowledge/rules/r12", Pack: p,
		Fields: statement.FieldsOf(p, pack.Situation{}),
		One:    true, Legend: "The rule", Preview: statedPreview(w)}
	e.Preview.Rules, e.Preview.More = e.Preview.Rules[1:], 0
	return e
}

func pastPrompt(w Words) base.Recall {
	block := "Case #040: " + w.Goal + "\nCustomer situation: " + w.Question + "\nGuidance provided: " + w.Revised
	items := []knowledge.UsedItem{
		{Kind: "case", ID: "c1", Number: 40, Label: "Case #040", Version: 1, Current: 2,
			Status: knowledge.Active, Score: .87, Cited: true, Why: []string{"found by meaning (place 1)", "recent"},
			Block: block, Changed: true},
		{Kind: "rule", ID: "r12", Number: 12, Label: "R-12", Version: 2, Current: 3,
			Status: knowledge.Quarantined, Score: 1.6,
			Why:   []string{"applies: pensions includes a defined benefit pension"},
			Block: "Rule #012: " + w.Goal + "\nPrinciple: \"" + w.Principle + `"`},
	}
	parts := []knowledge.Part{{Text: "Draft guidance for the consultation below.\n\n"},
		{Text: w.Question, Own: true}, {Text: w.Revised, ItemID: "c1"}}
	return base.Recall{Case: "/reviews/i1", MayOpen: true, Now: w.Now,
		Prompt: &knowledge.Prompt{InteractionID: "i1", Kept: true, Drafter: "openai/gpt-5-mini",
			Mode: knowledge.Hybrid, Embedder: "embedded", Tokens: 612, At: w.Now.Add(-time.Hour),
			Items: items, Block: block, BlockHash: "7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730",
			BlockMatch: knowledge.Identical, PromptMatch: knowledge.Identical,
			PromptHash: "7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730",
			Messages: []knowledge.Message{
				{Name: "advisor/draft.txt", Hash: "9b2466918c9863afca942d0fb89d7c9a", Parts: parts}}}}
}
