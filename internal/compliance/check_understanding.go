package compliance

import "preceptor/internal/pack"

var (
	complexRE = rx(`transfer|annuit|cash|lump sum|drawdown|final salary|defined benefit|take (?:it|out|all|the|your)|taken|withdraw|can't (?:be |put )|cannot be|divorce|share|inherit|inheritance|\bdie|death|invest|guarantee|tax|give up|opt out|contributions?|allowance|equity release|defer|crystallis|wrapper|relief`)
	offerRE   = rx(`make(?:s)? sense|own words|say(?:ing)? back|said (?:over|again)|sit (?:down )?with you|clarification|in your (?:own )?words|(?:ring|call|phone|write) if it (?:would|might) help|at your (?:own )?pace|read (?:it|this) aloud|explained aloud|\b(?:ring|call|phone|text|email|message|contact|write to|get back to|reply to|come back to) (?:me|us|this|here|back|again|any)\b|come back (?:to (?:me|us|it)|with|if|any)|go(?:ing)? (?:through|over) (?:it|this|that|everything|things|these|each|any|them|all|the)|talk(?:ing)? (?:it|this|that|you|things|them|everything) (?:through|over)|walk you through|take you through|run through|tell (?:me|us) (?:what|how|which|back|in|the (?:part|bit)|where|if (?:any|this|that|i|it)|whether)|let (?:me|us) know|say (?:it|that|this|them) (?:another|in another|again|more|back|differently)|put (?:it|that|this) (?:another|more|differently|in (?:other|another|plain|simple|differ))|explain (?:it|that|this|any|anything|everything)(?: \w+)? (?:again|another|back|differently|more|in)|any (?:questions|part|bit|of (?:this|it|that))|anything (?:here |that |you |unclear|at all|in )|unclear|is (?:this|that|it|everything) clear|happy to (?:explain|go|talk|answer|ring|call|help|say|read)|shall (?:i|we)\b|would (?:you like|it help)|want (?:me|us) to|can you tell|could you tell|(?:with|ask|have|bring) (?:a |your |someone |somebody )(?:friend|relative|family|carer|daughter|son|you trust)|read (?:it|this) (?:out|to|with)|question(?:s)?\b.{0,40}(?:ring|call|ask|reply|write)|(?:we'll|i'll|we can|i can) (?:ring|call|go|explain|talk|say|put|run)`)
)

// checkUnderstanding wants a check of understanding, or the offer to go through it, where the customer reads with difficulty or
// is vulnerable and the matter is complex or can't be undone.
func checkUnderstanding(d draft, s told) []finding {
	struggles := s.Literacy == "low" || s.Vulnerable || s.Literacy == "" && (s.Reads() == "low" || s.Fragile() && fragileRE.MatchString(s.words))
	if !struggles || len(d.spans) < 4 {
		return nil
	}
	if !complexRE.MatchString(d.low) || d.offersHelp() {
		return nil
	}
	sp := d.spans[len(d.spans)-1]
	return []finding{{code: UnderstandingNotChecked, severity: Major, reference: understandingReference, start: sp.End, end: sp.End,
		why: "The customer may have difficulty with this, and the text neither checks that it was understood nor offers to go through it."}}
}

var fragileRE = rx(`widow|bereave|died|dementia|terminal|stroke|cancer|depress|suicid|desperate|can't cope|grief|anxi|learning|vulnerab`)

// offersHelp tells whether the writer checks understanding or offers to go through it; "ring the provider" is none.
func (d draft) offersHelp() bool {
	for _, low := range d.lower {
		if strictOfferRE.MatchString(low) || offerRE.MatchString(low) && (writerRE.MatchString(low) || !helpRE.MatchString(low) && !adviserRE.MatchString(low)) {
			return true
		}
	}
	return false
}

// writerRE is who offers: that MoneyHelper talks things through checks nothing.
var writerRE = rx(`\b(?:we|i|me|us|my|our|i'm|i'd|we'd|i'll|we'll|let's|want|shall)\b`)

var strictOfferRE = rx(`\b(?:we|i)(?:'d| would|'ll| will| can| could|'m| am|'re| are)(?: be)? (?:gladly |happily |happy to |glad to |always )?(?:go|talk|explain|ring|call|run|repeat|read|book|arrange|sit|take you|walk|phone|help you (?:with|through|understand))\b|(?:clear|sense|understand|understood|follow|again|own words|unsure|muddl|confus|explain|through it|go over)[^.?]{0,60}\?|\b(?:ring|call|phone|ask|write to|reply to|contact|show) (?:me|us)\b|tell me(?: and\b|:)|\byou tell me|(?:if|anything) (?:\w+ ){0,4}(?:unclear|isn't clear|not clear|muddled|confus\w+|unsure)|make(?:s)? sense (?:so far|to you|\?)|does (?:that|this|it) (?:all )?make sense|own words|say it back|(?:ring|call|phone) (?:me|us)\b|go (?:through|over) (?:it|this|that|everything|any)\b[^.]{0,30}\b(?:with you|together|again|slowly)|tell (?:me|us) (?:what|how|which|in|back|the (?:part|bit)|where|if (?:any|this|that|i|it)|anything|whether)|(?:say|put|explain) (?:it|that|this|any of it|any of this) (?:another|in another|again|in a different|differently|more simply)|is (?:this|that|it|everything) (?:all )?clear`)

// Readability: the Flesch-Kincaid grade (Kincaid, Fishburne, Rogers and Chissom, 1975), 0.39 words a sentence and 11.8 syllables
// a word, less 15.59. Plain letters to the public are grade 6 to 8; A-level reading is 11 and more.
const (
	hardGrade    = 11.0 // above it a text is too hard for low literacy
	jargonTooFew = 4    // so many unexplained terms are too many
)

// checkJargon wants plain words for customers with low literacy.
func checkJargon(d draft, s told) []finding {
	if s.Reads() != "low" || len(d.spans) < 4 {
		return nil
	}
	terms, first := d.jargonTerms()
	grade := Grade(d.r)
	if terms < jargonTooFew && grade <= hardGrade {
		return nil
	}
	if first == (pack.Span{}) {
		first = d.longest()
	}
	return []finding{{code: JargonForLiteracy, severity: Major, reference: jargonReference, start: first.Start, end: first.End,
		why: "The customer reads with difficulty, and the text uses technical terms without explaining them, or long and heavy sentences."}}
}

var hardTermRE = rx(`crystallis|\bufpls\b|\bpcls\b|commut(?:e|ation|ing)|commencement|marginal rate|month 1 basis|\bp5[035]z?\b|\bmpaa\b|money purchase|\bcetv\b|cash equivalent|actuar|accrual|accrued|index[- ]link|revaluat|\bgmp\b|escalat|volatil|encash|\bvest(?:s|ing|ed)?\b|disposal|wrapper|\beet\b|\btee\b|roll-up|decumulat|accumulat|discretion|nominee|liabilit|designat|trigger event|\blsa\b|\blsdba\b|carry forward|\btaper|relief at source|net pay arrangement|salary sacrifice|safeguarded|statutory|pursuant|contingent|\bgilts?\b|extinguish|chargeable|recoverable|defined[- ](?:benefit|contribution)|beneficiar|lifestyl|longevity|sequencing|guaranteed annuity rate|cohort|remuneration|scheme-specific|contracted[- ]out|\bqrops\b|unauthorised payment|equit(?:y|ies)|diversif|asset allocation|basis points|attachment|offsetting|expression of wish|capital gains|auto-enrol|drawdown|annuit|uncrystal|commensurate|aggregate|hitherto|notwithstanding|in respect of|aforementioned|fiscal|provisions?\b|means-tested|open market option|flexi-access|sipp\b|annualised|deferred|preserv(?:ed|ation)|underpin|tranche|stipulat|ancillary`)

// explainedRE is how a term is explained beside its mention.
var explainedRE = rx(`\bcalled\b|\bmeans\b|which (?:is|means)|that is\b|in other words|this is\b|known as|\bi\.e\.|in plain|\bor "|think of|like a\b|the (?:name|word|term) for|simply|\(|means that`)

// jargonTerms counts the technical terms that stand unexplained, and gives the sentence with the first.
func (d draft) jargonTerms() (n int, first pack.Span) {
	for i, low := range d.lower {
		found := hardTermRE.FindAllStringIndex(low, 10)
		if len(found) == 0 || explainedRE.MatchString(low) && len(found) < 3 {
			continue
		}
		if n == 0 {
			first = d.spans[i]
		}
		n += len(found)
	}
	return n, first
}

func (d draft) longest() pack.Span {
	best := pack.Span{}
	for _, sp := range d.spans {
		if sp.End-sp.Start > best.End-best.Start {
			best = sp
		}
	}
	return best
}
