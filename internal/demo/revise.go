package demo

import (
	"regexp"
	"strings"

	"preceptor/internal/pack"
	"preceptor/internal/review"
	"preceptor/internal/rule"
)

// revision is how one of the demo's supervisors mends a draft, why, and what they state for next time.
type revision struct {
	edit    func(draft string) string
	reason  string
	states  rule.Act
	when    []rule.Condition
	because string
}

// statements are what the supervisor states, as the form on the desk sends it.
func (r revision) statements() []rule.Statement {
	return []rule.Statement{{When: r.when, Do: r.states, Because: r.because}}
}

// including is a revision that ends the draft with one more paragraph, and has it said next time.
func including(text, reason, because string, when ...rule.Condition) revision {
	return revision{edit: adding(text), reason: reason, states: rule.Act{Kind: rule.Include, Text: text}, when: when,
		because: because}
}

func topics(names ...string) rule.Condition { return rule.Condition{Kind: rule.Topic, Values: names} }

var lowLiteracy = rule.Condition{Kind: rule.Field, Name: "literacy", Op: rule.Is, Values: []string{"low"}}

// asksForChoice is a question that wants a decision made.
var asksForChoice = rule.Condition{Kind: rule.Mentions,
	Values: []string{"should I", "is it better", "which is best", "what would you do", "makes sense to"}}

const checkQuestion = "Which part of this would help to go over again?"

// revisions by plan. None of them is about the guarantees of defined benefit pensions: that lesson is the newcomer's.
var revisions = map[plan]revision{
	"revise_check": {
		edit:    adding(checkQuestion),
		reason:  "The customer has low financial literacy and the draft never checks that it was understood.",
		states:  rule.Act{Kind: rule.Ask, Text: checkQuestion},
		when:    []rule.Condition{lowLiteracy},
		because: "people often say yes even when they are confused",
	},
	"revise_letter": including("A letter about claiming usually comes two months or more before State Pension age.",
		"People wait for the State Pension to start automatically and should know when they will hear.",
		"the State Pension has to be claimed", topics(pack.StatePension)),
	"revise_divorce": including("MoneyHelper offers a free appointment about pensions and divorce.",
		"There is a free service for exactly this and the draft does not name it.", "few people know of it",
		topics(pack.Divorce)),
	"revise_call": including("It is fine to put the telephone down without explaining.",
		"The customer feels pressed and should hear that ending a call is fine.", "polite people stay on the line",
		topics(pack.Scams)),
	"revise_signpost": including("Pension Wise offers free and impartial guidance on 0800 138 3944. "+
		"A recommendation about which option suits one person can only come from a regulated financial adviser.",
		"The customer wants to know which option is right for them and isn't told who may say so.",
		"choosing for them is advice", asksForChoice),
	"revise_tax": including("The provider may use an emergency tax code for the first payment and take off too much; "+
		"HMRC pays it back on form P55, P53Z or P50Z.",
		"A first lump sum is often overtaxed and the customer should hear that it can be claimed back.",
		"it is often a shock", topics(pack.Tax, pack.TaxFreeCash, pack.Access)),
	"revise_simple": {
		edit:    plainWords,
		reason:  "Too much jargon for this customer.",
		states:  rule.Act{Kind: rule.Replace, Swaps: everyday},
		when:    []rule.Condition{lowLiteracy},
		because: "unfamiliar words stop people reading",
	},
	"revise_personal": {
		edit:   depersonalise,
		reason: "The draft tells this customer what to do.",
		states: rule.Act{Kind: rule.Other,
			Text: "Use words such as “some people choose” instead of telling the customer what to do."},
		when:    []rule.Condition{asksForChoice},
		because: "telling a person what to do is regulated advice",
	},
}

// rejections by plan.
var rejections = map[plan]review.Input{
	"reject_personal": {ReasonCode: "does_not_answer",
		Reason: "The customer wants a choice made between two pensions; a person should call and explain what " +
			"guidance can do."},
	"reject_answer": {ReasonCode: "does_not_answer",
		Reason: "The customer asked about the tax on one withdrawal and most of the draft is about other things."},
	"reject_wrong": {ReasonCode: "does_not_answer",
		Reason: "The question is about a particular annuity after a bereavement; this needs a person and the " +
			"paperwork."},
	"reject_scope": {ReasonCode: "out_of_scope",
		Reason: "A question about buying cryptocurrency is not one for pension guidance."},
}

// adding is an edit that ends the draft with one more paragraph, unless it is there.
func adding(paragraph string) func(string) string {
	return func(draft string) string {
		if strings.Contains(draft, paragraph) {
			return draft
		}
		return strings.TrimRight(draft, "\n ") + "\n\n" + paragraph
	}
}

// everyday words for the terms that customers stumble over.
var everyday = []rule.Swap{
	{Say: "pension company", Avoid: "provider"}, {Say: "pension companies", Avoid: "providers"},
	{Say: "taking money out", Avoid: "withdrawal"}, {Say: "one-off payment", Avoid: "lump sum"},
	{Say: "one-off payments", Avoid: "lump sums"},
}

func plainWords(draft string) string {
	for _, e := range everyday {
		draft = regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(e.Avoid)+`\b`).ReplaceAllString(draft, e.Say)
	}
	return draft
}

// general ways to say what was said to one person.
var general = []struct {
	term *regexp.Regexp
	say  string
}{
	{regexp.MustCompile(`\bYou should\b`), "Some people"},
	{regexp.MustCompile(`\byou should\b`), "some people"},
	{regexp.MustCompile(`(?i)\bI (?:would )?recommend(?: that you)?\b`), "Options include to"},
	{regexp.MustCompile(`(?i)\byou might want to\b`), "some people choose to"},
	{regexp.MustCompile(`(?i)\bgiven your situation,? ?`), ""},
	{regexp.MustCompile(`(?i)\bthe best (?:option|choice) for you\b`), "one of the options"},
}

func depersonalise(draft string) string {
	for _, g := range general {
		draft = g.term.ReplaceAllString(draft, g.say)
	}
	return draft
}
