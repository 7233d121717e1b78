package compliance

import "preceptor/internal/pack"

// scamSigns are what scams have in common; two of them, or one that stands for itself, want a warning.
var scamSigns = []struct {
	re     *pack.Pattern
	weight int
}{
	{rx(`cold[- ]?call|out of (?:the blue|nowhere)|unsolicited|came (?:up|to|round|knocking)\b|stranger|(?:offered|approached|messaged) me|(?:friend|mate|nephew|grandson|relative|neighbour|introducer)\b[^.?]{0,40}\b(?:says give|is putting|promis)|from facebook|at the gate|leaflet|\bbroker\b[^.?]{0,30}\bsays|seen an ad|emailed to|never contacted them|got my (?:number|name|details)|(?:rang|phoned|called|texted|messaged|emailed|e-mailed|knocked|approached|contacted|dm'?d|whatsapped) (?:me|us|him|her|my|last|yesterday|out|this|today|about|up|offering|from|at|on)\b|\brang\.|(?:got|had|received) an? (?:\w+ )?(?:call|text|email|message|visit|whatsapp)\b|(?:call|text|email|message|visit|whatsapp) (?:from|about|says)\b|(?:text|email|e-mail) (?:message)?:|(?:an|this) (?:email|text|message) says|(?:someone|chap|man|lady|woman|guy|bloke|caller|stranger|adverts?|fella|introducer|consultant)\b[^.?]{0,40}(?:rang|phoned|called|facebook|instagram|whatsapp|tiktok|linkedin|golf|pub|gym|church|says he|says she|phone|offered|met)|on (?:facebook|instagram|whatsapp|tiktok|linkedin|telegram)\b|through (?:linkedin|facebook|whatsapp)`), 1},
	{rx(`\d+ ?% a (?:year|month)|\bdoubl(?:e|es|ing) (?:it|my|the|your)|\d+ ?% (?:fixed|guaranteed|a month|returns?|interest)|(?:pay(?:s|ing)|get(?:s)? me|return(?:s|ing)?|earn(?:s|ing)?|makes?) (?:\w+ )?(?:1\d|[89]|ten|twelve|fifteen|eight|nine) ?(?:%|per ?cent)|guaranteed? (?:returns?|\d)|doubled?\b|high(?:er)? returns?|too good`), 1},
	{rx(`\btoday\b|by (?:friday|monday|tuesday|wednesday|thursday|the \d+(?:st|nd|rd|th)|the weekend)|this week\b|(?:offer|deal) (?:closes|ends|expires)|clos(?:es|ing|e) (?:on )?(?:friday|monday|soon|this)|places (?:left|clos)|ring(?:s|ing)? back|limited|sign (?:up )?(?:now|quickly|today)|before (?:friday|the weekend)|this month`), 1},
	{rx(`crypto|bitcoin|forex|hotel|forest|storage|parking|property bond|loan note|mini[- ]?bond|overseas propert|offshore|turbine|\bbonds?\b|timber|whisky|isle of man|unregulated|cape verde|cyprus|malt(?:a|ese)|gibraltar|dubai|dominican|overseas (?:scheme|plan|investment)`), 1},
	{rx(`unlock|liberat|loophole|early (?:access|release)|releas(?:e|ing) (?:a |some|my|part|the|cash|money|half|\d)|(?:before|under) (?:i'?m |age |the age of )?5[57]|use the money now|advance\b|any age|at (?:4\d|5[0-4])\b|can get (?:us|me|you|£[\d,]+)|48 hours|lends? (?:me|half|it|part|some)|loan ?back|\bloans?\b|bridging`), 1},
	{rx(`cash ?back|bonus for|incentive|\d+ ?% fee|finder'?s fee|upfront fee|free (?:pension )?(?:review|check|health)|pensions? review|free of charge|take a fee|rebate|refund|government[ -"]*(?:scheme|backed|initiative)|hmrc approved|set up a company`), 1},
	{rx(`password|pin\b|remote access|national insurance number|log ?in|anydesk|teamviewer|holding account|safe account|copies of my|bank details`), 1},
	{rx(`move (?:it|my \w+|mine|them)(?: \w+)? to them|transfer (?:it|my \w+) to them|switch my pension to them|move my pension into`), 1},
	{rx(`pension (?:liberation|loan|unlocking)|loan from (?:my|your|the|a|his|her) pension|unlock(?:ing)? (?:my|your|the|a|his|her) pension|guaranteed \d+ ?%|borrow against (?:my|your|the|a) pension|amber flag[^.]{0,60}(?:introducer|property|get this through)|give him my pension|he wants my password`), 2},
}

// checkScam wants a warning where the customer's words or the text show signs of a scam.
func checkScam(d draft, s told) []finding {
	signs := 0
	for _, sign := range scamSigns {
		if sign.re.MatchString(s.words) {
			signs += sign.weight
		}
	}
	if signs < 2 || d.warnsOfScam() {
		return nil
	}
	sp := pack.Span{}
	if len(d.spans) > 0 {
		sp = d.spans[0]
	}
	f := finding{code: ScamRiskUnflagged, severity: Critical, reference: scamReference, start: sp.Start, end: sp.End,
		why: "What the customer tells has signs of a scam, and the text does not warn."}
	if carefulRE.MatchString(d.low) {
		f.severity, f.why = Major, "What the customer tells has signs of a scam; the text hints at care and does not say so."
	}
	return []finding{f}
}

var (
	scamNameRE = rx(`\bscam|\bfraud|thie(?:f|ves)|criminal|crooks?\b|con(?:man| artist| trick)|against the law|illegal|unlawful|banned|hang up|warning list|red flags?|alarm bells|suspicious|too good to be true|scamsmart|steal|stolen|hallmarks?|don't (?:reply|share|give|send|sign|click|engage)|do not (?:reply|share|give|send|sign|click|engage)`)
	carefulRE  = rx(`out of the ordinary|unusual|isn't how|enquiries|unauthorised|due diligence|think twice|\bcare\b|careful|caution|cautious|wary|fca (?:'s )?register|who regulates|check (?:them|they|the firm|who|that)|authorised`)
)

// warnsOfScam tells whether the text calls a scam by its name, or tells the reader to keep away. That somebody checks for scams,
// as transfers always have it, is no warning.
func (d draft) warnsOfScam() bool {
	if !scamNameRE.MatchString(d.low) {
		return false
	}
	for _, low := range d.lower {
		if scamNameRE.MatchString(low) && !scamCheckRE.MatchString(low) {
			return true
		}
	}
	return false
}

var scamCheckRE = rx(`scam checks?\b|(?:carry|carries|run|runs|make|makes|do|does)\b[^.]{0,20}\bchecks\b`)
