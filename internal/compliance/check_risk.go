package compliance

import (
	"preceptor/internal/compliance/lexicon"
	"preceptor/internal/pension"
)

// riskTopic is an option with the material downsides of which one has to be named when the option is described.
type riskTopic struct {
	name     string
	on       *pension.Pattern // the words by which a sentence describes the option
	sentence int              // in how many sentences it must be described
	when     *pension.Pattern // and what the customer's words or the text must also say; nil when nothing
	own      bool             // it must be the customer who says so
	not      *pension.Pattern // and what the text must not be about
	classes  func(c *classes) []lexicon.Class
	words    *pension.Pattern // or these words anywhere
	why      string
}

var riskTopics = []riskTopic{
	{name: "drawdown", on: rx(`\bdrawdown\b|stays? invested|flexible (?:income|withdrawals?)|draw what you|leav(?:e|es|ing) the (?:rest|money|remainder) invested|money (?:stays|remains) invested`), sentence: 2,
		not:     rx(`\bmpaa\b only`),
		classes: func(c *classes) []lexicon.Class { return []lexicon.Class{c.fall, c.runout} },
		words:   rx(`\brun (?:out|dry|down|low)|\bfall|\bdrops?\b|\blos(?:e|es|s|ses|ing)\b|shrink|\brisk|volatil|not guaranteed|no guarantee|poor returns|bad years|worth less|up (?:or|and) down|either way|too (?:fast|much|quickly)|outlive|less (?:later|left|for later)|leave little|not last`),
		why:     "Drawdown is described without saying that investments can fall and that the money can run out."},
	{name: "annuity", on: rx(`\bannuit(?:y|ies)\b|fixed income for life|income for life`), sentence: 3, not: rx(`guaranteed annuity rate`),
		classes: func(c *classes) []lexicon.Class { return []lexicon.Class{c.noReturn, c.inflation, c.diesWith} },
		words:   rx(`can't|cannot|irrevers|permanent|\bfixed\b|inflation|prices|\bdie|death|stops|nothing|one[- ]way|for good|undo|tied|lower (?:starting|than)|no flexibility|change your mind`),
		why:     "An annuity is described without a downside: it can't be changed, inflation eats into a level one, or nothing may be left for others."},
	{name: "cash", on: rx(`\b(?:cash(?:ing)? (?:it |them |the pot |the lot )?(?:in|out)|whole (?:pot|lot|amount)|small pot|lump sum|all in one go|in one go|take (?:it|the money) (?:all )?out)\b`), sentence: 2,
		not:     rx(`serious ill|death|dependant|retirement grant|automatic lump sum|voluntary|national insurance`),
		classes: func(c *classes) []lexicon.Class { return []lexicon.Class{c.tax} },
		why:     "Taking a pot as cash is described without its tax."},
	{name: "mpaa", own: true, on: rx(`flexibl[ey]|drawdown|uncrystallised|\bufpls\b|taxable (?:income|withdrawal|payment|lump)|part.taxed|first taxable|lump sums?`), sentence: 1,
		when:    rx(`carry(?:ing)? on paying|keep(?:ing)? (?:on )?(?:paying|contributing|saving)|still (?:paying|contributing|saving|working|employed)|while (?:paying|working|i work|still)|paying in(?:to)?\b|pay(?:s)? into|my contributions|contribut(?:e|es|ing|ions)|matched|employer pays`),
		not:     rx(`final salary|defined benefit|state pension|annuity only`),
		classes: func(c *classes) []lexicon.Class { return nil },
		words:   rx(`£10,000|\b10k\b|money purchase annual|\bmpaa\b|ten thousand|lower (?:annual |yearly )?(?:limit|allowance)|reduced (?:annual )?allowance|limits? (?:what|how much|future|new|your)|(?:cuts?|reduc\w+|restrict\w*|falls?|drops?) (?:what|how much|the (?:amount|limit|annual|yearly)|your (?:annual|yearly|allowance))`),
		why:     "Taking taxable money flexibly is described to somebody who still pays in, without the lower limit (money purchase annual allowance)."},
	{name: "consolidation", on: rx(`consolidat|combin(?:e|ing)|merg(?:e|ing)|mov(?:e|ing) (?:\w+ ){0,3}(?:together|into one)|bring(?:ing)? (?:\w+ ){0,3}together|one (?:pot|place|plan)|transferring`), sentence: 2,
		classes: func(c *classes) []lexicon.Class { return []lexicon.Class{c.guarantee} },
		words:   rx(`exit|guarantee|safeguard|special|valuable|features?|protected|lose|losing|lost|give up|penalt`),
		why:     "Combining pensions is described without saying that guarantees may be lost or that leaving may cost."},
	{name: "lifetime isa", on: rx(`lifetime isa|\blisas?\b`), sentence: 1, when: rx(`lifetime isa|\blisa\b`),
		classes: func(c *classes) []lexicon.Class { return nil },
		words:   rx(`25 ?% (?:charge|penalty|withdrawal)|(?:charge|penalty|less than you (?:put|paid))|withdrawal charge|lose (?:some|part|the bonus)`),
		why:     "A Lifetime ISA is described without the charge for taking money out early."},
	{name: "paying in", own: true, on: rx(`carry forward|annual allowance|tax relief|pay(?:ing)? (?:a large|£[\d,]+|more|extra|in)`), sentence: 2, when: rx(`pay (?:in|£|more|extra|a)|put £|contribut|bonus|lump into|into my pension|overpay|top up`), not: rx(`state pension|national insurance|drawdown|\bisa\b`),
		classes: func(c *classes) []lexicon.Class { return []lexicon.Class{c.locked, c.fall} },
		words:   rx(`\bcharge\b|locked|\bfall|go down|\brisk|\blose|can't (?:be )?(?:touch|reach|get|take|access)|annual allowance charge|tax charge|before (?:55|57)|until (?:you're |you are )?(?:55|57|minimum)|market risk|at 57|before the minimum|minimum pension age`),
		why:     "Paying in a large sum is described without saying that it is locked away, may fall, or may bring a charge."},
	{name: "deferral", on: rx(`defer|put(?:ting)? off (?:claiming|your state|the state|it)|delay(?:ing)? (?:your|the|claiming)`), sentence: 2, when: rx(`state pension`),
		classes: func(c *classes) []lexicon.Class { return []lexicon.Class{c.diesWith, c.runout} },
		words:   rx(`not received|go(?:es)? without|miss(?:ed|ing)?|forgo|years? to (?:make|get|catch)|break even|how long you live|live long|die|dies|benefits`),
		why:     "Putting off the State Pension is described without what is forgone."},
	{name: "voluntary contributions", on: rx(`voluntary (?:national insurance|contributions?|class 3)|fill(?:ing)? (?:the |a |any |in )?(?:some )?gaps?|class 3|bought year|buy(?:ing)? (?:extra |missing )?years`), sentence: 1, when: rx(`state pension|national insurance`),
		classes: func(c *classes) []lexicon.Class { return nil },
		words:   rx(`doesn't always|not always|may not|might not|refund|contracted out|check (?:first|with|before)|before (?:you pay|paying)|depends|future pension centre|pension credit|gain (?:little|nothing)|no (?:gain|difference)`),
		why:     "Paying voluntary contributions is described without saying that they don't always raise the pension and aren't refunded."},
	{name: "salary sacrifice", on: rx(`salary sacrifice|salary exchange|sacrific`), sentence: 1, not: rx(`bonus sacrifice`),
		classes: func(c *classes) []lexicon.Class { return nil },
		words:   rx(`mortgage|borrow|statutory|maternity|sick pay|life cover|minimum wage|lower (?:salary|pay)|benefits|death in service|state pension|entitlement|lend`),
		why:     "Salary sacrifice is described without the effect of a lower salary on borrowing, statutory pay or cover."},
	{name: "opting out", on: rx(`opt(?:ing)? out|leav(?:e|ing) the (?:workplace|scheme)|stop(?:ping)? (?:paying|contributions|your contributions)`), sentence: 1, when: rx(`opt(?:ing)? out|stop paying|pause|leave the (?:scheme|workplace)|come out`), not: rx(`state pension|drawdown`),
		classes: func(c *classes) []lexicon.Class { return nil },
		words:   rx(`employer'?s? (?:money|contribution|payment|share|match|part|half|would stop|also|stops)|lose (?:the|your|what|their|that)|tax relief|smaller (?:pot|pension)|less (?:at|in|when|to)|miss(?:ing)? out|life cover|death`),
		why:     "Opting out is described without what is lost: the employer's money, tax relief and a smaller pension."},
	{name: "commutation", on: rx(`commut|(?:swap|exchang|trad|giv)\w* (?:\w+ ){0,4}(?:pension|income) for (?:a |the |an |some )?(?:\w+ )?(?:lump|cash)|(?:lump sum|cash) (?:\w+ ){0,3}in (?:exchange|return) for`), sentence: 1,
		classes: func(c *classes) []lexicon.Class { return []lexicon.Class{c.guarantee, c.noReturn} },
		words:   rx(`lower (?:pension|income)|less (?:pension|income|each|every|for life)|smaller (?:pension|income)|reduc|give up|given up|for (?:good|life)`),
		why:     "Exchanging pension for a lump sum is described without saying that the income is lower for life."},
	{name: "equity release", on: rx(`equity release|lifetime mortgage|home reversion`), sentence: 1,
		classes: func(c *classes) []lexicon.Class { return nil },
		words:   rx(`interest|roll(?:s|ed)? up|compound|less (?:to leave|for|inheritance)|means.tested|benefits|early repayment|charge`),
		why:     "Equity release is described without the interest that builds up or what is left for others."},
	{name: "overseas transfer", on: rx(`\bqrops\b|overseas (?:scheme|transfer|plan|pension)|transfer (?:\w+ ){0,3}(?:abroad|overseas)`), sentence: 1,
		classes: func(c *classes) []lexicon.Class { return nil },
		words:   rx(`25 ?%|overseas transfer charge|currency|exchange rate|protection|fscs|compensation|scam`),
		why:     "An overseas transfer is described without the transfer charge, currency or lost protection."},
	{name: "early retirement", on: rx(`(?:take|draw|start|claim|have)(?:ing)? (?:your |the |it |my |a |his )?(?:\w+ )?(?:pension |benefits )?early|early retirement|before (?:the |your )?normal (?:pension|retirement) age`), sentence: 1, when: rx(`final salary|defined benefit|\bdb\b|career average|nhs|teachers|local government|police|civil service|scheme pays|works pension`), not: rx(`ill.health|before 55|serious`),
		classes: func(c *classes) []lexicon.Class { return []lexicon.Class{c.noReturn} },
		words:   rx(`reduc|lower|less|smaller|cut|shrink|%`),
		why:     "Taking a scheme's pension early is described without the lasting reduction."},
}

// checkRisk wants a material downside of every option that the text describes.
func checkRisk(d draft, s told) []finding {
	var out []finding
	for _, t := range riskTopics {
		if f, ok := t.missing(d, s); ok {
			out = append(out, f)
			break // one omission is enough to send it back, and the next is easily a consequence
		}
	}
	return out
}

func (t riskTopic) missing(d draft, s told) (finding, bool) {
	n, last := 0, -1
	for i, low := range d.lower {
		if t.on.MatchString(low) && !d.r.Sentences[i].Set.Any(cls().decline, cls().scamWarn) && !d.r.Sentences[i].Asks {
			n, last = n+1, i
		}
	}
	if n == 0 || n < t.sentence && !(t.on.MatchString(s.words) && n > 0) {
		return finding{}, false
	}
	if t.when != nil && !t.when.MatchString(s.words) && (t.own || !t.when.MatchString(d.low)) || t.not != nil && t.not.MatchString(d.low) {
		return finding{}, false
	}
	if t.words != nil && t.words.MatchString(d.low) || d.r.Set.Any(t.classes(cls())...) {
		return finding{}, false
	}
	sp := d.spans[last]
	return finding{code: MissingRiskDisclosure, severity: Major, why: t.why, reference: riskReference, start: sp.Start, end: sp.End}, true
}
