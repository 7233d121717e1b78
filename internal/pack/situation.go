package pack

import (
	"strings"
)

var (
	dbRE        = ci(dbWords + `|guaranteed (?:pension|salary pension)|income (?:is )?promised by (?:my|the|an) (?:employer|scheme)|pension based on (?:my|your) (?:salary|final)`)
	ownDBRE     = ci(`\b(?:my|our|i(?:'ve| have)(?: got)?(?: an?)?|in an?|his|her) (?:\w+ ){0,3}(?:` + dbWords + `)`)
	pressingRE  = ci(`bailiff|bankrupt|arrears|desperate|repossess|behind|can't pay|struggl`)
	safeguardRE = ci(`safeguarded|guaranteed annuity|\bgars?\b|guaranteed (?:income|minimum pension|growth)|\bgmp\b|with[- ]profits? guarantee|protected (?:tax[- ]free|pension age|retirement age|lump)`)
	choiceRE    = ci(`\bshould (?:i|we)\b|\bshall (?:i|we)\b|\bwhat would you (?:do|suggest|recommend|advise)|\bwhat do you (?:think|recommend|suggest|advise|reckon)|\brecommend|\badvise me\b|\bwhich (?:one|option|is|pension|provider|fund|would|should|way|of)\b|\bbest (?:option|thing|way|choice|one|pension|provider|for me|to do|idea|bet|plan|move|annuity|fund)|\b(?:a |any )?(?:good|bad|sensible|smart|wise|daft) (?:idea|move|plan|thing|time)\b|\bworth (?:it\b|my while|\w+ing\b)|\bbetter (?:off|to|if|idea|for me)\b|\bam i (?:right|better|mad|wise|daft) \b|\bwhat'?s best\b|\bwhat is best\b|\bhelp me (?:choose|decide|pick)|\b(?:choose|decide|pick) (?:for me|between)|\btell me what to do\b|\bwhat (?:should|ought)\b|\bought i\b|\bmakes? (?:more )?sense (?:to|for me)|\bis (?:it|this|that) (?:right|wise|sensible|smart|clever|ok|okay|safe) (?:for me|to)\b|\bdo you think\b|\byour (?:advice|recommendation|opinion|view)\b|\bwhat'?s the right\b|\bright (?:option|choice|thing) for me|\bor (?:should|would|is it better|keep|leave|stay)\b|\bif you were me\b|\bin my (?:shoes|position)\b`)
	// inquiryRE follows a "should I" that asks for information: what to look out for, whom to ring.
	inquiryRE   = ci(`^ (?:look|know|check|ask|expect|watch|worry|be (?:aware|careful|worried|looking|asking|checking)|contact|ring|call|write|tell|read|find|beware)\b`)
	inquiryInRE = ci(` (?:look|know|check|ask|expect|watch|worry|be (?:aware|careful|worried|looking|asking|checking)|contact|ring|call|write|tell|read|find|beware)\b`)
	scamSignRE  = ci(`cold[- ]?call|out of the blue|unsolicited|free (?:pension )?review|pension liberation|\bloophole|guaranteed? (?:returns?|\d+)|\d+ ?% (?:guaranteed|return)|(?:called|rang|phoned|texted|messaged|emailed|contacted) me\b|(?:rang|phoned|called|contacted) (?:up )?(?:by|from) (?:a|some)|someone (?:called|rang|phoned|knocked)|\bscam|\bfraud|too good to be true|\bdouble (?:my|your) (?:money|pension|pot)|back by (?:mon|tues|wednes|thurs|fri|satur|sun|tomorrow)|(?:before|under|below) (?:the )?(?:age )?(?:of )?5[57]\b.{0,60}(?:release|unlock|get|access|loan|help)|(?:release|unlock|early access|get at|loan).{0,60}(?:before|under) (?:the )?(?:age )?(?:of )?5[57]\b|overseas (?:property|investment|hotel|scheme)|(?:exotic|unusual|high[- ]return|one[- ]off) investments?|\bcourier|time[- ]limited|limited time|(?:offer|deal) (?:ends|expires|closes)|sign (?:up )?(?:today|by|now|quickly|straight away)|act (?:now|fast|quickly)|pressur(?:e|ed|ing)|storage (?:units|pods)|crypto|bitcoin|forex`)
	bereavedRE  = ci(`bereave|\bwidow|griev|\bgrief|(?:husband|wife|partner|mum|mother|dad|father|son|daughter|spouse|brother|sister) (?:\w+ )?(?:has |have |had |just |recently |suddenly )*(?:died|passed|dies)|lost (?:my|his|her|their|a|your) (?:\w+ )?(?:husband|wife|partner|mum|mother|dad|father|son|daughter|spouse|brother|sister|parent)|recent(?:ly)? (?:death|died|lost)|death of (?:my|his|her|their|a)`)
	illRE       = ci(`\bill\b|\bill[- ]health|\billness|seriously ill|terminal(?:ly)?\b|\bcancer|\bsick(?:ness)?\b|\bpoorly\b|diagnos|life expectancy|months to live|\bdisab|\bstroke\b|heart (?:attack|failure|condition|disease)|parkinson|dementia|chronic|health (?:condition|problem)|can'?t work|\bms\b|depress|anxiety|mental health`)
	debtRE      = ci(`\bdebts?\b|\bowe|\bowing\b|\bloans?\b|credit cards?|bailiff|bankrupt|\biva\b|arrears|behind (?:on|with)|overdraft|repossess|\bskint\b`)
	distressRE  = ci(`desperate|can'?t cope|cannot cope|at my wits|suicid|end it all|kill myself|no way out|crying|overwhelmed|at breaking point|can'?t go on`)
	confusedRE  = ci(`don'?t (?:really )?(?:understand|get|follow)|no idea|confus|all greek|not good with|over my head|baffl|don'?t know what (?:\w+ ){1,3}means?|in plain english|simple (?:terms|words|english)|new to (?:this|pensions)|jargon|never (?:understood|been good)`)
)

// answers are what is asked of a situation again and again.
type answers struct {
	whole                                bool // else only the words are known
	asked, told                          string
	db, safeguarded, choice, scam, moves bool
	reads                                string
}

// Known is the situation with the answers to what several readers of one text ask of it. Whoever changes its words afterwards
// asks again.
func (s Situation) Known() Situation {
	s.known = nil
	known := &answers{asked: s.asked(), told: s.told()}
	s.known = known
	known.db, known.safeguarded, known.choice = s.HoldsDB(), s.HoldsSafeguarded(), s.AsksForChoice()
	known.scam, known.moves, known.reads = s.ScamSigns(), s.AsksOfMoving(), s.Reads()
	known.whole = true
	return s
}

// knows tells whether the answers are at hand.
func (s Situation) knows() bool { return s.known != nil && s.known.whole }

// asked is everything that the customer asks for: the question and the goal.
func (s Situation) asked() string {
	if s.known != nil {
		return s.known.asked
	}
	return straighten(s.Question + "\n" + s.Goal)
}

// told is everything that is known about the customer in words.
func (s Situation) told() string {
	if s.known != nil {
		return s.known.told
	}
	return straighten(strings.Join([]string{s.Question, s.Goal, s.Text, strings.Join(s.Features, "\n")}, "\n"))
}

var straightMarks = strings.NewReplacer("’", "'", "‘", "'")

func straighten(s string) string { return straightMarks.Replace(s) }

// HoldsDB tells whether the customer has a pension with a promised income, by the profile, a feature, or their own words.
func (s Situation) HoldsDB() bool {
	if s.knows() {
		return s.known.db
	}
	return s.HasDB || s.Task == DBTransfer || said(s.told(), dbRE) && !declinesDB(s)
}

// declinesDB tells whether the profile lists pensions, and none of them is DB: then a mere mention in a question, as
// "what is a final salary pension?", makes nobody a member.
func declinesDB(s Situation) bool {
	return (s.HasDC || s.HasState) && !said(s.told(), ownDBRE)
}

// HoldsSafeguarded tells whether they have a guarantee that a transfer would end, DB or other.
func (s Situation) HoldsSafeguarded() bool {
	if s.knows() {
		return s.known.safeguarded
	}
	return s.HoldsDB() || said(s.told(), safeguardRE)
}

// AsksForChoice tells whether the customer asks to be told what to do.
func (s Situation) AsksForChoice() bool {
	if s.knows() {
		return s.known.choice
	}
	asked := s.asked()
	if !inquiryInRE.MatchString(asked) {
		return choiceRE.MatchString(asked)
	}
	for _, m := range choiceRE.FindAllStringIndex(asked, 20) {
		if !inquiryRE.MatchString(asked[m[1]:]) {
			return true
		}
	}
	return false
}

// ScamSigns tells whether what the customer says shows signs of a scam.
func (s Situation) ScamSigns() bool {
	if s.knows() {
		return s.known.scam
	}
	return said(s.told(), scamSignRE)
}

// Crisis tells whether the customer is in a state in which free help is needed first: debt, distress, serious illness,
// bereavement.
func (s Situation) Crisis() bool {
	t := s.told()
	return said(t, distressRE) || said(t, debtRE) && pressingRE.MatchString(t)
}

// Fragile tells whether the customer counts as vulnerable, by the profile or their own words.
func (s Situation) Fragile() bool {
	t := s.told()
	return s.Vulnerable || said(t, bereavedRE) || said(t, illRE) || said(t, distressRE)
}

// Reads is the customer's literacy: given, or low when they say that they don't follow.
func (s Situation) Reads() string {
	if s.knows() {
		return s.known.reads
	}
	if l := strings.ToLower(strings.TrimSpace(s.Literacy)); l != "" {
		return l
	}
	if said(s.told(), confusedRE) || confusedRE.MatchString(s.Question) {
		return "low"
	}
	return ""
}
