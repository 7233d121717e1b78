package pack

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Rewrite applies the action's phrasing to text: personal wording made general, jargon made plain, promises softened,
// phrases replaced. What it demands to be added is left to Sentences.
func (p Principle) Rewrite(text string) string {
	for _, st := range p.steps() {
		text = st.rewrite(text)
	}
	return text
}

func (st step) rewrite(text string) string {
	switch st.move {
	case Depersonalise:
		for _, bad := range st.avoid {
			text = replacePhrase(text, bad, firstOf(st.use), depersonalise)
		}
		return depersonalise(text)
	case PlainWords:
		for i, bad := range st.avoid {
			text = replacePhrase(text, bad, at(st.use, i), plainWords)
		}
		return plainWords(text)
	case NoPromise:
		return softenPromises(text)
	case Replace:
		for i, bad := range st.avoid {
			text = replacePhrase(text, bad, at(st.use, i), depersonalise)
		}
		return text
	case Avoid:
		if len(st.avoid) > 0 {
			for _, bad := range st.avoid {
				text = dropPhrase(text, bad)
			}
			return text
		}
		return dropTopic(text, st.content)
	}
	return text
}

func firstOf(list []string) string { return at(list, 0) }

// at is list[i], or its last element beyond the end; "" when there is none.
func at(list []string, i int) string {
	if len(list) == 0 {
		return ""
	}
	return list[min(i, len(list)-1)]
}

// replacePhrase puts good in the place of bad. known is the built-in way of saying such things, used first, because it minds
// the grammar around the phrase.
func replacePhrase(text, bad, good string, known func(string) string) string {
	if bad == "" || strings.EqualFold(bad, good) {
		return text
	}
	re := phraseRE(bad)
	if !re.MatchString(text) {
		return text
	}
	if known != nil && known(bad+" x") != bad+" x" {
		text = known(text)
		if !re.MatchString(text) {
			return text
		}
	}
	if good == "" {
		return dropPhrase(text, bad)
	}
	if re.MatchString(good) { // else each pass would replace again
		return text
	}
	return re.ReplaceAllStringFunc(text, func(m string) string {
		if r, _ := utf8.DecodeRuneInString(m); unicode.IsUpper(r) {
			return upperFirst(good)
		}
		return good
	})
}

func phraseRE(phrase string) *Pattern {
	p := regexp.QuoteMeta(strings.TrimSpace(phrase))
	p = strings.ReplaceAll(p, " ", `\s+`)
	if r, _ := utf8.DecodeRuneInString(phrase); unicode.IsLetter(r) && r < 0x80 {
		p = `\b` + p
	}
	if r, _ := utf8.DecodeLastRuneInString(phrase); unicode.IsLetter(r) && r < 0x80 {
		p += `\b`
	}
	return ci(p)
}

// dropPhrase takes out the sentences that use a phrase for which there are no other words.
func dropPhrase(text, bad string) string {
	if softened := softenPromises(depersonalise(text)); !phraseRE(bad).MatchString(softened) {
		return softened
	}
	re := phraseRE(bad)
	return keepSentences(text, func(s string) bool { return !re.MatchString(s) })
}

// dropTopic takes out the sentences about what an action forbids to discuss.
func dropTopic(text, topic string) string {
	want := ContentStems(topic)
	if len(want) == 0 {
		return text
	}
	return keepSentences(text, func(s string) bool { return overlap(want, ContentStems(s)) < 0.75 })
}

// keepSentences drops sentences; when none would stay, all do.
func keepSentences(text string, keep func(s string) bool) string {
	var b strings.Builder
	last, kept := 0, 0
	for _, sp := range SentenceSpans(text) {
		if keep(sp.In(text)) {
			kept++
			continue
		}
		b.WriteString(text[last:sp.Start])
		last = sp.End
		for last < len(text) && text[last] == ' ' {
			last++
		}
	}
	if kept == 0 {
		return text
	}
	b.WriteString(text[last:])
	return strings.TrimSpace(b.String())
}

// phrasing is a way of speaking and its general form.
type phrasing struct {
	re *Pattern
	to string
}

var personalPhrases = []phrasing{
	{ci(`\b(?:given|based on|considering|looking at|in view of|because of) your (?:situation|circumstances|position|profile|age|goals?|needs|case)(?: and (?:situation|circumstances|goals?|age|needs))?,? `), ""},
	{ci(`\bin your (?:situation|circumstances|position|case|shoes), `), ""},
	{ci(`\bif i were you,? (?:i(?:'d| would) )?`), "some people "},
	{ci(`\bfor you personally,? `), ""},
	{ci(`\byou (?:might|may|could) (?:want|wish|like) to (?:think about|consider) `), "some people consider "},
	{ci(`\byou (?:might|may|could) consider `), "some people consider "},
	{ci(`\byou(?:'d| would| might| may|'ll| will)? ?(?:well )?be better off (\w+ing)\b`), "some people prefer $1"},
	{ci(`\b(?:i|we)(?:'d| would)?(?: strongly)? (?:recommend|suggest|advise)(?: that)? you (?:to )?(?:should )?consider `), "some people consider "},
	{ci(`\b(?:i|we)(?:'d| would)?(?: strongly)? (?:recommend|suggest|advise) (\w+ing)\b`), "one option is $1"},
	{ci(`\b(?:i|we)(?:'d| would)?(?: strongly)? (?:recommend|suggest|advise)(?: that)? you (?:to )?(?:should )?`), "some people choose to "},
	{ci(`\bmy (?:advice|recommendation|suggestion) (?:is|would be)(?: for you)? to `), "one option is to "},
	{ci(`\bour (?:advice|recommendation|suggestion) (?:is|would be)(?: for you)? to `), "one option is to "},
	{ci(`\b(?:it )?(?:would|might|could|may) make sense for you to `), "some people choose to "},
	{ci(`\bit makes sense for you to `), "some people choose to "},
	{ci(`\b(?:the|your) best (?:option|choice|thing|course of action|course|way)(?: for you)? (?:is|would be|might be)(?: probably| likely)? to `), "one option is to "},
	{ci(`\b(?:the|your) best (?:option|choice|thing|course of action|course|way)(?: for you)? (?:is|would be|might be) `), "one option is "},
	{ci(`\byou(?:'d| would) do well to `), "some people choose to "},
	{ci(`\byou (?:should|ought to) (?:seriously |really |definitely |probably )?consider `), "some people consider "},
	{ci(`\byou (?:should|ought to) (?:seriously |really |definitely |probably )?(transfer|move|consolidate|combine|merge|switch|take|keep|leave|stay|withdraw|cash|buy|choose|pick|go for|opt|invest|draw|use|put|delay|defer|start|stop|increase)\b`), "some people choose to $1"},
	{ci(`\byou (?:might|may) (?:want|wish|like) to `), "some people choose to "},
	{ci(`\b(?:is|would be) (?:probably |clearly |likely )?the (?:best|right) (?:option|choice|thing|one) for you\b`), "is one of the options"},
	{ci(`\bis (?:right|best|suitable|ideal) for you\b`), "is one of the options"},
}

// depersonalise makes a personal steer general. Refusals and quotations are left alone.
func depersonalise(text string) string {
	var b strings.Builder
	last := 0
	for _, sp := range SentenceSpans(text) {
		s := sp.In(text)
		b.WriteString(text[last:sp.Start])
		b.WriteString(depersonaliseSentence(s))
		last = sp.End
	}
	return b.String() + text[last:]
}

var refusalRE = ci(`\b(?:can'?t|cannot|can not|unable to|not able to|don'?t|do not|won'?t|not allowed to|no one|nobody|only (?:a|an|you)|whether|if (?:it|this|that)|which (?:option|choice|one)|you asked|adviser can|adviser will|adviser could)\b`)

var circumstanceRE = ci(`^given|^based on`)

func depersonaliseSentence(s string) string {
	if refusalRE.MatchString(s) && !circumstanceRE.MatchString(s) {
		return s
	}
	before := s
	quotes := QuotedSpans(s)
	for _, ph := range personalPhrases {
		s = ph.re.ReplaceAllStringFunc(s, func(m string) string {
			for _, q := range quotes {
				if strings.Contains(q.In(s), m) {
					return m
				}
			}
			out := ph.re.ReplaceAllString(m, ph.to)
			if r, _ := utf8.DecodeRuneInString(m); unicode.IsUpper(r) {
				return upperFirst(out)
			}
			return out
		})
		quotes = QuotedSpans(s)
	}
	if s == before {
		return s
	}
	return upperFirst(s) // a removed opening leaves a low letter
}

var promisePhrases = []phrasing{
	{ci(`\bwill (?:definitely|certainly|always) `), "may "},
	{ci(`\bis guaranteed to (grow|rise|increase|do|beat|go)`), "may $1"},
	{ci(`\bare guaranteed to (grow|rise|increase|do|beat|go)`), "may $1"},
	{ci(`\bguaranteed to (grow|rise|increase|do|beat|go)`), "which may $1"},
	{ci(`\bwill (grow|double|increase|rise|go up|beat|outperform)\b`), "may $1"},
	{ci(`\b(?:is|are) (?:completely |totally )?risk[- ]free\b`), "still carries some risk"},
	{ci(`\b(?:there is|there's) no risk\b`), "there is always some risk"},
	{ci(`\byou (?:can'?t|cannot) (?:lose|go wrong)\b`), "the outcome is not certain"},
	{ci(`\b(?:is|are) (?:bound|certain|sure) to `), "may "},
}

func softenPromises(text string) string {
	for _, ph := range promisePhrases {
		text = ph.re.ReplaceAllString(text, ph.to)
	}
	return text
}
