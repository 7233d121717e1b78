package pack

import (
	"slices"

	"preceptor/internal/phrase"
)

// Facts of a case for which a firm may want more care, as package policy names them.
const (
	Vulnerable = "vulnerable"
	DBPension  = "db_pension"
	// Open before a fact that takes two people says that nothing rules it out.
	Open = "maybe_"
)

// TakesTwo is a fact for which the domain's law wants two people: that what the customer has is at stake.
type TakesTwo struct {
	Fact   string   `json:"fact"`
	Flag   string   `json:"flag"`   // of Situation.Is: the customer has it, by profile or their own words
	Field  string   `json:"field"`  // of the profile: where that has only others and the customer names none, they have none
	Own    []string `json:"own"`    // classes by which a text says that its reader has it
	Named  []string `json:"named"`  // classes that name it; enough where the profile is silent
	Topics []string `json:"topics"` // that put it at stake
	Acts   []string `json:"acts"`   // classes of words that do
}

// Facts lists the facts of a case, from the customer's words, their profile, what was said before, and the text that
// answers them. Whatever says that a fact holds is believed; the task that an agent names is believed for that and for
// no more. A fact that takes two people and that none of them rules out is in the list, after Open.
func (s Situation) Facts(text *phrase.Reading) (facts []string) {
	p := Of(s.Pack)
	words := p.Phrases()
	earlier := words.ReadText(s.Thread, nil)
	say := func(classes []string, in ...*phrase.Reading) bool {
		return slices.ContainsFunc(in, func(r *phrase.Reading) bool {
			return slices.ContainsFunc(classes, func(c string) bool { return words.Holds(r, c) })
		})
	}
	asked, all := []*phrase.Reading{s.Words(), earlier}, []*phrase.Reading{s.Words(), earlier, text}
	if s.Vulnerable || say([]string{"q_fragile"}, asked...) || say([]string{"d_fragile"}, text) {
		facts = append(facts, Vulnerable)
	}
	affirmed := func(classes []string) bool {
		return slices.ContainsFunc(classes, func(c string) bool {
			return words.Affirms(asked[0], c) || words.Affirms(s.Earlier(), c)
		})
	}
	for _, t := range p.TakesTwo {
		known := s.lists(t.Field)
		has := s.Is(t.Flag) || say(t.Own, earlier, text) || !known && say(t.Named, all...)
		if has {
			facts = append(facts, DBPension)
		}
		subjects := []string{words.Topic(asked[0]), words.Topic(text)}
		named := subjects[0] != "" || subjects[1] != ""
		subjects = append(subjects, words.Topic(earlier))
		stake := say(t.Acts, all...) || slices.ContainsFunc(t.Topics, func(topic string) bool {
			return slices.Contains(subjects, topic)
		})
		switch {
		case s.Task == t.Fact || has && stake:
			facts = append(facts, t.Fact)
		case known && !has && !affirmed(t.Named), named && !stake:
		default:
			facts = append(facts, Open+t.Fact)
		}
	}
	return facts
}

// lists reports whether the profile says what the customer has of a field, all of it.
func (s Situation) lists(field string) bool {
	_, known := s.Field(field)
	return known && !(field == "pensions" && s.Unclear)
}
