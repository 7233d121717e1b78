// Package decimal reads numbers as people write them into forms, and as files of data have them.
//
// It owns no table and knows nothing of the product. It exists because strconv.ParseFloat takes what Go's compiler
// takes: "0x1p3" is eight, "1_0" is ten with a prefix before it, and "inf" and "nan" are numbers. Nobody who writes
// those into a form means them, and whoever tries them out finds a figure that nobody typed. Every form goes through
// here; archtest sees to it.
//
// A comma is no decimal point in British English. Taken for one, "1,250" would be one and a quarter; left out, "7,5"
// would be 75. So it is refused with a word about it, but between thousands where an amount is asked for (Amount).
//
// Decided against: other scripts' digits (what is shown back would look different from what was typed), and reading an
// exponent in a form.
package decimal

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
)

var (
	// ErrNumber says that a text is no number.
	ErrNumber = errors.New("write a number in digits, as 75 or 7.5")
	// ErrComma says that a text would be one with a point in place of its comma.
	ErrComma = errors.New("write decimals with a point, as 7.5")
)

// longest is more than any number has that somebody typed on purpose, in bytes.
const longest = 40

var (
	plain  = regexp.MustCompile(`^[+-]?(?:\d+\.?\d*|\.\d+)$`)
	comma  = regexp.MustCompile(`^[+-]?\d+,\d+$`)
	groups = regexp.MustCompile(`^\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?$`)
	data   = regexp.MustCompile(`^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$`)
)

// Parse reads a decimal: digits with a point and a sign where somebody wants them, blanks around it. It is finite. The
// errors are ErrComma and ErrNumber.
func Parse(s string) (float64, error) {
	s = strings.TrimSpace(s)
	switch {
	case len(s) > longest:
		return 0, ErrNumber
	case comma.MatchString(s):
		return 0, ErrComma
	case !plain.MatchString(s):
		return 0, ErrNumber
	}
	return number(s)
}

// Percent is Parse for a field that asks for per cent: the sign may stand behind the number. "75 %" is 75.
func Percent(s string) (float64, error) {
	return Parse(strings.TrimSuffix(strings.TrimSpace(s), "%"))
}

// PercentOf is a part in whole per cent, rounded to the nearest; 0 of nothing.
func PercentOf(part, whole int) int { return (part*100 + whole/2) / max(1, whole) }

// Amount is Parse for a field that asks for pounds: the sign may stand before the number, and commas or blanks between
// thousands. "£42,000" is 42000, and "42,5" is an error.
func Amount(s string) (float64, error) {
	s = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s), "£"))
	if len(s) <= longest && groups.MatchString(s) {
		s = strings.NewReplacer(",", "", " ", "").Replace(s)
	}
	return Parse(s)
}

// Data reads a number as a file has it, that a program wrote: an exponent may follow, and nothing stands around it. ok
// is false for anything else, and for what is too large for a number.
func Data(s string) (v float64, ok bool) {
	if len(s) > 10*longest || !data.MatchString(s) {
		return 0, false
	}
	v, err := number(s)
	return v, err == nil
}

// number reads what one of the expressions has let through. Nought has no sign.
func number(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil { // out of range
		return 0, ErrNumber
	}
	return v + 0, nil
}

// Say is what to write under a field that can't be read: that a point is meant where a comma stands, and otherwise what
// the field asks for.
func Say(err error, otherwise string) string {
	if errors.Is(err, ErrComma) {
		return "Enter decimals with a point, for example 7.5."
	}
	return otherwise
}
