package rule

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
)

func include(text string) Act { return Act{Kind: Include, Text: text} }

func field(name, op string, values ...string) Condition {
	return Condition{Kind: Field, Name: name, Op: op, Values: values}
}

func mentions(values ...string) Condition { return Condition{Kind: Mentions, Values: values} }

func not(c Condition) Condition {
	c.Not = true
	return c
}

var everybody = Condition{Kind: Scope, Values: []string{Universal}}

func TestTidy(t *testing.T) {
	s := Statement{
		When: []Condition{{Kind: Topic, Values: []string{" annuity ", "annuity", ""}},
			{Kind: Mentions, Values: []string{"  "}}, field("age", Known)},
		Do: Act{Kind: Replace, Text: " x\n", Phrases: []string{"a  b", "a b"},
			Swaps: []Swap{{" pension ", "pot"}, {"pension", "pot"}, {}}}, Because: " two\n words ",
	}.Tidy()
	if len(s.When) != 2 || !slices.Equal(s.When[0].Values, []string{"annuity"}) || s.When[1].Op != Known {
		t.Errorf("conditions %+v", s.When)
	}
	if s.Do.Text != "x" || !slices.Equal(s.Do.Phrases, []string{"a b"}) ||
		!slices.Equal(s.Do.Swaps, []Swap{{"pension", "pot"}}) || s.Because != "two words" {
		t.Errorf("act %+v because %q", s.Do, s.Because)
	}
}

func TestCheck(t *testing.T) {
	long := strings.Repeat("é", MaxText+1)
	for _, c := range []struct {
		name   string
		s      Statement
		fields string // that are wrong
	}{
		{"fine", Statement{When: []Condition{everybody}, Do: include("Hello.")}, ""},
		{"nothing", Statement{}, "do when"},
		{"no condition", Statement{Do: include("x")}, "when"},
		{"no text", Statement{When: []Condition{everybody}, Do: Act{Kind: Ask}}, "text"},
		{"long text", Statement{When: []Condition{everybody}, Do: include(long)}, "text"},
		{"long reason", Statement{When: []Condition{everybody}, Do: include("x"), Because: long}, "because"},
		{"no phrase", Statement{When: []Condition{everybody}, Do: Act{Kind: Never}}, "phrases"},
		{"long phrase", Statement{When: []Condition{everybody}, Do: Act{Kind: Never, Phrases: []string{long}}},
			"phrases"},
		{"no swap", Statement{When: []Condition{everybody}, Do: Act{Kind: Replace}}, "swaps"},
		{"half a swap", Statement{When: []Condition{everybody}, Do: Act{Kind: Replace, Swaps: []Swap{{"pension", ""}}}},
			"swaps"},
		{"same swap", Statement{When: []Condition{everybody}, Do: Act{Kind: Replace, Swaps: []Swap{{"Pot", "pot"}}}},
			"swaps"},
		{"no such act", Statement{When: []Condition{everybody}, Do: Act{Kind: "rewrite", Text: "x"}}, "do"},
		{"no such place", Statement{When: []Condition{everybody}, Do: Act{Kind: Include, Text: "x", Place: "middle"}},
			"do"},
		{"no such kind", Statement{When: []Condition{{Kind: "mood", Values: []string{"x"}}}, Do: include("x")}, "when"},
		{"no such comparison", Statement{When: []Condition{field("age", "near", "5")}, Do: include("x")}, "when"},
		{"no number", Statement{When: []Condition{field("age", Below, "old")}, Do: include("x")}, "when"},
		{"no field", Statement{When: []Condition{field("", Is, "x")}, Do: include("x")}, "when"},
		{"no scope", Statement{When: []Condition{{Kind: Scope, Values: []string{"here"}}}, Do: include("x")}, "when"},
		{"a scope", Statement{When: []Condition{{Kind: Scope, Values: []string{"language:go"}}}, Do: include("x")}, ""},
		{"six examples", Statement{When: []Condition{{Kind: Like, Values: strings.Fields("a b c d e f")}},
			Do: include("x")}, "when"},
		{"too many conditions", Statement{When: slices.Repeat([]Condition{everybody}, MaxConditions+1),
			Do: include("x")}, "when"},
	} {
		var names []string
		for _, f := range fault.Fields(c.s.Check()) {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
		if got := strings.Join(names, " "); got != c.fields {
			t.Errorf("%s: %q is wrong, want %q", c.name, got, c.fields)
		}
	}
}

func TestKey(t *testing.T) {
	a := Statement{When: []Condition{field("age", Below, "55"), {Kind: Topic, Values: []string{"tax", "annuity"}}},
		Do: include("Rates change."), Because: "x"}
	b := Statement{When: []Condition{{Kind: Topic, Values: []string{"annuity", "tax"}}, field("Age", Below, "55")},
		Do: include("rates  CHANGE."), Because: "y"}
	if a.Key() != b.Key() {
		t.Errorf("the order, case and reason changed the key:\n%s\n%s", a.Key(), b.Key())
	}
	if !slices.Equal(a.When[1].Values, []string{"tax", "annuity"}) {
		t.Error("the key sorted the statement's own values")
	}
	for name, other := range map[string]Statement{
		"another text":   {When: a.When, Do: include("Rates rise.")},
		"another act":    {When: a.When, Do: Act{Kind: Ask, Text: "Rates change."}},
		"one fewer":      {When: a.When[:1], Do: a.Do},
		"negated":        {When: []Condition{not(a.When[0]), a.When[1]}, Do: a.Do},
		"another bound":  {When: []Condition{field("age", Below, "57"), a.When[1]}, Do: a.Do},
		"at another end": {When: a.When, Do: Act{Kind: Include, Text: a.Do.Text, Place: AtEnd}},
	} {
		if other.Key() == a.Key() {
			t.Errorf("%s: the key is the same", name)
		}
	}
}

func TestTexts(t *testing.T) {
	a := Act{Kind: Replace, Swaps: []Swap{{"pension", "pot"}, {"pensions", "pots"}}, Phrases: []string{"guaranteed"}}
	if got := a.Texts(); !slices.Equal(got, []string{"pension", "pensions"}) {
		t.Errorf("texts are %q: what is avoided is none that reaches anybody", got)
	}
	if (Statement{}).Empty() != true || (Statement{Do: a}).Empty() {
		t.Error("empty is the statement without an act")
	}
}

// anyCondition draws conditions over few words, so that they often hold.
func anyCondition(t *rapid.T) Condition {
	word := rapid.SampledFrom([]string{"annuity", "tax", "low", "high", "50", "55", " 60 ", "pot", "is it safe",
		"agent:a", Universal, ""})
	return Condition{
		Kind:   rapid.SampledFrom([]string{Topic, Field, Mentions, Like, Scope}).Draw(t, "kind"),
		Name:   rapid.SampledFrom([]string{"age", "literacy", "pensions", "Age", "nothing"}).Draw(t, "name"),
		Op:     rapid.SampledFrom([]string{Is, Below, Above, Has, Known}).Draw(t, "op"),
		Values: rapid.SliceOfN(word, 0, 3).Draw(t, "values"),
		Draft:  rapid.Bool().Draw(t, "draft"), Wide: rapid.Bool().Draw(t, "wide"), Not: rapid.Bool().Draw(t, "not"),
	}
}

func anyStatement(t *rapid.T) Statement {
	text := rapid.StringN(0, 20, 40)
	return Statement{
		When: rapid.SliceOfN(rapid.Custom(anyCondition), 0, 4).Draw(t, "when"),
		Do: Act{Kind: rapid.SampledFrom([]string{Include, Never, Replace, Ask, Point, Other}).Draw(t, "act"),
			Text:    text.Draw(t, "text"),
			Phrases: rapid.SliceOfN(text, 0, 3).Draw(t, "phrases")},
		Because: text.Draw(t, "because"),
	}
}

func anySituation(t *rapid.T) pack.Situation {
	return pack.Situation{
		Task:     rapid.SampledFrom([]string{"", "annuity", "tax"}).Draw(t, "task"),
		Age:      rapid.SampledFrom([]int{0, 50, 55, 60}).Draw(t, "age"),
		Literacy: rapid.SampledFrom([]string{"", "low", "high"}).Draw(t, "literacy"), HasDB: rapid.Bool().Draw(t, "db"),
		Question: rapid.SampledFrom([]string{"", "Is it safe to take my pot?", "What tax do I pay?"}).Draw(t,
			"question"),
	}
}

func TestTidyIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		once := anyStatement(t).Tidy()
		if twice := once.Tidy(); keyOf(once) != keyOf(twice) {
			t.Fatalf("tidied twice:\n%+v\n%+v", once, twice)
		}
	})
}

func TestNegationFlips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCondition(t)
		on := Subject{Pack: pack.Of("pension"), Situation: anySituation(t), Scopes: []string{"agent:a"}}
		plain, negated := Match(Statement{When: []Condition{c}}, on), Match(Statement{When: []Condition{not(c)}}, on)
		c.Not = false
		plain = Match(Statement{When: []Condition{c}}, on)
		if want := map[State]State{Met: NotMet, NotMet: Met, Unknown: Unknown}[plain.State]; negated.State != want {
			t.Fatalf("%+v is %v, and negated %v", c, plain.State, negated.State)
		}
	})
}

// A field that the profile does not have never makes a rule met, whatever else holds.
func TestWhatIsNotKnownIsNeverMet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyStatement(t)
		missing := field("nothing", rapid.SampledFrom([]string{Is, Below, Above, Has, Known}).Draw(t, "missing"), "1")
		missing.Not = rapid.Bool().Draw(t, "not missing")
		s.When = slices.Insert(s.When, rapid.IntRange(0, len(s.When)).Draw(t, "at"), missing)
		r := Match(s, Subject{Pack: pack.Of("pension"), Situation: anySituation(t)})
		if r.State == Met {
			t.Fatalf("met with %+v", s.When)
		}
		if r.State == Unknown && len(r.Open) == 0 {
			t.Fatal("unknown, and nothing is open")
		}
	})
}
