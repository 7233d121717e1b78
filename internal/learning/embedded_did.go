package learning

import (
	"regexp"
	"slices"
	"strings"

	"preceptor/internal/pack"
)

// What a person did to a text counts as a lesson only when it is plain: a statement that came in, a fault that was mended in the
// sentence that had it. Most corrections touch the words of a move without meaning it, as a heading that names Pension Wise or a
// sentence on charges that was shortened.

// does lists the moves that a revision plainly makes.
func (e evidence) does() map[pack.Move]bool {
	out := map[pack.Move]bool{}
	if e.src.Kind != Revise || e.diff.trivial() || e.rebuilt() {
		return out
	}
	came := map[pack.Move]bool{}
	for _, c := range e.added {
		came[c.Move] = true
	}
	after := clip(e.src.HumanText, 60_000)
	for _, f := range pack.DetectMoves(after) {
		s := after[f.Start:f.End]
		if came[f.Move] && slices.Contains(e.diff.added, s) && e.says(s, f.Move) {
			out[f.Move] = true
		}
	}
	for _, c := range e.removed {
		switch c.Move {
		case pack.PersonalPhrasing:
			out[pack.Depersonalise] = out[pack.Depersonalise] || e.mended(c.Text, pack.PersonalPhrasing)
		case pack.PromiseMade:
			out[pack.NoPromise] = out[pack.NoPromise] || e.mended(c.Text, pack.PromiseMade)
		case pack.JargonUsed:
			out[pack.PlainWords] = out[pack.PlainWords] || e.simplified()
		}
	}
	for _, c := range e.softened {
		out[pack.Depersonalise] = out[pack.Depersonalise] || c.Move == pack.PersonalPhrasing && !protectiveRE.MatchString(e.sentenceOf(c.Text))
	}
	return out
}

var (
	// protectiveRE is "you should" before what protects anybody: that is no recommendation of a choice.
	protectiveRE = ci(`\byou (?:should|ought to|must) (?:always |also |first |carefully )*(?:get|seek|ask|check|contact|compare|shop|think|tell|read|speak|talk|be|report|consider|find|look|know|receive|keep|call|visit|make sure|never|not|bring|have|use|start)\b|\byou shouldn't\b`)
	readMoreRE   = ci(`^(?:read|find out|see|learn|get) more\b|^more (?:about|on)\b`)
	noHelpRE     = ci(`can'?t|cannot|won'?t|doesn'?t|don'?t|complain|currently|appointment|book|testing|website|leaflet|logo`)
	noticeRE     = ci(`\b(?:coronavirus|covid|appointments?|phone lines?|opening hours|this (?:tool|site|website|service|page|guide)|calculator|search engines?|email|survey|feedback form|download|print|pdf)\b`)
)

// says tells whether a sentence that came in makes a move in earnest.
func (e evidence) says(s string, m pack.Move) bool {
	s = withoutLinks(s)
	if len(strings.Fields(s)) < 5 || !verbRE.MatchString(s) && !commandRE.MatchString(s) || noticeRE.MatchString(s) || exampleRE.MatchString(s) || readMoreRE.MatchString(s) {
		return false
	}
	switch m {
	case pack.SignpostGuidance:
		return !noHelpRE.MatchString(s)
	case pack.CheckFees:
		return ci(`\b(?:charges?|fees?)\b`).MatchString(s) && !ci(`free of charge|\bin charge\b|no (?:charges?|fees?)|without (?:charge|a fee)`).MatchString(s)
	case pack.SignpostAdvice:
		return !ci(`\b(?:debt|legal) advi|already (?:have|use|got)|scam|warn|pretend`).MatchString(s)
	case pack.TaxNote:
		return !ci(`contribution|pay(?:ing)? in`).MatchString(s) || e.consulted() == pack.Contributions
	case pack.Risk:
		return ci(`invest|pot|pension|money|income|value|fund`).MatchString(s) && ci(`fall|drop|go down|run out|lose|less|risk`).MatchString(s)
	case pack.BalanceOptions:
		return ci(`alternatively|several options|leav(?:e|ing) (?:it|them|things) (?:as|where)|options include`).MatchString(s)
	}
	return true
}

// sentenceOf is the draft's sentence that has a phrase.
func (e evidence) sentenceOf(phrase string) string {
	first, _, _ := strings.Cut(phrase, "; ")
	for _, s := range sentences(clip(e.src.AgentText, 60_000)) {
		if strings.Contains(strings.ToLower(s), strings.ToLower(first)) {
			return s
		}
	}
	return ""
}

// mended tells whether the sentence that had a fault still stands, in other words and without it.
func (e evidence) mended(phrase string, fault pack.Move) bool {
	old := e.sentenceOf(phrase)
	if old == "" || fault == pack.PersonalPhrasing && protectiveRE.MatchString(old) {
		return false
	}
	mine := pack.ContentStems(old)
	for _, s := range sentences(clip(e.src.HumanText, 60_000)) {
		stems := pack.ContentStems(s)
		if len(mine) < 3 || covered(mine, stems) < 0.5 || commandRE.MatchString(s) {
			continue
		}
		return !slices.ContainsFunc(pack.DetectMoves(s), func(f pack.Found) bool { return f.Move == fault })
	}
	return false
}

// simplified tells whether a text says the same with fewer technical words, and is no longer for it.
func (e evidence) simplified() bool {
	was, is := pack.Words(e.src.AgentText), pack.Words(e.src.HumanText)
	if len(was) < 8 || float64(len(is)) > 1.05*float64(len(was)) || e.diff.kept > 0.85 || e.diff.kept < 0.3 || noticeRE.MatchString(e.src.HumanText) {
		return false
	}
	if !slices.ContainsFunc(e.diff.swaps, func(s swap) bool {
		return len(meaning(s.new)) > 0 && len(pack.JargonIn(strings.Join(s.old, " "))) > 0 && len(pack.JargonIn(strings.Join(s.new, " "))) == 0
	}) {
		return false // a term that was left out was not said in plainer words
	}
	return covered(pack.ContentStems(e.src.HumanText), pack.ContentStems(e.src.AgentText)) >= 0.5 &&
		averageSentence(e.src.HumanText) <= averageSentence(e.src.AgentText) && longWords(e.src.HumanText) <= longWords(e.src.AgentText)
}

// moveTasks are the subjects on which a move makes sense where no fact about the customer calls for it. Nobody needs a warning of
// exit fees on the State Pension, or to be told about tax who asked about tax.
var moveTasks = map[pack.Move][]string{
	pack.Risk:           {pack.RiskAssessment, pack.Drawdown, pack.Transfer, pack.DBTransfer, pack.Consolidation, pack.TaxFreeCash, pack.Access},
	pack.TaxNote:        {pack.TaxFreeCash, pack.Access, pack.Drawdown, pack.Annuity, pack.DeathBenefits, pack.Contributions, pack.LivingAbroad, pack.IllHealth},
	pack.CheckFees:      {pack.Transfer, pack.DBTransfer, pack.Consolidation, pack.Drawdown, pack.Annuity, pack.Access, pack.TaxFreeCash, pack.LivingAbroad, pack.RiskAssessment},
	pack.CheckFeatures:  {pack.Transfer, pack.DBTransfer, pack.Consolidation, pack.Drawdown, pack.Annuity, pack.Access, pack.TaxFreeCash},
	pack.ScamWarning:    {pack.Access, pack.TaxFreeCash, pack.Transfer, pack.DBTransfer, pack.Consolidation, pack.Drawdown, pack.LostPensions},
	pack.SignpostAdvice: {pack.Transfer, pack.DBTransfer, pack.Drawdown, pack.Annuity, pack.Consolidation, pack.Access, pack.TaxFreeCash, pack.LivingAbroad, pack.Tax, pack.DeathBenefits, pack.IllHealth, pack.RiskAssessment, pack.Divorce},
}

// suits tells whether a move of the book has somebody to be for: a fact about this customer, a subject, or everybody.
func (e evidence) suits(name pack.Move) bool {
	m := movebook[name]
	for _, c := range m.whom {
		if meets(e.src.Situation, c) {
			return true
		}
	}
	if m.situation != "" {
		return true
	}
	tasks, ok := moveTasks[name]
	return !ok || slices.Contains(tasks, e.consulted())
}

// logRE marks a sentence that reports on the editing, as the message of a change does. What it names was dealt with somewhere, and
// need not be what this draft lacked.
var logRE = ci(`\b(?:updat\w+|chang(?:e|ed|es|ing)|new content|delet\w+|deletions?|improv\w+|moved|moving|links?|linked|page|pages|guide|guides|bullets?|headings?|titles?|copy|content|sections?|paragraphs?|para|navigation|nav|journey|templates?|typos?|tid(?:y|ied|ying)|reviewed|consisten\w+|align\w*|bump\w*|merge[ds]?|commit|site|website|user research|users|feedback from|h[1-6]s?|markdown|slug|anchor|table|button|wording of|refs? to|split)\b|^(?:add|adds|added|remove[sd]?|fix(?:e[sd])?|correct(?:s|ed)?|replace[sd]?|rename[sd]?|amend(?:s|ed)?|edit(?:s|ed)?|revise[sd]?|re-?order(?:ed|s)?|re-?word(?:ed|s)?|promot\w+|includ(?:es|ed)|round(?:ed)? up)\b`)

// pastedTextRE is a passage of the text itself in a reason, and complainedRE how one says that something is lacking or wrong.
var (
	pastedTextRE = regexp.MustCompile(`(?s)["“][^"“”]{60,}["”]|(?m)^\s*[*>-] .*$`)
	complainedRE = ci(`missing|no mention|nothing (?:about|on)|without|forg[oe]t|fail|lack|should|must|\bneeds?\b|\btoo\b|\bnot\b|n't\b|\bcold\b|unclear|wrong|mislead|sound|\bread(?:s|ing)?\b|nowhere|omit|left out|leaves out|more\b|better|instead|rather|steer|recommend|promis|jargon|simpl`)
)

// complains tells whether a sentence that speaks of a move finds it lacking.
func complains(text string, m pack.Move) bool {
	for _, s := range sentences(text) {
		if speaksOf(s, m) && (complainedRE.MatchString(s) || startsRE.MatchString(unfilled(s))) {
			return true
		}
	}
	return false
}

// spoken parts what was said into what asks for something and what reports on the editing. Feedback is written to the advisor and
// always asks.
func (e evidence) spoken() (plain, logged string) {
	if e.src.Kind != Revise {
		return e.said, ""
	}
	plain = clip(strings.TrimSpace(e.src.Feedback), maxSaid)
	for i, s := range sentences(pastedTextRE.ReplaceAllString(clip(e.src.Reason, maxSaid), " ")) {
		if i == maxSentences {
			break
		}
		if noticeRE.MatchString(s) {
			continue
		}
		if logRE.MatchString(s) {
			logged += s + "\n"
		} else {
			plain += "\n" + s
		}
	}
	return plain, logged
}
