package learning

import (
	"regexp"
	"strings"

	"preceptor/internal/pension"
)

var tokenName = regexp.MustCompile(`\[NAME-\d+\]`)

// fromText makes lessons of what a person changed where no move of the book names it: a figure put right, a statement
// added, a term exchanged, a text made easier.
func (e evidence) fromText() []candidate {
	var out []candidate
	for _, f := range []func() (candidate, bool){e.figure, e.statement, e.term, e.easier, e.shortened} {
		if c, ok := f(); ok {
			out = append(out, c)
		}
	}
	return out
}

var exampleRE = ci(`\bexamples?\b|for instance|say,? £|suppose|imagine|\b(?:your|the) (?:pension )?pot is (?:worth )?£|\byou (?:take|have|earn|get|pay|decide|are) (?:out )?£|total (?:income|tax)|= ?£|you (?:also |now |still )?have (?:the |your )?£|you decide to|leaving £|has grown to|remaining £|your current income|if your (?:pot|pension|income)`)

// figure is a figure that was put right: the sentence that has it now is what to say. Figures of worked examples and the
// customer's own teach nothing.
func (e evidence) figure() (candidate, bool) {
	for _, c := range e.added {
		if c.Move != pension.Figures || c.Label != "figure corrected" {
			continue
		}
		old, now, _ := strings.Cut(c.Text, " to ")
		sentence := e.sentenceWith(now)
		if sentence == "" || exampleRE.MatchString(e.src.HumanText) && exampleRE.MatchString(sentence+" "+firstWords(e.src.HumanText, 4)) {
			continue
		}
		if f := pension.FindFigures(now); len(f) == 1 && e.own(f[0]) != "" {
			continue
		}
		claim, ok := e.claim(sentence)
		if !ok || !e.placed("mention that "+claim) {
			continue
		}
		score := 4.0
		if ci(`figure|wrong|out of date|outdated|incorrect|update|budget|tax year|new rate|correct`).MatchString(e.said) {
			score = 6
		}
		return candidate{score: score, action: "mention that " + claim, domain: PensionEducation, title: "Give the right figure: " + strings.TrimSpace(now),
			because: firstText(statedReason(e.said), "a figure that is out of date leads to wrong decisions"),
			problem: "The draft gave " + strings.TrimSpace(old) + " where it is " + strings.TrimSpace(now) + ".",
			cause:   "The figure was out of date or taken from the wrong place.", why: "The reviewer put a figure right."}, true
	}
	return candidate{}, false
}

// sentenceWith is the sentence that states a figure. "This is currently £5" takes its subject from the sentence before.
func (e evidence) sentenceWith(figure string) string {
	list := sentences(clip(e.src.HumanText, 60_000))
	for i, s := range list {
		if !strings.Contains(s, strings.TrimSpace(figure)) {
			continue
		}
		if rest := thisIsRE.FindString(s); rest != "" && i > 0 {
			if subject := lastThingRE.FindStringSubmatch(strings.TrimRight(list[i-1], " .")); subject != nil {
				return subject[1] + " " + s[len("This "):]
			}
		}
		return s
	}
	return ""
}

var (
	thisIsRE    = regexp.MustCompile(`^This (?:is|was|will be|falls|rises|drops|goes)\b`)
	lastThingRE = regexp.MustCompile(`(?:^|\s)((?:the|your) (?:\w+ ){0,3}\w+)$`)
)

// statement is a sentence that was added and says something that holds for others too.
func (e evidence) statement() (candidate, bool) {
	for i, s := range e.diff.added {
		if i == 10 {
			break
		}
		if strings.HasSuffix(strings.TrimRight(s, `"”’) `), "?") {
			continue
		}
		if exampleRE.MatchString(s) {
			continue
		}
		claim, ok := e.claim(s)
		if !ok || !e.placed("mention that "+claim) {
			continue
		}
		return candidate{score: 1.5, action: "mention that " + claim, domain: e.domainOf(claim, nil), title: upper(firstWords(claim, 8)),
			because: statedReason(e.said), problem: "The draft did not say that " + claim + ".",
			cause: "The advisor had no rule for it.", why: "The reviewer added it."}, true
	}
	return candidate{}, false
}

// placed tells whether there is anything by which to tell whom a statement is for. One that nobody asked for must not go
// into every draft.
func (e evidence) placed(action string) bool {
	return e.meantCondition(candidate{action: action}) != "" || taskPhrases[e.task(action)] != ""
}

var (
	verbRE    = ci(`\b(?:is|are|was|were|can|can't|cannot|could|may|might|must|will|won't|would|has|have|had|get|gets|need|needs|pay|pays|lose|loses|depends?|means?|applies|apply|counts?|affects?|takes?|lets?|charges?|offers?|provides?|contacts?|asks?|checks?|keeps?|uses?|gives?|allows?|don't|doesn't|isn't|aren't|become|becomes|increase|increases|rise|rises)\b`)
	danglesRE = ci(`^(?:this|these|those|it|they|he|she|that|such|and|but|or|so|also|however|therefore|then|for example|in this case|either|both|here|there's)\b|\b(?:see|click|below|above|following|this page|our guide|this guide|find out more|read more|call us|appointments?|this (?:tool|site|website|service)|website|https?|www|we|us|our|register your|either)\b|\b(?:can|could|to|of|for|the|and|or|with|if|are|is|a|an|either|by)$|^[\w' -]{3,40} [-–] |[=:]|\b(?:unless|except (?:when|where|if))\b|\b(?:this|it|that|these|them)$`)
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
	if g != s && len(pension.FindFigures(g)) == 0 && len(pension.FindFigures(s)) > 0 {
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
	if len(real) == 0 || len(real) > 3 || len(real) > 1 && !meant && !allSame(real) {
		return candidate{}, false
	}
	s := real[0]
	old, now := strings.Join(s.old, " "), strings.Join(s.new, " ")
	if len(s.old) == 1 && len(s.new) == 1 && !meant && len(real) == 1 {
		return candidate{}, false // a single word depends on its sentence
	}
	if !isTerm(s.old) || !isTerm(s.new) || strings.Contains(old, now) || strings.Contains(now, old) {
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

// easier is a text that says the same in shorter sentences and simpler words.
func (e evidence) easier() (candidate, bool) {
	if len(e.diff.added) > 1 {
		return candidate{}, false
	}
	was, is := averageSentence(e.src.AgentText), averageSentence(e.src.HumanText)
	lWas, lIs := longWords(e.src.AgentText), longWords(e.src.HumanText)
	n := len(pension.Words(e.src.AgentText))
	if n < 25 || was == 0 || covered(pension.ContentStems(e.src.HumanText), pension.ContentStems(e.src.AgentText)) < 0.4 {
		return candidate{}, false
	}
	if is > was*0.72 && lIs > lWas*0.6 {
		return candidate{}, false
	}
	c := movebook[pension.PlainWords].candidate(pension.PlainWords, 1.4, "The reviewer made the text easier to read.")
	c.because = statedReason(e.said)
	return c, true
}

// shortened is a text that lost a good part of itself, with a reviewer who speaks of its length.
func (e evidence) shortened() (candidate, bool) {
	was, is := len(pension.Words(e.src.AgentText)), len(pension.Words(e.src.HumanText))
	if was < 20 || float64(is) > 0.75*float64(was) || !ci(`too long|shorten|shorter|trim|concise|wordy|cut|repetit|repeat|duplicat`).MatchString(e.said) {
		return candidate{}, false
	}
	return candidate{score: 5, anyone: true, action: "keep it short and say each thing once", domain: PensionEducation, title: "Keep it short",
		because: firstText(statedReason(e.said), "people read to the end only what is short"), problem: "The draft was longer than it needed to be.",
		cause: "The draft said more than was asked.", why: "The reviewer said so and cut the text."}, true
}

// longWords is the share of words of nine letters or more.
func longWords(text string) float64 {
	ws := pension.Words(text)
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
