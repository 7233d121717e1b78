package learning

import (
	"slices"
	"sort"
	"strings"

	"preceptor/internal/pack"
)

// evidence is all that a source says about what should have been different.
type evidence struct {
	src      Source
	said     string // reason, feedback and the reason code's words
	asked    []instruction
	diff     difference
	added    []pack.Change
	removed  []pack.Change
	softened []pack.Change
}

// lesson is one thing that could be learned, with how much speaks for it.
type candidate struct {
	score     float64
	move      pack.Move // of the book; "" when it is in the reviewer's or text's own words
	situation string    // as the reviewer gave it; "" to be worked out
	action    string
	because   string
	domain    string
	title     string
	problem   string
	cause     string
	why       string // why this lesson was picked
	anyone    bool   // for every customer, whatever was asked
}

func evidenceOf(s Source) evidence {
	e := evidence{src: s, said: clip(strings.TrimSpace(s.Feedback+"\n"+s.Reason), maxSaid)}
	e.asked = append(instructions(s.Feedback, true), instructions(s.Reason, s.Kind == Ruling)...)
	if s.Kind == Revise {
		e.diff = compare(s.AgentText, s.HumanText)
		if !e.diff.trivial() {
			e.added, e.removed, e.softened = pack.MoveDiff(clip(s.AgentText, 60_000), clip(s.HumanText, 60_000))
		}
	}
	return e
}

var phoneRE = ci(`\b0\d{2,4}[ -]?\d{3}[ -]?\d{3,4}\b|\[(?:phone|email|address|postcode|ni|policy|account)`)

// personal tells whether the new figures are the customer's own, or ways to reach somebody.
func (e evidence) personal() bool {
	if phoneRE.MatchString(e.src.HumanText) && !slices.Equal(numbers(phoneRE.FindString(e.src.HumanText)), numbers(phoneRE.FindString(e.src.AgentText))) {
		return true
	}
	own := false
	for _, c := range e.added {
		if c.Move != pack.Figures {
			continue
		}
		_, now, _ := strings.Cut(c.Text, " to ")
		for _, f := range pack.FindFigures(firstText(now, c.Text)) {
			if e.own(f) == "" {
				return false
			}
			own = true
		}
	}
	return own
}

// best is the candidate that most speaks for; the earlier one on a tie.
func (e evidence) best() (candidate, bool) {
	var list []candidate
	for i, in := range e.asked {
		if c, ok := e.fromInstruction(in); ok {
			c.score -= 0.01 * float64(i) // of equal ones the first that was said
			list = append(list, c)
		}
	}
	if c, ok := e.fromPanel(); ok {
		list = append(list, c)
	}
	list = append(list, e.fromMoves()...)
	list = append(list, e.fromBetter()...)
	if e.src.Kind == Revise && !e.diff.trivial() {
		list = append(list, e.fromText()...)
	}
	if len(list) == 0 {
		return candidate{}, false
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].score > list[j].score })
	return list[0], true
}

// fromInstruction makes a lesson of what the reviewer asked for: the book's move if it is nothing more, their words if it is.
func (e evidence) fromInstruction(in instruction) (candidate, bool) {
	action := e.generalise(in.action)
	if action == "" || hasToken(action) {
		return candidate{}, false
	}
	c := candidate{score: 10, situation: e.generalise(in.situation), action: action, because: in.because, why: "The reviewer asked for it."}
	if hasToken(c.situation) {
		c.situation = ""
	}
	if c.because == "" {
		c.because = statedReason(e.src.Reason)
	}
	moves := pack.Principle{Action: action}.Moves()
	if len(moves) == 1 && c.situation == "" {
		if m, ok := movebook[moves[0]]; ok && (moves[0] != pack.WarnGuarantees || e.src.Situation.HoldsDB()) {
			c = m.candidate(moves[0], 9+m.weight, "The reviewer asked for it.")
			c.because = firstText(in.because, statedReason(e.src.Reason))
			return c, e.src.Kind != Revise || e.src.Feedback != "" || e.suits(moves[0])
		}
	}
	if len(pack.ContentStems(action)) < 2 && len(pack.FindFigures(action)) == 0 {
		return candidate{}, false
	}
	if words := quotedWords(action); negative(action) && len(words) > 0 || strings.Contains(action, " instead of ") || strings.Contains(action, " rather than ") {
		c.anyone = true
		if cosmeticQuotes(words) {
			return candidate{}, false
		}
	}
	c.title = pack.Upper(firstWords(action, 8))
	c.domain = e.domainOf(action, moves)
	c.problem = "The draft did not do what the reviewer asked for: " + action + "."
	if negative(action) {
		c.problem = "The draft did what it should not: the reviewer asked to " + action + "."
	}
	c.cause = "The advisor had no rule for it."
	return c, true
}

// quotedWords are the phrases quoted in an action.
func quotedWords(action string) []string {
	var out []string
	for _, q := range quotedRE.FindAllString(action, 4) {
		out = append(out, strings.Trim(q, " '\"“”"))
	}
	return out
}

// cosmeticQuotes tells whether "say 'e.g.' instead of 'eg'" asks for punctuation only.
func cosmeticQuotes(words []string) bool {
	return len(words) == 2 && letters(words[0]) == letters(words[1])
}

// fromMoves makes lessons of the book's moves: what the person did to the text, what they said, what was flagged.
func (e evidence) fromMoves() []candidate {
	did, touched, gone := e.does(), e.touched(), map[pack.Move]bool{}
	for _, c := range e.removed {
		gone[c.Move] = true
	}
	plain, logged := e.spoken()
	var out []candidate
	for _, name := range order {
		m := movebook[name]
		said, noted, flagged := speaksOf(plain, name) && !gone[name], speaksOf(logged, name), e.flagged(m)
		score, why := 0.0, ""
		switch {
		case said && (did[name] || touched[name]) || noted && did[name]:
			score, why = 8, "The reviewer said so and changed the text accordingly."
		case flagged && (did[name] || touched[name]):
			score, why = 7, "A check had flagged it and the reviewer mended it."
		case e.coded(m):
			score, why = 6, "It was the reason that the reviewer chose."
		case said && (e.src.Kind != Revise || complains(plain, name)):
			score, why = 5, "The reviewer said so."
		case did[name]:
			score, why = 2, "The reviewer changed the text so."
		case flagged && e.src.Kind == Reject:
			score, why = 3, "A check had flagged it in the rejected draft."
		case flagged && causeOf(e.src.Kind) != CauseDecision && !e.allowed():
			score, why = 6, "It is what the checks and judges found."
		default:
			continue
		}
		if name == pack.WarnGuarantees && !e.src.Situation.HoldsDB() {
			continue // a remark on guarantees in a text for somebody who has none
		}
		if e.src.Kind == Revise && !flagged && !e.coded(m) && !e.suits(name) {
			continue
		}
		c := m.candidate(name, score+m.weight, why)
		c.because = statedReason(plain)
		out = append(out, c)
	}
	return out
}

// touched lists the moves whose words a revision brought in or whose faults it took out, plainly or not.
func (e evidence) touched() map[pack.Move]bool {
	did := map[pack.Move]bool{}
	for _, c := range append(slices.Clone(e.added), e.softened...) {
		did[bookName(c.Move)] = did[bookName(c.Move)] || c.Move == bookName(c.Move) || slices.Contains(e.softened, c)
	}
	for _, c := range e.removed {
		if n := bookName(c.Move); n != c.Move { // a fault that went
			did[n] = true
		}
	}
	for _, c := range e.added { // a fault that came is no lesson
		if bookName(c.Move) != c.Move && !slices.ContainsFunc(e.softened, func(s pack.Change) bool { return s.Move == c.Move }) {
			delete(did, bookName(c.Move))
		}
	}
	return did
}

// bookName is the move that mends a fault, or the move itself.
func bookName(m pack.Move) pack.Move {
	switch m {
	case pack.PersonalPhrasing:
		return pack.Depersonalise
	case pack.PromiseMade:
		return pack.NoPromise
	case pack.JargonUsed:
		return pack.PlainWords
	}
	return m
}

// coded tells whether the reason that a reviewer chose for a rejection is about a move.
func (e evidence) coded(m move) bool {
	return e.src.ReasonCode != "" && slices.Contains(m.codes, e.src.ReasonCode)
}

// flagged tells whether a check had found a move missing.
func (e evidence) flagged(m move) bool {
	for _, code := range m.codes {
		for _, f := range e.src.Flags {
			if strings.EqualFold(f.Code, code) {
				return true
			}
		}
	}
	return false
}

func (m move) candidate(name pack.Move, score float64, why string) candidate {
	return candidate{score: score, move: name, situation: "", action: m.short, domain: m.domain, title: m.title,
		problem: m.problem, cause: m.cause, why: why, anyone: m.situation == anyDraft}
}

// reflection writes the picked lesson down, for customers like this one.
func (e evidence) reflection(c candidate) Reflection {
	r := Reflection{Title: c.title, Problem: c.problem, RootCause: c.cause, Domain: c.domain, Why: c.why, Seen: e.seen()}
	situation := c.situation
	if situation == "" {
		situation, r.Conditions, r.Tasks = e.situationFor(c)
	} else {
		r.Conditions, r.Tasks = e.statedConditions(situation)
	}
	if reason := strings.TrimSpace(e.src.Reason); reason != "" && len(reason) < 300 {
		r.RootCause += " The reviewer's reason: “" + strings.TrimRight(reason, ". ") + "”."
	}
	r.Principle = "When " + lowerFirst(situation) + ", " + lowerFirst(c.action)
	if c.because != "" {
		r.Principle += " because " + lowerFirst(c.because)
	}
	return r
}

// seen lists everything that the person changed, in words, so that the lesson's page shows what was not learned too.
func (e evidence) seen() []string {
	var out []string
	for _, list := range [][]pack.Change{e.added, e.removed, e.softened} {
		for _, c := range list {
			if !slices.Contains(out, c.Label) && len(out) < 12 {
				out = append(out, c.Label)
			}
		}
	}
	return out
}
