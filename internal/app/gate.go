package app

import (
	"regexp"
	"slices"

	"preceptor/internal/compliance"
	"preceptor/internal/pack"
)

// A rule's text may speak of the customer to the advisor. The checks read what is said to the customer, so it is put to
// them as that: in the second person, without "tell them", and as something that we do.
var (
	customerRE = regexp.MustCompile(
		`(?i)\b(?:(?:the |every |a )?(?:customers?|clients?)|they|them|people|he|she|him)\b`)
	theirRE = regexp.MustCompile(`(?i)\b(?:their|his|her|the customer's|customers')\b`)
	tellRE  = regexp.MustCompile(`(?i)^\W*(?:please )?(?:tell|advise|inform|remind) you (?:that |to )?`)
)

// ofWholeDrafts are issues of what a text leaves out; a rule's text is a part of one.
var ofWholeDrafts = []string{compliance.MissingDBWarning, compliance.MissingRiskDisclosure, compliance.MissingSignpost,
	compliance.ScamRiskUnflagged,
	compliance.UnderstandingNotChecked, compliance.JargonForLiteracy, compliance.OffTopic}

// compliant says what the deterministic checks have against a text of a rule. A pack without checks of its own has
// nothing against any.
func compliant(checks *compliance.Checker) func(packName, text string) string {
	s := pack.Situation{Question: "What are my options?", HasDC: true}
	return func(packName, text string) string {
		if !pack.Of(packName).Checks {
			return ""
		}
		for _, t := range asSaid(text) {
			for _, i := range checks.Check(t, s).Issues {
				if !slices.Contains(ofWholeDrafts, i.Code) {
					return i.Why
				}
			}
		}
		return ""
	}
}

// asSaid are the ways in which a rule's text is put to the checks.
func asSaid(text string) []string {
	you := customerRE.ReplaceAllString(theirRE.ReplaceAllString(text, "your"), "you")
	bare := tellRE.ReplaceAllString(you, "")
	out := []string{text, you, bare, "You should " + pack.Lower(bare), "We " + pack.Lower(you)}
	if bare == you { // nothing is told: an instruction such as "name the deadline" is no demand on the customer
		out = slices.Delete(out, 3, 4)
	}
	return out
}
