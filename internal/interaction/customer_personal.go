package interaction

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// identifying are parts of the names of free fields whose values say who somebody is; below people everything does. (An
// account, below which the provider stands too, is no person.)
var (
	identifying = append([]string{"employer", "birth", "dob", "sort_code"}, referring...)
	people      = []string{"name", "address", "street", "town", "city", "postcode", "partner", "spouse", "child",
		"dependant", "dependent", "beneficiar",
		"nominee", "next_of_kin", "carer"}
	// figures are parts of the names of fields that say how much, which guidance can't do without.
	figures = []string{"value", "balance", "amount", "income", "salary", "total", "worth", "gbp", "count"}
)

// Personal lists what the fields say about who the customer is: values to hide wherever they stand in a text that is
// stored as knowledge or leaves for a model. Sorted, so that the same text is hidden in the same way every time.
func (c Customer) Personal() []string {
	var known []string
	if c.Name != "" {
		known = append(known, c.Name)
	}
	for field, v := range c.Extra {
		known = append(known, personal(field, v, false)...)
	}
	slices.Sort(known)
	return slices.Compact(known)
}

// personal lists what a field says about who somebody is, in it and below it: {"spouse": {"first": "Bo"}, "children":
// ["Cy"]}. within tells that it stands below a person, of whom everything counts.
func personal(field string, v any, within bool) (known []string) {
	if containsAny(field, figures) {
		return nil
	}
	who := within || saysWho(field)
	switch v := v.(type) {
	case string:
		if who && particular(v) {
			known = append(known, strings.TrimSpace(v))
		}
	case json.Number:
		if saysWho(field) && len(v) >= 6 {
			// a reference that was sent as a number; an age, a year or a spouse's pension is none
			known = append(known, v.String())
		}
	case []any:
		for _, one := range v {
			known = append(known, personal(field, one, within)...)
		}
	case map[string]any:
		somebody := within || containsAny(field, people)
		for name, one := range v {
			known = append(known, personal(name, one, somebody)...)
		}
	}
	return known
}

func saysWho(field string) bool { return containsAny(field, identifying) || containsAny(field, people) }

func containsAny(field string, parts []string) bool {
	field = strings.ToLower(field)
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(field, part) })
}

// particular tells a value that is somebody's own, as a name or a number, from a plain word, as in {"partner": "yes"}
// or {"policy_type": "with profits"}, which would be hidden everywhere.
func particular(value string) bool {
	value = strings.TrimSpace(value)
	return utf8.RuneCountInString(value) >= 3 && !slices.Contains(plainAnswers, strings.ToLower(value)) &&
		strings.ContainsFunc(value, func(r rune) bool {
			return unicode.IsDigit(r) || unicode.IsUpper(r) || !unicode.IsLower(r) && unicode.IsLetter(r)
		})
}

var plainAnswers = []string{"yes", "none", "unknown", "true", "false", "n/a", "not known", "not said", "married",
	"single", "divorced", "widowed",
	"one", "two", "three", "four", "five", "both"}
