package phrase

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quoted finds quoted phrases, with their marks: "…", “…”, '…' and ‘…’. An apostrophe inside a word opens nothing.
func Quoted(t string) []Span {
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
			if prev, _ := utf8.DecodeLastRuneInString(t[:i]); i > 0 &&
				(unicode.IsLetter(prev) || unicode.IsDigit(prev)) {
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
