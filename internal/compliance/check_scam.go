package compliance

import "preceptor/internal/pension"

var (
	// contactRE is somebody unknown who made the first step, and what they offer.
	contactRE = rx(`cold[- ]?call|out of the blue|unsolicited|(?:rang|phoned|called|texted|messaged|emailed|e-mailed|knocked|approached|contacted|dm'?d|whatsapped) (?:me|us|him|her|my|last|yesterday|out|this|today|about|up|offering|from|at|on)\b|(?:got|had|received) an? (?:\w+ )?(?:call|text|email|message|visit)\b|(?:call|text|email|message|visit) (?:from|about) (?:a|an|some)\b|(?:someone|chap|man|lady|woman|guy|bloke|caller|stranger|adverts?|fella|company|firm) (?:\w+ )?(?:on|off|from) (?:the phone|facebook|instagram|whatsapp|social media|tiktok|the internet|linkedin)|on (?:facebook|instagram|whatsapp|tiktok|linkedin|telegram)\b`)
	baitRE    = rx(`unlock|releas|loophole|early access|liberat|overseas|offshore|abroad|guarantee\w* (?:returns?|\d)|\d+ ?% (?:guaranteed|a year guaranteed|returns?|interest|growth|a month)|free (?:pension )?(?:review|check|health)|\bloans?\b|\blend|advance\b|courier|sign (?:today|by|before)|today only|limited|hotel|forest|storage|parking|crypto|bitcoin|forex|bonds?\b|cash ?back|incentive|before (?:i'?m |age )?5[0-7]|under 5[57]|5k|£[\d,]+k? (?:this|by|from)|double|high(?:er)? returns?|special|exclusive|one[- ]off|time[- ]limited|hmrc approved|government (?:scheme|backed|initiative)|move it to them|transfer (?:it )?to them|review|cyprus|malta|dubai|cape verde|gibraltar`)
	// strongBaitRE is a sign by itself, whoever came first.
	strongBaitRE = rx(`pension (?:liberation|loan|unlocking)|loan from (?:my|your|the|a) pension|unlock(?:ing)? (?:my|your|the|a|his|her) pension|guaranteed \d+ ?%|(?:get|take|release|access|have) (?:\w+ ){0,6}(?:before|under) (?:i'?m |you'?re |age )?55 (?:via|through|with) (?:a|their)|loophole`)
)

// checkScam wants a warning where the customer's words or the text show signs of a scam.
func checkScam(d draft, s told) []finding {
	signs := contactRE.MatchString(s.words) && baitRE.MatchString(s.words) || strongBaitRE.MatchString(s.words)
	if !signs || d.r.Set.Has(cls().scamWarn) && d.warnsOfScam() {
		return nil
	}
	sp := pension.Span{}
	if len(d.spans) > 0 {
		sp = d.spans[0]
	}
	f := finding{code: ScamRiskUnflagged, severity: Critical, reference: scamReference, start: sp.Start, end: sp.End,
		why: "What the customer tells has signs of a scam, and the text does not warn."}
	if d.r.Set.Has(cls().scamSoft) && carefulRE.MatchString(d.low) {
		f.severity, f.why = Major, "What the customer tells has signs of a scam; the text hints at care and does not say so."
	}
	return []finding{f}
}

var (
	scamNameRE = rx(`\bscam|\bfraud|thie(?:f|ves)|criminal|crooks?\b|con(?:man| artist| trick)|against the law|illegal|unlawful|banned|hang up|warning list|red flags?|alarm bells|suspicious|too good to be true|scamsmart|steal|stolen|hallmarks?|don't (?:reply|share|give|send|sign|click|engage)|do not (?:reply|share|give|send|sign|click|engage)`)
	carefulRE  = rx(`\bcare\b|careful|caution|cautious|wary|fca (?:'s )?register|who regulates|check (?:them|they|the firm|who|that)|authorised`)
)

func (d draft) warnsOfScam() bool { return scamNameRE.MatchString(d.low) }
