package learning

import (
	"regexp"
	"strings"

	"preceptor/internal/pack"
)

// instruction is something that a reviewer asked for in words.
type instruction struct {
	situation string // "" unless the reviewer said when it applies
	action    string // an imperative, as "mention that the scheme's closing date is 5 April"
	because   string // "" unless the reviewer said why
	sentence  string // the whole of it
}

// imperative are the verbs that open an instruction to the advisor.
const imperative = `mention|say|tell|explain|warn|remind|ask|include|add|state|note|point out|point|signpost|refer|use|avoid|leave out|replace|check|list|give|make clear|make it clear|clarify|offer|encourage|invite|start|begin|end|keep|acknowledge|describe|show|highlight|emphasise|emphasize|stress|quote|cite|link|suggest|set out|spell out|put|lead with|confirm|stick to|write|draw attention to|never \w+|do not \w+|don't \w+|stop \w+ing`

var (
	fillerRE   = ci(`^(?:please|also|and|but|so|next time|in (?:the )?future|from now on|remember to|be sure to|make sure (?:that )?(?:you|we|it|to|the draft|the guidance)?|ensure (?:that )?(?:you|we|it|the draft|the guidance)?|don't forget to|do not forget to|try to|you|we|it|the (?:draft|guidance|advisor|adviser|answer|text|agent|reply)|this|i'd (?:like|want) (?:it|you|the draft) to|should|must|needs? to|need to|has to|have to|ought to|always|could|just|first)\b[,:]?\s+`)
	sayingRE   = ci(`^(?:mention|say|tell|explain|warn|remind|ask|signpost|avoid|acknowledge|never \w+|do not \w+|don't \w+)\b`)
	startsRE   = ci(`^(?:` + imperative + `)\b`)
	forgotRE   = ci(`\b(?:forgot|forgets|failed|fails|neglected|omitted|omits|did(?:n't| not)|does(?:n't| not)|do(?:n't| not)|never|has(?:n't| not)|have(?:n't| not)|without|nowhere|not)\s+(?:to\s+|even\s+)*(mention|say|warn|explain|tell|ask|include|state|signpost|check|point out|remind|refer|note|clarify|acknowledge|highlight)(?:s|ed|ing|ning)?\b\s*(.*)$`)
	shouldRE   = ci(`\b(?:should|must|needs? to|needed to|has to|have to|ought to)\s+(?:always\s+|also\s+|clearly\s+)*(?:have\s+)?(mention|say|said|warn|explain|tell|told|ask|include|state|signpost|check|point out|remind|refer|note|clarify|acknowledge|highlight|use|avoid|never \w+|not \w+|be told that|know that|know)(?:ed|ned)?\b\s*(.*)$`)
	lacksRE    = ci(`\b(?:missing|no mention of|lacks|lacked|leaves out|left out|omits|omitted|without)\s+(?:any |an? |the )?(.*)$`)
	namedRE    = ci(`\b(?:that|warning|signpost|explanation|information|mention|statement|reference|reminder|question|about)\b`)
	whyRE      = ci(`,?\s+(?:because|since|as otherwise|otherwise|so that)\s+(.*)$`)
	whenRE     = ci(`^(?:when(?:ever)?|if|where|for (?:customers|anyone|people|clients)|with (?:customers|people))\b.{3,200}?,\s*\S`)
	themRE     = regexp.MustCompile(`(?i)^(tell|remind|ask|warn|refer|point|encourage|invite|signpost|offer|give|show)\s+(?:them|him|her|people|customers|the client|clients|the member|members|him or her)\b`)
	knowRE     = ci(`^(?:the )?(?:customers?|clients?|people|they|members?|readers?) (?:should|must|needs? to|have to|has to|ought to) (?:always |also )?(?:know|be told|be reminded|understand|be aware|be warned)(?: that)?\s+(.+)$`)
	politeRE   = ci(`^(?:good|great|nice|ok|okay|fine|thanks|thank you|looks good|well done|agreed)\b`)
	noNeedRE   = ci(`\b(?:no need|not needed|unnecessary|needn't|need not|not necessary|too many|too much|already)\b[^.]{0,40}$`)
	pastedRE   = regexp.MustCompile(`(?i)^(?:added|inserted|included|put in)\s+(?:that\s+|a\s+|an\s+|the\s+)?(.+)$`)
	quotedRE   = regexp.MustCompile(`“[^”]{1,200}”|"[^"]{1,200}"|(?:^|\s)'[^']{1,200}'`)
	aboutSelf  = ci(`\b(?:draft|advisor|adviser|guidance|agent|answer|text|reply|wording|sentence|paragraph|page|pages|web|site|website|research|guide|link|links|content|copy|heading|you|your|i|i'd|we|this|that one|it(?:'s)?)\b`)
	noSubject  = ci(`^(?:no longer|not|per|part|well|of|requested|required|needed|now|also|to|in|by|they (?:align|are (?:the )?same|match|were|should)|being|having|was|were|is|are)\b`)
	wordsMeant = ci(`\b(?:word(?:ing|s)?|term(?:s|inology)?|phras(?:e|es|ing)|consisten|rename|called|calling|jargon|replac)`)
)

// maxSaid bounds how much of what was said is read, in bytes, and maxSentences how many sentences.
const (
	maxSaid      = 8_000
	maxSentences = 40
)

// instructions reads what a reviewer asked for, in the order said. Remarks that ask for nothing are passed over. In a reason,
// unlike in feedback, "add" and "update" tell what the reviewer did to the text and ask for nothing; told reads both alike.
func instructions(text string, told bool) []instruction {
	var out []instruction
	for i, sentence := range sentences(clip(text, maxSaid)) {
		if i == maxSentences {
			break
		}
		for _, part := range strings.Split(sentence, ";") {
			if in, ok := readInstruction(strings.TrimSpace(part), told); ok && (told || sayingRE.MatchString(in.action)) {
				out = append(out, in)
			}
		}
	}
	return out
}

func readInstruction(sentence string, told bool) (instruction, bool) {
	in := instruction{sentence: sentence}
	s := strings.TrimRight(plainQuotes(strings.Join(strings.Fields(sentence), " ")), " .!,:")
	if s == "" || politeRE.MatchString(s) && len(s) < 40 {
		return in, false
	}
	if whenRE.MatchString(s) {
		pr, err := pack.ParsePrinciple(s)
		if err == nil && pr.Situation != "" && startsRE.MatchString(unfilled(pr.Action)) {
			in.situation, in.action, in.because = pr.Situation, tidyAction(unfilled(pr.Action)), pr.Because
			return in, true
		}
	}
	action := asked(s, told)
	if action == "" {
		return in, false
	}
	if m := whyRE.FindStringSubmatchIndex(action); m != nil && !inQuotes(action, m[0]) && len(strings.Fields(action[m[2]:])) >= 3 && len(strings.Fields(action[:m[0]])) >= 2 {
		action, in.because = action[:m[0]], generalReason(action[m[2]:m[3]])
	}
	in.action = tidyAction(action)
	return in, len(strings.Fields(in.action)) >= 2
}

// asked is the imperative in a sentence; "" when it asks for nothing.
func asked(s string, told bool) string {
	if m := knowRE.FindStringSubmatch(s); m != nil {
		return "mention that " + m[1]
	}
	if u := unfilled(s); startsRE.MatchString(u) {
		return u
	}
	if m := forgotRE.FindStringSubmatch(s); m != nil && m[2] != "" {
		return baseOf(m[1]) + " " + m[2]
	}
	if m := shouldRE.FindStringSubmatch(s); m != nil && m[2] != "" {
		verb := baseOf(m[1])
		if rest, ok := strings.CutPrefix(verb, "not "); ok {
			verb = "do not " + rest
		}
		return verb + " " + m[2]
	}
	if m := pastedRE.FindStringSubmatch(s); told && m != nil && len(strings.Fields(m[1])) >= 2 {
		return "mention " + m[1]
	}
	if m := lacksRE.FindStringSubmatchIndex(s); m != nil && (told || m[0] == 0 && namedRE.MatchString(s)) {
		return "mention " + trimTail(s[m[2]:m[3]])
	}
	return ""
}

// unfilled is s without what politely leads up to the verb. "Always" and "never" mean the same as the bare verb here.
func unfilled(s string) string {
	for range 8 {
		loc := fillerRE.FindStringIndex(s)
		if loc == nil {
			return s
		}
		s = s[loc[1]:]
	}
	return s
}

func baseOf(verb string) string {
	switch verb = strings.ToLower(verb); verb {
	case "said":
		return "say"
	case "told":
		return "tell"
	case "know that", "be told that":
		return "mention that"
	case "know":
		return "mention"
	}
	return verb
}

// trimTail cuts a remark's afterthought: "missing the DB warning for this customer".
func trimTail(s string) string {
	for _, cut := range []string{" in this ", " in the draft", " here", " for this customer", " anywhere", " at all", " altogether"} {
		if i := strings.Index(strings.ToLower(s), cut); i > 0 {
			s = s[:i]
		}
	}
	return s
}

// tidyAction speaks of "the customer" and begins in lower case.
func tidyAction(a string) string {
	a = themRE.ReplaceAllString(a, "$1 the customer")
	a = strings.TrimRight(strings.TrimSpace(a), " .,;:!")
	return pack.Lower(a)
}

// generalReason is a reason that holds beyond this one draft; "" when it speaks of the draft or of numbers.
func generalReason(r string) string {
	r = strings.Trim(strings.TrimSpace(r), ".,;:!")
	n := len(strings.Fields(r))
	if n < 3 || n > 30 || aboutSelf.MatchString(r) || hasToken(r) || len(numbers(r)) > 0 || noSubject.MatchString(r) {
		return ""
	}
	return lowerFirst(r)
}

// statedReason looks in a reviewer's words for a sentence that says why in general, as "Customers miss the deadline."
func statedReason(text string) string {
	for i, s := range sentences(clip(text, maxSaid)) {
		if i == maxSentences {
			break
		}
		if m := whyRE.FindStringSubmatch(s); m != nil {
			if r := generalReason(m[1]); r != "" {
				return r
			}
		}
		if ci(`^(?:most |many |some |older |vulnerable )*(?:customers?|people|members?|clients|they|the (?:law|fca|regulator|scheme|rules?)|transfers?|pensions?|guarantees)\b.*\b(?:is|are|was|were|can|can't|cannot|could|may|might|must|will|would|has|have|had|get|gets|lose|loses|miss|misses|need|needs|think|believe|say|often|usually|struggle|expect|requires?|allows?|applies|don't|do not|rarely)\b`).MatchString(s) {
			if r := generalReason(s); r != "" {
				return r
			}
		}
	}
	return ""
}

// speaksOf tells whether a reviewer's words ask for a move, and not for less of it.
func speaksOf(text string, m pack.Move) bool {
	re := movebook[m].said
	if re == nil {
		return false
	}
	loc := re.FindStringIndex(text)
	return loc != nil && !noNeedRE.MatchString(text[:loc[0]])
}

func sentences(text string) []string {
	var out []string
	for _, sp := range pack.SentenceSpans(text) {
		out = append(out, sp.In(text))
	}
	return out
}

// clip cuts text to at most n bytes, at a rune's edge.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && text[n]&0xC0 == 0x80 {
		n--
	}
	return text[:n]
}

func plainQuotes(s string) string { return strings.NewReplacer("’", "'", "‘", "'").Replace(s) }

func inQuotes(s string, i int) bool {
	for _, loc := range quotedRE.FindAllStringIndex(s, -1) {
		if i > loc[0] && i < loc[1] {
			return true
		}
	}
	return false
}

var tokenRE = regexp.MustCompile(`\[[A-Z][A-Z ]*-\d+\]`)

// hasToken tells whether text stands for something personal that was taken out.
func hasToken(text string) bool { return tokenRE.MatchString(text) }
