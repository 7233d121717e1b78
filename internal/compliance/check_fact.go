package compliance

import (
	"strings"

	"preceptor/internal/pension"
)

// misstatement is a rule told wrong, in one sentence. Rules told wrong have few forms: a limit that is said not to exist, an
// exemption that does not, something voluntary that is compulsory, an age, a share or an order that is not so.
type misstatement struct {
	says   *pension.Pattern // what the sentence says
	not    *pension.Pattern // and does not say; nil when nothing
	around *pension.Pattern // and what the sentence or its neighbours speak of; nil when nothing more
	why    string
}

var misstatements = []misstatement{
	{rx(`(?:advice|advis[eo]r)\b[^.]{0,80}\b(?:voluntary|optional|not (?:compulsory|required|mandatory|necessary|needed)|isn't (?:compulsory|required|mandatory|necessary)|a matter of choice|entirely up to you)|(?:needn't|don't (?:need|have) to|no need to|without (?:having to|needing to|taking|any)) (?:take|see|get|have|pay for|use|seek|consult)?[^.]{0,20}(?:advice|advis[eo]r)`),
		rx(`not voluntary|isn't voluntary|not optional|isn't optional|under £30,000|below £30,000|£30,000 or less|less than £30,000|at or below|up to £30,000|can't|cannot`), rx(`final salary|defined benefit|\bdb\b|safeguarded|transfer|scheme`),
		"Advice is required by law before defined benefit or safeguarded benefits worth more than £30,000 are transferred."},
	{rx(`(?:whole (?:lot|pot|amount|of it)|all of it|entire (?:pot|amount|sum)|everything|every penny)[^.]{0,60}(?:tax[- ]free|free of (?:income )?tax|no (?:income )?tax|untaxed|without (?:paying )?(?:any )?tax)|no (?:income )?tax is due on any|(?:no|without any) tax to pay on (?:the lot|the whole)`),
		rx(`ill[- ]health|under 75|before 75|die|death|personal allowance|isa|\bif\b|not|lifetime`), nil,
		"Usually only a quarter of a pot is free of tax; the rest is taxed as income."},
	{rx(`(?:\b(?:30|33|35|40|50) ?(?:%|per ?cent)|a third|half|one third) (?:of (?:your|the|each|any|it)[^.]{0,25} )?(?:is |can be |comes |paid |taken )?(?:usually |normally |generally )?(?:tax[- ]free|free of (?:income )?tax|without tax)`), rx(`isa|protect|not`), rx(`pension|pot`), "Usually a quarter (25%) of a pot is free of tax."},
	{rx(`(?:exemption between spouses|spous\w+ exemption|exempt\w*)[^.]{0,40}(?:doesn't|does not|won't|no longer|isn't) (?:extend|apply|cover|carry|available)|(?:husband|wife|spouse|civil partner|widow|widower)\b[^.]{0,80}(?:pays?|charged|liable|bill)[^.]{0,30}(?:40 ?%|inheritance tax)`), rx(`exempt from|spared|no inheritance tax|not pay|unmarried`), rx(`inheritance tax|estate|2027`), "What passes to a spouse or civil partner stays exempt from inheritance tax."},
	{rx(`(?:carr(?:y|ied)[- ]forward|unused allowance)[^.]{0,100}(?:aren't|are not|isn't|not) (?:held|limited|capped|tied|restricted)[^.]{0,20}(?:earnings|income|pay)|relief is due even in a year of low pay|(?:more than|above|beyond|regardless of|whatever) (?:you|your) (?:earn|earnings|salary)[^.]{0,40}(?:relief|contribut)`), rx(`no relief|not get relief|without relief|limited to|stops`), nil, "Relief on one's own contributions stops at 100% of the year's earnings."},
	{rx(`carry forward[^.]{0,60}(?:from the (?:last|previous|past) (?:two|four|five|six|seven|ten)|(?:two|four|five|six|seven|ten) (?:previous|earlier|past|tax) years)`), nil, nil, "Unused annual allowance can be carried forward from three earlier tax years."},
	{rx(`employer(?:'s)? (?:pays in|contributions?|money|share|payments?)[^.]{0,40}(?:doesn't|don't|does not|do not|isn't|aren't|not) (?:count|included|affected|matter)|only your own (?:share|contributions?|payments?) counts?`), nil, rx(`£10,000|mpaa|money purchase|allowance|limit`), "Employer contributions count towards the annual allowance and the money purchase annual allowance too."},
	{rx(`(?:taking|take|drawing) (?:only |just )?(?:the |your )?tax[- ]free (?:cash|lump sum|part|quarter)[^.]{0,60}(?:triggers?|sets? off|brings?|cuts?|reduces?|drops?)[^.]{0,40}(?:£10,000|mpaa|money purchase|limit|allowance)`), rx(`doesn't|does not|won't|not |without|don't`), nil, "Taking only the tax-free part does not trigger the money purchase annual allowance."},
	{rx(`sipp may lend|pension (?:may|can) lend (?:to |money to |you)|loans? (?:to|from) (?:its member|your own pension|a pension)[^.]{0,60}(?:allowed|fine|permitted|legal|so long as|provided)|borrow(?:ing)? from (?:your|a|the) pension (?:is|can be) (?:allowed|possible|fine)`), rx(`unauthorised payment and is`), nil, "A loan from a personal pension to its member or their company is an unauthorised payment."},
	{rx(`(?:provider|scheme|pension)s?\b[^.]{0,60}\b(?:divides?|splits?|shares?)\b[^.]{0,60}(?:down the middle|automatically|in half|equally|50/50)|(?:automatically|by law)[^.]{0,30}(?:half|50 ?%|entitled to half)[^.]{0,40}pension|pensions? (?:is|are) (?:always )?split (?:equally|50|in half)`), rx(`nothing|not (?:divided|split|shared) automatically|isn't|aren't|never`), rx(`divorc|marriage|wife|husband|spouse|order`), "A pension is shared on divorce only by a court order."},
	{rx(`\b30 (?:qualifying )?years?\b[^.]{0,60}(?:full|new state pension)|(?:full|new state pension)[^.]{0,60}\b(?:30|25|40|44) (?:qualifying )?years?\b|no minimum (?:to get|number|for getting)|(?:25|30|40) (?:qualifying )?years of (?:national insurance|contributions)`), rx(`used to|was|were|before 2016|old|basic|29|forecast`), rx(`state pension|national insurance|qualifying`), "It takes 35 qualifying years for the full new State Pension, and 10 for any."},
	{rx(`born (?:in|on) (?:\w+ )?(?:\d+ )?(?:19[67]\d)[^.]{0,60}(?:at|from|is|of|to) (?:65|66)\b|(?:rise|increase|change) to 67 (?:begins?|starts?|applies?|comes?)[^.]{0,40}(?:19[67][2-9]|197\d|2030|203\d)`), rx(`195\d|between 66|1960`), rx(`state pension`), "People born from 6 March 1961 reach State Pension age at 67, and the rise from 66 began with those born from 6 April 1960."},
	{rx(`state pension (?:age|starts?|is paid|can be claimed|begins?)[^.]{0,40}\b(?:is|at|from|of|to|remains|stays) (?:60|62|63|64|65|68|70)\b`), rx(`2044|2046|review|rise|rising|used to|was\b|until|before|67`), nil, "State Pension age is 66, rising to 67 between 2026 and 2028."},
	{rx(`(?:minimum|earliest|can (?:usually |normally )?(?:access|take|draw|get|reach))[^.]{0,60}(?:age |at |from )(?:50|60|58|65)\b`), rx(`state|ill|protected|guidance|pension wise|moneyhelper|appointment|nhs|scheme|lifetime isa|\blisa|if you'?re|employer|serious|before`), rx(`minimum (?:pension )?age|pension age|access`), "The minimum pension age is 55 until 5 April 2028, and 57 from then."},
	{rx(`\b57\b[^.]{0,30}(?:from|in|since|on) (?:april |6 april )?(?:2025|2026|2027|2029|2030)|(?:2025|2026|2027|2029|2030)[^.]{0,40}(?:to|becomes?|is) 57\b`), rx(`already|2028`), rx(`age`), "The minimum pension age rises from 55 to 57 on 6 April 2028."},
	{rx(`(?:pension ?pots?|pensions?|unused pension \w+|pots?)\b[^.]{0,60}(?:remain|stay|are still|will still be|continue to be|always|never)[^.]{0,30}(?:outside (?:your|the|of your) estate|free of inheritance tax|exempt from inheritance tax|outside inheritance tax)`), rx(`until|before|2027|spouse|scheme|dependant|service|usually sits|partner`), nil, "Unused pension pots come into the estate for inheritance tax from 6 April 2027."},
	{rx(`(?:after|over|from|past|beyond) 75[^.]{0,60}(?:tax[- ]free|free of (?:income )?tax|no (?:income )?tax|pay nothing)|(?:before|under) 75[^.]{0,60}(?:taxed as (?:their|her|his|your)|pays? income tax|marginal rate)`), rx(`if you die before|otherwise|after 75 it's taxed|is taxed|are taxed|before 75 .*after 75|under 75`), rx(`die|death|beneficiar|inherit|nominee`), "Benefits on death before 75 are usually free of Income Tax, and taxed as the recipient's income after it."},
	{rx(`annuit(?:y|ies)[^.]{0,60}(?:can|may) be (?:cancelled|changed|cashed in|reversed|surrendered|undone|handed back|switched)(?: at any time| later| whenever| if)`), rx(`can't|cannot|cooling|cancellation|within|30 days`), nil, "A lifetime annuity can't be changed once the cancellation period has passed."},
	{rx(`(?:fscs|compensation scheme|protected|covered|compensat\w+)[^.]{0,60}(?:any fall|market (?:falls?|losses)|poor performance|if (?:your|the) (?:investments?|funds?|pot) (?:falls?|drops?|loses?)|in full whatever)`), rx(`not|doesn't|no |never`), nil, "The compensation scheme does not cover falls in the value of investments."},
	{rx(`(?:nomination|expression of wish(?:es)?|form)[^.]{0,60}(?:legally )?(?:binding|must be followed|bound by|have to follow|obliged to follow|overrides)`), rx(`\bnot\b|aren't|isn't|rarely|unless|most cases|\bif\b|whether|some|where|says`), nil, "An expression of wish is usually not binding on the scheme."},
	{rx(`\bwill\b[^.]{0,40}(?:covers?|decides?|governs?|controls?|determines?) (?:who gets )?your pension`), rx(`not|doesn't|won't|isn't|usually outside`), nil, "A will usually does not govern a pension; the scheme decides, guided by the nomination."},
	{rx(`(?:tax[- ]free (?:cash|lump sum)|lump sum)[^.]{0,60}(?:no (?:upper )?(?:limit|cap|ceiling)|unlimited|however large|whatever (?:the|its) size)`), rx(`isn't|not|£268,275`), nil, "Tax-free lump sums are limited by the lump sum allowance, usually £268,275."},
	{rx(`tax[- ]free (?:cash|lump sum|quarter|part)[^.]{0,60}(?:affects?|counts? (?:as income|towards)|added to|uses up)[^.]{0,40}(?:personal allowance|tax band|income|higher rate)`), rx(`not|doesn't|isn't|savings|benefit|lump sum allowance|rest`), nil, "The tax-free part does not count as taxable income."},
	{rx(`(?:pot|pension|pension savings|money in (?:a|your|the) pension)[^.]{0,50}(?:never|not|doesn't|don't|isn't) (?:counted|count|taken into account|affect|touch|considered|assessed)[^.]{0,40}(?:benefits?|universal credit|pension credit|care)`), rx(`untouched|drawn on|below|under|until|working age|left alone|pip|before|state pension age|usually`), nil, "From Pension Credit age an untouched pot counts as notional income, and money taken out counts as capital or income."},
	{rx(`small pot[^.]{0,80}(?:as many|any number|unlimited|no limit)[^.]{0,40}(?:times|pots|personal)?`), rx(`workplace|occupational|not`), nil, "Up to three personal pots can be taken under the small pots rules."},
	{rx(`small pots?[^.]{0,60}(?:triggers?|sets? off|cuts? your)[^.]{0,40}(?:mpaa|money purchase|£10,000|allowance)`), rx(`doesn't|don't|not|won't|without`), nil, "A small pot lump sum does not trigger the money purchase annual allowance."},
	{rx(`(?:employer|company|firm|boss)\b[^.]{0,60}(?:must|has to|is obliged to|have to) match (?:whatever|any|everything|all)|match(?:es)? whatever you (?:pay|put)`), rx(`not|doesn't`), nil, "An employer must pay at least 3% of qualifying earnings and need not match more."},
	{rx(`cooling[- ]off[^.]{0,60}(?:db|defined benefit|final salary|scheme|transfer)[^.]{0,60}(?:back|return|rejoin|reinstat)|(?:go|transfer|move|come) back (?:in)?to (?:the|your) (?:old )?(?:final salary |defined benefit )?scheme|rejoin the scheme (?:later|at any|if|whenever)`), rx(`can't|cannot|no way|not|never|unable|won't|rarely|seldom`), rx(`transfer|final salary|defined benefit|scheme`), "A transfer out of a defined benefit scheme can't be undone."},
	{rx(`(?:pension protection fund|\bppf\b)[^.]{0,80}(?:100 ?%|in full|every penny|whole|all of (?:it|your))`), rx(`already|retired|pension age|90 ?%|over normal|in payment`), nil, "The Pension Protection Fund pays those below the scheme's pension age 90% of their benefits, and increases are lower."},
	{rx(`state pension[^.]{0,40}(?:tax[- ]free|isn't taxed|not taxed|not taxable|isn't taxable|no tax|exempt from)`), rx(`lump|allowance|deducted|not taxed (?:before|at source)|before tax|without tax being`), nil, "The State Pension is taxable income."},
	{rx(`state pension[^.]{0,60}(?:paid|comes?|arrives?|starts?|begins?) automatically|(?:don't|do not|no) need to claim (?:it|your state)`), rx(`not|isn't|doesn't`), nil, "The State Pension has to be claimed."},
	{rx(`(?:spouse|wife|husband|partner|widow\w*)[^.]{0,60}(?:inherits?|gets?|receives?) (?:all of |the whole of |your full |your whole )(?:your )?state pension`), rx(`not|can't|some|part`), nil, "A partner can inherit only certain parts of a State Pension, most of them built up before 2016."},
	{rx(`deferr\w*[^.]{0,80}(?:10\.4|7\.4|10|8|12) ?%`), rx(`used to|old|before 2016`), rx(`state pension`), "Deferring adds about 5.8% for each full year, 1% for every nine weeks."},
	{rx(`(?:unmarried|cohabit\w*|living together|partner)[^.]{0,60}(?:same rights|automatically|exactly like|just like) [^.]{0,30}(?:spouse|married|widow|pension)?`), rx(`not|don't|doesn't|aren't|isn't|no `), rx(`pension|estate|inherit`), "An unmarried partner has no automatic right to a survivor's pension or to the spouse exemption."},
	{rx(`(?:transfer value|cetv|quotation|quote)[^.]{0,60}(?:guaranteed|held|valid|good|open) for (?:a year|twelve months|six months|12 months|6 months|one month|a month|30 days)`), nil, nil, "A guaranteed transfer value is usually held for three months."},
	{rx(`pension ?wise[^.]{0,60}(?:charges?|costs? £|fee)|pension ?wise[^.,;]{0,30}(?:will|can|to) (?:recommend|advise you|tell you (?:which|what to))`), rx(`\bnot?\b|free|doesn't|can't|won't|without`), nil, "Pension Wise is free and gives guidance, not recommendations."},
	{rx(`(?:before|under) 55[^.]{0,60}(?:perfectly legal|is allowed|no problem|allowed if|without (?:a )?(?:tax )?(?:charge|penalty))`), rx(`ill|protected|not|unless`), nil, "Money taken before the minimum pension age is usually an unauthorised payment and taxed at up to 55%."},
	{rx(`opt(?:ing|ed)? (?:out|back in)[^.]{0,80}(?:for ?ever|permanent(?:ly)?|never (?:be able to )?(?:rejoin|go back|come back))`), rx(`not|isn't|db|final salary`), rx(`enrol|workplace|employer`), "Somebody who opts out can join again, and is enrolled again about every three years."},
	{rx(`opt out[^.]{0,60}(?:within|in) (?:the first )?(?:two|three|six|2|3|6) (?:months|weeks)[^.]{0,60}(?:refund|back)`), nil, nil, "Contributions are refunded when one opts out within one month."},
	{rx(`(?:higher|40 ?%)[- ](?:rate )?(?:tax(?:payers?)? )?relief[^.]{0,60}(?:automatic|added for you|nothing to claim|no need to claim)`), rx(`net pay|payroll|sacrifice|not`), nil, "Relief above the basic rate has to be claimed where the provider adds only the basic rate."},
	{rx(`(?:25|tax[- ]free) ?%?[^.]{0,60}(?:each year|every year|again next year|once a year)`), rx(`of each|each withdrawal|each payment|allowance|not|income`), rx(`tax[- ]free`), "The tax-free quarter is a share of what is drawn and can be taken only once from the same money."},
	{rx(`£(?:20,000|40,000|50,000|85,000|25,000|10,000|100,000|35,000)[^.]{0,60}(?:advice|advis[eo]r)[^.]{0,40}(?:must|law|legal|require|compulsory)|(?:must|law|legally|required)[^.]{0,60}(?:advice|advis[eo]r)[^.]{0,60}(?:over|above|more than|exceed\w*) £(?:20,000|40,000|50,000|85,000|25,000|10,000|100,000|35,000)`), rx(`30,000|allowance`), nil, "Advice is required above £30,000."},
	{rx(`annual allowance[^.]{0,40}£(?:40,000|50,000|80,000|20,000|100,000|55,000|65,000|75,000)|lump sum allowance[^.]{0,40}£(?:1,073,100|250,000|300,000|200,000|286,275|375,000)|money purchase annual allowance[^.]{0,40}£(?:4,000|20,000|60,000|5,000|40,000)|personal allowance[^.]{0,40}£(?:12,500|11,850|10,000|13,570|14,000|15,000|12,750|11,500)`), rx(`until|was\b|were|used to|death|protect|before|previous|taper|unused|total|reach back|last year`), nil, "The figure is not that of the tax year 2026/27."},
}

// checkFact compares the text with the dated table of facts, and with the rules that are often told wrong.
func checkFact(d draft, s told) []finding {
	var out []finding
	for _, f := range pension.Check(d.text, s.At) {
		if f.Severity != "major" || strings.Contains(strings.ReplaceAll(s.words, ",", ""), strings.Trim(strings.ReplaceAll(f.Quote, ",", ""), "£.")) || f.Key == "small_pot" {
			continue // the customer's own figures are none of the table's
		}
		if i := d.sentenceOf(f.Start); i >= 0 && historyRE.MatchString(d.lower[i]) {
			continue // told as history
		}
		severity := Major
		if strings.Contains(f.Why, " until ") || strings.Contains(f.Why, "abolished") {
			severity = Critical
		}
		out = append(out, finding{code: InaccurateFact, severity: severity, why: f.Why, reference: f.Source, start: f.Start, end: f.End})
	}
	return append(out, d.wrongRules(out, s)...)
}

// wrongRules are the rules told wrong in sentences in which no figure was found.
func (d draft) wrongRules(found []finding, s told) []finding {
	var out []finding
	plain := make([]sentence, len(d.lower))
	for i, low := range d.lower {
		plain[i] = beginnings(plainly(low))
	}
	table := pension.Facts(s.At)
	for i, low := range d.lower {
		if holds(found, d.spans[i]) || d.r.Sentences[i].Asks || len(low) < 25 {
			continue
		}
		if f, ok := d.misstated(i, low); ok {
			out = append(out, f)
		} else if why, ok := misread(plain, i, table); ok && !d.quoted(d.spans[i].Start, d.spans[i].End) {
			out = append(out, finding{code: InaccurateFact, severity: Major, why: why, reference: factReference, start: d.spans[i].Start, end: d.spans[i].End})
		}
	}
	return out
}

func (d draft) misstated(i int, low string) (finding, bool) {
	for _, m := range misstatements {
		at := m.says.FindStringIndex(low)
		if at == nil || m.not != nil && m.not.MatchString(low) || m.around != nil && !m.around.MatchString(d.low) || d.quotedAt(i, at) {
			continue
		}
		sp := d.spans[i]
		return finding{code: InaccurateFact, severity: Major, why: m.why, reference: factReference, start: sp.Start + at[0], end: sp.Start + at[1]}, true
	}
	return finding{}, false
}

// historyRE is how a figure of the past is told as one.
var historyRE = rx(`\buntil (?:5 |6 )?april\b|\buntil (?:19|20)\d\d|\bused to\b|\bwas\b[^.]{0,60}\bnow\b|\bbefore (?:6 )?april\b`)

// sentenceOf is the number of the sentence that holds byte at; -1 when none does.
func (d draft) sentenceOf(at int) int {
	for i, sp := range d.spans {
		if sp.Start <= at && at < sp.End {
			return i
		}
	}
	return -1
}

// holds tells whether one of found lies in a sentence.
func holds(found []finding, sp pension.Span) bool {
	for _, f := range found {
		if f.start >= sp.Start && f.end <= sp.End {
			return true
		}
	}
	return false
}
