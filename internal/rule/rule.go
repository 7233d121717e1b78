// Package rule is a rule as data: conditions, one act, a reason. People state it in a form made of the difference
// between two texts; the program carries it out as it stands. It owns no table: knowledge stores a Statement with each
// version of a rule.
//
// It is pure: no clock, no database, no network. It reads no English: conditions compare fields, whole words and stems,
// and the sentence of seed 000 ("When [situation], [action] because [reason]") is rendered from a Statement (Sentence)
// and never parsed.
//
// How conditions add up (Match). Conditions of one kind: any of them; of different kinds: all. A profile field counts
// as a kind of its own, and so does each comparison with it, so that "age above 50" and "age below 55" are a range. A
// negated condition always has to hold. What is not known is Open, never met: the embedded advisor stays silent, other
// agents get the condition in words. A statement without conditions is refused; a rule for everybody says so (scope
// universal). Examples that people picked (Pick) decide questions like them: one that the rule is for (Also) stands
// beside what else the question has to be, for the same customers; one that it isn't for counts unless the question is
// more like what the rule is for.
//
// What people may state is made of the difference between two texts (Suggest) and of what the profile says (Chips).
// Guess does it without a person, for decisions of which nobody said what they teach: one act, for questions like the
// one that was asked and whom the remarks name, never for drafts that say the same. It prefers nothing to a bad rule.
//
// Seeds 002 and 004 need scopes: universal, agent:NAME, language:go, project:hydra, task:NAME.
package rule

import (
	"encoding/json"
	"slices"
	"strings"
)

// Kinds of conditions.
const (
	Topic    = "topic"    // Values: tasks of the pack
	Field    = "field"    // Name, Op, Values: a field of the profile
	Mentions = "mentions" // Values: words or phrases, in the question or in the draft before rules
	Like     = "like"     // Values: one to five example questions
	Scope    = "scope"    // Values: Universal, or KIND:NAME: agent, task, language, project, pack or any other
)

// Comparisons of a field.
const (
	Is    = "is"    // equal, letter case aside; for lists the same as Has
	Below = "below" // less than the number
	Above = "above" // more than the number
	Has   = "has"   // the list has the value, or the text has its words: "Windows 11" has "Windows"
	Known = "known" // the profile says something; Values is empty
)

// Universal as a scope's value: for everybody.
const Universal = "universal"

// Condition is one thing that has to hold.
type Condition struct {
	Kind   string   `json:"kind"`
	Name   string   `json:"name,omitempty"`   // of a field
	Op     string   `json:"op,omitempty"`     // of a field
	Values []string `json:"values,omitempty"` // any of them
	Draft  bool     `json:"draft,omitempty"`  // mentions: in the draft before rules, not in the question
	Wide   bool     `json:"wide,omitempty"`   // like: less alike is enough
	Also   bool     `json:"also,omitempty"`   // like: instead of the other conditions on the question
	Not    bool     `json:"not,omitempty"`
	Of     string   `json:"of,omitempty"` // like: the interaction whose question was picked; it goes when that is erased
}

// Kinds of acts.
const (
	Include = "include" // Text, at Place
	Never   = "never"   // Phrases
	Replace = "replace" // Swaps
	Ask     = "ask"     // Text: the question, as it is put to the customer
	Point   = "point"   // Text: where to, as a sentence
	Other   = "other"   // Text: an instruction that the embedded advisor does not carry out
)

// Places of an included text.
const (
	AtTopic = ""      // after the sentences that it belongs to
	AtStart = "start" // before anything else
	AtEnd   = "end"
)

// Act is what to do. One of them is a rule; a decision may state several.
type Act struct {
	Kind    string   `json:"kind"`
	Text    string   `json:"text,omitempty"`
	Place   string   `json:"place,omitempty"`
	Phrases []string `json:"phrases,omitempty"`
	Swaps   []Swap   `json:"swaps,omitempty"`
}

// Swap is a term to say instead of another, one for each form that the person gave (singular, plural).
type Swap struct {
	Say   string `json:"say"`
	Avoid string `json:"avoid"`
}

// Statement is a rule as a person stated it.
type Statement struct {
	When    []Condition `json:"when"`
	Do      Act         `json:"do"`
	Because string      `json:"because,omitempty"`
	// Except are ids of rules that say the opposite, for customers of whom some are the same: for those the rule that
	// is for fewer customers holds, as its exception.
	Except []string `json:"except,omitempty"`
}

// Without leaves out the question that was picked of an interaction; "": all that were picked.
func (s Statement) Without(of string) Statement {
	s.When = slices.DeleteFunc(slices.Clone(s.When), func(c Condition) bool {
		return c.Of != "" && (of == "" || c.Of == of)
	})
	return s
}

// Empty reports whether nothing was stated.
func (s Statement) Empty() bool { return s.Do.Kind == "" }

// Key is equal for two statements that say the same, letter case, spaces and order of conditions aside; the reason,
// exceptions, and whose question an example was, are no part of it.
func (s Statement) Key() string {
	c := s
	c.Because, c.Except = "", nil
	c.When = slices.Clone(s.When)
	for i := range c.When {
		c.When[i].Of, c.When[i].Values = "", slices.Clone(c.When[i].Values)
		slices.Sort(c.When[i].Values)
	}
	slices.SortFunc(c.When, func(a, b Condition) int { return strings.Compare(keyOf(a), keyOf(b)) })
	return keyOf(c)
}

func keyOf(v any) string {
	b, _ := json.Marshal(v) // strings and booleans only
	return strings.ToLower(strings.Join(strings.Fields(string(b)), " "))
}

// Texts are all words of an act that may reach a customer or an agent, for checks: what is said, asked, pointed to or
// instructed. What is never to be said, and the term to avoid, are not among them.
func (a Act) Texts() []string {
	var out []string
	if a.Text != "" {
		out = append(out, a.Text)
	}
	for _, s := range a.Swaps {
		out = append(out, s.Say)
	}
	return out
}
