package learning

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"preceptor/internal/pack"
	"preceptor/internal/phrase"
	"preceptor/internal/privacy"
	"preceptor/internal/rule"
)

// Particulars marks the words of a text that belong to one customer: names that are known, figures and references of
// the profile or the question, the scheme or employer, and what the privacy detectors find. What goes to others has to
// be without them. Spans are in order and don't overlap.
//
// A figure that everybody has, as an allowance of the pack's dated facts, is no particular. A name in the question is
// told by its capital within a sentence where the pack has a vocabulary of its own; in a domain without one nobody can
// tell a name from a product.
func Particulars(text string, s pack.Situation, known []string) []phrase.Span {
	var out []phrase.Span
	for _, hidden := range hiddenIn(text, known) {
		out = append(out, occurrences(text, hidden)...)
	}
	out = append(out, figuresOf(text, s)...)
	p := pack.Of(s.Pack)
	told := toldBy(s)
	for _, w := range ownNames(p, s) {
		out = append(out, pack.PhraseSpans(text, w)...)
	}
	for _, w := range p.Particulars {
		if pack.HasPhrase(told, w) {
			out = append(out, pack.PhraseSpans(text, w)...)
		}
	}
	return merged(out)
}

// Unsourced reports whether a text holds a name or a sum of money that stands in none of the reviewed texts, nor in the
// pack: it may be this customer's, whom nobody else knows. It is asked of what is guessed; of what a person states, the
// person judges. A pack without words of its own can't tell names from products, so there only those of the question
// count, and no sums.
func Unsourced(text string, s pack.Situation, reviewed ...string) bool {
	p := pack.Of(s.Pack)
	sourced := func(w string) bool {
		return slices.ContainsFunc(reviewed, func(r string) bool { return pack.HasPhrase(r, w) })
	}
	for _, w := range names(p, text) {
		if (len(p.Topics) > 0 || pack.HasPhrase(s.Said(), w)) && !sourced(w) {
			return true
		}
	}
	if !p.Checks {
		return false
	}
	facts := pack.Facts(s.At).All()
	return slices.ContainsFunc(pack.FindFigures(text), func(f pack.Figure) bool {
		return f.Kind == "money" && !sourced(text[f.Start:f.End]) &&
			!slices.ContainsFunc(facts, func(known pack.Fact) bool { return known.Value == f.Value })
	})
}

// impersonal is a text with marks for what may belong to one customer: particulars, names, and sums that everybody
// hasn't.
func impersonal(text string, s pack.Situation) string {
	spans := Particulars(text, s, nil)
	for _, w := range names(pack.Of(s.Pack), text) {
		spans = append(spans, pack.PhraseSpans(text, w)...)
	}
	facts := pack.Facts(s.At).All()
	for _, f := range pack.FindFigures(text) {
		if f.Kind == "money" && !slices.ContainsFunc(facts, func(known pack.Fact) bool {
			return known.Value == f.Value
		}) {
			spans = append(spans, phrase.Span{Start: f.Start, End: f.End})
		}
	}
	for _, sp := range slices.Backward(merged(spans)) {
		text = text[:sp.Start] + "…" + text[sp.End:]
	}
	return text
}

// toldBy is all that is known of the customer in words.
func toldBy(s pack.Situation) string {
	return strings.Join(append([]string{s.Said(), s.Goal, s.Text}, s.Features...), "\n")
}

// particular reports whether anything that a statement says belongs to one customer.
func particular(st rule.Statement, s pack.Situation) bool {
	texts := append(st.Do.Texts(), st.Because)
	for _, w := range st.Do.Swaps {
		texts = append(texts, w.Avoid)
	}
	texts = append(texts, st.Do.Phrases...)
	for _, c := range st.When {
		if c.Kind == rule.Like || c.Kind == rule.Mentions {
			texts = append(texts, c.Values...)
		}
	}
	for _, t := range texts {
		if hasToken(t) || len(Particulars(t, s, nil)) > 0 {
			return true
		}
	}
	return false
}

// hiddenIn are the stretches that the privacy detectors would hide.
func hiddenIn(text string, known []string) (out []string) {
	_, key := privacy.New().Pseudonymise(text, known...)
	for _, v := range key {
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}

func occurrences(text, what string) (out []phrase.Span) {
	for from := 0; what != ""; {
		i := strings.Index(text[from:], what)
		if i < 0 {
			break
		}
		out = append(out, phrase.Span{Start: from + i, End: from + i + len(what)})
		from += i + len(what)
	}
	return out
}

// figuresOf marks the figures of a text that the customer brought.
func figuresOf(text string, s pack.Situation) (out []phrase.Span) {
	own := map[float64]bool{}
	for _, f := range pack.FindFigures(toldBy(s)) {
		own[f.Value] = true
	}
	for _, v := range []float64{float64(s.Age), s.DBValue, s.DCValue} {
		own[v] = v > 0
	}
	for _, list := range s.Fields {
		for _, v := range list {
			for _, f := range pack.FindFigures(v) {
				own[f.Value] = true
			}
		}
	}
	if pack.Of(s.Pack).Checks {
		for _, f := range pack.Facts(s.At).All() {
			own[f.Value] = false
		}
		own[25], own[100] = false, false
	}
	for _, f := range pack.FindFigures(text) {
		if own[f.Value] {
			out = append(out, phrase.Span{Start: f.Start, End: f.End})
		}
	}
	told := toldBy(s)
	for _, at := range referenceRE.FindAllStringIndex(text, -1) {
		ref := text[at[0]:at[1]]
		v, err := strconv.ParseFloat(ref, 64)
		if theirs, known := own[v]; (err != nil || theirs || !known) && pack.HasPhrase(told, ref) {
			out = append(out, phrase.Span{Start: at[0], End: at[1]})
		}
	}
	return out
}

// referenceRE finds numbers of orders, invoices and the like, announced or not: 44121, SF-20931, 12/05/2026.
var referenceRE = regexp.MustCompile(`\b(?:\pL{1,4}[-/]?)?\d[\d/-]{2,}\d\b`)

// naming are the names of fields, or parts of them, whose values belong to one customer.
var naming = []string{"name", "employer", "scheme", "provider", "address", "email", "phone", "postcode", "account",
	"reference", "member", "company"}

// ownNames are the words by which one could tell the customer: values of such fields, and capitalised words within the
// question's sentences that are not of the pack's own vocabulary.
func ownNames(p *pack.Pack, s pack.Situation) (out []string) {
	for field, values := range s.Fields {
		low := strings.ToLower(field)
		if slices.ContainsFunc(naming, func(n string) bool { return strings.Contains(low, n) }) {
			out = append(out, values...)
		}
	}
	if len(p.Topics) == 0 {
		return out
	}
	return append(out, names(p, s.Said())...)
}

// names are the capitalised words within a text's sentences that are not of the pack's own vocabulary.
func names(p *pack.Pack, text string) (out []string) {
	for _, sentence := range sentences(text) {
		ws := strings.FieldsFunc(sentence, func(r rune) bool {
			return !unicode.IsLetter(r) && r != '\'' && r != '’' && r != '-'
		})
		for i, w := range ws {
			if i > 0 && capitalised(w) && !ordinary(p, w) {
				out = append(out, strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s"))
			}
		}
	}
	return out
}

// capitalised reports whether a word has a capital and then small letters, as names do and abbreviations don't.
func capitalised(w string) bool {
	r := []rune(w)
	return len(r) > 2 && unicode.IsUpper(r[0]) && unicode.IsLower(r[1])
}

// everyones are the names that name nobody: days, months, the countries of the United Kingdom and its public bodies.
var everyones = strings.Fields(
	`monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december
	united kingdom britain england scotland wales northern ireland
	protection fund regulator ombudsman service citizens advice department treasury revenue customs
	companies house government parliament`)

// ordinary reports whether a word is of the pack's own vocabulary.
func ordinary(p *pack.Pack, w string) bool {
	if slices.Contains(everyones, strings.ToLower(w)) || strings.HasPrefix(w, "I'") || strings.HasPrefix(w, "I’") {
		return true
	}
	return slices.ContainsFunc(p.Vocabulary(), func(text string) bool { return pack.HasPhrase(text, w) })
}

// merged are spans in order, those that touch or overlap made one.
func merged(list []phrase.Span) (out []phrase.Span) {
	slices.SortFunc(list, func(a, b phrase.Span) int { return a.Start - b.Start })
	for _, s := range list {
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}
