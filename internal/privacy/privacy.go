// Package privacy takes personal data out of text before it is stored as knowledge or leaves for a model, and puts it
// back on the way home.
//
// Names, National Insurance numbers, e-mail addresses, personal phone numbers, postcodes and addresses, policy and
// reference numbers, sort codes, account numbers and dates of birth become tokens as [NAME-1]. The same words get the
// same token throughout one call, so that a text stays readable; another call numbers afresh, so that tokens of two
// texts say nothing about each other. Restore undoes a call exactly, also in a text that was written from the safe one.
//
// What survives untouched: pounds, percentages, ages, years, tax years, section and rule numbers, legal dates, and
// public help lines (0800, 0808, 03…), because guidance is worth nothing without them; and code's own
// numbers (code.go).
//
// It is pure and keeps nothing. Names without a title, an introduction or a known field are not found: a list of first
// names would turn "Will", "May" and "Grant" into people. Decided against: a model for named entities (size, and it
// can't be explained), and one-way hashes (the answer has to be addressed to somebody).
package privacy

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

// Kinds of personal data, as they stand in tokens.
const (
	kindName     = "NAME"
	kindNI       = "NI"
	kindEmail    = "EMAIL"
	kindPhone    = "PHONE"
	kindPostcode = "POSTCODE"
	kindAddress  = "ADDRESS"
	kindPolicy   = "NUMBER" // of a policy, an order, a customer
	kindSort     = "SORTCODE"
	kindAccount  = "ACCOUNT"
	kindBorn     = "BORN"
	kindOther    = "PERSONAL"
)

// Pseudonymiser finds personal data in text. It has no state and may be shared.
type Pseudonymiser struct{}

// New makes one.
func New() *Pseudonymiser { return &Pseudonymiser{} }

// Map is what each token stands for.
type Map map[string]string

// hit is a stretch of text that is personal.
type hit struct {
	kind       string
	start, end int
}

// Hide is Pseudonymise for what nobody has to read back.
func (p *Pseudonymiser) Hide(text string, known ...string) string {
	safe, _ := p.Pseudonymise(text, known...)
	return safe
}

// Pseudonymise replaces personal data by tokens. known are values to replace wherever they stand, as the customer's
// name or street; each counts whole, and a name also by its parts.
func (p *Pseudonymiser) Pseudonymise(text string, known ...string) (safe string, key Map) {
	key = Map{}
	hits := pick(findSeen(text, known))
	if len(hits) == 0 {
		return text, key
	}
	next := numbersInUse(text)
	tokens := map[string]string{}
	var b strings.Builder
	last := 0
	for _, h := range hits {
		words := text[h.start:h.end]
		id := h.kind + "\x00" + words
		token, ok := tokens[id]
		if !ok {
			next[h.kind]++
			token = fmt.Sprintf("[%s-%d]", h.kind, next[h.kind])
			tokens[id], key[token] = token, words
		}
		b.WriteString(text[last:h.start])
		b.WriteString(token)
		last = h.end
	}
	b.WriteString(text[last:])
	return b.String(), key
}

var tokenRE = regexp.MustCompile(`\[([A-Z]+)-(\d+)\]`)

// numbersInUse is the highest number of each kind of token that text has already: those are somebody else's, and stay.
func numbersInUse(text string) map[string]int {
	out := map[string]int{}
	for _, m := range tokenRE.FindAllStringSubmatch(text, -1) {
		if n, err := strconv.Atoi(m[2]); err == nil && n < 1<<30 {
			out[m[1]] = max(out[m[1]], n)
		}
	}
	return out
}

// Restore puts back what the tokens stand for. Tokens that are not the map's stay.
func (m Map) Restore(text string) string {
	if len(m) == 0 {
		return text
	}
	return tokenRE.ReplaceAllStringFunc(text, func(token string) string {
		if words, ok := m[token]; ok {
			return words
		}
		return token
	})
}

// pick sorts the hits and drops those that overlap an earlier or longer one.
func pick(hits []hit) []hit {
	sort.SliceStable(hits, func(i, j int) bool {
		if hits[i].start != hits[j].start {
			return hits[i].start < hits[j].start
		}
		return hits[i].end > hits[j].end
	})
	var out []hit
	for _, h := range hits {
		if h.end <= h.start {
			continue
		}
		if n := len(out); n > 0 && h.start < out[n-1].end {
			if h.end > out[n-1].end { // what sticks out is personal too
				out[n-1].end = h.end
			}
			continue
		}
		out = append(out, h)
	}
	return out
}

// findSeen is find on the text as its reader sees it: pasted from a PDF or a page, "Mrs Jones" may have a blank that
// does not break and "Smith" a mark that nobody sees. The places are those in text.
func findSeen(text string, known []string) []hit {
	seen, places := asSeen(text)
	if seen == text {
		return find(text, known)
	}
	plain := make([]string, len(known))
	for i, k := range known {
		plain[i], _ = asSeen(k)
	}
	hits := find(seen, plain)
	for i := range hits {
		hits[i].start, hits[i].end = places[hits[i].start], places[hits[i].end]
	}
	return hits
}

// asSeen leaves out what is invisible and makes every blank a plain one. places leads from each byte of what is left,
// and from its end, back to text.
func asSeen(text string) (seen string, places []int) {
	if !strings.ContainsFunc(text, odd) {
		return text, nil
	}
	var b strings.Builder
	for i, r := range text {
		before := b.Len()
		switch {
		case unicode.Is(unicode.Cf, r):
			continue
		case unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
		for range b.Len() - before {
			places = append(places, i)
		}
	}
	return b.String(), append(places, len(text))
}

func odd(r rune) bool { return unicode.Is(unicode.Cf, r) || r != ' ' && unicode.Is(unicode.Zs, r) }

// find collects what every detector finds.
func find(text string, known []string) []hit {
	l := lookAt(text)
	hits := phones(l) // first: a number that might be a reference too is a phone number
	for _, d := range detectors {
		hits = append(hits, d.find(l)...)
	}
	hits = append(hits, references(l)...)
	names := introduced(l)
	hits = append(hits, names...)
	hits = append(hits, again(text, names)...)
	hits = append(hits, knownIn(text, known)...)
	return outsideCode(text, outsideTokens(text, hits))
}

// outsideTokens leaves tokens that the text has already alone.
func outsideTokens(text string, hits []hit) []hit {
	taken := tokenRE.FindAllStringIndex(text, -1)
	if len(taken) == 0 {
		return hits
	}
	out := hits[:0]
	for _, h := range hits {
		clear := true
		for _, t := range taken {
			clear = clear && (h.end <= t[0] || h.start >= t[1])
		}
		if clear {
			out = append(out, h)
		}
	}
	return out
}
