package compliance

import (
	"preceptor/internal/pension"
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
	case !advice && adviceByLaw(d, s):
		return miss("The law may require regulated advice before these benefits are moved, and the text does not point to it.")
	case advice || guidance:
		return nil
	case s.Crisis():
		return miss("The customer seems to be in a crisis, and the text does not point to free help.")
	case s.AsksForChoice() || choosingRE.MatchString(s.words):
		return miss("The customer asks which choice to make, and the text points neither to regulated advice nor to MoneyHelper or Pension Wise.")
	}
	return nil
}

// adviceByLaw tells whether safeguarded benefits above the threshold, or of unknown value, are to be moved.
func adviceByLaw(d draft, s told) bool {
	limit, ok := pension.Facts(s.At).Get("db_advice")
	if !ok || !s.HoldsSafeguarded() || !inPlay(d, s) {
		return false
	}
	if !s.HoldsDB() || !movingRE.MatchString(s.words) && !movingRE.MatchString(d.low) {
		return false
	}
	return s.DBValue == 0 || s.DBValue > limit.Value
}

var (
	adviserRE = rx(`\badvis[eo]rs?\b|\b(?:regulated|financial|independent|professional|authorised|specialist) (?:\w+ )?advice\b|\badvice from\b|\b(?:need|needs|want) (?:\w+ ){0,2}advice\b|\b(?:take|taken|taking|get|getting|seek|had|having) (?:\w+ ){0,3}advice\b|firm with permission|transfer specialist|\bifas?\b`)
	helpRE    = rx(`pension ?wise|money ?helper|citizens advice|step ?change|samaritans|national debtline|debt (?:charity|charities|advice)|macmillan|age uk|solicitors?\b|family law|future pension centre|turn2us|payplan|ombudsman|free guidance|impartial guidance`)
	noAdvRE   = rx(`(?:not|isn't|no) (?:regulated |financial |personal |professional )?advice|(?:don't|do not|no|needn't|without) (?:need|need to)? ?(?:\w+ ){0,4}advi[cs]e|this (?:is not|isn't) advice`)
	movingRE  = rx(`transfer|\bsipps?\b|mov(?:e|ing)|cash(?:ing)? (?:\w+ )?in|consolidat|combin|personal plan`)
	// choosingRE is how people ask for a choice without "should".
	choosingRE = rx(`\bworth (?:it|keeping|taking|having|doing|moving|\w+ing)\b|\bor not\b|\bthoughts\?|\bgood (?:idea|value|move|deal)|\bpick\b|\bwhich\b[^?]{0,40}\?|\bbest (?:thing|option|for|way|to)\b|\bbetter (?:off|to|for)\b|does it pay|\bmake sense\b|\bdo i (?:take|go|keep|move|cash|leave|accept|sign)\b|\bround in circles|what would you|\bshould\b`)
)

// sends tells whether a sentence points to somebody who can help, not one that says they aren't needed.
func (d draft) sends(re *pension.Pattern) bool {
	for _, s := range d.lower {
		if re.MatchString(s) && !noAdvRE.MatchString(s) {
			return true
		}
	}
	return false
}
