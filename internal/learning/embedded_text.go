package learning

import (
	"regexp"
	"strings"

	"preceptor/internal/pack"
)

var tokenName = regexp.MustCompile(`\[NAME-\d+\]`)

// fromText makes lessons of what a person changed where no move of the book names it: a statement
// added, a term exchanged, a text made easier.
func (e evidence) fromText() []candidate {
	var out []candidate
	for _, f := range []func() (candidate, bool){e.statement, e.term, e.easier, e.shortened} {
		if c, ok := f(); ok {
			out = append(out, c)
		}
	}
	return out
}

var exampleRE = ci(`\bexamples?\b|for instance|say,? £|suppose|imagine|\b(?:your|the) (?:pension )?pot is (?:worth )?£|\byou (?:take|have|earn|get|pay|decide|are) (?:out )?£|total (?:income|tax)|= ?£|you (?:also |now |still )?have (?:the |your )?£|you decide to|leaving £|has grown to|remaining £|your current income|if your (?:pot|pension|income)`)

// statement is a sentence that was added and says something that holds for others too. A sum or a date is no such thing: it is a
// fact that changes.
func (e evidence) statement() (candidate, bool) {
	if e.rebuilt() {
		return candidate{}, false
	}
	for i, s := range e.diff.added {
		if i == 10 {
			break
		}
		if strings.HasSuffix(strings.TrimRight(s, `"”’) `), "?") || exampleRE.MatchString(s) || noticeRE.MatchString(s) || dated(s) || !termNouns.MatchString(s) || loneRE.MatchString(s) {
			continue
		}
		claim, ok := e.claim(s)
		if !ok || !e.placed("mention that "+claim) || !e.onSubject(claim) || theyWithout(claim) || booked(claim) {
			continue
		}
		claim = ofPeople(claim)
		return candidate{score: 1.5, action: "mention that " + claim, domain: e.domainOf(claim, nil), title: pack.Upper(firstWords(claim, 8)),
			because: statedReason(e.said), problem: "The draft did not say that " + claim + ".",
			cause: "The advisor had no rule for it.", why: "The reviewer added it."}, true
	}
	return candidate{}, false
}

// onSubject tells whether a statement is about what the customer asked. One that is about something else is for those who ask that.
func (e evidence) onSubject(claim string) bool {
	own := pack.Classify(claim)
	return own == pack.General || own == e.task("mention that "+claim)
}

// theyWithout tells whether a statement speaks of "them" before it named anybody.
func theyWithout(claim string) bool {
	at := theyRE.FindStringIndex(claim)
	if at == nil {
		return false
	}
	nouns := theirNounRE.FindAllString(claim[:at[0]], -1)
	return len(nouns) == 0 || len(nouns) == 1 && strings.EqualFold(nouns[0], "you")
}

// booked tells whether a statement speaks of a move of the book. If it made the move in earnest, the move is the lesson; if not, a rule
// of its words would pass for one.
func booked(claim string) bool {
	for _, m := range (pack.Principle{Action: "mention that " + claim}).Moves() {
		if _, ok := movebook[m]; ok {
			return true
		}
	}
	return false
}

// dated tells whether a sentence states a sum, a share or a year, which change; ages and "25 %" stay for long.
func dated(s string) bool {
	for _, f := range pack.FindFigures(s) {
		if f.Kind == "money" || f.Kind != "age" && f.Value != 25 && f.Value != 100 {
			return true
		}
	}
	return yearRE.MatchString(s)
}

var (
	yearRE      = regexp.MustCompile(`\b(?:19|20)\d\d\b`)
	theyRE      = ci(`\b(?:they(?:'ll|'re|'ve)?|them|their|theirs|he|she|his|her)\b`)
	theirNounRE = ci(`\b(?:you|people|person|someone|somebody|providers?|schemes?|compan(?:y|ies)|firms?|scammers?|advis[eo]rs?|partners?|spouses?|beneficiar(?:y|ies)|trustees?|members?|employers?|family|relatives?)\b`)
	// loneRE marks what points at something that the sentence alone does not name, and names of services that may have ended.
	loneRE = ci(`\bthe (?:service|tool|calculator|table|example|following|quote|list|scheme will|person)\b|\b(?:pay|put|move|leave|take|get|keep|change|do|have|use|buy|sell|find|check) (?:it|them|this|that|those|these|one)\b|\b(?:into|of|on|from|about|for|with|to) (?:it|them|this|that|those|these)\b|\bthis (?:also |only |can |may |will )|money advice service|pensions advisory service|\btpas\b|most likely|\bprobably\b|minister|government (?:is|plans|will)|guidance specialist|secondary (?:annuity )?market`)
)

// placed tells whether there is anything by which to tell whom a statement is for. One that nobody asked for must not go
// into every draft.
func (e evidence) placed(action string) bool {
	return e.meantCondition(candidate{action: action}) != "" || taskPhrases[e.task(action)] != ""
}

var (
	verbRE    = ci(`\b(?:is|are|was|were|can|can't|cannot|could|may|might|must|will|won't|would|has|have|had|get|gets|need|needs|pay|pays|lose|loses|depends?|means?|applies|apply|counts?|affects?|takes?|lets?|charges?|offers?|provides?|contacts?|asks?|checks?|keeps?|uses?|gives?|allows?|don't|doesn't|isn't|aren't|become|becomes|increase|increases|rise|rises)\b`)
	danglesRE = ci(`^(?:this|these|those|it|they|their|its|he|she|that|such|and|but|or|so|also|however|therefore|then|for example|in this case|either|both|here|there's)\b|\b(?:see|click|below|above|following|this page|our guide|this guide|find out more|read more|call us|appointments?|this (?:tool|site|website|service)|website|https?|www|we|us|our|register your|either)\b|\b(?:can|could|to|of|for|on|at|in|into|from|about|the|and|or|with|if|are|is|a|an|either|by)$|^[\w' -]{3,40} [-–] |[=:]|\b(?:unless|except (?:when|where|if))\b|\b(?:this|it|that|these|them)$`)
	gluedRE   = regexp.MustCompile(`[a-z,] (?:There|You|If|It|This|The|Your|When|They|What|How) [a-z]`)
	listRE    = regexp.MustCompile(`^[-*•#>|\d.) ]+`)
	commandRE = ci(`^(?:please )?(?:check|ask|contact|call|use|make sure|find|get|think|remember|be aware|look|consider|shop|keep|tell|speak|talk|read|visit|go|book|compare|work out|don't|do not|watch|be|receive|apply|sell|buy|move|leave|take|choose|start|report|give|write|pay|see|click|enter|select)\b`)
)

// claim is a sentence in the form that follows "mention that"; false when it can't stand alone, or is about one person.
func (e evidence) claim(sentence string) (string, bool) {
	s := strings.Join(strings.Fields(listRE.ReplaceAllString(sentence, "")), " ")
	s = strings.TrimRight(s, " .!:;,")
	n := len(strings.Fields(s))
	if n < 5 || n > 40 || hasToken(s) || strings.ContainsAny(s, "|{}<>") || !verbRE.MatchString(s) || danglesRE.MatchString(s) || strings.HasSuffix(s, "?") || commandRE.MatchString(s) || gluedRE.MatchString(s) {
		return "", false
	}
	if ends := sentences(s); len(ends) != 1 {
		return "", false
	}
	g := e.generalise(s)
	if g != s && len(pack.FindFigures(g)) == 0 && len(pack.FindFigures(s)) > 0 {
		return "", false // it was about this customer's sums
	}
	return lowerFirst(strings.NewReplacer(" because ", ", as ").Replace(g)), true
}

// term is one name that took the place of another, where that is all that changed or the reviewer spoke of wording.
func (e evidence) term() (candidate, bool) {
	var real []swap
	for _, s := range e.diff.swaps {
		if !trivialSwap(s) {
			real = append(real, s)
		}
	}
	meant := wordsMeant.MatchString(e.said)
	if len(real) == 0 || len(real) > 3 || !meant && (len(real) == 1 || !allSame(real)) {
		return candidate{}, false
	}
	s := real[0]
	old, now := strings.Join(s.old, " "), strings.Join(s.new, " ")
	if len(s.old) == 1 && len(s.new) == 1 && !meant && len(real) == 1 {
		return candidate{}, false // a single word depends on its sentence
	}
	if ci(`heading|\bnav|title|label|table`).MatchString(e.said) || !isTerm(s.old) || !isTerm(s.new) || strings.Contains(old, now) || strings.Contains(now, old) {
		return candidate{}, false
	}
	score := 1.2
	if meant || len(real) > 1 || strings.Contains(strings.ToLower(e.said), old) || strings.Contains(strings.ToLower(e.said), now) {
		score = 3.5
	}
	return candidate{score: score, anyone: true, action: "say “" + now + "” rather than “" + old + "”", domain: PensionEducation,
		title: "Say “" + now + "”", because: firstText(statedReason(e.said), "one name for one thing is easier to follow"),
		problem: "The draft said “" + old + "” where the reviewer says “" + now + "”.", cause: "The advisor did not know which name is used here.",
		why: "The reviewer exchanged a term."}, true
}

func allSame(list []swap) bool {
	for _, s := range list[1:] {
		if strings.Join(s.old, " ") != strings.Join(list[0].old, " ") || strings.Join(s.new, " ") != strings.Join(list[0].new, " ") {
			return false
		}
	}
	return true
}

// termNouns are the words without which an exchange of words is style and not terminology.
var termNouns = ci(`pension|pot|income|annuity|fund|cash|lump|chunk|drawdown|scheme|benefit|advi[cs]|guidance|provider|allowance|payment|saving|fee|charge|tax|account|statement|policy|contribution|transfer|money|retire|guarantee`)

func isTerm(ws []string) bool {
	if len(ws) == 0 || len(ws) > 5 {
		return false
	}
	phrase := strings.Join(ws, " ")
	if strings.ContainsAny(phrase, "0123456789£%") || smallWords[ws[0]] || smallWords[ws[len(ws)-1]] || verbRE.MatchString(phrase) {
		return false
	}
	return len(meaning(ws)) == len(ws) && termNouns.MatchString(phrase)
}

// easier is a text that says the same in clearly shorter sentences and no longer words. One that leaves something out, or says more,
// is another text and not an easier one.
func (e evidence) easier() (candidate, bool) {
	if len(e.diff.added) > 0 || len(e.diff.removed) > 0 || e.numbersMoved() || noticeRE.MatchString(e.src.HumanText) {
		return candidate{}, false
	}
	was, is := averageSentence(e.src.AgentText), averageSentence(e.src.HumanText)
	n := len(pack.Words(e.src.AgentText))
	mine, theirs := pack.ContentStems(e.src.AgentText), pack.ContentStems(e.src.HumanText)
	if n < 25 || was == 0 || len(pack.Words(e.src.HumanText))*4 < n*3 || covered(theirs, mine) < 0.6 || covered(mine, theirs) < 0.6 || is > was*0.75 || longWords(e.src.HumanText) > longWords(e.src.AgentText)*1.05 {
		return candidate{}, false
	}
	c := movebook[pack.PlainWords].candidate(pack.PlainWords, 1.4, "The reviewer made the text easier to read.")
	c.because = statedReason(e.said)
	return c, true
}

// shortened is a text that lost a good part of itself, with a reviewer who speaks of its length.
func (e evidence) shortened() (candidate, bool) {
	was, is := len(pack.Words(e.src.AgentText)), len(pack.Words(e.src.HumanText))
	plain, _ := e.spoken()
	if was < 20 || float64(is) > 0.75*float64(was) || !ci(`too long|shorten|shorter|trim|concise|wordy|cut|repetit|repeat|duplicat`).MatchString(plain) {
		return candidate{}, false
	}
	return candidate{score: 5, anyone: true, action: "keep it short and say each thing once", domain: PensionEducation, title: "Keep it short",
		because: firstText(statedReason(e.said), "people read to the end only what is short"), problem: "The draft was longer than it needed to be.",
		cause: "The draft said more than was asked.", why: "The reviewer said so and cut the text."}, true
}

// longWords is the share of words of nine letters or more.
func longWords(text string) float64 {
	ws := pack.Words(text)
	if len(ws) == 0 {
		return 0
	}
	n := 0
	for _, w := range ws {
		if len(w) >= 9 {
			n++
		}
	}
	return float64(n) / float64(len(ws))
}
