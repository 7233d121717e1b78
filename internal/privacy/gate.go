package privacy

import "strings"

// A gate is a cheap look at a text that says whether an expression can match at all. Every decision's texts pass here
// while others wait to write, and nearly no text has an NI number in it: twenty expressions over a page of text took 3
// ms. A gate may open in vain; it must never stay shut on a text that matches. gate_test.go makes matches from the
// expressions themselves and tries them.

// look is what the gates know of a text, found in one pass.
type look struct {
	text, lower string
	digits      int  // all of them
	run         int  // the longest unbroken run
	loose       int  // the longest run between whose digits only ` -/().+` and the like stand
	capitalOne  bool // a capital and then a digit: A1
	smallOne    bool // a small letter and then a digit: a1
	addressed   bool // a digit, perhaps a letter and a comma, a blank and a capital: 12a, High
}

// foldedS folds to an s in an expression that ignores case, and not in strings.ToLower.
const foldedS = "ſ"

func lookAt(text string) look {
	l := look{text: text, lower: strings.ReplaceAll(strings.ToLower(text), foldedS, "s")}
	run, loose := 0, 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case digit(c):
			run, loose, l.digits = run+1, loose+1, l.digits+1
			l.run, l.loose = max(l.run, run), max(l.loose, loose)
			if i > 0 {
				l.capitalOne = l.capitalOne || capital(text[i-1])
				l.smallOne = l.smallOne || small(text[i-1])
			}
			l.addressed = l.addressed || streetNumber(text[i+1:])
			continue
		case strings.IndexByte(" -/().+", c) < 0:
			loose = 0
		}
		run = 0
	}
	return l
}

// streetNumber reports whether what follows a digit may be the end of a house's number with a name behind it.
func streetNumber(rest string) bool {
	if rest != "" && (capital(rest[0]) || small(rest[0])) {
		rest = rest[1:]
	}
	rest = strings.TrimPrefix(rest, ",")
	return len(rest) > 1 && rest[0] == ' ' && capital(rest[1])
}

func digit(c byte) bool   { return '0' <= c && c <= '9' }
func capital(c byte) bool { return 'A' <= c && c <= 'Z' }
func small(c byte) bool   { return 'a' <= c && c <= 'z' }

// gate reports whether a text may have a match.
type gate func(look) bool

// words opens for a text with one of these, in any case.
func words(list ...string) gate {
	return func(l look) bool { return anyOf(l.lower, list) }
}

// written opens for a text with one of these, as they are written.
func written(list ...string) gate {
	return func(l look) bool { return anyOf(l.text, list) }
}

func anyOf(text string, list []string) bool {
	for _, w := range list {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// both opens when all do.
func both(gates ...gate) gate {
	return func(l look) bool {
		for _, g := range gates {
			if !g(l) {
				return false
			}
		}
		return true
	}
}

func anyDigit(l look) bool { return l.digits > 0 }

// digits opens for n of them with nothing but blanks, hyphens and the like between.
func digits(n int) gate { return func(l look) bool { return l.loose >= n } }

// unbroken opens for n digits in a row.
func unbroken(n int) gate { return func(l look) bool { return l.run >= n } }
