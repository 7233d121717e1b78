package text

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

var (
	blank  = regexp.MustCompile(`\{\{\s*([\p{L}\p{N}][\p{L}\p{N} '’_-]{0,39}?)\s*\}\}`)
	single = regexp.MustCompile(`\{\s*[\p{L}\p{N}][\p{L}\p{N} '’_-]{0,39}?\s*\}`)
	// unfinished is a place without a name, or one that its line doesn't close.
	unfinished = regexp.MustCompile(`(?m)\{\{\s*\}\}|\{\{[^{}\n]*$`)
	spaces     = regexp.MustCompile(`\s+`)
	// verbatim is Markdown for code, whose braces are meant.
	verbatim = regexp.MustCompile("(?s)```.*?(```|$)|`[^`\n]*`")
)

// Blanks are the names of a text's places to fill in, as "name" in "Hello {{name}}", each once and in order. Braces in
// code are none.
func Blanks(s string) (names []string) {
	for _, m := range blank.FindAllStringSubmatch(verbatim.ReplaceAllString(s, ""), -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}

// SingleBraces is the first name in single braces, which nobody would fill in, as "{name}"; "" where there is none.
func SingleBraces(s string) string {
	return single.FindString(blank.ReplaceAllString(verbatim.ReplaceAllString(s, ""), ""))
}

// Unfinished is the first place to fill in that has no name or isn't closed, as it stands; "" where there is none.
func Unfinished(s string) string {
	return strings.TrimSpace(unfinished.FindString(verbatim.ReplaceAllString(s, "")))
}

// Fill puts values in the places of their names, letter case aside; a place whose value isn't known stays.
func Fill(s string, values map[string]string) string {
	return blank.ReplaceAllStringFunc(s, func(place string) string {
		if v := values[strings.ToLower(blank.FindStringSubmatch(place)[1])]; v != "" {
			return v
		}
		return place
	})
}

// Filled finds out of passages those that are a sentence of a template with anything in its places, and what that is.
// Nil where s has not all of its words.
func Filled(sentence, s string) func(passage string) []string {
	parts := blank.Split(sentence, -1)
	low := flat(s)
	if !strings.ContainsFunc(strings.Join(parts, ""), unicode.IsLetter) ||
		slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(low, flat(part)) }) {
		return nil
	}
	for i, part := range parts {
		parts[i] = spaces.ReplaceAllString(regexp.QuoteMeta(part), `\s+`)
	}
	return regexp.MustCompile(`(?i)^(?:[-*•]\s+|\d+[.)]\s+)?` + strings.Join(parts, `(.{1,200}?)`) + `[.!?…]?$`).
		FindStringSubmatch
}

// flat is a text in one line and in small letters.
func flat(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
