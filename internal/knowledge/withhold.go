package knowledge

import "slices"

// Withhold is knowledge that a recall goes without on purpose, as the control arm of an experiment does, so that its
// effect can be measured. The zero value withholds nothing. What is protected is never withheld from anybody, whatever
// this says.
type Withhold struct {
	// everything that was learned: rules, and cases that are no documents. What the firm imported as guidance stays
	Learned bool
	RuleID  string // one rule
	// Cases and Rules are everything learned of a kind, protected domains too: for practice alone, where nobody is
	// answered.
	Cases, Rules bool
	Documents    bool // what the firm imported, where none of it is near enough to answer
}

// Protected reports whether rules of a domain are for compliance: no experiment may leave them out for anybody. Risk
// disclosure is one of them, since a warning that the rules of the regulator ask for (as COBS 19.1 does) is a rule of
// that domain.
func Protected(domain string) bool { return domain == RegulatoryCompliance || domain == RiskDisclosure }

// from takes what is withheld out of a list.
func (w Withhold) from(items []Item) []Item {
	if w == (Withhold{}) {
		return items
	}
	return slices.DeleteFunc(slices.Clone(items), w.takes)
}

func (w Withhold) takes(it Item) bool {
	switch {
	case it.Rule != nil:
		return w.Rules || !Protected(it.Rule.Domain) && (w.Learned || w.RuleID == it.ID)
	case it.Case != nil:
		if it.Case.Source == FromDocument {
			return w.Documents
		}
		return w.Learned || w.Cases
	}
	return false
}
