package pack

import (
	"sort"
	"strings"
)

// DetectMoves lists the moves that a text makes, in order of their places. One sentence can make several.
func DetectMoves(text string) []Found {
	spans := SentenceSpans(text)
	var out []Found
	for i, sp := range spans {
		out = append(out, sentenceMoves(text, spans, i, sp)...)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Start < out[j].Start })
	return out
}

// detector finds a move by the words of one sentence.
type detector struct {
	move Move
	re   *Pattern
	not  *Pattern
}

var (
	guaranteeRE = ci(`guarante|safeguarded|secure income|income for (?:life|the rest)|promise|protect(?:ed|ions)|valuable benefit|inflation|rises? (?:with|each|every)|defined[- ]benefit|final[- ]salary|\bdb\b|career[- ]average`)
	lossRE      = ci(`\blos(?:e|es|ing|t|s)\b|giv(?:e|es|ing) (?:\w+ )?up|gone\b|worse off|better off|lose out|irrevers|cannot be (?:undone|reversed|got|had)|can'?t (?:be |get |go )?(?:undone|reversed|back|undo)|no way back|get (?:it|them|that|those) back|surrender|forfeit|disappear|not (?:usually|normally|generally) (?:suitable|in)|unlikely to be|best interests|for good\b|swap(?:ping)?|trad(?:e|ing) away|hard to (?:match|replace)|can'?t (?:be )?(?:replace|match)|cannot (?:be )?(?:replace|match)|\bends? (?:when|if|once|on|as soon)|\bends\b|with less\b|should keep|valuable`)
	dbNearRE    = ci(dbWords + `|safeguarded|transfer|guaranteed annuity rate|\bscheme|mov(?:e|ing) (?:it|this|that|them|your)`)
	worseRE     = ci(`(?:most people|many people|you (?:could|may|might|would)|usually).{0,60}(?:worse off|lose out|better off (?:keeping|staying|not))|unlikely to be (?:in|suitable)|(?:not|rarely|seldom|hardly ever) (?:usually |normally |generally )?in (?:your|their|most people'?s|people'?s|anyone'?s) best interests?|most people should keep`)
	notWarnRE   = ci(`\bannuit(?:y|ies)\b (?:gives?|pays?|provides?|is|guarantees)|not guaranteed|no guarantee|isn'?t guaranteed|aren'?t guaranteed|guarantees? (?:of|that|about) (?:returns|growth|investment)|promises? (?:high|big|returns|growth)|compensation`)
)

var detectors = []detector{
	{SignpostAdvice, ci(`(?:regulated|independent|authorised|professional|specialist|qualified|fca[- ]authorised)(?:[ ,]+(?:independent|financial|pension|pensions|transfer|fca[- ]authorised|regulated|and))*[ ,]+(?:advi[cs]e|advis[eo]rs?)|financial advi[cs]e(?:r|rs)?\b|financial advisor|\bifas?\b|pension transfer specialist|retirement adviser directory`),
		ci(`(?:don'?t|do not|no) need .{0,30}(?:advice|adviser)|without (?:regulated |financial |any )?advice|this is not (?:regulated |financial )?advice|not (?:regulated |financial )advice|isn'?t (?:regulated |financial )advice|avoid .{0,20}advis`)},
	{SignpostGuidance, ci(`money ?helper|pension ?wise|citizens advice|free(?:,? (?:and )?impartial)? guidance|step ?change|samaritans|national debtline`), nil},
	{CheckUnderstanding, ci(`in your own words|explain (?:that|this|it) back|tell (?:me|us) (?:back|what you (?:understand|understood|think (?:this|would)))|what you (?:understand|have understood)|(?:is|was) (?:that|this|everything) clear\b|does (?:that|this) make sense|do you (?:follow|understand)|happy to (?:go over|explain) .{0,20}again|how would you (?:describe|explain|sum)|check (?:that )?(?:we|i)(?:'ve| have)? (?:explained|been clear)`), nil},
	{Risk, ci(`go down as well as up|fall (?:in value|as well)|can (?:go down|fall|drop|lose)|could (?:go down|fall|drop|run out|lose|get back less)|may (?:go down|fall|lose|run out)|not (?:be )?guaranteed|(?:can|could|may|might) run out|get back less|\brisks?\b|lose (?:some|money|value)|downside|drawback`), ci(`no risk|risk[- ]free|without (?:any )?risk`)},
	{TaxNote, ci(`income tax|taxed|taxable|tax bill|pay tax|tax rate|rate of tax|counts as income|tax band|emergency tax|(?:personal|tax) allowance`), nil},
	{ScamWarning, ci(`\bscam|\bfraud|cold[- ]?call|fca (?:register|warning)|financial services register|scamsmart|report fraud|action fraud`), nil},
	{CheckFeatures, ci(`guaranteed annuity rate|protected (?:tax[- ]free|pension age|retirement)|special features|valuable features|features? (?:that|you) (?:would|could|may|might) (?:be )?los`), nil},
	{CheckFees, ci(`\b(?:exit|transfer|annual|management)? ?(?:fees?|charges?)\b`), nil},
	{BalanceOptions, ci(`(?:several|other|different|following) (?:options|choices|ways)|options (?:include|are|also)|on the other hand|advantages? and disadvantages?|pros and cons|alternatively|leaving (?:it|them|things) (?:as|where)`), nil},
	{Empathy, ci(`sorry (?:to hear|for your)|condolence|we know (?:this|that this|it)(?:'s| is| can be| must be)? (?:a )?(?:hard|difficult|worrying|stress)|(?:understand|understandable)(?: that)? (?:this|it|how|you|to)[^.]{0,40}(?:difficult|hard|worr|stress|upset|anxious)|no (?:need to|rush)|take your time|one step at a time|here to help`), nil},
	{Analogy, ci(`like a (?:salary|wage|savings|bank|promise|pay)|think of it (?:as|like)|picture (?:it|a)|works like|similar to a|as a comparison|imagine\b`), nil},
	{Ask, ci(`\?["'”’)]*$`), ci(`^(?:you asked|you have asked|you've asked|your question)`)},
}

// sentenceMoves is the moves of sentence i; a warning about guarantees may be spread over neighbours.
func sentenceMoves(text string, spans []Span, i int, sp Span) []Found {
	s := sp.In(text)
	var out []Found
	if warnsOfGuarantees(text, spans, i, s) {
		out = append(out, Found{WarnGuarantees, sp.Start, sp.End})
	}
	for _, d := range detectors {
		m := d.re.FindStringIndex(s)
		if m == nil || d.not != nil && d.not.MatchString(s) {
			continue
		}
		out = append(out, Found{d.move, sp.Start, sp.End})
	}
	if m := personalRE.FindStringIndex(s); m != nil && !negated(s, m[0]) {
		out = append(out, Found{personalPhrasing, sp.Start + m[0], sp.Start + m[1]})
	}
	if m := promiseRE.FindStringIndex(s); m != nil && !negated(s, m[0]) {
		out = append(out, Found{promiseMade, sp.Start + m[0], sp.Start + m[1]})
	}
	return out
}

// Moves that only a comparison of two texts speaks of: what a good text lacks.
const (
	personalPhrasing Move = "personal_phrasing"
	promiseMade      Move = "promise_made"
	jargonUsed       Move = "jargon_used"
)

var (
	personalRE = ci(`\b(?:you should|you ought to|you'?d be better|you would be better|i(?:'d| would)? (?:recommend|suggest|advise)|we(?:'d| would)? (?:recommend|suggest|advise)|my (?:advice|recommendation)|our (?:advice|recommendation)|(?:the )?best (?:option|thing|choice|course)(?: of action)?(?: for you)? (?:is|would be)|you (?:might|may) (?:want|wish|like) to|you could consider|(?:given|based on|in) your (?:situation|circumstances|position)|if i were you|makes? sense for you|right (?:choice|option) for you|suits? you|you'?d do well)`)
	promiseRE  = ci(`\b(?:will (?:definitely|certainly|always|never)|guaranteed to|is guaranteed|are guaranteed|guarantee you|risk[- ]free|no risk|can'?t (?:lose|go wrong)|cannot lose|certain to|bound to|sure to|will (?:grow|double|increase|rise) (?:by|to|in value))`)
)

var (
	youAskedRE   = ci(`^you asked`)
	dbOrMoveRE   = ci(dbWords + `|transfer`)
	pointsBackRE = ci(`guarantee|\bit\b|them|those|that|these|transfer`)
	plainLossRE  = ci(`\blos|giv|back|worse|for good`)
	conditionRE  = ci(`(?:if|when|unless|that) you|not (?:usually|normally|want)|don'?t want`)
)

func warnsOfGuarantees(text string, spans []Span, i int, s string) bool {
	loss := lossRE.FindStringIndex(s)
	if loss == nil || notWarnRE.MatchString(s) || lossDenied(s, loss[0]) {
		return false
	}
	near := s
	if i > 0 {
		near = spans[i-1].In(text) + " " + near
	}
	if i > 1 {
		near = spans[i-2].In(text) + " " + near
	}
	if i+1 < len(spans) {
		near += " " + spans[i+1].In(text)
	}
	if !dbNearRE.MatchString(near) || youAskedRE.MatchString(s) {
		return false
	}
	return guaranteeRE.MatchString(s) || worseRE.MatchString(s) && dbOrMoveRE.MatchString(near) ||
		guaranteeRE.MatchString(near) && pointsBackRE.MatchString(s) && plainLossRE.MatchString(s)
}

// lossDenied tells whether the loss is denied: "you won't lose anything".
func lossDenied(s string, at int) bool {
	word := strings.ToLower(s[at:])
	if strings.HasPrefix(word, "can") || strings.HasPrefix(word, "best") || strings.HasPrefix(word, "no ") || strings.HasPrefix(word, "not ") || strings.HasPrefix(word, "unlikely") {
		return false
	}
	return negated(s, at) && !conditionRE.MatchString(s[:at])
}
