package conflict_test

import (
	"testing"

	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

func TestRulesAreComparedAsData(t *testing.T) {
	swap := func(say, avoid string, when ...rule.Condition) rule.Statement {
		return rule.Statement{When: when,
			Do: rule.Act{Kind: rule.Replace, Swaps: []rule.Swap{{Say: say, Avoid: avoid}}}}
	}
	everybody := rule.Condition{Kind: rule.Scope, Values: []string{rule.Universal}}
	for _, tt := range []struct {
		name           string
		left, right    rule.Statement
		kind, narrower string
	}{
		{"the same", mention, again, conflict.FoundDuplicate, ""},
		{"the opposite for some", mention, silent, conflict.FoundContradiction, ""},
		{"the opposite for others", include("It may run out.", on(pack.Tax)), silent, conflict.FoundNothing, ""},
		{"terms turned round", swap("pension", "pot", everybody), swap("pot", "pension", on(pack.Tax)),
			conflict.FoundContradiction, ""},
		{"a term that is never said", swap("pension", "pot", everybody), never("pension", on(pack.Tax)),
			conflict.FoundContradiction, ""},
		{"the same for fewer", include("It is free.", on(pack.Tax), aged(rule.Below, "50")),
			include("It is free.", on(pack.Tax)), conflict.FoundNarrower, conflict.Left},
		{"for everybody", include("It is free.", everybody), include("It is free.", on(pack.Tax)),
			conflict.FoundNarrower, conflict.Right},
		{"another text", include("It is free.", on(pack.Tax)), include("It is taxed.", on(pack.Tax)),
			conflict.FoundNothing, ""},
		{"an instruction", soothe, mention, conflict.FoundNothing, ""},
		{"the opposite", include("You have to report it.", on(pack.Tax)),
			include("Thank you. You do not have to report it.", on(pack.Tax)), conflict.FoundContradiction, ""},
		{"another figure", include("The charge is 20 %.", everybody), include("The charge is 25%.", on(pack.Tax)),
			conflict.FoundContradiction, ""},
		{"the same figure", include("The limit is £10,000.", on(pack.Tax)),
			include("The limit is £10000.", on(pack.Tax)), conflict.FoundNothing, ""},
	} {
		got, err := new(conflict.Embedded).Compare(ctx, conflict.Text{Statement: tt.left},
			conflict.Text{Statement: tt.right})
		if err != nil || got.Kind != tt.kind || got.Narrower != tt.narrower ||
			(got.Kind != conflict.FoundNothing && got.Why == "") {
			t.Errorf("%s: %+v, %v", tt.name, got, err)
		}
	}
	for _, tt := range []struct{ left, right, kind string }{
		{"Always answer in English", "Always answer in German", conflict.FoundContradiction},
		{"Address customers by first name", "Address customers by last name", conflict.FoundContradiction},
		{"Limit replies to 10 lines", "Keep answers to 5 lines", conflict.FoundContradiction},
		{"Never answer in English", "Never answer in German", conflict.FoundNothing},
		{"Always run the linter before committing", "Always run the tests before committing", conflict.FoundNothing},
		{"Explain technical terms", "Explain your reasoning", conflict.FoundNothing},
		{"Keep answers to 5 lines", "Keep files under 200 lines", conflict.FoundNothing},
	} {
		got, err := (&conflict.Embedded{Meanings: embedded.New()}).Compare(ctx, conflict.Text{Principle: tt.left},
			conflict.Text{Principle: tt.right})
		if err != nil || got.Kind != tt.kind {
			t.Errorf("%q and %q: %+v, %v", tt.left, tt.right, got, err)
		}
	}
	for _, tt := range []struct{ left, right, kind string }{
		{"When x, do y because z", "when x do y, because z.", conflict.FoundDuplicate},
		{"When x, mention y", "When x, do not mention y", conflict.FoundContradiction},
	} {
		got, err := new(conflict.Embedded).Compare(ctx, conflict.Text{Principle: tt.left},
			conflict.Text{Principle: tt.right})
		if err != nil || got.Kind != tt.kind {
			t.Errorf("from before rules were data, %q and %q: %+v, %v", tt.left, tt.right, got, err)
		}
	}
}
