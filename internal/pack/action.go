package pack

import (
	"strings"
)

// step is one demand of an action, read from one clause of it.
type step struct {
	move    Move
	clause  string   // the words, without subject, modal and adverbs
	content string   // for Say and Ask: what to say or ask, in the rule's words
	how     string   // for Ask: "whether", "what" ...; for Say: "that", "to" (have them do it), "of" or ""
	use     []string // phrases to use
	avoid   []string // phrases not to use
}

var (
	leadRE = ci(`,?\s*\b(?:before (?:any|all|every|discussing|explaining|describing|presenting|talking|giving|anything|the|other|going|mentioning|covering|you|moving)\b[^,;.]*|at the (?:very )?(?:start|beginning|top|outset)(?: of (?:the )?\w+)?|right away|up ?front|first of all|straight away|from the (?:start|outset))`)
	// leadVerbRE is "start by warning", "open with a warning", "always begin by ...".
	leadVerbRE  = ci(`^(?:start|begin|open|lead)(?:ing)?(?: the \w+)? (?:by|with)\s+`)
	firstRE     = ci(`^first,?\s+|\s+first$`)
	clauseRE    = ci(`;\s*(?:and |then |but )?|\.\s+|,? and then |,? then |,? and also |,? and |,? but (?:also )?|, (?:also |not )?`)
	insteadRE   = ci(`,?\s*\b(?:rather than|instead of|and not|, not|in place of|as opposed to)\s+`)
	negationRE  = ci(`^(?:never|do not|don't|avoid|refrain from|stop|no longer|not|decline to|refuse to)\b\s*(?:ever\s+)?`)
	thatRE      = ci(`^(?:\w+)\s+(?:(?:to )?(?:the |any |all )?(?:customers?|client|person|people|them|him|her|consumer|reader)\s+)?(?:clear(?:ly)?\s+)?(?:\w+ly\s+)?that\s+(.+)$`)
	toDoRE      = ci(`^(?:tell|remind|urge|encourage|advise|ask|invite|suggest|recommend|prompt|help|get|request|caution|warn)\w*\s+(?:that\s+)?(?:the |any |all )?(?:customers?|client|person|people|them|they|consumer|reader)\s+((?:not )?)(?:to|should|must|could)\s+((?:not )?)(.+)$`)
	suggestRE   = ci(`^(?:suggest|recommend|propose|encourage)\w*\s+(?:that\s+)?(?:the |any )?(?:customer|client|person|they)\s+(\w+)(.*)$`)
	askWhatRE   = ci(`^(?:ask|check|enquire|inquire|find out|confirm|establish|verify|clarify|probe)\w*\s+(?:with |of )?(?:(?:the |any )?(?:customers?|client|person|people|them|him|her)\s+)?(whether or not|whether|if|what|how|when|why|who|which|where|about|for)\s+(.+)$`)
	aboutRE     = ci(`^(?:remind|warn|tell|inform|notify|alert|caution|reassure)\w*\s+(?:(?:the |any )?(?:customers?|client|person|people|them)\s+)?(?:of|about|against|on)\s+(.+)$`)
	targetRE    = ci(`^(?:signpost|refer|direct|point|steer|send|link|lead)\w*\s+(?:(?:the |any )?(?:customers?|client|person|people|them)\s+)?(?:to|towards|at|on to)\s+(.+)$`)
	objectRE    = ci(`^(?:make (?:it )?(?:clear|sure|plain)|set out|spell out|point out|draw attention to|bring up|make mention of|\w+)\s+(?:(?:to )?(?:the |any )?(?:customers?|client|them)\s+)?(.+)$`)
	makeClearRE = ci(`^(make|making) (?:it )?(?:\w+ly )?(?:clear|plain|known|sure)\b|^(?:point|set|spell)(?:ing)? out\b|^draw(?:ing)? attention to(?: the fact)?\b|^bring(?:ing)? up\b`)
)

// steps reads the action clause by clause.
func (p Principle) steps() []step {
	action, _ := p.withoutLead()
	var out []step
	var use, avoid []string
	for _, clause := range clauses(action) {
		c, neg := stripSubject(clause)
		if c == "" {
			continue
		}
		st := readClause(c, neg)
		if phrasal(st) {
			use, avoid = append(use, st.use...), append(avoid, st.avoid...)
		}
		out = append(out, st)
	}
	return pairPhrases(out, use, avoid)
}

// pairPhrases joins "avoid saying 'X'" and "say 'Y' instead", which may stand in different clauses.
func pairPhrases(in []step, use, avoid []string) []step {
	if len(avoid) == 0 {
		return in
	}
	var out []step
	for _, st := range in {
		if !phrasal(st) {
			out = append(out, st)
		}
	}
	move := Avoid
	if len(use) > 0 {
		move = Replace
	}
	return append(out, step{move: move, use: use, avoid: avoid})
}

// phrasal tells whether a step is about quoted phrases only.
func phrasal(st step) bool {
	return len(st.use)+len(st.avoid) > 0 && (st.move == Say || st.move == Avoid || st.move == Replace)
}

// withoutLead takes out what says where in the text the action belongs, and tells whether it said "first".
func (p Principle) withoutLead() (action string, lead bool) {
	a := tidy(p.Action)
	if _, loc := stripSubjectAt(a); leadVerbRE.MatchString(a[loc:]) {
		m := leadVerbRE.FindStringIndex(a[loc:])
		a, lead = a[loc+m[1]:], true
	}
	for _, re := range []*Pattern{leadRE, firstRE} {
		for _, m := range re.FindAllStringIndex(a, -1) {
			if !insideQuotes(a, m[0]) && !insideThat(a, m[0]) {
				lead = true
				a = strings.TrimSpace(a[:m[0]] + " " + a[m[1]:])
				break
			}
		}
	}
	return strings.TrimLeft(a, " ,"), lead
}

var aboutTextRE = ci(`^,?\s*(?:before (?:any|all|discussing|explaining|describing|presenting|talking|anything|mentioning|going into|covering)\b|up ?front|at the (?:very )?(?:start|beginning|top|outset)|first$)`)

var thatWordRE = ci(`\bthat\b|\bto check\b|\bto ask\b`)

// insideThat tells whether position i belongs to what is to be said: "that fees fall due before the transfer". "Before any
// discussion" is about the text itself wherever it stands.
func insideThat(a string, i int) bool {
	if !thatWordRE.MatchString(a[:i]) {
		return false
	}
	return !aboutTextRE.MatchString(a[i:])
}

// clauses cuts an action where a new instruction begins.
func clauses(action string) []string {
	var out []string
	from := 0
	for _, m := range clauseRE.FindAllStringIndex(action, -1) {
		if m[0] < from || insideQuotes(action, m[0]) || isDigitComma(action, m[0]) {
			continue
		}
		rest := action[m[1]:]
		sep := action[m[0]:m[1]]
		hard := strings.HasPrefix(sep, ";") || strings.HasPrefix(sep, ". ")
		if hard || beginsClause(rest, thatWordRE.MatchString(action[from:m[0]])) {
			out = append(out, action[from:m[0]])
			from = m[1]
		}
	}
	return append(out, action[from:])
}

// beginsClause tells whether rest starts with an instruction; after "that", only with one that can't be the customer's.
func beginsClause(rest string, afterThat bool) bool {
	body, neg := stripSubject(rest)
	if neg {
		return true
	}
	ws := words(body)
	if len(ws) == 0 {
		return false
	}
	verb := plainStem(ws[0].text)
	if afterThat {
		return strongVerbs[verb] && imperativeForm(ws[0].text) != "" && ws[0].text != "add" && ws[0].text != "use"
	}
	return imperatives[verb] && (imperativeForm(ws[0].text) != "" || ws[0].text == "stress")
}

func stripSubject(c string) (body string, neg bool) {
	neg, at := stripSubjectAt(c)
	body = strings.TrimSpace(c[at:])
	if m := negationRE.FindStringIndex(body); m != nil {
		neg, body = true, body[m[1]:]
	}
	return strings.TrimSpace(body), neg
}

// stripSubjectAt finds where the verb stands after "the advisor should always".
func stripSubjectAt(c string) (neg bool, at int) {
	if m := negModal.FindStringIndex(c); m != nil {
		return true, m[1]
	}
	if m := subjectRE.FindStringIndex(c); m != nil {
		at = m[1]
	}
	for {
		ws := words(c[at:])
		if len(ws) < 2 || !adverbs[ws[0].text] || ws[0].text == "never" {
			return false, at
		}
		at += ws[1].start
		for at > 0 && at < len(c) && c[at-1] != ' ' && (c[at-1] == '\'' || c[at-1] == '"') {
			at-- // keep an opening quotation mark
		}
	}
}

// readClause turns one instruction into a step.
func readClause(c string, neg bool) step {
	st := step{clause: c}
	quotes := quotedTexts(c)
	head, tail := c, ""
	if m := insteadRE.FindStringIndex(c); m != nil && !insideQuotes(c, m[0]) {
		head, tail = c[:m[0]], c[m[1]:]
	}
	switch {
	case neg:
		st.avoid = quotes
		return readNegative(st)
	case len(quotedTexts(tail)) > 0:
		st.use, st.avoid = quotedTexts(head), quotedTexts(tail)
		st.move = Replace
		if b, ok := findBuiltin(head); ok && (b == Depersonalise || b == PlainWords) {
			st.move = b
		}
		return st
	case replaceRE.MatchString(c) && len(quotes) >= 2:
		st.move, st.avoid, st.use = Replace, quotes[:1], quotes[1:2]
		return st
	}
	return readPositive(st, quotes)
}

var replaceRE = ci(`^(?:replace|change|swap|reword|rephrase|substitute)`)

func readNegative(st step) step {
	if b, ok := findBuiltin("avoid " + st.clause); ok {
		switch b {
		case Depersonalise, PlainWords, NoPromise:
			st.move = b
			return st
		}
	}
	st.move = Avoid
	st.content = negObjectRE.ReplaceAllString(st.clause, "")
	return st
}

var negObjectRE = ci(`^(?:say(?:ing)?|us(?:e|ing)|mention(?:ing)?|discuss(?:ing)?|talk(?:ing)? about|giv(?:e|ing)|includ(?:e|ing)|writ(?:e|ing)|quot(?:e|ing)|referring to|stat(?:e|ing)|the (?:words?|phrases?|terms?))\s+(?:the (?:words?|phrases?|terms?)\s+|words like |phrases like |phrases such as )?`)

func readPositive(st step, quotes []string) step {
	c := st.clause
	if m := makeClearRE.FindStringIndex(c); m != nil {
		c = "mention" + c[m[1]:]
		st.clause = c
	}
	isBuiltin, ok := findBuiltin(c)
	if ok && (isBuiltin == CheckUnderstanding || isBuiltin == PlainWords || isBuiltin == Depersonalise || isBuiltin == Empathy || isBuiltin == NoPromise) && !sayVerbRE.MatchString(c) {
		st.move, st.use = isBuiltin, nil
		if isBuiltin == PlainWords && analogyRE.MatchString(c) {
			st.move = Analogy
		}
		return st
	}
	if len(quotes) > 0 && sayQuotedRE.MatchString(c) {
		st.move, st.use, st.how, st.content = Say, quotes[:1], "quote", quotes[0]
		if strings.HasSuffix(quotes[0], "?") {
			st.move, st.use = Ask, nil
		}
		return st
	}
	st.move, st.how, st.content = contentOf(c)
	if ok && st.move != Ask && coveredByBuiltin(isBuiltin, st, c) {
		st.move = isBuiltin
	}
	return st
}

var (
	sayVerbRE   = ci(`^(?:mention|state|say|note)\w* that`)
	analogyRE   = ci(`analog|like a `)
	sayQuotedRE = ci(`^(?:say|add|write|include|use|state|ask|end with|close with|finish with|put)\b`)
)

// contentOf reads what a clause wants said or asked.
func contentOf(c string) (Move, string, string) {
	if m := toDoRE.FindStringSubmatch(c); m != nil {
		return Say, "to", strings.TrimSpace(m[1] + m[2] + m[3])
	}
	if m := askWhatRE.FindStringSubmatch(c); m != nil {
		return Ask, strings.ToLower(m[1]), m[2]
	}
	if m := thatRE.FindStringSubmatch(c); m != nil {
		return Say, "that", m[1]
	}
	if m := suggestRE.FindStringSubmatch(c); m != nil && strings.HasSuffix(m[1], "s") {
		return Say, "to", baseVerb(m[1]) + m[2]
	}
	if m := aboutRE.FindStringSubmatch(c); m != nil {
		return Say, "of", m[1]
	}
	if m := targetRE.FindStringSubmatch(c); m != nil {
		return Say, "target", m[1]
	}
	if m := objectRE.FindStringSubmatch(c); m != nil {
		return Say, "", m[1]
	}
	return Say, "", c
}

func quotedTexts(c string) []string {
	var out []string
	for _, q := range QuotedSpans(c) {
		t := strings.Trim(q.In(c), `"'“”‘’ `)
		if t != "" {
			out = append(out, strings.TrimRight(t, ",;"))
		}
	}
	return out
}

// Moves lists what the action demands, in order.
func (p Principle) Moves() []Move {
	var out []Move
	for _, st := range p.steps() {
		out = append(out, st.move)
	}
	return out
}

// Lead tells whether the action must come before everything else in a text.
func (p Principle) Lead() bool {
	_, lead := p.withoutLead()
	return lead
}

// Rewords tells whether all that the action does is to change how things are said.
func (p Principle) Rewords() bool {
	all := p.steps()
	for _, st := range all {
		if !rewording(st.move) {
			return false
		}
	}
	return len(all) > 0
}

func rewording(m Move) bool {
	switch m {
	case Depersonalise, PlainWords, NoPromise, Replace, Avoid:
		return true
	}
	return false
}
