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
	{"wrong_facts", "Wrong facts or figures", "A rule, rate, date or sum is not right."},
	{"missing_warning", "A warning is missing", "A risk or a guarantee given up is not mentioned, and a revision won't do."},
	{"does_not_answer", "Does not answer the question", "It is about something else, or too general to be of use."},
	{"not_understandable", "This customer would not understand it", "The words or the length don't suit them."},
	{"vulnerable_customer", "Needs a person", "The customer's situation calls for a conversation with a human adviser."},
	{"out_of_scope", "Out of scope", "Nothing we may or can give guidance on."},
	{"scam_risk", "Signs of a scam or pressure", "Somebody may be pushing the customer."},
	{ReasonOther, "Something else", "Say what in your own words."},
}

// ReasonByCode finds an entry of Reasons.
func ReasonByCode(code string) (Reason, bool) {
	i := slices.IndexFunc(Reasons, func(r Reason) bool { return r.Code == code })
	if i < 0 {
		return Reason{}, false
	}
	return Reasons[i], true
}
