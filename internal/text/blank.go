package text

import (
	"regexp"
	"slices"
	"strings"
)

var (
	blank = regexp.MustCompile(`\{\{\s*([\p{L}\p{N}][\p{L}\p{N} '’_-]{0,39}?)\s*\}\}`)
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

// Fill puts values in the places of their names, letter case aside; a place whose value isn't known stays.
func Fill(s string, values map[string]string) string {
	return blank.ReplaceAllStringFunc(s, func(place string) string {
		if v := values[strings.ToLower(blank.FindStringSubmatch(place)[1])]; v != "" {
			return v
		}
		return place
	})
}
