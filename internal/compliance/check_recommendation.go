package compliance

import (
	"strings"
	"sync"

	"preceptor/internal/pack"
)

const adviceReference = "PERG 8.28 to 8.30A (advice on the merits); COBS 9.2; COBS 19.1"

// Verbs of deciding about a pension; the weak ones need a pension as their object, because one also takes time and keeps
// records.
const (
	strongVerb = `(?:transfer|consolidate|combine|merge|amalgamate|cash (?:\w+ )?in|withdraw|encash|annuitise|go for|go with|opt (?:for|out|in)|draw down|stick with|hold on to|hang on to|turn down|top up|invest|surrender|give up|roll|touch|dip into|raid|empty)`
	weakVerb   = `(?:take|keep|leave|stay|move|put|buy|choose|pick|use|delay|defer|stop|start|increase|reduce|accept|reject|switch|wait|sell|swap|release|draw|remain|retain|spend|pay|split|nominate|bring|avoid|get|make|do)`
	weakObject = `(?:pensions?|pots?|lump sums?|the cash|your cash|tax[- ]free|25 ?%|quarter|annuit\w+|drawdown|(?:the|this|that|their) offer|schemes?|where (?:it|they|you)|\bdb\b|final salary|state pension|income|funds?|sipps?|contribut\w+|(?:them|it|that|this|everything|the rest|the money|your money|the lot|the transfer)(?: all)?(?: (?:out|in|over|there|now|alone|together|today|invested|as|to|with|where))?|in (?:the|your) (?:scheme|fund)|put|paying (?:more )?in|working|the transfer|transferring|consolidating|more in|provider|shares|cautious|(?:less|more) risk)`
	notObject  = `(?:values?\b|requests?\b|times\b|quotes?\b|rules\b|by \w+ing)|^(?:\w+ ){0,3}(?:advice|guidance|care\b|time\b|notes?\b|records?|cop(?:y|ies)|paperwork|statements?|in mind|details|an eye|letters?|documents?|calm|sure\b|account of|into account|appointment|a look|forms?\b|help\b|in touch|a moment|questions?|checks?\b|steps?\b|an adviser|the register|scams?|trac)|^(?:\w+ ){0,2}(?:someone|somebody|anyone|anybody|links?|address|phone|attachments?|number|passwords?)\b`
	adv        = `(?:(?:really|definitely|seriously|probably|now|also|always|certainly|simply|just|absolutely|at least|ideally|therefore|never|not|only|go ahead and|try to|be able to|perhaps|be|strongly|still) )*`
	steer      = `(?:` + strongVerb + `\b|(?:tak|leav|mov|us|choos|releas)ing\b|` + weakVerb + `\b)`
	gerund     = `(?:transferring|consolidating|combining|merging|cashing|withdrawing|moving|keeping|leaving|staying|taking|buying|choosing|delaying|deferring|drawing|switching|sticking|holding on|going for|going with|opting|investing|putting|using|paying (?:more )?in|stopping|waiting|rolling)`
	product    = `(?:an? |the |your |flexi[- ]?access |full |partial |a lifetime )?(?:(?:db |pension )?transfer|consolidation|drawdown|annuity|lump sum|tax[- ]free cash|sipp|ufpls|cautious fund|tracker)`
)

func rx(p string) *pack.Pattern { return pack.NewPattern(p) }

// steerPattern is a way of telling somebody what to do. object, when given, has to match soon after the verb.
type steerPattern struct {
	re       *pack.Pattern
	severity string
	why      string
}

const (
	whyDirective = "It tells the customer what to do with their pension, which is a personal recommendation."
	whyAuthor    = "It gives the author's own recommendation."
	whySuitable  = "It presents a choice as suitable for this customer."
	whySoft      = "A softened steer: it points this customer towards one choice."
	whyPersonal  = "It rests a choice on the customer's own circumstances."
)

// outright are steers that hold whatever else the sentence says: a refusal that is taken back in the same breath, and a plain yes or
// no to whether one should. Only quotation and questions excuse them.
var outright = []steerPattern{
	{re: rx(`\b(?:can'?t|cannot|can not|unable to|not able to|not allowed to|won'?t|will not|not permitted to)\b[^.;]{0,90}(?:, but|; but| but|, however,?|, though,?|, yet| - but|; however,?) (?:please |just |simply |really |do |i'd |we'd )*((?:transfer|consolidate|combine|merge|cash|move|take|keep|leave|withdraw|accept|reject|annuitise|go for|stick with|switch) (?:it|them|this|that|your|everything|all|the (?:transfer|offer|lump|cash|pension|pot|money|annuity|quarter|tax)|out|in|put)\b.{0,60})`), severity: Critical, why: whyDirective},
	{re: rx(`^(?:yes|no|sure|absolutely|definitely|certainly)[,.!:; ]+(?:do it|go for it|go ahead|do so|don't do it|don't|transfer (?:it|them|your|the)|take it|leave it|keep it|move it)\b[^.?]{0,40}[.!]*$`), severity: Critical, why: whyDirective},
	{re: rx(`\b(?:should i|ought i|shall i|whether to|is it worth|would it be best|a good idea)\b[^.]{0,90}\b(?:the|my|our) answer (?:is|would be|has to be) (?:a |an )?(?:\w+ )?(?:yes|no)[ .!,;:]*$`), severity: Critical, why: whySuitable},
}

// steers are tried on each sentence in lower case. Capturing group 1, where present, is the verb with what follows it and is
// held against the objects above.
var steers = []steerPattern{
	{rx(`\byou(?:'d| would| really| definitely| certainly| probably| simply| just)* (?:should|ought to|had better|better|shouldn't|oughtn't to) ` + adv + `(` + steer + `.{0,80})`), Critical, whyDirective},
	{rx(`\byou(?:'d) better ` + adv + `(` + steer + `.{0,80})`), Critical, whyDirective},
	{rx(`\byou (?:must|need to|have to|mustn't) ` + adv + `(` + steer + `.{0,80})`), Critical, whyDirective},
	{rx(`\b(?:i|we)(?:'d| would| wouldn't| would not| do not| don't| do| can| will| strongly| highly| definitely| personally| always| really)* (?:recommend|advise|suggest|urge|propose)(?: strongly)?(?: to you)?(?: that)?(?: you)?(?: should| to| go for)? ?` + `((?:not )?(?:` + steer + `|` + gerund + `|` + product + `|against|` + `the (?:transfer|drawdown|annuity|lump sum|cash)).{0,60})`), Critical, whyAuthor},
	{rx(`\b(?:i|we)(?:'d| would) (?:definitely |probably |personally |certainly |not |never |always |just |go ahead and |be inclined to |be tempted to )*(` + steer + `.{0,60})`), Critical, whyAuthor},
	{rx(`\b(?:i|we) wouldn't (` + steer + `.{0,60})`), Critical, whyAuthor},
	{rx(`\b(?:my|our) (?:\w+ )?(?:advice|recommendation|suggestion|view)(?: to you| for you| here)? (?:is|would be)(?: that you| for you| you)?(?: should)?(?: to)?:? ((?:not )?(?:` + steer + `|` + gerund + `|` + product + `).{0,60})`), Critical, whyAuthor},
	{rx(`\b(?:i|we) (?:think|believe|feel|reckon)(?: that)? you (?:should|would|ought|are better|'d|need)[^.]{0,60}`), Critical, whyAuthor},
	{rx(`\bif (?:i|we) were you\b[^.]{0,50}`), Critical, whyAuthor},
	{rx(`\bin your (?:shoes|position|place),? (?:i|we)(?:'d| would)\b[^.]{0,40}`), Critical, whyAuthor},
	{rx(`\b(?:best|right|ideal|perfect|smartest|safest|wisest|sensible|obvious|better|most suitable|correct) (?:\w+ )?(?:option|choice|thing|course|course of action|move|decision|plan|approach|solution|bet|route|way forward|fit|idea|product|pension|provider)(?: here| now)? (?:for (?:you|someone like you)|in your (?:case|situation|position|circumstances))\b`), Critical, whySuitable},
	{rx(`\byour (?:best|safest|smartest|wisest) (?:option|choice|bet|move|course|plan|decision|route)\b[^.]{0,50}`), Critical, whySuitable},
	{rx(`\b(?:the )?(?:best|right|sensible|smart|wise|safest|obvious) (?:option|choice|thing|course of action|move|decision|plan|approach|solution)(?: here| now| to do)? (?:is|would be|has to be|must be|seems|looks) (?:probably |clearly |simply |likely )?(?:to )?((?:` + steer + `|` + gerund + `|` + product + `).{0,60})`), Critical, whySuitable},
	{rx(`\b(?:is|are|'s|would be|will be|looks|seems|sounds|was) (?:probably |clearly |likely |certainly |definitely |not |n't )*(?:right|ideal|perfect|suitable|best|better|appropriate|unsuitable|wrong|a (?:good|great|sensible|bad|poor|better) (?:fit|choice|option|idea|move|deal))(?: one)? for (?:you|someone (?:in your|like you)|a person in your)\b`), Critical, whySuitable},
	{rx(`\byou(?:'d| would|'ll| will| are|'re) (?:probably |clearly |definitely |certainly |likely |be |much |far )*better off (?:` + gerund + `|with|in|by|not|if|combin|to)\b[^.]{0,50}`), Critical, whySuitable},
	{rx(`\b(?:it|this|that|which)(?:'s| is| would be| will be|'d be) (?:probably |clearly |definitely |certainly )?(?:best|better|wise|wiser|sensible|advisable|a good idea|a no[- ]brainer|worthwhile|time|right|worth it)(?: for you| if you| that you)?(?: to)? ((?:` + steer + `|` + gerund + `).{0,60})`), Critical, whySuitable},
	{rx(`\b(?:suits?|fits?|matches|meets) (?:you|your (?:needs|circumstances|situation|goals?|profile|objectives))(?: (?:best|well|perfectly|better))\b`), Critical, whySuitable},
	{rx(`\byou(?:'d| would| are|'re|'ll| will| might| may| could)? (?:be )?(?:mad|foolish|crazy|silly|unwise|daft|wise|sensible|wrong|right|missing out|a fool)(?: not)? (?:to |if you (?:don't |do not |didn't )?)((?:` + steer + `).{0,60})`), Critical, whySuitable},
	{rx(`\b(?:` + product + `|` + gerund + `)\b[^.;]{0,50}?\b(?:is the way to go|makes? (?:more|the most|the best) sense|is (?:clearly |probably |simply )?(?:the|a) (?:better|best|safer|wiser) (?:option|choice|bet|route|deal))\b`), Critical, whySuitable},
	{rx(`(?:, so|; so|, and so|, therefore) (?:just |please |do |don't |do not )?((?:` + strongVerb + `|take|keep|leave|stay|move|buy|choose|pick|go for|switch|wait)\b.{0,60})`), Critical, whyDirective},
	{rx(`\byour (?:\w+ ){0,3}(?:pensions?|pots?|benefits?|funds?|savings|schemes?) (?:should|ought to) (?:now |really |definitely |probably |all )*(?:be )(?:transferred|moved|cashed in|consolidated|combined|merged|switched|left|kept|drawn|taken)\b[^.]{0,60}`), Critical, whyDirective},
	{rx(`\bno[- ]brainer\b|\byou can'?t go wrong (?:with|by)\b`), Critical, whySuitable},
	{rx(`\bgo ahead (?:and|with) ((?:` + steer + `|the |this |that ).{0,60})`), Critical, whyDirective},
	{rx(`^(?:please |so,? |just |definitely |then,? |now,? |simply |my answer: |yes,? |no,? |in short,? |overall,? |therefore,? )*(?:do not |don't |never )?((?:` + strongVerb + `|` + weakVerb + `)\b.{0,80})`), Critical, whyDirective},

	{rx(`\byou (?:might|may|could|would)(?: well| also| perhaps)? (?:want|wish|like|prefer|choose|do well|be wise|be advised|be better|find it (?:best|better|helpful)) ?(?:off )?(?:to )?(?:consider |think about |look at |look into )?((?:` + steer + `|` + gerund + `|` + product + `).{0,60})`), Major, whySoft},
	{rx(`\byou (?:might|may|could|can|should|ought to)(?: well| also| perhaps| seriously| really)* (?:consider|think about|look at|look into|lean towards|explore) ((?:` + gerund + `|` + product + `).{0,60})`), Major, whySoft},
	{rx(`\b(?:given|based on|considering|looking at|in view of|because of|with) your (?:\w+ )?(?:situation|circumstances|position|age|goals?|health|profile|needs|income|case|objectives|literacy|pots?)\b[^.]{0,60}?\b((?:` + gerund + `|` + product + `)[^.]{0,60}?\b(?:could|might|may|would|is|looks|seems|makes)\b)`), Major, whyPersonal},
	{rx(`\b(?:given|based on|considering|looking at|in view of|because of) your (?:\w+ )?(?:situation|circumstances|position|age|goals?|health|profile|needs|income|case|objectives)\b[^.]{0,40}?\byou (?:might|may|could|would|can)\b[^.]{0,60}`), Major, whyPersonal},
	{rx(`\b(?:would|could|might|may|does|do) (?:well |probably |likely )?make (?:more |a lot of |good )?sense (?:for you )?to ((?:` + steer + `).{0,60})`), Major, whySoft},
	{rx(`\b(?:it makes|makes) (?:more |a lot of |good )?sense (?:for you )?to ((?:` + steer + `).{0,60})`), Major, whySoft},
	{rx(`\b(?:could|might|may) (?:well |probably |possibly )?(?:be|prove|turn out) (?:a |the |an )?(?:good|right|better|best|suitable|sensible|ideal|attractive)(?: \w+)? for you\b`), Major, whySuitable},
	{rx(`\b(?:would|could|might|may) (?:well |probably )?suit you\b`), Major, whySuitable},
	{rx(`\b(?:would|could|might|may|seems to|appears to) (?:well |probably )?(?:suit|fit|match|meet) your (?:needs|circumstances|situation|goals?|profile|objectives)\b`), Major, whyPersonal},
	{rx(`\b(?:people|someone|somebody|most people|many people|a person|customers|anyone) (?:like you|(?:of |at )?your age|in your (?:position|situation|circumstances|shoes))\b[^.]{0,60}`), Major, whyPersonal},
	{rx(`\byou (?:might|may|could) (?:well |possibly )?be better off (?:` + gerund + `|with|in|by)\b[^.]{0,50}`), Major, whySoft},
	{rx(`\b(?:worth|worth you|worth your while|good idea)(?: seriously)? (?:considering|thinking about|looking at|looking into|exploring|consider|to consider|to look at) ((?:` + gerund + `|` + product + `).{0,60})`), Major, whySoft},
	{rx(`\byou (?:may|might|could|will|would)(?: well)? find (?:that )?((?:` + product + `|` + gerund + `)\b.{0,60})`), Major, whySoft},
	{rx(`^(?:please |perhaps |maybe |so |do )*(?:consider|think about|look at|look into|give some thought to) ((?:` + gerund + `|` + product + `).{0,60})`), Major, whySoft},
	{rx(`\bwhy not ((?:` + steer + `).{0,60})`), Major, whySoft},
	{rx(`\bhave you (?:considered|thought about|thought of) ((?:` + gerund + `|` + product + `).{0,60})`), Major, whySoft},
	{rx(`\b(?:i|we)(?:'d| would)? (?:lean|be inclined|tend) towards?\b[^.]{0,50}`), Major, whySoft},
}

var (
	weakStartRE = rx(`^(?:` + weakVerb + `|(?:tak|leav|mov|us|choos|releas)ing|keeping|putting|staying|buying|using|taking|stopping|waiting|delaying|paying)\b`)
	weakObjRE   = rx(`\b` + weakObject)
	notObjRE    = rx(`^(?:\w+ )?` + notObject)
	// declineRE is a refusal to choose, or a service description, before the steer.
	declineRE  = rx(`\b(?:(?:aren't|isn't|are not|is not|not) (?:saying|telling|suggesting|to say)|can'?t|cannot|can not|could not|couldn't|unable to|not able to|not allowed to|aren't allowed to|not permitted to|mustn't|must not|may not|do not|don't|does not|doesn't|won't|will not|never|not here to|isn't for us to|without|nobody can|no one can|rather than|instead of|only (?:a|an|you)|not our (?:place|role) to|up to you|not (?:a|any) (?:personal )?recommendation)\b[^.;]{0,70}$`)
	declVerbRE = rx(`\b(?:tell|say|advise|recommend|suggest|decide|choose|judge|know|mean|make|comment|give|whether|saying|telling|imply|urge|propose|instruct)`)
	// reportedRE is a question or doubt that is reported, not asserted.
	reportedRE  = rx(`\b(?:whether(?: or not)?|if|which (?:\w+ )?(?:option|choice|one|way|pension|product)?|what|how|when|where|who|asked|asking|wonder(?:ing)?|unsure|decide|deciding|depends on|question of)(?: \w+){0,2} ?$`)
	othersSayRE = rx(`\b(?:advis[eo]rs?|provider|scheme|trustees?|someone|anyone|people|they|firms?|company|callers?|he|she|who|scammers?|website|friends?|family|colleagues?|salesperson|fraudsters?|customer|judge|court|specialist)\b[^.;]{0,50}\b(?:tell|say|said|told|claim|suggest|insist|advis|recommend|think|believe|persuad|convinc|urg|explain|confirm|decide|work out|assess|agree)\w*\b[^.;]{0,30}$`)
	youSaidRE   = rx(`\byou (?:wrote|said|say|told (?:us|me)|mention(?:ed)?|think|feel|believe|felt|thought|heard|read|were told|have been told|asked|wonder(?:ed)?)\b[^.;]{0,40}$`)
	protectRE   = rx(`\bscam|fraud|cold[- ]?call|out of the blue|unsolicited|pressur|hang up|unexpected(?:ly)? (?:call|contact)|fca (?:register|warning)|stranger|suspicious|report (?:it|them)`)
	untilRE     = rx(`\b(?:until|unless|before (?:you|any|get|tak|speak|hav|the|an?\b|do|decid|check|talk)|without|in a hurry|in a rush|too quickly|straight ?away without)\b`)
	lawRE       = rx(`\b(?:by law|the law|legally|legal requirement|required by|rules say|hmrc|regulations?|you must (?:be|have|get|take)|in order to|to (?:do|use|access|get|qualify|claim|be able|have|keep|make|receive|avoid)|deadline|within|if you (?:want|wish|choose|decide|prefer|would like|do|go ahead|transfer|take)|to another (?:provider|scheme)|first)\b`)
	mustRE      = rx(`\byou (?:must|need to|have to)\b`)
	optionRE    = rx(`^(?:[-*•–+#>|]|\d{1,2}[.)])\s*`)
	introRE     = rx(`(?:options|choices|ways|you (?:can|could)|possible|either|example|steps?|include|following|these|might)[^.]{0,60}:?\s*$`)
	questionRE  = rx(`\?["'”’)*]*$`)
	ifYouRE     = rx(`^(?:if|when|once|where|before|after) you\b|\bif you (?:want|wish|choose|decide|prefer|would like|need)\b`)
	maybeNotRE  = rx(`\b(?:may|might|could) not be\b|\bwhat(?:ever)? is\b|\bwhichever\b|\bdepend(?:s|ing)?\b|\bwhether\b|\bwhich\b|\bwhat\b|\bif it(?:'s| is)\b|\bnot (?:say|mean)\b|\bdecide\b|\bwork out\b|\badviser\b`)

	choiceWordsRE = rx(`\byou (?:should|could|might|may|can) (?:\w+ )?(?:consider|choose|decide|prefer|want)\b|\bfor you\b|\byour (?:situation|circumstances)\b`)
)

// checkRecommendation finds what tells the customer which choice to make. Each sentence counts once, by its worst phrase.
func checkRecommendation(d draft, _ told) []finding {
	var out []finding
	for i, sp := range d.spans {
		if f, ok := d.steerIn(i, sp); ok {
			out = append(out, f)
		}
	}
	return out
}

// setsOfSteers are the steers as sets, of which most sentences can match none.
type setsOfSteers struct{ outright, steers *pack.Set }

var steerSets = sync.OnceValue(func() setsOfSteers {
	set := func(of []steerPattern) *pack.Set {
		var all []*pack.Pattern
		for _, p := range of {
			all = append(all, p.re)
		}
		return pack.NewSet(all)
	}
	return setsOfSteers{set(outright), set(steers)}
})

func (d draft) steerIn(i int, sp pack.Span) (finding, bool) {
	s := d.lower[i]
	var best finding
	var room [32]int
	possible := steerSets()
	for _, k := range possible.outright.Possible(room[:0], s) {
		p := outright[k]
		for _, m := range p.re.FindAllStringSubmatchIndex(s, 8) {
			start, end := m[0], m[1]
			if len(m) > 2 && m[2] >= 0 && !steerObject(s[m[2]:m[3]]) || questionRE.MatchString(s) || d.quoted(sp.Start+start, sp.Start+end) {
				continue
			}
			return p.found(sp, s, start, end), true
		}
	}
	for _, k := range possible.steers.Possible(room[:0], s) {
		p := steers[k]
		if best.severity == Critical || best.severity == Major && p.severity == Major {
			break
		}
		for _, m := range p.re.FindAllStringSubmatchIndex(s, 8) {
			start, end := m[0], m[1]
			if len(m) > 2 && m[2] >= 0 && !steerObject(s[m[2]:m[3]]) {
				continue
			}
			if p.why == whyAuthor && (firmRE.MatchString(s) || newFirmRE.MatchString(sp.In(d.text))) {
				continue // a provider held out as the choice is for checkProduct
			}
			if d.excused(i, sp, s, start, end, p) {
				continue
			}
			best = p.found(sp, s, start, end)
			break
		}
	}
	return best, best.code != ""
}

// found is the finding of a steer in sentence s, from start to end; a softened one is disguised.
func (p steerPattern) found(sp pack.Span, s string, start, end int) finding {
	code := PersonalRecommendation
	if p.severity == Major {
		code = DisguisedRecommendation
	}
	return finding{code: code, severity: p.severity, why: p.why, reference: adviceReference, start: sp.Start + start, end: sp.Start + wordEnd(s, min(end, start+160))}
}

// steerObject tells whether a verb with what follows is about a pension decision: a weak verb needs a pension for its object.
func steerObject(rest string) bool {
	rest = strings.TrimPrefix(rest, "not ")
	first, after, _ := strings.Cut(rest, " ")
	if !weakStartRE.MatchString(first) {
		return !notObjRE.MatchString(after) || strings.HasPrefix(after, "your") && !strings.Contains(after, "advice")
	}
	if notObjRE.MatchString(after) {
		return false
	}
	if (first == "get" || first == "make" || first == "do") && !doneRE.MatchString(after) {
		return false
	}
	return weakObjRE.MatchString(" " + after)
}

// doneRE is what follows "get" or "do" when that is a decision about a pension.
var doneRE = rx(`^(?:it|that|this|the) (?:transfer|done)|^your (?:pension|money|pot)s? (?:out|moved|transferred)`)

// wordEnd cuts a match at a sentence's clause, so that the mark on the page stays short.
func wordEnd(s string, end int) int {
	for end < len(s) && s[end] != ' ' && s[end] != '.' && s[end] != ',' {
		end++
	}
	for end > 0 && strings.ContainsRune(" .,;:", rune(s[end-1])) {
		end--
	}
	return end
}
