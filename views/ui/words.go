package ui

import (
	"strings"
	"unicode"

	"preceptor/internal/platform/text"
)

// WordDiff is what a person changed, in whole words: neighbouring changes are joined, so that one reads a phrase that
// went and a phrase that came and not a flicker of single words.
func WordDiff(before, after string) []Change {
	return joinAcrossBlanks(text.Phrases(words(before), words(after)))
}

// joinAcrossBlanks makes one change of two that only a blank keeps apart.
func joinAcrossBlanks(in []Change) []Change {
	var out []Change
	var removed, added strings.Builder
	flush := func() {
		if removed.Len() > 0 {
			out = append(out, Change{Op: text.Removed, Text: removed.String()})
		}
		if added.Len() > 0 {
			out = append(out, Change{Op: text.Added, Text: added.String()})
		}
		removed.Reset()
		added.Reset()
	}
	for i, c := range in {
		switch c.Op {
		case text.Removed:
			removed.WriteString(c.Text)
		case text.Added:
			added.WriteString(c.Text)
		default:
			if strings.TrimSpace(c.Text) == "" && !strings.Contains(c.Text, "\n") && removed.Len()+added.Len() > 0 &&
				i+1 < len(in) {
				removed.WriteString(c.Text)
				added.WriteString(c.Text)
				continue
			}
			flush()
			out = append(out, c)
		}
	}
	flush()
	return out
}

// words cuts s into words, runs of blanks, and single signs; joined they are the text again.
func words(s string) []string {
	var out []string
	start, kind := 0, -1
	for i, r := range s {
		k := kindOf(r)
		if (r == '.' || r == ',') && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
			k = 1 // within a number
		}
		if i > 0 && (k != kind || k == 2) {
			out = append(out, s[start:i])
			start = i
		}
		kind = k
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

func kindOf(r rune) int {
	switch {
	case unicode.IsSpace(r):
		return 0
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("'’£%-", r):
		return 1
	default:
		return 2
	}
}
