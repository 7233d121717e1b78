package compliance

import "preceptor/internal/pension"

const signpostReference = "PERG 12.6; COBS 19.4; Pension Schemes Act 2015 s48; Consumer Duty (PRIN 2A)"

// checkSignpost wants a pointer to regulated advice or free guidance where a choice is asked for, where the law requires
// advice, and where the customer is in a crisis.
func checkSignpost(d draft, s pension.Situation) []finding {
	advice, guidance := d.makes(pension.SignpostAdvice), d.makes(pension.SignpostGuidance)
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
	case s.AsksForChoice():
		return miss("The customer asks which choice to make, and the text points neither to regulated advice nor to MoneyHelper or Pension Wise.")
	}
	return nil
}

// adviceByLaw tells whether safeguarded benefits above the threshold, or of unknown value, are to be moved.
func adviceByLaw(d draft, s pension.Situation) bool {
	limit, ok := pension.Facts(s.At).Get("db_advice")
	if !ok || !s.HoldsSafeguarded() || !inPlay(d, s) {
		return false
	}
	return s.DBValue == 0 || s.DBValue > limit.Value
}
