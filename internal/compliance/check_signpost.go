package compliance

import (
	"preceptor/internal/pack"
)

const signpostReference = "PERG 12.6; COBS 19.4; Pension Schemes Act 2015 s48; Consumer Duty (PRIN 2A)"

// checkSignpost wants a pointer to regulated advice or free guidance where a choice is asked for, where the law requires
// advice, and where the customer is in a crisis.
func checkSignpost(d draft, s told) []finding {
	advice, guidance := d.sends(adviserRE), d.sends(helpRE)
	end := len(d.text)
	if n := len(d.spans); n > 0 {
		end = d.spans[n-1].End
	}
	miss := func(why string) []finding {
		return []finding{{code: MissingSignpost, severity: Major, why: why, reference: signpostReference, start: end, end: end}}
	}
	switch {
	case !advice && !(guidance && s.DBValue == 0 && s.HoldsDB()) && adviceByLaw(d, s):
		return miss("The law may require regulated advice before these benefits are moved, and the text does not point to it.")
	case advice || guidance:
		return nil
	case s.Crisis() || crisisRE.MatchString(s.words):
		return miss("The customer seems to be in a crisis, and the text does not point to free help.")
	case s.AsksForChoice() || choosingRE.MatchString(s.words):
		return miss("The customer asks which choice to make, and the text points neither to regulated advice nor to MoneyHelper or Pension Wise.")
	case vagueRE.MatchString(d.low):
		return miss("The text says that the customer should talk to somebody, and not to whom.")
	}
	return nil
}

// adviceByLaw tells whether safeguarded benefits above the threshold, or of unknown value, are to be moved.
func adviceByLaw(d draft, s told) bool {
	limit, ok := pack.Facts(s.At).Get("db_advice")
	if !ok || !s.HoldsSafeguarded() || !inPlay(d, s) {
		return false
	}
	if d.closed() || !movingRE.MatchString(s.words) && !movingRE.MatchString(d.low) {
		return false
	}
	if !s.HoldsDB() {
		return rateRE.MatchString(s.words) && s.DCValue > limit.Value && movingRE.MatchString(d.low)
	}
	return s.DBValue == 0 || s.DBValue > limit.Value
}

var (
	adviserRE = rx(`\badvis[eo]rs?\b|\b(?:regulated|financial|independent|professional|authorised|specialist|transfer|legal|tax|paid-for) (?:\w+ )?advice\b|\badvice (?:from|on transfer|is (?:a legal|required|compulsory|needed))|\b(?:need|needs|want|must have|requires?) (?:\w+ ){0,3}advice\b|\b(?:take|taken|taking|get|getting|seek|seeking|had|having|receive|received|given) (?:\w+ ){0,3}advice\b|\bthe advice\b|(?:firm|company|someone|somebody|one|specialist) (?:with|who has|that has|holding) (?:\w+ ){0,4}permission|(?:transfer|authorised|regulated|independent) specialist|advised by|\b(?:wants|insists on|demands|compels|calls for) advice|\bifas?\b|(?:has|have|been) advised you|financial planner|been advised|unbiased|vouchedfor|financial services register`)
	helpRE    = rx(`pension ?wise|money ?helper|money and pensions service|citizens advice|step ?change|samaritans|debtline|debt (?:charity|charities|advice|help|adviser)|macmillan|\bage uk\b|independent age|solicitors?\b|\blawyer|accountant|family law|future pension centre|pension (?:tracing|service)|international pension centre|turn2us|pay ?plan|christians against poverty|ombudsman|(?:free|impartial|scheme's|guidance) (?:and (?:free|impartial) )?(?:guidance|helpline|sessions?|appointments?|clinic)|advice direct|advice ni\b|law centre|\bshelter\b|carers uk|\bmind\b[^.]{0,20}(?:charity|line|page)|cruse|marie curie|hospice|gamcare|gambl\w+ helpline|relate\b|tax ?aid|tax help for older|litrg|low incomes tax|help to claim|advicelink|actuary|royal british legion|forces pension society|financial planner|mortgage broker|tax adviser|your union|\bunion\b|mid-life mot|women's aid|0800 \d|116 123`)
	noAdvRE   = rx(`(?:not|isn't|no) (?:regulated |financial |personal |professional )?advice\b|(?:don't|do not|needn't|without|not|aren't|isn't|n't|no need|no requirement) (?:(?:legally|strictly) )?(?:need|need to|obliged|required|made|forced|have)? ?(?:\w+ ){0,4}(?:advice\b|advisers?\b)|(?:compulsory|required|needed) only\b|medical advis|occupational health|this (?:is not|isn't) advice`)
	movingRE  = rx(`transfer|\bsipps?\b|\bmov(?:e|ed|ing)\b|cash(?:ing)? (?:\w+ )?in\b|consolidat|combin|personal plan|elsewhere|into drawdown`)
	// crisisRE is a crisis beyond debts and despair, and vagueRE a pointer to nobody.
	crisisRE = rx(`terminal|months,? not years|red letters|eviction|evicted|gambl|\bslots\b|behind with the rent|rent arrears|food ?bank|can't feed|haven't slept|cut off\b|repossess|bailiff|loan shark|violent|abus(?:e|ive)|nowhere to (?:turn|live)|homeless|at the end of my|can't (?:go on|cope)|breakdown|frightened|scared|terrified|losing the house|lose (?:my|the) (?:home|house)`)
	vagueRE  = rx(`(?:talk|speak|speaking|talking|word|chat|discuss)\b[^.]{0,30}\b(?:to|with) (?:someone|somebody|people|others|the right people)|some(?:one|body) who knows|(?:get|find|seek|have) (?:some |a bit of |good |proper )*(?:help|guidance|support|input)\b|(?:take|get|seek) some advice|the right people`)
	// choosingRE is how people ask for a choice without "should".
	choosingRE = rx(`\bworth (?:it|keeping|taking|having|doing|moving|\w+ing)\b|\bor not\b|\bthoughts\?|\bgood (?:idea|value|move|deal)|\bpick\b|\bwhich\b[^?]{0,40}\?|\bbest (?:thing|option|for|way|to)\b|\bbetter (?:off|to|for)\b|does it pay|\bmake sense\b|\bdo i (?:take|go|keep|move|cash|leave|accept|sign)\b|\bround in circles|what would you|\bshould\b|\bis it for me\b|tell me which|\byes or no\b|\bhmm\b|which is it\b|\bsensible\b|\bwise\b|\bgo for it\b|\bsurely\b|\bam i (?:mad|right|daft|better)|\bfair\?|\bgood\?|\bis (?:it|that|this) (?:any )?good\b|worth a look|what's best|(?:^|[.?!,] )take it\?|\bbetter\b[^?]{0,30}\bor\b|\bor\b[^?]{0,40}\bbetter\b`)
)

// sends tells whether a sentence points to somebody who can help, not one that says they aren't needed, or that names nobody.
func (d draft) sends(re *pack.Pattern) bool {
	for _, s := range d.lower {
		if re.MatchString(s) && (re == helpRE || !noAdvRE.MatchString(s)) && !someAdviceRE.MatchString(s) {
			return true
		}
	}
	return false
}

// someAdviceRE is advice from nobody in particular.
var someAdviceRE = rx(`(?:take|get|seek) some advice (?:before|on|first|about|if|and)|good idea to (?:take|get) (?:some )?advice`)
