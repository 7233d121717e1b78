package statement

import "preceptor/views/ui"

// Preview is what the rules would change, each by itself.
type Preview struct {
	Rules []Effect
	More  int    // rules that are not among them
	None  string // why there is nothing to show
}

// Effect is what one rule would change.
type Effect struct {
	Sentence string
	Why      string      // it can't be tried: why
	Draft    []ui.Change // this draft without it and with it
	Same     bool        // this draft stays as it is
	Silent   string      // why this draft stays as it is
	Changes  []Example
	Stays    []Example

	Known   *Near // a rule that says the same
	Clashes []Near
	Refused []string // why it can't become a rule as it is worded
	Notes   []string
}

// Unlink takes out where the questions lead.
func (v *Preview) Unlink() {
	for _, e := range v.Rules {
		for _, list := range [][]Example{e.Changes, e.Stays} {
			for i := range list {
				list[i].Href = ""
			}
		}
	}
}

// Example is one recent question.
type Example struct {
	ID, Question, Href string
	Change             []ui.Change
	Barred             []string // conditions that keep it out whatever it is like
}

// Near is a rule beside the one that is stated.
type Near struct {
	Label, Href, Sentence string
}
