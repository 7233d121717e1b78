// Package sign writes what is more than a line of letters on one: raised figures, fractions and powers, and the signs
// of fonts that have no letters. No figure becomes another by it, and what it can't write is said to be missing.
package sign

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const raisedSigns = "⁰¹²³⁴⁵⁶⁷⁸⁹"

// Raised is how a text reads that stands raised behind another: a power and an ordinal belong to what is before them,
// and a note's mark stands apart, so that nobody takes it for a part of a figure.
func Raised(before, text string) string {
	text = strings.TrimSpace(text)
	last, _ := utf8.DecodeLastRuneInString(before)
	up := strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return []rune(raisedSigns)[r-'0']
		case r == '-' || r == '−':
			return '⁻'
		case r == '+':
			return '⁺'
		}
		return r
	}, text)
	switch {
	case strings.TrimFunc(text, unicode.IsLetter) == "" && utf8.RuneCountInString(text) > 1,
		text == "®" || text == "™" || text == "°" || text == "":
		return text // 1st
	case strings.Trim(text, "0123456789+-−*†‡§, ") != "":
		return " (" + strings.Trim(text, "()[] ") + ")"
	case strings.TrimRight(before, " \n\t") != before, before == "":
		return up + " "
	case strings.ContainsRune(raisedSigns+"⁻⁺", last), strings.ContainsAny(text, "+-−"), power(before, text):
		return up
	}
	return " " + up
}

var (
	unit = regexp.MustCompile(`(?:^|[^\pL£$€])\p{Ll}{1,2}$`)
	ten  = regexp.MustCompile(`(?:^|[^\pL\d.,£$€])10$`)
)

// power reports whether a raised figure is one of what is before it: of a unit's one or two small letters, or of ten.
func power(before, text string) bool {
	return (text == "2" || text == "3") && unit.MatchString(before) || text != "1" && ten.MatchString(before)
}
