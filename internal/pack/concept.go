package pack

import (
	"fmt"
	"strings"
)

// concept is something that a rule's situation can name and that can be told of a customer.
type concept struct {
	name  string
	re    *Pattern // in the rule's words
	holds func(s Situation, m match) bool
	why   func(s Situation, m match) string
	topic bool // what the consultation is about, rather than who the customer is
}

// match is a concept found in a rule's situation.
type match struct {
	concept *concept
	Span
	groups []string // of the concept's expression, lower case
	asks   bool     // the atom speaks of asking or discussing, not of having
	atom   string   // the words around it
}

func fixed(text string) func(Situation, match) string {
	return func(Situation, match) string { return text }
}

// topicOf is a concept for a subject: the customer asks about it, or the task is one of tasks.
func topicOf(name, rulePattern, askPattern string, tasks ...Task) concept {
	ask := ci(askPattern)
	return concept{
		name: name, re: ci(rulePattern), topic: true,
		holds: func(s Situation, _ match) bool {
			for _, t := range tasks {
				if s.task() == t {
					return true
				}
			}
			return said(s.asked(), ask)
		},
		why: fixed("asks about " + name),
	}
}

// toldOf is a concept for a circumstance that the customer's own words or profile show.
func toldOf(name, rulePattern string, told *Pattern, tasks ...Task) concept {
	return concept{
		name: name, re: ci(rulePattern),
		holds: func(s Situation, _ match) bool {
			for _, t := range tasks {
				if s.task() == t {
					return true
				}
			}
			return said(s.told(), told)
		},
		why: fixed("mentions " + name),
	}
}

const money = `£ ?([\d,]+(?:\.\d+)?)(?: ?(k|m|million))?`

// concepts are tried together; where two begin at one place the longer wins.
var concepts = []concept{
	{name: "a defined benefit pension", re: ci(dbWords + `(?:[- ]type)?(?: (?:pensions?|schemes?|benefits?))?|guaranteed (?:pension|benefits?|salary|income) (?:from|scheme)|(?:pensions?|schemes?|benefits) with guarante\w+|guaranteed (?:benefits|pensions?)|promised income`),
		holds: func(s Situation, _ match) bool { return s.HoldsDB() }, why: fixed("has a defined benefit pension")},
	{name: "safeguarded benefits", re: ci(`safeguarded(?: benefits?)?|guaranteed annuity rates?|\bgars?\b|protected tax[- ]free (?:cash|lump sums?)|protected (?:pension|retirement) age|valuable (?:guarantees?|features|benefits)|special features|guarantees`),
		holds: func(s Situation, _ match) bool { return s.HoldsSafeguarded() || len(s.Features) > 0 }, why: fixed("has guarantees or special features")},
	{name: "a defined contribution pension", re: ci(`\bdc\b(?: (?:pensions?|pots?|schemes?))?|defined[- ]contribution(?: (?:pensions?|pots?|schemes?))?|money purchase (?:pensions?|schemes?)|personal pensions?|\bsipps?\b`),
		holds: func(s Situation, _ match) bool { return s.HasDC || said(s.told(), dcRE) }, why: fixed("has a defined contribution pension")},
	{name: "the State Pension", re: ci(`state pensions?(?: age| forecast)?`), topic: true,
		holds: func(s Situation, m match) bool {
			if !m.asks && s.HasState {
				return true
			}
			return s.task() == StatePension || said(s.asked(), statePRE)
		}, why: func(s Situation, m match) string {
			if m.asks {
				return "asks about the State Pension"
			}
			return "has the State Pension in view"
		}},
	{name: "literacy", re: ci(`\b(low|lower|limited|poor|basic|little|medium|moderate|average|high|higher|good|strong)(?:(?: or |/| to | and |-to-)(low|medium|high|limited|moderate))?(?: levels? of)?[- ](?:financial )?(?:literacy|knowledge|confidence|understanding|experience|capability|numeracy)|(?:literacy|knowledge|confidence|understanding)(?: level)? (?:is|are|=|:) (low|limited|poor|medium|high)(?: or (low|medium|high))?|()(?:struggles?|not confident|unsure|confused|unfamiliar) (?:\w+ ){0,2}(?:with |by |about )?(?:the )?(?:financial |pension )?(?:terms?|jargon|words|language|terminology|numbers)|()does not understand|()doesn't understand|()new to pensions`),
		holds: holdsLiteracy, why: func(s Situation, _ match) string { return "has " + s.Reads() + " financial literacy" }},
	{name: "vulnerability", re: ci(`vulnerab\w*(?: circumstances| customers?)?|in a fragile state`),
		holds: func(s Situation, _ match) bool { return s.Fragile() }, why: fixed("is in vulnerable circumstances")},
	toldOf("a bereavement", `bereave\w*|widow\w*|griev\w*|(?:has |have |had |just |recently )*lost (?:a|an|their|his|her) (?:partner|husband|wife|spouse|parent|mother|father|child|relative|loved one)`, bereavedRE),
	toldOf("illness", `\bill\b|ill[- ]?health|illness(?:es)?|terminal\w*(?: ill)?|serious(?:ly)? (?:ill(?:ness)?|health)|\bsick(?:ness)?\b|health (?:conditions?|problems?|issues?)|shortened life expectancy|short life expectancy|life expectancy|cancer|disab\w+`, illRE, IllHealth),
	toldOf("debt", `\bdebts?(?: and benefits)?\b|in arrears|\bowes?\b|\bowing\b|money worries|financial difficult\w+|struggling (?:to pay|financially)`, debtRE, DebtAndBenefits),
	toldOf("means-tested benefits", `means[- ]tested(?: benefits?)?|state benefits|universal credit|pension credit|(?:claims?|claiming|receives?|on) benefits`, benefitsRE, DebtAndBenefits),
	toldOf("divorce or separation", `divorc\w*|separat(?:ed|ing|ion)|pension sharing`, divorceRE, Divorce),
	toldOf("distress", `distress\w*|desperate|in crisis|crisis|suicid\w*|overwhelmed|upset`, distressRE),
	toldOf("signs of a scam", `scams?(?: signs?| risks?| warning signs?)?|fraud\w*|cold[- ]?call\w*|unsolicited \w+|(?:contacted|called|approached|phoned|rung)(?: \w+){0,2} (?:out of the blue|unexpectedly)|pressur\w+|high[- ]pressure|too good to be true|guaranteed returns?|pension liberation|early release`, scamSignRE, Scams),
	{name: "asking for a choice", re: ci(`(?:ask\w*|want\w*|request\w*|look\w*|seek\w*|need\w*)? ?(?:for |to be given )?(?:an? |any |the )?(?:personal )?recommend\w*|(?:which|what) (?:\w+ ){0,3}(?:is best|is better|option|options|one|to choose|to pick|product|provider|they should|to do|should)|what (?:he|she|they|the customer) should do|whether (?:they|he|she|the customer|to|it is (?:worth|a good idea)) ?(?:should|ought)?|should (?:i|they)\b|help (?:with )?(?:choosing|to choose|deciding|to decide)|to be told what to do|best option|be advised|for (?:personal )?advice\b|if (?:they|he|she) should|to choose(?: between)?|choosing between|what we (?:would|think)|opinion`),
		holds: func(s Situation, _ match) bool { return s.AsksForChoice() }, why: fixed("asks which option to take")},
	{name: "age", re: ci(`\b(under|below|younger than|less than|not yet|over|above|older than|more than|past|at least|from|reached|turned|aged|age|approaching|nearing|near|close to|before|after|beyond)(?: the)?(?: age)?(?: of)?(?: or)? ?(\d{2})\b(?: or (over|above|older|more|under|younger|below)| (and over|and above)|\+)?|\bbetween (?:the ages of )?(\d{2}) and (\d{2})\b|\b(\d{2}) (?:or|and) (over|older|above|under|younger)|\b(\d{2})\+|\bin their (\d)0s`),
		holds: holdsAge, why: func(s Situation, _ match) string { return fmt.Sprintf("is %d", s.years()) }},
	{name: "value", re: ci(`(?:worth |valued? (?:at )?|of |is )?(more than|over|above|exceed(?:s|ing)?|at least|under|below|less than|up to) ` + money + `|` + money + ` or (more|less)`),
		holds: holdsValue, why: fixed("has a pension of that value")},
	toldOf("several pots", `(?:several|multiple|many|more than one|two or more|a number of|various|lots of|different) (?:\w+ )?(?:pots?|pensions?|schemes?)`, manyPotsRE, Consolidation),
	topicOf("transferring or combining pensions", `transfer\w*(?: values?| out)?|consolidat\w*|combin\w*|merg(?:e|es|ing)|mov(?:e|es|ing) (?:\w+ ){0,3}(?:pension|pensions|pots?|money|benefits|out)|switch\w*(?: providers?)?|giv(?:e|ing) up|putting (?:\w+ ){0,3}together|leav(?:e|ing) the scheme|\bcetv\b`, `transfer|consolidat|\bcombin|\bmerg(?:e|ing)|mov(?:e|ing)\b|switch|\bcetv\b|cash equivalent|together|(?:in|into) one|giv(?:e|ing) up|swap|leav(?:e|ing) (?:the|my) (?:\w+ ){0,2}(?:scheme|pension)|get out of|come out of|cash in`, Consolidation, Transfer, DBTransfer),
	topicOf("drawdown", `draw ?-?down|flexi[- ]?access|adjustable income|flexible income`, `draw ?-?down|flexi|adjustable income|invested|dip into|pot.{0,20}last`, Drawdown),
	topicOf("annuities", `annuit\w*|guaranteed income for life|income for life`, `annuit|guaranteed income|for life`, Annuity),
	topicOf("tax-free cash", `tax[- ]?free(?: (?:cash|lump sums?|amount|money))?|lump sums?|25 ?%`, `tax[- ]?free|lump sum|25 ?%|quarter`, TaxFreeCash),
	topicOf("tax", `\btax(?:es|ed|ation)?\b(?: (?:bill|rates?|bands?))?|emergency tax|hmrc`, `\btax`, Tax, TaxFreeCash),
	topicOf("paying in", `contribut\w*|paying (?:more |money )?in(?:to)?|annual allowance|\bmpaa\b|money purchase annual allowance|auto[- ]?enrol\w*|recycling|salary sacrifice|pay(?:s|ing)? more`, `contribut|pay(?:ing)? .{0,20}in(?:to)?\b|put(?:ting)? .{0,20}in\b|annual allowance|mpaa|enrol|recycl|salary sacrifice|top up`, Contributions),
	topicOf("death benefits", `death(?: benefits?)?|dies|dying|inherit\w*|beneficiar\w*|nominat\w*|expression of wish(?:es)?|leav(?:e|ing) (?:\w+ ){0,3}(?:family|children|behind)`, `die|death|dead|inherit|beneficiar|nominat|expression of wish|leave .{0,25}(?:to|for|kids|children|family|wife|husband)|pass(?:ed|es|ing)? (?:on|away)`, DeathBenefits),
	topicOf("taking the whole pot", `whole (?:pots?|pensions?)|all (?:of )?(?:their|the|his|her) (?:money|pot|pension|savings)|cash(?:ing)? (?:it |everything |\w+ (?:pot|pension) )?in\b|everything at once|in one go|full encashment|encash\w*`, `whole|all (?:of )?(?:it|my)|everything|cash(?:ing)? .{0,20}in\b|one go|at once|the lot`),
	topicOf("taking money out", `(?:taking|take|takes|withdraw\w*|access\w*|releas\w*)(?: (?:\w+ ){0,3}(?:money|cash|pension|pension savings|savings|pots?|benefits|it|early|out))?|income options|retirement options|options at retirement`, `take|taking|withdraw|access|releas|cash|draw|get .{0,20}(?:money|pension|pot)`, Access, Drawdown, TaxFreeCash, Annuity),
	topicOf("early access", `early access|access\w* (?:\w+ ){0,3}early|(?:take|taking) (?:\w+ ){0,4}early|early retirement|retir\w+ early`, earlyRE.String()[4:]),
	topicOf("living abroad", `abroad|overseas(?: transfers?)?|emigrat\w*|qrops|another country|outside the uk`, `abroad|overseas|emigrat|spain|france|portugal|australia|canada|america|usa|cyprus|dubai|qrops|country`, LivingAbroad),
	topicOf("lost pensions", `lost (?:pensions?|pots?|track)|trac(?:e|ing)(?: (?:\w+ ){0,2}pensions?)?|old pensions?|find(?:ing)? (?:\w+ ){0,2}pensions?|forgotten pensions?`, `lost|trac(?:e|ing)|find|forgotten|no idea who`, LostPensions),
	topicOf("charges", `(?:exit |transfer |management |high )?(?:fees?|charges?|costs?|charging)`, `\bfees?|charg|\bcosts?\b|expensive|ripp`, Charges),
	topicOf("complaints", `complain\w*|mis-?s\w+|ombudsman|compensation`, `complain|mis-?s(?:old|elling)|ombudsman|compensation|not happy`, Complaints),
	topicOf("investment risk", `(?:investment |market |attitude to )?risks?|market (?:falls?|crash\w*)|invest\w*(?: choices?| options?)?|funds?|stock ?markets?|volatil\w*`, `\brisk|invest|fund|market|crash|volatil|safe|gone down`, RiskAssessment, Drawdown),
	{name: "task", re: ci(`\b[a-z]+(?:_[a-z]+)+\b`), topic: true,
		holds: func(s Situation, m match) bool { return strings.EqualFold(s.task(), m.groups[0]) },
		why:   func(_ Situation, m match) string { return "the task is " + Label(m.groups[0]) }},
}

func holdsLiteracy(s Situation, m match) bool {
	have := s.Reads()
	if have == "" {
		return false
	}
	level := map[string]string{"low": "low", "lower": "low", "limited": "low", "poor": "low", "basic": "low", "little": "low", "medium": "medium",
		"moderate": "medium", "average": "medium", "high": "high", "higher": "high", "good": "high", "strong": "high"}
	named := false
	for _, g := range m.groups[1:] {
		if l := level[g]; l != "" {
			named = true
			if l == have {
				return true
			}
		}
	}
	return !named && have == "low"
}

func holdsAge(s Situation, m match) bool {
	age := s.years()
	if age == 0 {
		return false
	}
	g := m.groups
	n := func(i int) int { return int(number(g[i])) }
	switch {
	case g[5] != "":
		return age >= n(5) && age <= n(6)
	case g[7] != "":
		if g[8] == "under" || g[8] == "younger" {
			return age <= n(7)
		}
		return age >= n(7)
	case g[9] != "":
		return age >= n(9)
	case g[10] != "":
		return age/10 == n(10)
	}
	limit := n(2)
	switch g[3] + g[4] {
	case "over", "above", "older", "more", "and over", "and above":
		return age >= limit
	case "under", "younger", "below":
		return age <= limit
	}
	switch g[1] {
	case "under", "below", "younger than", "less than", "not yet", "before":
		return age < limit
	case "over", "above", "older than", "more than", "past", "after", "beyond":
		return age > limit
	case "approaching", "nearing", "near", "close to":
		return age < limit && age >= limit-3
	case "at least", "from", "reached", "turned":
		return age >= limit
	}
	if strings.HasSuffix(m.atom[min(m.End, len(m.atom)):], "+") || strings.Contains(m.atom, "+") {
		return age >= limit
	}
	return age == limit
}

var potAtomRE = ci(`\bdc\b|defined[- ]contribution|\bpots?\b`)

// holdsValue compares with the pension that the atom speaks of. An unknown value holds: the rule is there to protect.
func holdsValue(s Situation, m match) bool {
	have := max(s.DBValue, s.DCValue)
	if potAtomRE.MatchString(m.atom) {
		have = s.DCValue
	} else if s.HoldsDB() {
		have = s.DBValue
	}
	if have == 0 {
		return true
	}
	g := m.groups
	direction, digits, scale := g[1], g[2], g[3]
	if digits == "" {
		direction, digits, scale = g[6], g[4], g[5]
	}
	limit := number("£" + digits + scale)
	switch direction {
	case "under", "below", "less than":
		return have < limit
	case "up to", "less":
		return have <= limit
	case "at least", "more":
		if direction == "more" || direction == "at least" {
			return have >= limit
		}
	}
	return have > limit
}
