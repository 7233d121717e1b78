package compliance

import (
	"strings"

	"preceptor/internal/pack"
)

const dbReference = "COBS 19.1.6G; PERG 8.30; Pension Schemes Act 2015 s48"

var (
	// closedRE is a transfer that the rules don't allow, salaryRE a pension by salary, divorceRE a sharing and no transfer.
	closedRE   = rx(`transfers? (?:is|are|was) (?:not|no longer|never) (?:possible|allowed|permitted|open)|barred by law|(?:isn't|not|never|wasn't) (?:open|possible|allowed|available|permitted)\b[^.]{0,40}(?:transfer|move|sipp|personal)|aren't allowed to (?:transfer|move)|can't (?:be )?(?:transfer(?:red)?|move(?:d)?|go) (?:to|into|out|it|at all)|not (?:possible|allowed|permitted) to transfer|unfunded[^.]{0,80}(?:can't|cannot|bars?|barred|not|prevent)|(?:law|rules|regulations?) (?:has |have )?(?:bars?|barred|prevents?|prevented|stops?|forbids?)[^.]{0,20}transfer|no[- ]?(?:one|body) can (?:move|transfer)|law has not let|(?:no|without an?) right to (?:a )?transfer|stopped (?:transfers|members)|transfers? (?:\w+ ){0,6}(?:were|was|are|is|has been|have been) (?:banned|stopped|ended|closed|barred)`)
	salaryRE   = rx(`\bdb\b|defined[- ]benefit|final[- ]salary|career[- ]average|salary[- ]related|works pension|old scheme|pension scheme`)
	divorceRE  = rx(`divorc|consent order|ex-(?:wife|husband)|my ex\b|separat`)
	ownPotRE   = rx(`\b(?:dc\b|defined[- ]contribution|personal pensions?|workplace pots?|sipps?\b|stakeholder)`)
	allPotsRE  = rx(`\b(?:all (?:of )?(?:my|the|them)|everything|every pension|both|the lot)\b`)
	dbInTextRE = rx(`\bdb\b|defined[- ]benefit|final[- ]salary|career[- ]average|safeguarded|guaranteed annuity`)
	// takenOverRE is a scheme that somebody else takes over or protects, which nobody gives up; noLossRE a right to draw it.
	takenOverRE = rx(`\bppf\b|pension protection fund|insurer (?:will|has|is|takes)|bought out by|buy-?out\b`)
)

// checkDBWarning wants the warning about guaranteed benefits before any discussion of moving them, where such benefits are in
// play.
func checkDBWarning(d draft, s told) []finding {
	if !inPlay(d, s) || d.closed() {
		if s.HasDB && swapsForCash(d, s) && d.lossSaid(promisedRE, append(lostWays[:len(lostWays):len(lostWays)], cashLossRE)...) < 0 {
			sp := d.cashSentence()
			return []finding{{code: MissingDBWarning, severity: Critical, reference: dbReference, start: sp.Start, end: sp.End,
				why: "Cash is taken in place of a guaranteed pension, and the text does not say that the pension is lower, or gone, for life."}}
		}
		return nil
	}
	if divorceRE.MatchString(s.words) && !movingRE.MatchString(s.words) || s.ScamSigns() && d.warnsOfScam() {
		return nil
	}
	promise := promisedRE
	if s.HasDC && s.HoldsDB() {
		promise = schemeRE // the features of a pot are not what the scheme promises
	}
	at := d.lossSaid(promise, lostWays...)
	if at < 0 && swapsForCash(d, s) && !movesRE.MatchString(d.low) {
		at = d.lossSaid(promisedRE, append(lostWays[:len(lostWays):len(lostWays)], cashLossRE)...)
	}
	if at >= 0 && (at <= soon || d.early(at)) {
		return nil
	}
	start := d.discussion()
	from, to := d.sentenceAt(start)
	f := finding{code: MissingDBWarning, severity: Critical, reference: dbReference, start: from, end: to,
		why: "Guaranteed benefits are in play, and the text does not warn that they are lost for good by a transfer and that most people would be worse off."}
	if !s.HoldsDB() && !salaryRE.MatchString(d.low) { // another guarantee: a rate, an age, a bonus
		if at >= 0 {
			return nil
		}
		f.severity, f.why = Major, "A guarantee is in play, and the text does not say that it is lost."
		if !movingRE.MatchString(s.words) || !rateRE.MatchString(s.words) {
			f.code, f.reference = MissingRiskDisclosure, riskReference
		}
		return []finding{f}
	}
	switch {
	case at < 0:
	case d.soonAfter(start, at):
		return nil
	default:
		f.severity = Major
		f.why = "The warning about guaranteed benefits comes after the text has begun to discuss moving them; it has to come first."
	}
	return []finding{f}
}

// rateRE is a guaranteed rate or pension inside a pot, which the law counts as safeguarded.
var rateRE = rx(`guaranteed annuity|\bgars?\b|guaranteed (?:minimum )?(?:pension|rate|income)|\bgmp\b|section 32|(?:promised|protected|annuity) rate`)

// inPlay tells whether a transfer or combination of guaranteed benefits is what the consultation or the text is about.
func inPlay(d draft, s told) bool {
	safeguarded := s.HoldsSafeguarded()
	if !safeguarded && (s.HasDC || s.HasState) {
		return false
	}
	discusses := safeguarded && movesRE.MatchString(d.low) || (!safeguarded || !s.HasDB) && pack.DiscussesMoving(d.text)
	if !safeguarded {
		// Nobody said that they have such a pension. Then only a text about moving one speaks of it.
		return discusses && d.movesDB()
	}
	asks := (s.AsksOfMoving() || s.HasDB && (quotedRE.MatchString(s.words) || !s.HasDC && transferRE.MatchString(s.words))) && !increasesRE.MatchString(s.words)
	if !asks && (!discusses || d.movesInPassing()) || takenOverRE.MatchString(d.low) && !asks {
		return false
	}
	aboutOther := ownPotRE.MatchString(s.Question) && !dbInTextRE.MatchString(s.Question) && !allPotsRE.MatchString(s.Question)
	spoken := salaryRE.MatchString(d.low) || salaryRE.MatchString(lowerASCII(s.Question)) || dbInTextRE.MatchString(s.Question) ||
		strings.Contains(s.Question, "scheme")
	if s.HasDC && s.HoldsDB() && !spoken && !s.AsksOfMoving() {
		return false // they hold one, and nobody speaks of it
	}
	if s.HasDC && aboutOther {
		return dbInTextRE.MatchString(d.text) && discusses && d.movesDB()
	}
	return true
}

var (
	// movesRE is how texts speak of moving a scheme's pension; quotedRE a customer who holds an offer for it.
	movesRE    = rx(`transfer(?:ring|red)? (?:value|out|it|the pension|your|to a|from|ends|means)|\ba transfer\b|cash equivalent|\bcetv\b|mov(?:e|es|ing) (?:it|its value|the value|the money|benefits|(?:the|an?|your) (?:\w+ ){0,2}pension)\b|taking it elsewhere|moving (?:to drawdown|the (?:plan|policy|pot))|new provider (?:receives|takes)|(?:into|to) (?:an?|your own|your) (?:\w+ )?(?:sipp|drawdown|personal (?:plan|pension))`)
	quotedRE   = rx(`transfer (?:value|quote)|quoted me £|offer(?:s|ed|ing)? (?:me )?£|elsewhere|leave the scheme|sort me|get at\b`)
	transferRE = rx(`partial transfer|transfer value|\bif i (?:move|transfer) it|move it\b`)
	// increasesRE is an offer for the yearly rises, which moves nothing.
	increasesRE = rx(`increase exchange|yearly (?:rises|increases)|\bpie\b`)
	// passingRE is a mention of moving that describes no way of doing it.
	passingRE = rx(`(?:so long as|unless|as long as|without|don't|not|isn't|no|never|rather than|nor|if)\b[^.]{0,60}(?:transfer|mov)|transfer (?:the )?(?:allowance|quote)`)
)

// movesInPassing tells whether every sentence that speaks of moving does so by the way, or one alone does.
func (d draft) movesInPassing() bool {
	n := 0
	for _, low := range d.lower {
		if (movesRE.MatchString(low) || pack.DiscussesMoving(low)) && !passingRE.MatchString(low) {
			n++
		}
	}
	return n == 0
}

// closed tells whether a sentence says that the rules allow no transfer.
func (d draft) closed() bool {
	for _, low := range d.lower {
		if closedRE.MatchString(low) {
			return true
		}
	}
	return false
}

// movesDB tells whether a sentence of the text speaks of moving guaranteed benefits.
func (d draft) movesDB() bool {
	for _, sp := range d.spans {
		s := sp.In(d.text)
		if dbInTextRE.MatchString(s) && pack.DiscussesMoving(s) {
			return true
		}
	}
	return false
}

// discussion is where the text begins to discuss moving a pension.
func (d draft) discussion() int {
	_, _, start := pack.WarnedOfGuarantees(d.text)
	return start
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

// lossSaid is the first sentence that says, beside words of a promised income, that it is lost in one of the ways; -1 when none
// does.
func (d draft) lossSaid(promise *pack.Pattern, ways ...*pack.Pattern) int {
	for i, low := range d.lower {
		if !d.r.Sentences[i].Asks && d.says(promise, i-3, i+1) && d.losesIt(low, ways) {
			return i
		}
	}
	for i, low := range d.lower {
		if worseRE.MatchString(low) {
			return i
		}
	}
	return -1
}

// says tells whether one of the sentences from to to matches re.
func (d draft) says(re *pack.Pattern, from, to int) bool {
	for k := max(from, 0); k <= min(to, len(d.lower)-1); k++ {
		if re.MatchString(d.lower[k]) {
			return true
		}
	}
	return false
}

// losesIt tells whether a loss in the sentence is one of benefits, and isn't denied.
func (d draft) losesIt(low string, ways []*pack.Pattern) bool {
	for _, way := range ways {
		for _, m := range way.FindAllStringIndex(low, 8) {
			if !otherLossRE.MatchString(low[m[0]:min(len(low), m[1]+30)]) && !notLostRE.MatchString(low[max(0, m[0]-40):m[1]]) {
				return true
			}
		}
	}
	return false
}

var (
	// lostWays are how a text says that something is lost; several patterns, since one as large runs several times as slow.
	lostWays = []*pack.Pattern{
		rx(`\blos(?:e|es|ing|t|s)\b|\bgave up\b|\bgone\b|\b(?:promises?|guarantees?|rate|link|pension|income|benefits?|membership|it|that|which|they|this|would|will|rises|and|transfer|also|leaving|contract|plan|moving it) (?:simply |also |both |all |then |would |will )*(?:ends?|stops?|dies?|goes)\b|(?:comes?|brought|put) to an end|\bended\b|(?:swap|trad|exchang)(?:e|es|ing|ping|s)? (?:that|this|it|them|those) for\b|what (?:goes (?:is|with)|you lose is|you'd lose is)|\b(?:ends?|lapses?|breaks?|kills?) (?:that|the|your|this) (?:\w+ )?(?:protect\w+|promise|guarantee|right|link|rate|pension|benefit\w*|age)|\bresets?\b|\blaps|surrender|forfeit|relinquish|renounc|forgo|goodbye|farewell|let(?:s|ting)? (?:it |that |them )?go\b|part(?:s|ing)? (?:company )?with|walk(?:ing)? away|buy(?:s|ing)? (?:you (?:\w+ )?out|(?:it |them )?back)\b|bought (?:you )?out of|vanish|disappear|extinguish|cancel|t(?:orn|ear\w*|ore) up|scrap(?:ped|ping|s)?\b`),
		rx(`abandon|wip(?:e|es|ed|ing) out|strip(?:s|ped|ping)?\b|falls? away|drops? away|\bceas|no longer\b|never (?:\w+ )?(?:comes?|again|returns?|be (?:put|got|had|restored|won)|come back|get)|nothing (?:further|more|else)|(?:not|n't) (?:follow|travel|come with|carry over|survive|go with|exist|be there)|(?:left|leav(?:e|es|ing)|stays?) behind|replac(?:e|es|ed|ing)|instead of (?:the|a|an|your) (?:guarant|promis|pension|income|life|steady|secure)|(?:can't|cannot|couldn't|nobody can|few people could) buy (?:it|that|them|the same|back|such|another|anything)|no (?:scheme )?pension (?:at all|left|from)|without (?:the|that|a|any) (?:guarantee|promise)|owes? you (?:nothing|no)|nobody (?:would )?owe|no promise|no guarantee of|(?:cost|costs) you (?:the|a|your) (?:guarant|promis|secure|pension|£)|in its place\b|in place of (?:the|a|an|your) (?:guarant|promis|secure|income|certain)|stop(?:s|ped)? being paid|\bwaiv|cuts? (?:the|that|all) (?:tie|link)s?|opposite of|takes? the place|once[- ]and[- ]for[- ]all|draw a line`),
		rx(`giv(?:e|es|ing|en) (?:\w+ ){0,5}up\b|(?:swap|exchang|trad)\w* (?:\S+ ){0,7}?(?:guarant\w+|promise\w*|certain\w*|secure|income|lifelong|rising|known|pension|sure|safe|life|year|rises)\b|(?:sign|trad|giv|barter)(?:s|e|es|ing)? (?:\w+ ){0,5}away`),
		rx(`hand(?:s|ing)? (?:\w+ ){0,5}(?:back|over)|nothing [^.]{0,40}back\b|(?:can't|cannot|couldn't|nobody|no one|not|n't|never) [^.,;]{0,40}\b(?:back|replac\w+|return(?: it)?|regain\w*|rejoin\w*|restor\w+|bought|copy)\b`),
		rx(`throw(?:s|ing|n)? (?:\w+ ){0,3}away`),
	}
	// cashLossRE is how texts also say what cash from a scheme costs.
	cashLossRE = rx(`(?:lower|less|smaller|reduced|shrunken|cut|reduc\w+|shrink\w*|lowers?|trims?|cost\w*|falls?|drops?|down|fewer|takes?) (?:\S+ ){0,5}?(?:pension\b|income|each year|a year|every year|for life|monthly|month)|£[\d,]+ (?:a year |each year )?less|(?:pension|income|monthly (?:money|pay|amount)|wage)\b[^.]{0,50}\b(?:lower|smaller|reduced|reduces|falls|drops|shrinks|cut|down|fewer)|for the rest of (?:your|their|his|her) li|every year after|for (?:each|every) £1 of (?:\w+ )?pension|less each`)
	promisedRE = rx(`guarant|promis|secure|safeguarded|for (?:your |his |her )?(?:whole )?life\b|for as long as you|as long as you live|rest of (?:your|their) li|lifelong|lifetime|\bpensions?\b|income|benefits?\b|rises|increases|a year\b|annuity rate|entitle|tax[- ]free cash|the scheme|certain|protected|bonus|a wage`)
	// schemeRE is a promise that is a scheme's: its income, and no feature of a pot.
	schemeRE    = rx(`guarant\w* (?:\w+ )?(?:income|pension|benefit|sum|amount)|income (?:that is )?(?:guaranteed|promised)|promis|secure|safeguarded|for (?:your |his |her )?(?:whole )?life\b|for as long as you|as long as you live|rest of (?:your|their) li|lifelong|lifetime|final[- ]salary|defined[- ]benefit|\bdb\b|career[- ]average|scheme (?:pension|income)|the scheme|increases|\brises\b|rising|index|a year\b|dependant|survivor|spouse|a wage`)
	otherLossRE = rx(`^(?:reduc\w+ (?:pension|universal) credit|fall\w* within|(?:\w+ )+(?:goes|ends?|stops?) (?:up|down|into|through|to|on|straight|in|over|with)|lo\w+ (?:value|some|money|track|touch|half|part of (?:it|the pot)|ground|sleep|(?:the|your|my|a|his|her) (?:job|jobs|quote|form|paper\w*|wife|husband|mum|dad|money|house|home|savings)|heart|in (?:value|a bad)|out to inflation|capital|everything|by)|gone (?:into|through|up|down|on|bust|wrong|past|to|back)|gone,? (?:under|well)|no longer (?:than|work|at|want|in (?:work|a hurry))|nothing (?:more than|else (?:to|is needed|you need))|cancel (?:the|your|an) (?:appointment|call|policy)|hand(?:s|ing)? (?:over|the form|it over)|no guarantee of (?:return|growth))`)
	notLostRE   = rx(`(?:won't|will not|don't|doesn't|do not|does not|never|nothing (?:is|gets|you)|isn't|aren't|not) (?:\w+ ){0,2}(?:los\w+|give\w* up|end\w*|stop\w*|gone)$|without (?:losing|giving up)$|lose nothing|(?:requirement|advice|rule|need|duty|obligation)[^.]{0,40}falls? away$`)
	worseRE     = rx(`worse off|come off worse|worse for it|better off (?:keeping|staying|not|leaving it|where)|(?:not|rarely|seldom|unlikely to be|hardly|isn't|wouldn't be)[^.]{0,30}\b(?:suitable|(?:best )?interests?)|(?:most|majority|many|great many)\b[^.]{0,50}\b(?:should|better|best served|best to|sensible to|do better|lose|end up with less|keep|regret|poorer|worse)|end(?:s|ed)? up (?:with (?:far |much )?less|poorer|worse)|(?:starting|start) (?:point|from|position)[^.]{0,60}(?:keep|stay|unsuitable|not)|bad swap|presum\w+ (?:is|that|against)|hard to (?:match|replace|beat)`)
	lumpAskRE   = rx(`small pot|take the £|£[\d,]+ (?:now|instead|in place)|for £|instead of|just have the money|lump|\bcash\b|commut|one payment|in hand|most (?:i|money)|swap|\bor £|plus £`)
	lumpTellRE  = rx(`get the money|pay it (?:as|in)|lump sum|\bcash\b|(?:one|single) payment|pay you £|one (?:sum|lump)|one[- ]off (?:payment|sum)|£12 (?:for|in|of)`)
	lumpOwnRE   = rx(`automatic|serious ill|on death|when you die|if you die|dies|death lump|\bavcs?\b fund|how is [^?]{0,30}tax|retirement grant|widow's pension as well|as well as a widow|beneficiar|increase exchange|yearly rises|instead of £`)
)

// swapsForCash tells whether a member asks for cash in place of scheme pension, and the text tells how.
func swapsForCash(d draft, s told) bool {
	q := lowerASCII(s.Question)
	return s.HasDB && !s.HasDC && lumpAskRE.MatchString(q) && lumpTellRE.MatchString(d.low) && !lumpOwnRE.MatchString(q)
}

// cashSentence is the first that speaks of the cash.
func (d draft) cashSentence() pack.Span {
	for i, low := range d.lower {
		if lumpTellRE.MatchString(low) {
			return d.spans[i]
		}
	}
	return pack.Span{}
}

// soon is within how many sentences a warning still stands with the discussion.
const soon = 6

// soonAfter tells whether the warning, sentence at, comes within a few sentences of where the discussion begins, and
// not at the end of the text.
func (d draft) soonAfter(start, at int) bool {
	from := len(d.spans)
	for i, sp := range d.spans {
		if sp.Start >= start {
			from = i
			break
		}
	}
	return at <= from+soon || d.early(at)
}

// early tells whether sentence at stands in the first half of the text, or little later.
func (d draft) early(at int) bool { return d.spans[at].Start < len(d.text)*11/20 }
