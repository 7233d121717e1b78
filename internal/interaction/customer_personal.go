package interaction

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// identifying are parts of the names of free fields whose values say who somebody is.
var identifying = []string{"name", "address", "street", "town", "city", "postcode", "employer", "partner", "spouse", "email", "phone",
	"ni_number", "nino", "national_insurance", "policy", "account", "reference", "birth", "dob"}

// Personal lists what the fields say about who the customer is: values to hide wherever they stand in a text that is
// stored as knowledge or leaves for a model. Sorted, so that the same text is hidden in the same way every time.
func (c Customer) Personal() []string {
	var known []string
	if c.Name != "" {
		known = append(known, c.Name)
	}
	for field, v := range c.Extra {
		if text, ok := v.(string); ok && saysWho(field) && particular(text) {
			known = append(known, strings.TrimSpace(text))
		}
	}
	slices.Sort(known)
	return slices.Compact(known)
}

func saysWho(field string) bool {
	field = strings.ToLower(field)
	return slices.ContainsFunc(identifying, func(part string) bool { return strings.Contains(field, part) })
}

// particular tells a value that is somebody's own, as a name or a number, from a plain word, as in {"partner": "yes"} or
// {"policy_type": "with profits"}, which would be hidden everywhere.
func particular(value string) bool {
	value = strings.TrimSpace(value)
	return utf8.RuneCountInString(value) >= 3 && !slices.Contains(plainAnswers, strings.ToLower(value)) &&
		strings.ContainsFunc(value, func(r rune) bool {
			return unicode.IsDigit(r) || unicode.IsUpper(r) || !unicode.IsLower(r) && unicode.IsLetter(r)
		})
}

var plainAnswers = []string{"yes", "none", "unknown", "true", "false", "n/a", "not known", "not said", "married", "single", "divorced", "widowed"}
