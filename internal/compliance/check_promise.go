package compliance

import (
	"sync"

	"preceptor/internal/pack"
)

// promisePatterns are ways of stating a projection, or what somebody else will decide, as an outcome.
var promisePatterns = []struct {
	re       string
	severity string
}{
	{`\b(?:will|'ll|would) (?:\w+ )?(?:be worth|grow to|come to|reach|amount to|have become|have grown to|turn into|build up to|leave you with) (?:\w+ ){0,2}£[\d,]+`, Critical},
	{`\b(?:earns|returns|grows(?: by)?|makes|yields) \d+(?:\.\d+)? ?%[^.]{0,80}\b(?:so|which means|and)\b[^.]{0,60}\b(?:you'd|you'll|would|will)\b`, Critical},
	{`\bdoubles? (?:twice|every|in)\b[^.]{0,80}£`, Critical},
	{`\b(?:will|'ll) (?:definitely|certainly|comfortably|easily|always|never) (?:\w+ )?(?:grow|rise|double|outpace|beat|cover|last|run out|fall|recover|outperform|lose)\b`, Critical},
	{`\bwill (?:grow|double|treble|outperform|recover|bounce back|beat (?:inflation|prices|an?|the))\b`, Critical},
	{`\b(?:can't|cannot|won't) (?:lose|go wrong|run out|fall|go down)\b`, Critical},
	{`\b(?:is|are|it's|they're) (?:bound|certain|sure|guaranteed|set) to (?:grow|rise|recover|beat|do|go up|increase|last|double|outperform|be worth|pay more)\b`, Critical},
	{`\b(?:risk[- ]free|no risk (?:at all|whatever|whatsoever|of|to|in)|without (?:any )?risk|as safe as houses)\b`, Critical},
	{`\bguaranteed? (?:growth|returns?|profits?|\d+ ?%)\b`, Critical},
	{`\bwill go on (?:beating|rising|growing|outpacing)\b`, Critical},
	{`\b(?:would|will) still be there (?:at|when|for)\b`, Critical},
	{`\bevery penny\b[^.]{0,60}\b(?:back|within|in)\b`, Critical},
	{`\byou (?:would|will|'ll|'d) have (?:the money|it|your money|all of it|that) back (?:within|in|by)\b`, Critical},
	{`\b(?:they|the (?:scheme|provider|insurer|trustees|company|ombudsman|court|hmrc|dwp)) will (?:pay out|approve|agree|accept|say yes|find in your favour|uphold|refund|let you)\b`, Major},
	{`\b(?:pension|pot|fund|money|income|plan|savings?) will (?:easily |comfortably |certainly |always )?(?:last|see you (?:out|through)|cover|keep up with|keep pace|outlast|carry you)\b`, Critical},
	{`\bnever (?:fall|drop|lose|run out|go down)s?\b`, Major},
	{`\bmarkets? (?:always|will) (?:recover|come back|bounce|rise|go up)`, Critical},
	{`\bso that's £[\d,]+ (?:waiting|for|at|by|from)\b`, Critical},
	{`\b(?:will|'ll) (?:be|have) (?:\w+ ){0,3}(?:secure|safe|sorted|set up|set|comfortable|fine|well off|better off|no worries)(?: \w+)? (?:for (?:life|the rest)|in (?:old age|retirement))`, Major},
}

var (
	promises = compileAll()
	// unsureRE makes an outcome of a projection an assumption again.
	unsureRE = rx(`\bif\b|\bassum|\bmight\b|\bmay\b|\bcould\b|\bperhaps\b|\bpossibl|nobody|no one|not (?:certain|guaranteed|promised)|can't say|cannot say|depends|\bunless\b|example|illustrat|whether|suppose|promises? (?:of|that|you)|claim(?:s|ed|ing)?\b|anyone who|scam|offers? of|no (?:investment|pension|fund|plan|one|annuity)|nothing|neither|\bsay(?:s|ing)? (?:it|that|they)|beware`)
	// deniedRE is a denial before the promise: nothing comes without risk.
	deniedRE = rx(`\b(?:not|isn't|aren't|none|never|no|nor|don't|doesn't|won't|rarely|hardly)\b[^;:]*$`)
	// contractRE is an income that is in fact guaranteed by contract or law.
	contractRE = rx(`annuit|final salary|defined benefit|\bdb\b|scheme (?:pays|promises)|insurer|guarantee period|state pension`)
)

func compileAll() []promisePattern {
	var out []promisePattern
	for _, p := range promisePatterns {
		out = append(out, promisePattern{rx(p.re), p.severity})
	}
	return out
}

type promisePattern struct {
	re       *pack.Pattern
	severity string
}

// promiseSet is the promises as a set, of which most sentences can match none.
var promiseSet = sync.OnceValue(func() *pack.Set {
	var all []*pack.Pattern
	for _, p := range promises {
		all = append(all, p.re)
	}
	return pack.NewSet(all)
})

// checkPromise finds outcomes that nobody can promise.
func checkPromise(d draft, _ told) []finding {
	var out []finding
	for i, s := range d.lower {
		if d.r.Sentences[i].Asks || d.r.Sentences[i].Set.Has(cls().scamWarn) && scamNameRE.MatchString(s) {
			continue
		}
		var room [32]int
		for _, k := range promiseSet().Possible(room[:0], s) {
			p := promises[k]
			m := p.re.FindStringIndex(s)
			if m == nil || deniedRE.MatchString(s[:m[0]]) || unsureRE.MatchString(s) || d.quotedAt(i, m) || contractRE.MatchString(s) && p.severity == Major || runsOutRE.MatchString(s[m[0]:m[1]]) && d.ofAnnuity(i) {
				continue
			}
			sp := d.spans[i]
			out = append(out, finding{code: GuaranteeOrPromise, severity: p.severity, reference: promiseReference, start: sp.Start + m[0], end: sp.Start + m[1],
				why: "What may happen is stated as what will: nobody can promise it."})
			break
		}
	}
	return out
}

// runsOutRE is that an income goes on, which is no promise but a fact where an annuity or a scheme pays it (ofAnnuity).
var runsOutRE = rx(`run out|\blast|\bfall|go down|see you out`)

func (d draft) ofAnnuity(i int) bool {
	for k := max(0, i-3); k <= i; k++ {
		if contractRE.MatchString(d.lower[k]) {
			return true
		}
	}
	return false
}

// quotedAt tells whether a match in sentence i stands in quotation marks.
func (d draft) quotedAt(i int, m []int) bool {
	return d.quoted(d.spans[i].Start+m[0], d.spans[i].Start+m[1])
}
