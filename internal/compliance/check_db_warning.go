package compliance

import (
	"preceptor/internal/pension"
)

const dbReference = "COBS 19.1.6G; PERG 8.30; Pension Schemes Act 2015 s48"

var (
	// closedRE is a transfer that the rules don't allow, salaryRE a pension by salary, divorceRE a sharing and no transfer.
	closedRE   = rx(`barred by law|isn't (?:open|possible|allowed|available)|aren't allowed|can't (?:be )?transfer(?:red)? (?:to|into|out)|not (?:possible|allowed|permitted) to transfer|unfunded[^.]{0,80}(?:can't|cannot|barred|not)`)
	salaryRE   = rx(`\bdb\b|defined[- ]benefit|final[- ]salary|career[- ]average|salary[- ]related|works pension|old scheme|pension scheme`)
	divorceRE  = rx(`divorc|consent order|ex-(?:wife|husband)|my ex\b|separat`)
	ownPotRE   = rx(`\b(?:dc\b|defined[- ]contribution|personal pensions?|workplace pots?|sipps?\b|stakeholder)`)
	allPotsRE  = rx(`\b(?:all (?:of )?(?:my|the|them)|everything|every pension|both|the lot)\b`)
	dbInTextRE = rx(`\bdb\b|defined[- ]benefit|final[- ]salary|career[- ]average|safeguarded|guaranteed annuity`)
)

// checkDBWarning wants the warning about guaranteed benefits before any discussion of moving them, where such benefits are in
// play.
func checkDBWarning(d draft, s told) []finding {
	if !inPlay(d, s) || closedRE.MatchString(d.low) || divorceRE.MatchString(s.words) && !movingRE.MatchString(s.words) {
		return nil
	}
	warned, first, start := pension.WarnedOfGuarantees(d.text)
	if warned && first || !warned && d.warnsOfLoss() {
		return nil
	}
	from, to := d.sentenceAt(start)
	severity := Critical
	if d.r.Set.Has(cls().noReturn) || d.r.Set.Has(cls().guarantee) && lostRE.MatchString(d.low) && !notLostRE.MatchString(d.low) {
		severity = Major // something of it is said
	}
	f := finding{code: MissingDBWarning, severity: severity, reference: dbReference, start: from, end: to,
		why: "Guaranteed benefits are in play, and the text does not warn that they are lost for good by a transfer and that most people would be worse off."}
	if !s.HoldsDB() && !salaryRE.MatchString(d.low) { // another guarantee: a rate, an age, a bonus
		if lostRE.MatchString(d.low) && !notLostRE.MatchString(d.low) {
			return nil
		}
		f.code, f.severity, f.reference = MissingRiskDisclosure, Major, riskReference
		f.why = "A guarantee is in play, and the text does not say that it is lost."
		return []finding{f}
	}
	if warned {
		if d.soonAfter(start) {
			return nil
		}
		f.severity = Major
		f.why = "The warning about guaranteed benefits comes after the text has begun to discuss moving them; it has to come first."
	}
	return []finding{f}
}

// inPlay tells whether a transfer or combination of guaranteed benefits is what the consultation or the text is about.
func inPlay(d draft, s told) bool {
	safeguarded := s.HoldsSafeguarded()
	if !safeguarded && (s.HasDC || s.HasState) {
		return false
	}
	discusses := pension.DiscussesMoving(d.text)
	if !safeguarded {
		// Nobody said that they have such a pension. Then only a text about moving one speaks of it.
		return discusses && d.movesDB()
	}
	if !discusses && !s.AsksOfMoving() {
		return false
	}
	aboutOther := ownPotRE.MatchString(s.Question) && !dbInTextRE.MatchString(s.Question) && !allPotsRE.MatchString(s.Question)
	spoken := salaryRE.MatchString(d.low) || salaryRE.MatchString(lowerASCII(s.Question)) || dbInTextRE.MatchString(s.Question)
	if s.HasDC && s.HoldsDB() && !spoken && !s.AsksOfMoving() {
		return false // they hold one, and nobody speaks of it
	}
	if s.HasDC && aboutOther {
		return dbInTextRE.MatchString(d.text) && discusses && d.movesDB()
	}
	return true
}

// movesDB tells whether a sentence of the text speaks of moving guaranteed benefits.
func (d draft) movesDB() bool {
	for _, sp := range d.spans {
		s := sp.In(d.text)
		if dbInTextRE.MatchString(s) && pension.DiscussesMoving(s) {
			return true
		}
	}
	return false
}

// sentenceAt is the sentence that begins at byte i, or an empty span at the start of the text.
func (d draft) sentenceAt(i int) (int, int) {
	for _, sp := range d.spans {
		if sp.Start == i {
			return sp.Start, sp.End
		}
	}
	return 0, 0
}

// warnsOfLoss tells whether one sentence, or two that follow each other, speak of the guaranteed income and of its loss, a few sentences apart at most.
func (d draft) warnsOfLoss() bool {
	c := cls()
	for i, s := range d.r.Sentences {
		near := s.Set
		for k := max(i-3, 0); k <= min(i+1, len(d.r.Sentences)-1); k++ {
			near = near.Or(d.r.Sentences[k].Set)
		}
		if !near.Has(c.guarantee) {
			continue
		}
		if lostRE.MatchString(d.lower[i]) && !notLostRE.MatchString(d.lower[i]) {
			return true
		}
	}
	return false
}

var (
	lostRE    = rx(`\blos(?:e|es|ing|t|s)\b|giv(?:e|es|ing|en) (?:\w+ ){0,4}up\b|\bgone\b|\bends?\b|\bstops?\b|swap|exchang|trad(?:e|ing)\b|surrender|forfeit|no way back|one[- ]way|undone|revers|bought back|for good|for ever|forever|permanent|parts? with|leav(?:e|ing) behind|walk(?:ing)? away|disappear|cease|wound|replac|sign(?:s|ing)? away|instead of|no longer|goes with it|hand(?:s|ing)? back|get (?:it|them|that|those) back|same (?:again|back)|stays? behind|resets?\b|laps(?:e|es|ing)|falls? away|destroy|left behind|stays lower|lower for (?:life|the rest|as long)`)
	notLostRE = rx(`(?:won't|will not|don't|doesn't|do not|does not|never|nothing (?:is|gets|you)) (?:\w+ ){0,2}(?:lose|lost|give up|end|stop)|without (?:losing|giving up)|lose nothing`)
)

// soon is within how many sentences a warning still stands with the discussion, and not at the end of it.
const soon = 5

// soonAfter tells whether the warning comes within a few sentences of where the discussion begins.
func (d draft) soonAfter(start int) bool {
	from := 0
	for i, sp := range d.spans {
		if sp.Start <= start {
			from = i
		}
	}
	for _, f := range pension.DetectMoves(d.text) {
		if f.Move == pension.WarnGuarantees {
			for i, sp := range d.spans {
				if sp.Start == f.Start {
					return i <= from+soon
				}
			}
		}
	}
	return false
}
