package pack

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
