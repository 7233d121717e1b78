package observe

import (
	"regexp"
	"strings"
	"unicode"

	"preceptor/internal/signal/turn"
)

// Confidences of the seed.
const (
	praised   = 0.9
	approved  = 0.7
	unsaid    = 0.5
	corrected = 0.3
)

// What words say: the seed's lists, with the plain opposites of its "correct", "right" and "good".
var (
	praises  = set("perfect", "exactly", "excellent", "great")
	approves = set("approved", "good", "correct", "right")
	forbids  = set("don't", "dont", "never", "stop")
	faults   = set("incorrect", "wrong", "bad")

	negates  = set("not", "no", "never", "hardly", "nothing", "cannot", "without") // and what ends in n't
	supposes = set("would", "could", "should", "if")                               // what would be good isn't yet

	// pairs of words that only look like one of the above
	aside = set("don't worry", "never mind", "don't stop", "right now", "right away")
	// what follows "correct" where that is an order
	corrects = set("correct the", "correct this", "correct that", "correct it", "correct these", "correct those",
		"correct your", "correct my", "correct them")
)

func set(words ...string) map[string]bool {
	out := make(map[string]bool, len(words))
	for _, w := range words {
		out[w] = true
	}
	return out
}

// heard is what a reaction says.
type heard struct {
	kind       string
	confidence float64
	praise     bool // in so many words: perfect, exactly, great, excellent, correct
}

var (
	quotes = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`)
	quoted = regexp.MustCompile(`"[^"\n]*"`)
	clause = regexp.MustCompile(`[^,;:.!?\n—–]+[?]?`)
)

// Unsure reports whether no key word tells what a reaction says.
func Unsure(said string) bool { return hear(said).kind == Neutral }

// hear is what the user's words say, by the seed's key words or else by the encoder.
func (o Observation) hear() heard {
	h := hear(o.Said)
	switch {
	case h.kind != Neutral:
	case o.Told == Success:
		return heard{Success, approved, false}
	case o.Told == Failure:
		return heard{Failure, corrected, false}
	}
	return h
}

// Praises reports whether a turn's reaction praises its action in so many words.
func Praises(t turn.Turn) bool { return t.Action != "" && hear(t.Reaction).praise }

// hear reads a reaction clause by clause: a negation turns what follows it in its clause, a question approves nothing,
// and what is forbidden or wrong weighs more than what is good.
func hear(said string) heard {
	s := quotes.Replace(strings.ToLower(said))
	if rest := quoted.ReplaceAllString(s, " "); strings.TrimSpace(rest) != "" {
		s = rest // others' words
	}
	var all counter
	for _, part := range clause.FindAllString(strings.ReplaceAll(s, " but ", ", "), -1) {
		all.add(part)
	}
	switch {
	case all.against:
		return heard{Failure, corrected, false}
	case all.praised:
		return heard{Success, praised, true}
	case all.approved:
		return heard{Success, approved, all.correct}
	case all.lacking:
		return heard{Failure, corrected, false}
	}
	return heard{Neutral, unsaid, false}
}

// counter is what the clauses of a reaction say.
type counter struct {
	against, praised, approved, correct bool
	lacking                             bool // praise, denied
}

func (t *counter) add(clause string) {
	words := strings.FieldsFunc(clause, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '\''
	})
	for i := range words {
		words[i] = strings.Trim(words[i], "'")
	}
	next := func(i int) string {
		if i+1 < len(words) {
			return words[i+1]
		}
		return ""
	}
	asks, denied, supposed := strings.HasSuffix(clause, "?"), false, false
	for i := 0; i < len(words); i++ {
		w, pair := words[i], words[i]+" "+next(i)
		switch {
		case aside[pair]:
			i++
			continue
		case forbids[w] || pair == "do not":
			t.against = true
		case faults[w] && denied:
			t.approved = true
		case faults[w] || w == "too" && next(i) != "" && !denied:
			t.against = t.against || !asks
		case (praises[w] || approves[w]) && !asks && !supposed && !corrects[pair]:
			t.lacking = t.lacking || denied
			t.praised = t.praised || !denied && praises[w]
			t.approved = t.approved || !denied
			t.correct = t.correct || !denied && w == "correct"
		}
		denied = denied || (negates[w] || strings.HasSuffix(w, "n't")) && pair != "not only"
		supposed = supposed || supposes[w]
	}
}
