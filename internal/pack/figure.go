package pack

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Figure is a number with a meaning found in a text.
type Figure struct {
	Kind       string // "money", "percent", "age", "date", "year"
	Text       string
	Value      float64 // pounds, per cent, years; for a date, the day of the month
	Start, End int
}

const months = `(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)`

var figureRE = regexp.MustCompile(`(?i)` +
	`(£ ?\d[\d,]*(?:\.\d+)?(?: ?(?:million|m|bn|k)\b)?)` + // 1 money
	`|(\d+(?:\.\d+)? ?(?:%|per ?cent\b|percent\b|pc\b))` + // 2 percent
	`|(\b\d{1,2}(?:st|nd|rd|th)? ` + months + `\b(?: \d{4})?)` + // 3 date
	// 4 age
	`|\b(?:age[ds]? (?:is )?(?:of )?|turn(?:s|ed|ing)? |before |over |under |until |from |at |when you(?:'re| are) |i'?m |i am |reach(?:es|ing)? )(\d{2})\b` +
	`|\b(\d{2})(?: or over\b| years? old\b| and over\b|-year-old\b)` + // 5 age
	`|\b((?:19|20)\d{2})\b`) // 6 year

// FindFigures lists the figures in text, in order.
func FindFigures(text string) []Figure {
	var out []Figure
	if !strings.ContainsAny(text, "0123456789") {
		return nil
	}
	kinds := [...]string{"", "money", "percent", "date", "age", "age", "year"}
	for _, m := range figureRE.FindAllStringSubmatchIndex(text, -1) {
		for g := 1; g < len(kinds); g++ {
			s, e := m[2*g], m[2*g+1]
			if s < 0 {
				continue
			}
			f := Figure{Kind: kinds[g], Text: text[s:e], Start: s, End: e, Value: number(text[s:e])}
			if f.Kind == "age" && followedByUnit(text[e:]) {
				continue
			}
			out = append(out, f)
		}
	}
	return out
}

// units are those of facts that a figure of a kind can be.
var units = map[string][]string{"money": {"GBP", "GBP/week"}, "percent": {"percent"}, "age": {"age"}}

// Confirms reports whether a sentence names amounts of money, and each figure in it but dates stands in the table.
func (t FactTable) Confirms(sentence string) bool {
	amounts := 0
	for _, f := range FindFigures(sentence) {
		if f.Kind == "date" || f.Kind == "year" {
			continue
		}
		if !slices.ContainsFunc(t.facts, func(known Fact) bool {
			return known.Value == f.Value && slices.Contains(units[f.Kind], known.Unit)
		}) {
			return false
		}
		if f.Kind == "money" {
			amounts++
		}
	}
	return amounts > 0
}

// followedByUnit reports whether a two-digit number counts something other than years of age.
func followedByUnit(rest string) bool {
	r := strings.ToLower(strings.TrimLeft(rest, " "))
	for _, u := range []string{"%", "per", "month", "week", "day", "year", "minute", "hour", "pound", ",", ".",
		"people", "customers"} {
		if strings.HasPrefix(r, u) {
			if u == "," || u == "." {
				return len(r) > 1 && isDigit(r[1])
			}
			return !strings.HasPrefix(r, "years old") && !strings.HasPrefix(r, "year old") &&
				!strings.HasPrefix(r, "people")
		}
	}
	return false
}

var scales = []struct {
	suffix string
	by     float64
}{{"million", 1e6}, {"bn", 1e9}, {"m", 1e6}, {"k", 1e3}}

// number is the value of the digits in s, with "million", "m" and "k" understood after pounds.
func number(s string) float64 {
	low := strings.ToLower(s)
	scale := 1.0
	if strings.HasPrefix(low, "£") {
		for _, x := range scales {
			if strings.HasSuffix(low, x.suffix) {
				scale = x.by
				break
			}
		}
	}
	var b strings.Builder
	for _, r := range low {
		if r >= '0' && r <= '9' || r == '.' && b.Len() > 0 {
			b.WriteRune(r)
		} else if r != ',' && r != '£' && r != ' ' && b.Len() > 0 {
			break
		}
	}
	v, err := strconv.ParseFloat(strings.TrimSuffix(b.String(), "."), 64)
	if err != nil {
		return 0
	}
	return v * scale
}
