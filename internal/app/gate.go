package app

import (
	"regexp"
	"slices"

	"preceptor/internal/compliance"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
)

// A rule's text may speak of the customer to the advisor. The checks and the judge read what is said to the customer, so it is put to them as that: in the
// second person, without "tell them", and as something that we do.
var (
	customerRE = regexp.MustCompile(`(?i)\b(?:(?:the |every |a )?(?:customers?|clients?)|they|them|people|he|she|him)\b`)
	theirRE    = regexp.MustCompile(`(?i)\b(?:their|his|her|the customer's|customers')\b`)
	tellRE     = regexp.MustCompile(`(?i)^\W*(?:please )?(?:tell|advise|inform|remind) you (?:that |to )?`)
)

// ofAnyWords are issues that a few words can have by themselves, as a rule's text is a part of a draft: dated facts, and what the judge is
// sure of. Whether it presses or promises shows in a draft alone.
var ofAnyWords = []string{compliance.InaccurateFact, compliance.PersonalRecommendation, compliance.ProductNamed, compliance.GuaranteeOrPromise}

// compliant says what in a text of a rule would stop a draft that says it. A pack without checks of its own has nothing against any.
func compliant(v *compliance.Validator) func(packName, text string) string {
	c := interaction.Consultation{Pack: pack.Pension, Question: "What are my options?", Customer: interaction.Customer{Pensions: []interaction.Pension{{Kind: "dc"}}}}
	return func(packName, text string) string {
		if !pack.Of(packName).Checks {
			return ""
		}
		for _, t := range asSaid(text) {
			for _, i := range v.Glance(t, c).Issues {
				if i.By == "" && slices.Contains(ofAnyWords, i.Code) {
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
