package review

import "slices"

// Reason is one entry of the taxonomy of rejections.
type Reason struct {
	Code  string
	Label string // on the form
	Help  string // when to choose it
}

// ReasonOther wants the reason in words.
const ReasonOther = "other"

// Reasons is the taxonomy of rejections, in the order in which it is offered; digits on the desk pick from it.
var Reasons = []Reason{
	{"personal_recommendation", "Personal recommendation", "It tells this customer what to do."},
	{"wrong_facts", "Wrong facts or figures", "A rule, rate, date or sum is wrong."},
	{"missing_warning", "A warning is missing",
		"A risk or a loss isn't mentioned, and a revision won't fix it."},
	{"does_not_answer", "Does not answer the question", "It is about something else, or too general to be useful."},
	{"not_understandable", "This customer would not understand it", "The wording or the length doesn't suit them."},
	{"vulnerable_customer", "Needs a person",
		"The customer's situation calls for a conversation with a person."},
	{"out_of_scope", "Out of scope", "We can't or mustn't give guidance on this."},
	{"scam_risk", "Signs of a scam or pressure", "Someone may be pressuring the customer."},
	{ReasonOther, "Something else", "Explain in your own words."},
}

// ReasonByCode finds an entry of Reasons.
func ReasonByCode(code string) (Reason, bool) {
	i := slices.IndexFunc(Reasons, func(r Reason) bool { return r.Code == code })
	if i < 0 {
		return Reason{}, false
	}
	return Reasons[i], true
}
