package demo

import (
	"regexp"
	"strings"

	"preceptor/internal/review"
)

// revision is how one of the demo's supervisors mends a draft: an edit of whatever the advisor wrote, and why.
type revision struct {
	edit     func(draft string) string
	reason   string
	feedback string
}

// revisions by plan. None of them is about the guarantees of defined benefit pensions: that lesson is the newcomer's.
var revisions = map[plan]revision{
	"revise_check": {
		edit:     adding("Which part of this would help to go over again? It can be useful to put it in your own words."),
		reason:   "The customer has low financial literacy and the draft never checks that it was understood.",
		feedback: "When the customer has low literacy, check understanding with an open question, because people often say yes even when they are confused.",
	},
	"revise_letter": {
		edit:     adding("A letter about claiming usually comes two months or more before State Pension age."),
		reason:   "People wait for the State Pension to start by itself and should know when they will hear.",
		feedback: "When the customer asks about the State Pension, mention that a letter about claiming usually comes two months or more before State Pension age, because the State Pension has to be claimed.",
	},
	"revise_divorce": {
		edit:     adding("MoneyHelper offers a free appointment about pensions and divorce."),
		reason:   "There is a free service for exactly this and the draft does not name it.",
		feedback: "When the customer asks about divorce, mention that MoneyHelper offers a free appointment about pensions and divorce, because few people know of it.",
	},
	"revise_call": {
		edit:     adding("It is fine to put the telephone down without explaining."),
		reason:   "The customer feels pressed and should hear that ending a call is fine.",
		feedback: "When the customer asks about a scam, mention that it is fine to put the telephone down without explaining, because polite people stay on the line.",
	},
	"revise_signpost": {
		edit: adding("Pension Wise offers free and impartial guidance on 0800 138 3944. " +
			"A recommendation about which option suits one person can only come from a regulated financial adviser."),
		reason:   "The customer wants to know which option is right for them and isn't told who may say so.",
		feedback: "When the customer asks which option is right, signpost to regulated financial advice and Pension Wise, because choosing for them is advice.",
	},
	"revise_tax": {
		edit:     adding("The provider may use an emergency tax code for the first payment and take off too much; HMRC pays it back on form P55, P53Z or P50Z."),
		reason:   "A first lump sum is often overtaxed and the customer should hear that it can be claimed back.",
		feedback: "When the customer plans to take a lump sum, mention that the first payment may have emergency tax taken off and that it can be claimed back, because it is often a shock.",
	},
	"revise_simple": {
		edit:     plainWords,
		reason:   "Too much jargon for this customer.",
		feedback: "When the customer has low literacy, use everyday words instead of technical terms, because unfamiliar words stop people reading.",
	},
	"revise_personal": {
		edit:     depersonalise,
		reason:   "The draft tells this customer what to do.",
		feedback: "When describing options, use words such as some people choose instead of you should, because telling a person what to do is regulated advice.",
	},
}

// rejections by plan.
var rejections = map[plan]review.Input{
	"reject_personal": {ReasonCode: "does_not_answer", Reason: "The customer wants a choice made between two pensions; a person should call and explain what guidance can do."},
	"reject_answer":   {ReasonCode: "does_not_answer", Reason: "The customer asked about the tax on one withdrawal and most of the draft is about other things."},
	"reject_wrong":    {ReasonCode: "does_not_answer", Reason: "The question is about a particular annuity after a bereavement; this needs a person and the paperwork."},
	"reject_scope":    {ReasonCode: "out_of_scope", Reason: "A question about buying cryptocurrency is not one for pension guidance."},
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
var everyday = []struct {
	term *regexp.Regexp
	say  string
}{
	{regexp.MustCompile(`(?i)\bin drawdown\b`), "in a plan you draw money from"},
	{regexp.MustCompile(`(?i)\bdrawdown\b`), "drawing money bit by bit"},
	{regexp.MustCompile(`(?i)\bdefined contribution\b`), "pension pot"},
	{regexp.MustCompile(`(?i)\bconsolidat(e|ing)\b`), "bring$1 together"},
	{regexp.MustCompile(`(?i)\bmarkets are down\b`), "prices on the stock market have fallen"},
	{regexp.MustCompile(`(?i)\binvestments\b`), "the things the money is put into"},
	{regexp.MustCompile(`(?i)\bwithdrawals?\b`), "taking money out"},
	{regexp.MustCompile(`(?i)\bproviders?\b`), "pension company"},
}

func plainWords(draft string) string {
	for _, e := range everyday {
		draft = e.term.ReplaceAllString(draft, e.say)
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
