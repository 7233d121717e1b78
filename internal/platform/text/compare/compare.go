// Package compare tells what two sentences are to each other: the same, contradicting, or merely different. Wishes,
// rules, documents, cases and corrections are compared by it alone, as a Func that app hands to each. It owns no table.
//
// Plain, the one that needs no model, knows figures with their signs, dates, and plain negation: a word denied in one
// sentence and not in the other, up to the end of the clause. It promises to say Same only of the same words in the
// same order, articles and the like aside, Contradicts only where one sentence has the other's words, and Excepts only
// of orders that name the same (part.go). Everything else Differs: it is for a person, or a model, to tell.
//
// Decided against: lists of opposites and of what is strict or lenient (they never end, and a sentence encoder is to
// tell polarity and modality), and likeness of meaning (the opposite of a sentence is its nearest neighbour).
package compare

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/phrase"
)

// Relation is what two sentences are to each other.
type Relation int

// The relations. Differs is also the answer of who is unsure.
const (
	Differs Relation = iota
	Same
	Contradicts
	// Excepts is a contradiction in a part: one never does what the other always does in some case. Neither says all
	// that the other does.
	Excepts
)

// Func compares two sentences. Nil is Plain.
type Func func(a, b string) Relation

// Of compares two sentences.
func (f Func) Of(a, b string) Relation {
	if f == nil {
		return Plain(a, b)
	}
	return f(a, b)
}

// Against gives a sentence of each text that contradict each other; ok is false where none do.
func (f Func) Against(a, b string) (x, y string, ok bool) {
	theirs := phrase.Sentences(b)
	for _, s := range phrase.Sentences(a) {
		for _, t := range theirs {
			if f.Of(s.In(a), t.In(b)) >= Contradicts {
				return strings.TrimSpace(s.In(a)), strings.TrimSpace(t.In(b)), true
			}
		}
	}
	return "", "", false
}

// statement is a sentence as Plain sees it.
type statement struct {
	words   []string // stems, without weak words, negations and figures
	spelt   map[string]string
	denied  map[string]int
	figures []string
	joins   []string // joining words, in order
	twice   bool     // something is denied that denies: "never … without"
}

// In denied a word has plain where it is affirmed and turned where it is denied, or both.
const (
	plain  = 1
	turned = 2
)

// nearly is which share of the longer sentence's words the shorter has to have for the two to be about the same.
const nearly = 0.6

// Plain compares by words, figures and negation.
func Plain(a, b string) Relation {
	how := alone(a, b)
	if how != Differs {
		return how
	}
	x, y := bare(a), bare(b)
	switch {
	case displaces(x, y) || displaces(y, x):
		return Contradicts
	case excepts(x, y) || excepts(y, x):
		return Excepts
	}
	return Differs
}

// alone compares two whole sentences.
func alone(a, b string) Relation {
	x, y := read(a), read(b)
	common, against := x.against(y)
	most := max(len(x.denied), len(y.denied))
	if common < min(len(x.denied), len(y.denied)) || float64(common) < nearly*float64(most) ||
		most == 0 && len(x.figures)+len(y.figures) == 0 {
		return Differs
	}
	figures := slices.Equal(x.figures, y.figures)
	switch {
	case against && x.joined(y), !figures && common == most && len(x.figures) == len(y.figures):
		return Contradicts
	case against:
		return Differs
	case common < most || !figures || most == 0 && strings.TrimSpace(a) != strings.TrimSpace(b):
		return Differs
	case slices.Equal(x.words, y.words):
		return Same
	case slices.ContainsFunc(x.words, func(w string) bool { return slices.Contains(ordering, x.spelt[w]) }):
		return Contradicts // the same two, the other way about
	}
	return Differs
}

// joined reports whether two statements set their words against each other alike: "Never commit before the tests" and
// "Commit after the tests" don't. A "without" alone is a denial like others.
func (s statement) joined(o statement) bool {
	others := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(w string) bool {
			return w == "without" && !s.twice && !o.twice
		})
	}
	return slices.Equal(others(s.joins), others(o.joins))
}

// against is how many words two statements have in common, and whether one of these is denied in one alone.
func (s statement) against(o statement) (common int, against bool) {
	for w, how := range s.denied {
		other := o.denied[w]
		if other == 0 {
			w = o.opposite(s.spelt[w])
			other = plain + turned - o.denied[w] // who affirms a word denies its opposite
		}
		if w != "" {
			common++
			against = against || how&other == 0
		}
	}
	return common, against
}

// Common is how many words b has of a, and whether one of these is denied in one alone.
func Common(a, b string) (n int, against bool) { return read(b).against(read(a)) }

// Within reports whether b says nearly what a does, in no other words: it denies alike, has no other figures, and puts
// nothing before or over another that a doesn't.
func Within(a, b string) bool {
	x, y := read(a), read(b)
	n, against := y.against(x)
	return n > 0 && !against && n == len(y.denied) && float64(n) >= nearly*float64(len(x.denied)) &&
		(len(y.figures) == 0 || slices.Equal(x.figures, y.figures)) && (slices.Equal(x.words, y.words) ||
		!slices.ContainsFunc(y.words, func(w string) bool { return slices.Contains(ordering, y.spelt[w]) }))
}

// Value gives what two instructions have in each other's place, at most three words or their figures, and the word that
// follows it, where they are the same but for that; ok is false where they differ in more, or deny anything. Whether
// the two shut each other out likeness of meaning tells, and that not for sure.
func Value(a, b string) (x, y, behind string, ok bool) {
	s, t := read(a), read(b)
	if s.denies() || t.denies() {
		return "", "", "", false
	}
	if n := len(s.figures); n > 0 && n == len(t.figures) && !slices.Equal(s.figures, t.figures) {
		return strings.Join(s.figures, ", "), strings.Join(t.figures, ", "), "", true
	}
	words := func(s string) []string { return tokenRE.FindAllString(strings.ToLower(strings.Trim(s, " .!")), -1) }
	v, w := words(a), words(b)
	all, named := len(v), 0
	for len(v) > 0 && len(w) > 0 && v[0] == w[0] {
		if !slices.Contains(asking, v[0]) {
			named++
		}
		v, w = v[1:], w[1:]
	}
	if named == 0 && len(v) < all { // "I prefer" is no other value of "I like"
		return "", "", "", false
	}
	for len(v) > 0 && len(w) > 0 && v[len(v)-1] == w[len(w)-1] {
		behind, v, w = v[len(v)-1], v[:len(v)-1], w[:len(w)-1]
	}
	if min(len(v), len(w)) > 1 && pack.IsStop(v[0]) && pack.IsStop(w[0]) {
		return "", "", "", false // "in the morning" is no other value of "on: standup"
	}
	return strings.Join(v, " "), strings.Join(w, " "), behind, min(len(v), len(w)) > 0 &&
		max(len(v), len(w)) <= mostValue && len(v) < all &&
		!slices.ContainsFunc(slices.Concat(v, w), func(w string) bool { return slices.Contains(asking, w) })
}

// asking is before what is asked for, and no part of a value.
var asking = strings.Fields("i i'd we we'd please always usually")

// mostValue is how many words a value may have.
const mostValue = 3

// Alike reports whether two texts deny alike, and have the same figures and the same words that hold others together
// ("before", "must", "only"): without that no likeness of their other words makes them the same.
func Alike(a, b string) bool {
	return slices.Equal(deciding(a), deciding(b))
}

// Near reports whether likeness of meaning may make two texts the same: they have the same figures, deny alike and the
// same words, say alike what may, should or will be, and neither is the other's words the other way about.
func Near(a, b string) bool {
	x, y := read(a), read(b)
	if _, against := x.against(y); against {
		return false
	}
	if Plain(a, b) >= Contradicts || !slices.Equal(x.figures, y.figures) || x.denies() != y.denies() ||
		!slices.Equal(modality(a), modality(b)) {
		return false
	}
	return slices.Equal(x.words, y.words) ||
		!slices.Equal(slices.Sorted(slices.Values(x.words)), slices.Sorted(slices.Values(y.words)))
}

// modals say how possible, due or sure a thing is; of two that say the same, the second is the first.
var modals = map[string]string{"must": "must", "should": "should", "ought": "should", "will": "will", "shall": "will",
	"would": "would", "could": "could",
	"can": "can", "may": "may", "might": "may"}

// modality is which modals a text has, contracted ones too. "I'd like" is a wish as "I want" is.
func modality(s string) (list []string) {
	for _, w := range tokenRE.FindAllString(strings.ReplaceAll(strings.ToLower(s), "’", "'"), -1) {
		if w == "i'd" {
			continue
		}
		w = strings.TrimSuffix(strings.NewReplacer("can't", "can", "won't", "will", "cannot", "can").Replace(w), "n't")
		if i := strings.LastIndexByte(w, '\''); i >= 0 {
			w = map[string]string{"'ll": "will", "'d": "would"}[w[i:]]
		}
		if m := modals[w]; m != "" && !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	slices.Sort(list)
	return list
}

// denies reports whether anything is denied in a statement.
func (s statement) denies() bool {
	for _, how := range s.denied {
		if how&turned != 0 {
			return true
		}
	}
	return false
}

// deciding is what of a text may turn it by itself, in order.
func deciding(s string) []string {
	x := read(s)
	out := x.figures
	denies := 0
	for _, w := range x.words {
		denies |= x.denied[w] & turned
		if pack.IsStop(x.spelt[w]) {
			out = append(out, w)
		}
	}
	return append(out, strings.Repeat("not", denies))
}

// opposite is the word of a statement that another turns by its first letters: "formal" of "informal".
func (s statement) opposite(w string) string {
	for stem, other := range s.spelt {
		for _, front := range []string{"un", "in", "im", "dis", "non"} {
			if min(len(w), len(other)) > 3 && (other == front+w || w == front+other) {
				return stem
			}
		}
	}
	return ""
}

var (
	tokenRE = regexp.MustCompile(
		`\d{4}-\d\d-\d\d|[£$€]?\d[\d,]*(?:\.\d+)?\s?%?|[\p{L}\p{M}]+(?:['’]\p{L}+)*|[,;:.!?()]`)
	// dayRE is a day as people write it, after which years may follow.
	dayRE = regexp.MustCompile(
		`(?i)\b(\d{1,2})(?:st|nd|rd|th)? (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* (\d{4})\b`)
	// ordering sets one thing against another by their order.
	ordering = strings.Fields("than over instead before after rather")
	clauses  = strings.Fields(", ; : . ! ? ( ) but and while because so if unless though")
	// joining words make a part of a sentence hold for another: what is denied in one part isn't in the other.
	joining = strings.Fields("than over before after unless until except without")
	weak    = setOf("please do does did doing done always the a an i me my we our us you your yours he she it its " +
		"they them their this that " +
		"these those there here is am are was were be been being to of in on with just also too very really so then " +
		"every any again now use using used as")
)

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// negation reports whether a word denies what follows it in its clause, and gives the word that it denies itself.
func negation(w string) (rest string, yes bool) {
	switch w {
	case "not", "no", "never", "none", "nothing", "nobody", "neither", "nor", "without", "avoid", "stop":
		return "", true
	case "cannot", "can't", "cant":
		return "can", true
	case "won't":
		return "will", true
	case "dont":
		return "", true
	}
	return strings.CutSuffix(w, "n't")
}

// Denies reports whether a word denies what follows it, or itself.
func Denies(w string) bool {
	_, yes := negation(w)
	return yes
}

// DeniesAnything reports whether a word of a text denies.
func DeniesAnything(s string) bool {
	return slices.ContainsFunc(strings.Fields(spelling.Replace(strings.ToLower(s))), Denies)
}

var (
	spelling = strings.NewReplacer("’", "'", " per cent", "%", " percent", "%", " instead of ", " not ",
		" rather than ", " not ")
	separators = strings.NewReplacer(",", "", " ", "")
)

func read(s string) statement {
	out := statement{spelt: map[string]string{}, denied: map[string]int{}}
	s = dayRE.ReplaceAllStringFunc(s, func(day string) string {
		m := dayRE.FindStringSubmatch(day)
		t, err := time.Parse("2 Jan 2006", m[1]+" "+pack.Upper(strings.ToLower(m[2]))+" "+m[3])
		if err != nil {
			return day
		}
		return t.Format(time.DateOnly)
	})
	s = spelling.Replace(strings.ToLower(s))
	how := plain
	tokens := tokenRE.FindAllString(s, -1)
	for i, w := range tokens {
		rest, denies := negation(w)
		prefers := out.denied["prefer"] != 0
		if slices.Contains(joining, w) && !(prefers && w == "over") || prefers && w == "to" && tokens[i-1] != "prefer" {
			out.joins, out.twice = append(out.joins, w), out.twice || w == "without" && how == turned
		}
		switch {
		case strings.ContainsAny(w, "0123456789"):
			out.figures = append(out.figures, separators.Replace(w))
			continue
		case slices.Contains(clauses, w):
			if w != ":" || i == 0 || !Denies(tokens[i-1]) { // "Avoid: …"
				how = plain
			}
		case denies && (w != "not" || i+1 == len(tokens) || tokens[i+1] != "only"):
			out.add(rest, how)
			how = turned
			continue
		case prefers && w == "over":
			how = turned
			continue
		}
		out.add(w, how)
	}
	return out
}

// Figures are the figures of a sentence with their signs, and its dates, each as it is compared.
func Figures(s string) []string { return read(s).figures }

func (s *statement) add(w string, how int) {
	if len(w) < 2 || weak[w] {
		return
	}
	stem := pack.Inflect(w)
	s.words, s.spelt[stem] = append(s.words, stem), w
	s.denied[stem] |= how
}
