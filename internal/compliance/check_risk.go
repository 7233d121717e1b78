package compliance

import "preceptor/internal/pack"

// riskTopic is an option with the material downsides of which one has to be said when the customer asks for the option, or when
// the text describes it.
type riskTopic struct {
	name  string
	asked *pack.Pattern // the question by which a customer asks for it; nil when only the text tells
	given *pack.Pattern // and what the customer's situation must say; nil when nothing
	told  *pack.Pattern // how a sentence describes it
	times int           // in how many sentences it must be described when the customer asks; 0 when asking is enough
	plain int           // and when nobody asks; 0 when somebody must
	not   *pack.Pattern // what the question must not be about
	off   *pack.Pattern // what the text must not say
	dc    bool          // only for customers without a scheme pension, whom the warning about guarantees serves
	said  *pack.Pattern // the downsides, one of which must be said
	why   string
}

// checkRisk wants a material downside of every option that the text describes.
func checkRisk(d draft, s told) []finding {
	question := lowerASCII(straight.Replace(s.Question))
	for i := range riskTopics {
		if f, ok := riskTopics[i].missing(d, s, question); ok {
			return []finding{f} // one omission is enough to send it back, and the next is easily a consequence
		}
	}
	return nil
}

func (t *riskTopic) missing(d draft, s told, question string) (finding, bool) {
	asked := t.asked != nil && t.asked.MatchString(question)
	if !asked && t.plain == 0 || t.given != nil && !t.given.MatchString(s.words) || t.not != nil && t.not.MatchString(question) {
		return finding{}, false
	}
	if t.dc && s.HasDB {
		return finding{}, false
	}
	n, last := t.described(d)
	if want := t.times; n < want || !asked && n < t.plain || len(d.spans) == 0 {
		return finding{}, false
	}
	if t.off != nil && t.off.MatchString(d.low) || t.disclosed(d) || d.refuses() || s.ScamSigns() && d.warnsOfScam() {
		return finding{}, false
	}
	sp := d.spans[last]
	return finding{code: MissingRiskDisclosure, severity: Major, why: t.why, reference: riskReference, start: sp.Start, end: sp.End}, true
}

// described counts the sentences that describe the option; last is the last of them.
func (t *riskTopic) described(d draft) (n, last int) {
	last = max(len(d.spans)-1, 0)
	if !t.told.MatchString(d.low) {
		return 0, last
	}
	for i, low := range d.lower {
		if t.told.MatchString(low) && !d.r.Sentences[i].Asks && !d.r.Sentences[i].Set.Has(cls().decline) {
			n, last = n+1, i
		}
	}
	return n, last
}

// disclosed tells whether a sentence says a downside; one that only hints ("some ups and downs") says none.
func (t *riskTopic) disclosed(d draft) bool {
	if !t.said.MatchString(d.low) {
		return false
	}
	for _, low := range d.lower {
		if t.said.MatchString(low) && !hintRE.MatchString(low) {
			return true
		}
	}
	return false
}

// hintRE is a sentence that only hints at risks.
var hintRE = rx(`(?:some|a few|the usual|other|certain|things like) (?:risks|ups and downs|bumps|drawbacks|downsides|things)\b[^.]{0,40}(?:to consider|to think about|to bear in mind|as with|of course|involved|to know|attached|\.$)|as with any(?:thing)?\b|(?:allowance|limit) (?:falls|drops|goes down)|falls? (?:inside|within|due|into|under|between|to £)|(?:lower|smaller) (?:balance|amounts|payments|sums|slices)|features of their own|bit (?:more )?of a ride|look over in case|have a (?:bit of a )?look`)

// refusesRE is a plain no: what isn't possible needs no risks.
var refusesRE = rx(`^(?:no[,.:;]|no, |not (?:possible|allowed|before|at )|you can't|it can't|i'm afraid (?:not|you can't)|sadly(?:,)? (?:not|no|you can't)|unfortunately(?:,)? (?:not|no|you can't)|the (?:short )?answer is no)`)

func (d draft) refuses() bool {
	for i := 0; i < min(2, len(d.lower)); i++ {
		if refusesRE.MatchString(d.lower[i]) && len(d.lower[i]) < 90 {
			return true
		}
	}
	return false
}
