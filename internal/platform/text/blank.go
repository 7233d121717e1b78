package text

import (
	"regexp"
	"slices"
	"strings"
)

var (
	blank  = regexp.MustCompile(`\{\{\s*([\p{L}\p{N}][\p{L}\p{N} '’_-]{0,39}?)\s*\}\}`)
	single = regexp.MustCompile(`\{\s*[\p{L}\p{N}][\p{L}\p{N} '’_-]{0,39}?\s*\}`)
	// unfinished is a place without a name, or one that its line doesn't close.
	unfinished = regexp.MustCompile(`(?m)\{\{\s*\}\}|\{\{[^{}\n]*$`)
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

// Filled is the passage of s that is a line of text with its places filled in; "" where there is none.
func Filled(template, s string) string {
	parts := blank.Split(template, -1)
	if strings.TrimSpace(strings.Join(parts, "")) == "" {
		return ""
	}
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	pattern := strings.Join(parts, `[^\n]{1,200}?`)
	const edge = `[^\n.!?]{1,80}` // what begins or ends it has no words beside it to end at
	if first := parts[0]; first == "" {
		pattern = edge + strings.TrimPrefix(pattern, `[^\n]{1,200}?`)
	}
	if last := parts[len(parts)-1]; last == "" {
		pattern = strings.TrimSuffix(pattern, `[^\n]{1,200}?`) + edge
	}
	return regexp.MustCompile(pattern).FindString(s)
}
