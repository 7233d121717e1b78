package rule

import (
	"testing"

	"preceptor/internal/pack"
)

func TestMatch(t *testing.T) {
	pension := pack.Of("pension")
	asked := pack.Situation{Question: "What is in those pots? On the spot, please.", Task: "annuity", Age: 53,
		Literacy: "low", HasDB: true, DCValue: 1000,
		Fields: map[string][]string{"OS": {"Windows 11"}, "vulnerable": {"no"}, "income": {"£12,500"},
			"moods": {"calm", "curious"}}}
	topic := func(v ...string) Condition { return Condition{Kind: Topic, Values: v} }
	scope := func(v ...string) Condition { return Condition{Kind: Scope, Values: v} }
	for _, c := range []struct {
		name string
		when []Condition
		want State
	}{
		{"no condition is nobody", nil, NotMet},
		{"everybody", []Condition{everybody}, Met},
		{"topic", []Condition{topic("tax", "annuity")}, Met},
		{"another topic", []Condition{topic("tax")}, NotMet},
		{"one of two topics", []Condition{topic("tax"), topic("annuity")}, Met},
		{"two kinds are both needed", []Condition{topic("tax"), mentions("pot")}, NotMet},
		{"two kinds", []Condition{topic("annuity"), mentions("pot")}, Met},
		{"below", []Condition{field("age", Below, "55")}, Met},
		{"not below itself", []Condition{field("age", Below, "53")}, NotMet},
		{"not above itself", []Condition{field("age", Above, "53")}, NotMet},
		{"range", []Condition{field("age", Above, "50"), field("age", Below, "55")}, Met},
		{"outside the range", []Condition{field("age", Above, "54"), field("age", Below, "60")}, NotMet},
		{"one field twice is either", []Condition{field("literacy", Is, "high"), field("literacy", Is, "low")}, Met},
		{"two fields are both", []Condition{field("literacy", Is, "low"), field("age", Is, "60")}, NotMet},
		{"letter case", []Condition{field("Literacy", Is, "LOW")}, Met},
		{"list", []Condition{field("pensions", Has, "db")}, Met},
		{"not in the list", []Condition{field("pensions", Has, "state")}, NotMet},
		{"a list of the profile", []Condition{field("moods", Has, "curious")}, Met},
		{"a flag that is denied", []Condition{field("vulnerable", Is, "yes")}, NotMet},
		{"pounds", []Condition{field("income", Above, "12000")}, Met},
		{"is the whole text", []Condition{field("os", Is, "Windows")}, NotMet},
		{"has words of the text", []Condition{field("os", Has, "windows")}, Met},
		{"has whole words", []Condition{field("os", Has, "Window 1")}, NotMet},
		{"known", []Condition{field("os", Known)}, Met},
		{"not known is unknown", []Condition{field("colour", Known)}, Unknown},
		{"unknown", []Condition{field("colour", Is, "red")}, Unknown},
		{"a text is no number", []Condition{field("os", Below, "5")}, Unknown},
		{"unknown beside met", []Condition{topic("annuity"), field("colour", Is, "red")}, Unknown},
		{"unknown beside failed", []Condition{topic("tax"), field("colour", Is, "red")}, NotMet},
		{"unknown or met", []Condition{field("goal", Is, "a boat"), mentions("nothing", "pot")}, Unknown},
		{"inflected", []Condition{mentions("pot")}, Met},
		{"a phrase", []Condition{mentions("in those pots")}, Met},
		{"no part of a word", []Condition{mentions("lease")}, NotMet},
		{"negated", []Condition{not(mentions("annuity"))}, Met},
		{"negated and false", []Condition{not(mentions("pot"))}, NotMet},
		{"negated unknown", []Condition{not(field("colour", Is, "red"))}, Unknown},
		{"a negated one stands alone", []Condition{mentions("pot"), not(mentions("spot"))}, NotMet},
		{"the draft is open", []Condition{{Kind: Mentions, Values: []string{"pot"}, Draft: true}}, Unknown},
		{"question or draft", []Condition{mentions("pot"), {Kind: Mentions, Values: []string{"x"}, Draft: true}}, Met},
		{"likeness is open", []Condition{{Kind: Like, Values: []string{"x"}}}, Unknown},
		{"scope", []Condition{scope("Language:Go")}, Met},
		{"the task as a scope", []Condition{scope("task:annuity")}, Met},
		{"another scope", []Condition{scope("project:hydra")}, NotMet},
		{"one of two scopes", []Condition{scope("project:hydra", "language:go")}, Met},
		{"no such kind", []Condition{{Kind: "mood", Values: []string{"x"}}}, Unknown},
	} {
		got := Match(Statement{When: c.when}, Subject{Pack: pension, Situation: asked, Scopes: []string{"language:go"}})
		if got.State != c.want {
			t.Errorf("%s: %v, want %v", c.name, got.State, c.want)
		}
		if (got.State == Unknown) != (len(got.Open) > 0) {
			t.Errorf("%s: %v with %d open", c.name, got.State, len(got.Open))
		}
	}
}

func TestWholeWordsOnly(t *testing.T) {
	for question, want := range map[string]State{"on the spot": NotMet, "my pots": Met, "POT?": Met,
		"the pot's value": Met, "a jackpot": NotMet} {
		if got := Match(Statement{When: []Condition{mentions("pot")}},
			Subject{Situation: pack.Situation{Question: question}}); got.State != want {
			t.Errorf("%q mentions pot: %v, want %v", question, got.State, want)
		}
	}
}

// What the question itself says of a field counts beside the profile.
func TestTheQuestionTellsAField(t *testing.T) {
	s := Statement{When: []Condition{field("pensions", Has, "db")}}
	asked := pack.Situation{Question: "I have a final salary pension.", HasDC: true}
	if got := Match(s, Subject{Pack: pack.Of("pension"), Situation: asked}); got.State != Met {
		t.Errorf("said in the question: %v", got.State)
	}
	if got := Match(s, Subject{Situation: asked}); got.State != NotMet {
		t.Errorf("without a pack: %v", got.State)
	}
}

func TestDraft(t *testing.T) {
	when := []Condition{everybody, {Kind: Mentions, Values: []string{"guaranteed"}, Draft: true}}
	on := Subject{Situation: pack.Situation{Question: "x"}}
	if r := Match(Statement{When: when}, on); !r.OpenOnDraft() {
		t.Errorf("open on the draft: %+v", r)
	}
	if r := Match(Statement{When: append(when, field("colour", Is, "red"))}, on); r.OpenOnDraft() {
		t.Error("a field is missing too")
	}
	if r := Match(Statement{When: when[:1]}, on); r.OpenOnDraft() {
		t.Error("met, and not open")
	}
	for draft, want := range map[string]State{"It is guaranteed.": Met, "It guarantees a lot.": Met,
		"It grants little.": NotMet, "": NotMet} {
		on.Draft = &draft
		if r := Match(Statement{When: when}, on); r.State != want {
			t.Errorf("draft %q: %v, want %v", draft, r.State, want)
		}
	}
}

func TestLike(t *testing.T) {
	on := Subject{Like: func(examples []string) (float64, float64, float64) {
		return map[string]float64{"near": .7, "wide": .5}[examples[1]], .62, .45
	}}
	for _, c := range []struct {
		example string
		wide    bool
		want    State
	}{{"near", false, Met}, {"near", true, Met}, {"wide", false, NotMet}, {"wide", true, Met}, {"far", true, NotMet}} {
		if r := Match(Statement{When: []Condition{{Kind: Like, Values: []string{"far", c.example}, Wide: c.wide}}},
			on); r.State != c.want {
			t.Errorf("%s, wide %v: %v, want %v", c.example, c.wide, r.State, c.want)
		}
	}
}

func TestSentence(t *testing.T) {
	pension := pack.Of("pension")
	for _, c := range []struct {
		s    Statement
		p    *pack.Pack
		want string
	}{
		{Statement{When: []Condition{{Kind: Topic, Values: []string{"annuity"}}, field("age", Below, "55")},
			Do: include("Rates change."), Because: "they do."}, pension,
			"When the topic is Annuity and age is below 55, include “Rates change.” because they do"},
		{Statement{When: []Condition{field("literacy", Is, "low"), field("literacy", Is, "medium")},
			Do: Act{Kind: Never, Phrases: []string{"a", "b"}}}, pension,
			"When financial literacy is low or financial literacy is medium, never say “a” or “b”"},
		{Statement{When: []Condition{field("pensions", Has, "db"), not(field("pensions", Has, "dc"))},
			Do: Act{Kind: Ask, Text: "When?"}}, pension,
			"When pensions includes a defined benefit pension and pensions does not include a defined contribution " +
				"pension, ask “When?”"},
		{Statement{When: []Condition{mentions("pot"), {Kind: Mentions, Values: []string{"risk"}, Draft: true}},
			Do: Act{Kind: Replace, Swaps: []Swap{{"pension", "pot"}, {"pensions", "pots"}}}}, nil,
			"When the question mentions “pot” or the draft mentions “risk”, say “pension” rather than “pot”, and " +
				"“pensions” rather than “pots”"},
		{Statement{When: []Condition{field("os_name", Known), not(field("age", Above, "60"))},
			Do: Act{Kind: Point, Text: "See GOV.UK."}}, nil,
			"When OS name is known and age is not above 60, point the customer on: “See GOV.UK.”"},
		{Statement{When: []Condition{{Kind: Like, Values: []string{"Is it safe?"}, Wide: true}},
			Do: Act{Kind: Other, Text: "use shorter words"}}, nil,
			"When the question is broadly like “Is it safe?”, use shorter words"},
		{Statement{When: []Condition{everybody}, Do: Act{Kind: Include, Text: "x", Place: AtStart}}, nil,
			"When giving guidance to anybody, start with “x”"},
		{Statement{When: []Condition{{Kind: Scope, Values: []string{"language:go"}}, not(mentions("x"))},
			Do: Act{Kind: Include, Text: "x", Place: AtEnd}}, nil,
			"When working in go and the question does not mention “x”, end with “x”"},
		{Statement{When: []Condition{{Kind: Topic, Values: []string{"annuity"}}},
			Do: Act{Kind: Other, Text: "Say that the provider decides."}, Because: "The will isn't followed."}, pension,
			"When the topic is Annuity, say that the provider decides because the will isn't followed"},
		{Statement{When: []Condition{{Kind: Topic, Values: []string{"annuity"}}},
			Do: Act{Kind: Other, Text: "MoneyHelper comes first."}, Because: "Aviva said so."}, pension,
			"When the topic is Annuity, MoneyHelper comes first because Aviva said so"},
		{Statement{}, nil, "When giving guidance, "},
	} {
		if got := Sentence(c.s, c.p); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// Examples decide questions like them: one that the rule is for stands beside its topic, for the same customers; one
// that it isn't for leaves out what is more like it than like what the rule is for.
func TestExamplesDecideQuestionsLikeThem(t *testing.T) {
	topic := Condition{Kind: Topic, Values: []string{"tax"}}
	age := field("age", Below, "55")
	like := func(v string) Condition { return Condition{Kind: Like, Values: []string{v}} }
	also := func(v string) Condition { return Condition{Kind: Like, Values: []string{v}, Also: true} }
	not := func(v string) Condition { return Condition{Kind: Like, Values: []string{v}, Not: true} }
	for _, c := range []struct {
		name string
		when []Condition
		task string
		age  int
		near map[string]float64
		want State
	}{
		{"its topic", []Condition{topic, also("A")}, "tax", 50, nil, Met},
		{"another topic, like the example", []Condition{topic, also("A")}, "annuity", 50,
			map[string]float64{"A": .8}, Met},
		{"another topic, not like it", []Condition{topic, also("A")}, "annuity", 50,
			map[string]float64{"A": .6}, NotMet},
		{"like it, of another customer", []Condition{topic, age, also("A")}, "annuity", 60,
			map[string]float64{"A": .8}, NotMet},
		{"like what it isn't for", []Condition{topic, not("N")}, "tax", 50, map[string]float64{"N": .8}, NotMet},
		{"more like what it is for", []Condition{like("L"), not("N")}, "tax", 50,
			map[string]float64{"L": .9, "N": .8}, Met},
		{"more like what it isn't for", []Condition{like("L"), not("N")}, "tax", 50,
			map[string]float64{"L": .8, "N": .9}, NotMet},
		{"an example of each", []Condition{topic, also("A"), not("N")}, "annuity", 50,
			map[string]float64{"A": .8, "N": .9}, NotMet},
		{"for everybody but one", []Condition{everybody, not("N")}, "tax", 50, map[string]float64{"N": .9}, NotMet},
		{"for everybody, too, is everybody", []Condition{everybody, also("A")}, "tax", 50, nil, Met},
		{"nothing else on the question", []Condition{age, also("A")}, "tax", 50, nil, NotMet},
		{"words and topic are both spared", []Condition{topic, mentions("pot"), also("A")}, "annuity", 50,
			map[string]float64{"A": .7}, Met},
	} {
		on := Subject{Situation: pack.Situation{Question: "What now?", Task: c.task, Age: c.age},
			Like: func(examples []string) (best, _, _ float64) {
				for _, e := range examples {
					best = max(best, c.near[e])
				}
				return best, .7, .6
			}}
		if got := Match(Statement{When: c.when}, on).State; got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	for want, when := range map[string][]Condition{
		"When the topic is Tax or the question is like “A” and age is below 55 and the question is not like “N”, " +
			"ask “B?”": {
			topic, age, also("A"), not("N")},
		"When giving guidance to anybody and the question is not like “N”, unless it is like “A”, ask “B?”": {
			everybody, not("N"), also("A")},
		"When the question is not like “N”, unless it is like “A”, and giving guidance to anybody, ask “B?”": {
			not("N"), everybody, also("A")},
		"When giving guidance to anybody, ask “B?”": {everybody, also("A")},
		"When working for the agent x and age is below 55, ask “B?”": {
			{Kind: Scope, Values: []string{"agent:x"}}, age, also("A")},
	} {
		if got := Sentence(Statement{When: when, Do: Act{Kind: Ask, Text: "B?"}}, nil); got != want {
			t.Errorf("%s", got)
		}
	}
	if o := Overlaps([]Condition{topic, also("A")}, []Condition{{Kind: Topic, Values: []string{"annuity"}}}); o.Apart {
		t.Error("a question like the example may be of the other topic")
	}
	bars := Bars(Statement{When: []Condition{topic, age, not("N")}}, Subject{Situation: pack.Situation{Age: 60}})
	if len(bars) != 1 || bars[0].Name != "age" {
		t.Errorf("bars %+v", bars)
	}
}
