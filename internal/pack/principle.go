package pack

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/fault"
)

// Principle is a rule's text taken apart: "When [situation], [action] because [reason]".
type Principle struct {
	Situation string // "the customer has a DB pension"; empty means always
	Action    string // "warn about the guarantees that would be lost"
	Because   string // "they can't be had back"; may be empty
}

var (
	whenRE    = ci(`^(?:always,? )?(?:when(?:ever)?|if|where|for|with|in cases where|in cases of|once|as soon as|on|whenever)\b[:,]?\s+`)
	becauseRE = ci(`,?\s+(?:because(?: of)?|since|so that|in order that|given that)\s+`)
	midWhenRE = ci(`,?\s+(?:when(?:ever)?|if|where)\s+((?:the |a |an |any )?(?:customer|client|person|consumer|user|someone|they|guidance|question|draft|task|pension|presenting|explaining|discussing|describing|writing)\b.*)$`)
	unlessRE  = ci(`,?\s+(?:unless|except (?:when|where|if))\s+(.+)$`)
	subjectRE = ci(`^(?:then,? |please,? )?(?:(?:the |an |our |all )?(?:advis[eo]r|agent|guidance|draft|answer|reply|response|text|we|you|it|preceptor)\s+)?(?:(?:should|must|needs? to|has to|have to|ought to|shall|is to|are to|will)\s+)?`)
	negModal  = ci(`^(?:(?:the |an |our )?(?:advis[eo]r|agent|guidance|draft|answer|reply|we|you|it)\s+)?(?:should not|shouldn't|must not|mustn't|may not|cannot|can't)\s+`)
	modalRE   = ci(`should|must|need|have to|has to`)
	adverbs   = set("always never also then clearly gently explicitly first please simply briefly instead still immediately prominently carefully just only plainly")
)

// imperatives begin an action, as stems, so that "warning" and "warns" count.
var imperatives = stems(`avoid never do don't use say explain mention warn ask check signpost refer direct point tell remind include add make state give offer start
 begin open lead emphasise emphasize highlight acknowledge keep write describe present list show suggest recommend encourage note put confirm
 quote cite correct replace simplify set spell help invite steer be stay stop ensure provide raise flag cover address clarify outline
 stress urge caution advise phrase rephrase reword speak define expand express lay draw name link end close finish follow
 verify probe enquire inquire find discuss compare balance alert insist repeat summarise summarize mind remember respond reassure refuse decline
 calculate break frame depersonalise personalise soften word point call contact notify inform disclose prioritise treat`)

func stems(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[plainStem(w)] = true
	}
	return m
}

// ParsePrinciple reads a rule's text. It tolerates other orders and missing parts; only a text without any action is an
// error.
func ParsePrinciple(text string) (Principle, error) {
	t := tidy(text)
	if t == "" {
		return Principle{}, fault.New(fault.Invalid, "A rule needs words: \"When [situation], [action] because [reason]\".")
	}
	var p Principle
	t, p.Because = cutBecause(t)
	if loc := whenRE.FindStringIndex(t); loc != nil {
		p.Situation, p.Action = cutSituation(t[loc[1]:])
	} else {
		p.Action = t
		if m := midWhenRE.FindStringSubmatchIndex(t); m != nil && !insideQuotes(t, m[0]) {
			p.Situation, p.Action = t[m[2]:m[3]], t[:m[0]]
		}
	}
	if m := unlessRE.FindStringSubmatchIndex(p.Action); m != nil && !insideQuotes(p.Action, m[0]) {
		p.Situation, p.Action = strings.TrimSpace(p.Situation+" unless "+p.Action[m[2]:m[3]]), p.Action[:m[0]]
	}
	p.Situation, p.Action, p.Because = trimPart(p.Situation), trimPart(p.Action), trimPart(p.Because)
	if p.Action == "" {
		return Principle{}, fault.New(fault.Invalid, "The rule does not say what to do. Write it as \"When [situation], [action] because [reason]\".")
	}
	return p, nil
}

// tidy puts text on one line without the quotation marks and labels that models put around a rule.
func tidy(text string) string {
	t := strings.Join(strings.Fields(strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "**", "").Replace(strings.ToValidUTF8(text, ""))), " ")
	for _, label := range []string{"principle:", "rule:", "refined principle:"} {
		if len(t) > len(label) && strings.EqualFold(t[:len(label)], label) {
			t = strings.TrimSpace(t[len(label):])
		}
	}
	if len(t) > 1 && t[0] == '"' && t[len(t)-1] == '"' && strings.Count(t, `"`) == 2 {
		t = t[1 : len(t)-1]
	}
	return strings.TrimSpace(t)
}

func trimPart(s string) string { return strings.TrimRight(strings.TrimSpace(s), " ,;:.") }

func cutBecause(t string) (rest, because string) {
	for _, m := range becauseRE.FindAllStringIndex(t, -1) {
		if insideQuotes(t, m[0]) {
			continue
		}
		w := strings.ToLower(strings.Trim(t[m[0]:m[1]], " ,"))
		if !strings.HasPrefix(w, "because") && t[m[0]] != ',' {
			continue // "since" and "so that" need their comma: "since 2015" is a date
		}
		return t[:m[0]], t[m[1]:]
	}
	return t, ""
}

// cutSituation parts "the customer is ill, bereaved or in debt, warn them" where the action's verb begins.
func cutSituation(t string) (situation, action string) {
	first := -1
	for i := 0; i < len(t); i++ {
		if (t[i] != ',' && t[i] != ':' && t[i] != ';') || insideQuotes(t, i) || i+1 < len(t) && isDigit(t[i+1]) {
			continue
		}
		rest := strings.TrimSpace(t[i+1:])
		if first < 0 {
			first = i
		}
		if startsAction(rest) {
			return t[:i], rest
		}
	}
	low := strings.ToLower(t)
	for _, mark := range []string{" then ", " always ", " never ", " the advisor should ", " the guidance should ", " guidance should ", " you should ", " we should ", " the draft should ", " do not ", " the advisor must ", " guidance must "} {
		if i := strings.Index(low, mark); i > 0 {
			return t[:i], strings.TrimPrefix(strings.TrimSpace(t[i:]), "then ")
		}
	}
	if first >= 0 {
		return t[:first], strings.TrimSpace(t[first+1:])
	}
	// No comma at all: the first imperative after the subject's words begins the action.
	ws := words(t)
	for i := 3; i < len(ws); i++ {
		if strongVerbs[plainStem(ws[i].text)] && !verbNeedsSubject(ws[i-1].text) && ws[i].text == imperativeForm(ws[i].text) {
			return t[:ws[i].start], t[ws[i].start:]
		}
	}
	return t, ""
}

// verbNeedsSubject tells whether the word before makes a verb part of the situation: "customers who ask", "wants to check".
func verbNeedsSubject(prev string) bool {
	switch prev {
	case "to", "who", "they", "and", "or", "customers", "customer", "the", "a", "an", "not", "can", "could", "should", "may", "for", "of", "about", "any", "people", "i", "on":
		return true
	}
	return false
}

func imperativeForm(w string) string {
	if strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "ed") {
		return ""
	}
	return w
}

// startsAction tells whether t begins with an instruction.
func startsAction(t string) bool {
	if negModal.MatchString(t) {
		return true
	}
	loc := subjectRE.FindStringIndex(t)
	body := t[loc[1]:]
	if loc[1] > 0 && modalRE.MatchString(t[:loc[1]]) {
		return true
	}
	for i, w := range words(body) {
		if adverbs[w.text] && i < 3 {
			if w.text == "never" || w.text == "always" {
				return true
			}
			continue
		}
		return imperatives[plainStem(w.text)] && imperativeForm(w.text) != "" || w.text == "stress" || strings.HasPrefix(strings.ToLower(body), "before ")
	}
	return false
}

// insideQuotes tells whether position i of t stands between quotation marks.
func insideQuotes(t string, i int) bool {
	for _, q := range QuotedSpans(t) {
		if i > q.Start && i < q.End {
			return true
		}
	}
	return false
}

// QuotedSpans finds quoted phrases, with their marks: "…", “…”, '…' and ‘…’. An apostrophe inside a word opens nothing.
func QuotedSpans(t string) []Span {
	var out []Span
	for i := 0; i < len(t); {
		if c := t[i]; c < utf8.RuneSelf && c != '"' && c != '\'' {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(t[i:])
		var closers string
		switch r {
		case '"', '“':
			closers = `"”`
		case '\'', '‘':
			if prev, _ := utf8.DecodeLastRuneInString(t[:i]); i > 0 && (unicode.IsLetter(prev) || unicode.IsDigit(prev)) {
				i += n
				continue
			}
			closers = "'’"
		default:
			i += n
			continue
		}
		end := closeQuote(t, i+n, closers)
		if end < 0 {
			i += n
			continue
		}
		out = append(out, Span{i, end})
		i = end
	}
	return out
}

// longestQuote bounds the search for a closing mark, so that a text full of marks stays linear.
const longestQuote = 600

func closeQuote(t string, from int, closers string) int {
	limit := min(len(t), from+longestQuote)
	for i := from; i < limit; {
		r, n := utf8.DecodeRuneInString(t[i:])
		if r == '\n' && i+1 < len(t) && t[i+1] == '\n' {
			return -1
		}
		if strings.ContainsRune(closers, r) {
			next, _ := utf8.DecodeRuneInString(t[i+n:])
			if r == '"' || r == '”' || i+n >= len(t) || !unicode.IsLetter(next) {
				return i + n
			}
		}
		i += n
	}
	return -1
}

// String is the principle in its normal form.
func (p Principle) String() string {
	var b strings.Builder
	action := p.Action
	if p.Situation != "" {
		b.WriteString("When " + lowerFirst(p.Situation) + ", ")
		action = lowerFirst(action)
	} else {
		action = upperFirst(action)
	}
	b.WriteString(action)
	if p.Because != "" {
		b.WriteString(" because " + lowerFirst(p.Because))
	}
	return b.String() + "."
}

func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// lowerFirst lowers the first letter unless the first word is a name or an abbreviation.
func lowerFirst(s string) string {
	first, rest, _ := strings.Cut(s, " ")
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || len(first) == 1 && first == "I" || strings.ToUpper(first) == first && len(first) > n || properName(first, rest) {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}

// properNames are first words that keep their capital; some only before one of the words they stand with: "State Pension", and not
// "state what it costs".
var properNames = map[string][]string{"MoneyHelper": nil, "Pension": {"Wise", "Credit", "Tracing", "Schemes", "Protection"}, "State": {"Pension"}, "HMRC": nil, "Citizens": {"Advice"},
	"StepChange": nil, "I'm": nil, "I've": nil, "ScamSmart": nil}

func properName(first, rest string) bool {
	before, named := properNames[first]
	return named && (before == nil || slices.ContainsFunc(before, func(w string) bool { return strings.HasPrefix(rest, w) }))
}

// strongVerbs begin an action even without a comma before them, and end a "that" clause after "and".
var strongVerbs = stems(`warn explain signpost mention avoid remind tell ask state acknowledge emphasise emphasize highlight refer direct include
 recommend suggest encourage say clarify stress urge add use never do not don't confirm point describe outline`)
