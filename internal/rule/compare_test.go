package rule_test

import (
	"testing"

	"preceptor/internal/rule"
)

func topic(values ...string) rule.Condition {
	return rule.Condition{Kind: rule.Topic, Values: values}
}

func of(name, op string, values ...string) rule.Condition {
	return rule.Condition{Kind: rule.Field, Name: name, Op: op, Values: values}
}

func scope(values ...string) rule.Condition {
	return rule.Condition{Kind: rule.Scope, Values: values}
}

func not(c rule.Condition) rule.Condition {
	c.Not = true
	return c
}

func TestOverlaps(t *testing.T) {
	mention := func(words ...string) rule.Condition { return rule.Condition{Kind: rule.Mentions, Values: words} }
	for _, test := range []struct {
		name        string
		left, right []rule.Condition
		want        string // apart, equal, left, right, some
	}{
		{"topics apart", []rule.Condition{topic("tax")}, []rule.Condition{topic("annuity")}, "apart"},
		{"one topic of two", []rule.Condition{topic("tax")}, []rule.Condition{topic("annuity", "tax")}, "left"},
		{"the same", []rule.Condition{topic("tax", "annuity")}, []rule.Condition{topic("annuity"), topic("Tax")},
			"equal"},
		{"everybody", []rule.Condition{topic("tax")}, []rule.Condition{scope("universal")}, "left"},
		{"topic and age", []rule.Condition{topic("tax"), of("age", rule.Below, "55")}, []rule.Condition{topic("tax")},
			"left"},
		{"ages apart", []rule.Condition{of("age", rule.Below, "55")}, []rule.Condition{of("age", rule.Above, "60")},
			"apart"},
		{"ages that meet", []rule.Condition{of("age", rule.Below, "55")}, []rule.Condition{of("age", rule.Above, "55")},
			"apart"},
		{"a range of ages", []rule.Condition{of("age", rule.Below, "65"), of("age", rule.Above, "55")},
			[]rule.Condition{of("age", rule.Above, "50")}, "left"},
		{"an age and a bound", []rule.Condition{of("age", rule.Is, "57")},
			[]rule.Condition{of("Age", rule.Below, "55")}, "apart"},
		{"an age within a bound", []rule.Condition{of("age", rule.Is, "50")},
			[]rule.Condition{of("age", rule.Below, "55")}, "left"},
		{"lower bounds", []rule.Condition{of("age", rule.Below, "50")}, []rule.Condition{of("age", rule.Below, "55")},
			"left"},
		{"values apart", []rule.Condition{of("os", rule.Is, "Windows")}, []rule.Condition{of("os", rule.Is, "macOS")},
			"apart"},
		{"two of a list", []rule.Condition{of("pensions", rule.Has, "db")},
			[]rule.Condition{of("pensions", rule.Has, "dc")}, "some"},
		{"one and not it", []rule.Condition{of("pensions", rule.Has, "db")},
			[]rule.Condition{not(of("pensions", rule.Has, "db"))}, "apart"},
		{"known and not", []rule.Condition{not(of("age", rule.Known))}, []rule.Condition{of("age", rule.Below, "55")},
			"apart"},
		{"below is not above", []rule.Condition{of("age", rule.Below, "50")},
			[]rule.Condition{not(of("age", rule.Above, "60"))}, "left"},
		{"words", []rule.Condition{mention("pot")}, []rule.Condition{mention("pot", "fund")}, "left"},
		{"words and a topic", []rule.Condition{mention("pot")}, []rule.Condition{topic("tax")}, "some"},
		{"languages", []rule.Condition{scope("language:go")}, []rule.Condition{scope("language:python")}, "apart"},
		{"a language and a project", []rule.Condition{scope("language:go")}, []rule.Condition{scope("project:hydra")},
			"some"},
		{"negated topics", []rule.Condition{not(topic("tax", "annuity"))}, []rule.Condition{not(topic("tax"))}, "left"},
	} {
		for _, turned := range []bool{false, true} {
			o := rule.Overlaps(test.left, test.right)
			want := test.want
			if turned {
				o = rule.Overlaps(test.right, test.left)
				want = map[string]string{"left": "right", "right": "left"}[want]
				if want == "" {
					want = test.want
				}
			}
			got := "some"
			switch {
			case o.Apart:
				got = "apart"
			case o.Equal():
				got = "equal"
			case o.LeftNarrower:
				got = "left"
			case o.RightNarrower:
				got = "right"
			}
			if got != want {
				t.Errorf("%s (turned %v): %s, want %s", test.name, turned, got, want)
			}
		}
	}
}

func TestClashAndWithin(t *testing.T) {
	include := func(text string) rule.Act { return rule.Act{Kind: rule.Include, Text: text} }
	never := func(phrases ...string) rule.Act { return rule.Act{Kind: rule.Never, Phrases: phrases} }
	swap := func(say, avoid string) rule.Act {
		return rule.Act{Kind: rule.Replace, Swaps: []rule.Swap{{Say: say, Avoid: avoid}}}
	}
	for _, test := range []struct {
		name          string
		a, b          rule.Act
		clash, within bool
	}{
		{"say and never", include("Your pots can be combined."), never("pot"), true, false},
		{"ask and never", rule.Act{Kind: rule.Ask, Text: "Is it a pot?"}, never("pot"), true, false},
		{"another word", include("Your potatoes."), never("pot"), false, false},
		{"an instruction", rule.Act{Kind: rule.Other, Text: "explain pots"}, never("pot"), false, false},
		{"turned round", swap("pension", "pot"), swap("pot", "pension"), true, false},
		{"two for one", swap("pension", "pot"), swap("savings", "Pot"), true, false},
		{"never the term", swap("pension", "pot"), never("pension"), true, false},
		{"the same swap", swap("pension", "pot"), swap("Pension", "pot"), false, true},
		{"the same text", include("You have 30 days."), include("you have 30 days"), false, true},
		{"elsewhere", include("You have 30 days."),
			rule.Act{Kind: rule.Include, Text: "You have 30 days.", Place: rule.AtEnd}, false, false},
		{"one phrase of two", never("pot"), never("pot", "fund"), false, true},
		{"two phrases of one", never("pot", "fund"), never("pot"), false, false},
	} {
		if got := rule.Clash(test.a, test.b, nil); (got != "") != test.clash {
			t.Errorf("%s: %q", test.name, got)
		}
		if got := rule.Within(test.a, test.b); got != test.within {
			t.Errorf("%s: within is %v", test.name, got)
		}
	}
}
