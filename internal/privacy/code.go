package privacy

import (
	"regexp"
	"slices"
	"strings"
)

// In code numbers are the code's: coordinates, ids and limits of a statement look like a policy number written in bare
// digits. Code is what has its form, whatever field it stands in: a block between fences, a statement of SQL, a call.
// Within it a number counts as a literal by what stands before it. What has a form of its own (cards, sort codes,
// accounts, NI numbers) is personal there too, and so is a reference with letters.
var (
	fencedRE    = regexp.MustCompile("(?s)```.*?(?:```|$)|`[^`\n]+`")
	callRE      = regexp.MustCompile(`\b[A-Za-z]+_\w*\([^\n]*\)`)
	statementRE = regexp.MustCompile(`(?i)\b(?:select|insert\s+into|update|delete\s+from|with|create|alter)\b`)
	clauseRE    = regexp.MustCompile(`(?i)\b(?:from|values|set|select|table|where)\b`)
	codedRE     = regexp.MustCompile(`[=<>*_]|\w\(|(?i:\bvalues\s*\()`) // what no sentence has
	literalRE   = regexp.MustCompile(`(?i)(?:[(,=<>+*/\[{.:]|\d|\b(?:between|and|or|limit|offset|then|else|values|in))` +
		`(?:\s|\\n)*-?$`)
	bareRE = regexp.MustCompile(`^[-\d./ ]+$`)
)

// outsideCode drops numbers that are code's.
func outsideCode(text string, hits []hit) []hit {
	var code [][]int
	read := false
	return slices.DeleteFunc(hits, func(h hit) bool {
		words := text[h.start:h.end]
		bare := bareRE.MatchString(words)
		switch h.kind {
		case kindPolicy:
		case kindPhone:
			bare = bare && strings.Contains(words, ".") // 0.1278 51.5074
		default:
			return false
		}
		if !bare || !literalRE.MatchString(text[max(0, h.start-20):h.start]) {
			return false
		}
		if !read {
			code, read = codeIn(text), true
		}
		return slices.ContainsFunc(code, func(c []int) bool { return c[0] <= h.start && h.end <= c[1] })
	})
}

// codeIn finds what is code in a text.
func codeIn(text string) [][]int {
	out := append(fencedRE.FindAllStringIndex(text, -1), callRE.FindAllStringIndex(text, -1)...)
	for at := 0; ; {
		m := statementRE.FindStringIndex(text[at:])
		if m == nil {
			return out
		}
		start, end := at+m[0], at+m[1]
		end += endOfStatement(text[end:], start > 0 && text[start-1] == '"')
		if said := text[at+m[1] : end]; clauseRE.MatchString(said) && codedRE.MatchString(said) {
			out, at = append(out, []int{start, end}), end
		} else {
			at += m[1]
		}
	}
}

// endOfStatement is where a statement ends: at a semicolon, an empty line, or the end of the JSON text that it is in.
func endOfStatement(rest string, quoted bool) int {
	for i := range len(rest) {
		switch rest[i] {
		case ';':
			return i
		case '"':
			if quoted && (i == 0 || rest[i-1] != '\\') {
				return i
			}
		case '\n':
			if strings.HasPrefix(rest[i:], "\n\n") {
				return i
			}
		}
	}
	return len(rest)
}
