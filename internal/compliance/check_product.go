package compliance

import "preceptor/internal/pack"

var (
	firmRE = rx(`\b(?:aviva|legal (?:&|and) general|scottish widows|standard life|royal london|prudential|m&g|phoenix life|zurich|canada life|just group|just retirement|\bnest\b|now: ?pensions|the people's pension|people's pension|smart pension|pensionbee|vanguard|fidelity|hargreaves(?: lansdown)?|aj bell|interactive investor|st\.? james's place|quilter|true potential|penfold|nutmeg|moneybox|wealthify|freetrade|bestinvest|charles stanley|abrdn|aegon|liverpool victoria|\blv=|reassure|sun life|scottish friendly|evelyn partners|brewin dolphin|rathbones|blackrock|lifestrategy|fundsmith|baillie gifford|cushon|hodge|more2life|key retirement|age partnership|lloyds|hsbc|natwest|santander|barclays|nationwide|plum|chip|monzo|revolut|wealthsimple|trading 212|etoro)\b`)
	// newFirmRE is a name that looks like a firm's, in the text as it was written.
	newFirmRE = pack.NewPattern(`(?-i:\b(?:[A-Z][a-z]+(?: (?:&|and) [A-Z][a-z]+)?) (?:Capital|Wealth|Life|Offshore|Investments?|Partners|Asset|Assurance|Mutual|SIPP|Trustees|Pensions|Financial|Finance|Annuities|Retirement|Group|Invest|Money|Platform|Provident|Insurance)\b)`)
	pickRE    = rx(`\b(?:go|going|went|stick|start|sign|open (?:one|an? \w+)) (?:up )?with\b|\bi'?d (?:use|go|choose|pick|try|look|ring|call|start)|\bwe(?:'d| would) (?:use|go|choose|pick|try|point|steer)|\b(?:the|that's the|is the) (?:one|quote|provider|firm|company|name|place|platform|insurer|home) (?:to (?:get|go|use|choose|pick|beat|trust|ring)|for you|we|i)\b|come(?:s)? out (?:ahead|top|best|on top)|\bbest (?:rate|buy|value|provider|home|place|platform|choice|option)|\bcheapest\b|\blowest (?:charge|fee|cost)|smoother|\bour (?:favourite|usual|first choice|pick)|\bmove (?:it|them|your \w+|everything|the \w+)(?: \w+)? (?:to|into|over to)\b|\btransfer (?:it|them|your \w+) (?:to|into)\b|\blook no further|\b(?:excellent|outstanding|superb|ideal|perfect|hard to beat)\b|\bsuits? you\b|\bright (?:home|place|one) for\b|\buse (?:them|aviva|nest|vanguard)\b|\brecommend\b|\bover (?:the other|aviva|harrow)`)
	exampleRE = rx(`\bsuch as\b|\bfor example\b|\bfor instance\b|\be\.g\.|\blike\b|\bsay,|\bamong them\b|\bincluding\b|\bwell[- ]known\b|\b(?:good|solid|popular|reputable|decent|well[- ]regarded|established) (?:name|provider|firm|one|choice|option)s?\b|\bnames like\b|\bmight (?:look|start|try)|\bcould (?:look|start|try)|worth (?:a look|looking|trying|considering)`)
	ownFirmRE = rx(`\byour? (?:current |old |existing |present |former |own )?(?:provider|pot|plan|pension|scheme|policy|account)(?:s)?(?: (?:is|are|was))? (?:with|at|held (?:with|by))\b|\byou (?:mention|said|told|wrote|named|hold|have|asked)|you're with|is with\b`)
	publicRE  = rx(`\bnest\b[^.]{0,40}(?:government|auto|workplace|employer)|money ?helper|pension wise|citizens advice`)
)

// checkProduct finds providers held out by name as an example (major) or as the choice (critical). A name that the customer brought
// is a fact, unless the text chooses it.
func checkProduct(d draft, s told) []finding {
	var out []finding
	for i, low := range d.lower {
		sp := d.spans[i]
		m := firmRE.FindStringIndex(low)
		if m == nil {
			m = newFirmRE.FindStringIndex(sp.In(d.text))
		}
		if m == nil || d.quotedAt(i, m) || d.r.Sentences[i].Set.Has(cls().scamWarn) && scamNameRE.MatchString(low) {
			continue
		}
		f := finding{code: ProductNamed, reference: productReference, start: sp.Start + m[0], end: sp.Start + m[1]}
		picked := pickRE.MatchString(low) && !d.r.Sentences[i].Set.Has(cls().decline) && !d.r.Sentences[i].Asks && !publicRE.MatchString(low)
		known := containsFold(s.words, low[m[0]:m[1]]) || ownFirmRE.MatchString(low)
		switch {
		case picked && (!known || evaluates(low)):
			f.severity, f.why = Critical, "It names a provider or product as the one to choose."
		case !known && !publicRE.MatchString(low) && (exampleRE.MatchString(low)):
			f.severity, f.why = Major, "It names a provider or product as an example, which singles it out."
		default:
			continue
		}
		out = append(out, f)
	}
	return out
}

var evaluatesRE = rx(`\bi'?d use|\bbest\b|recommend|come(?:s)? out|\bover\b|look no further|hard to beat|\bgo with\b|\bthe one\b`)

func evaluates(s string) bool { return evaluatesRE.MatchString(s) }
