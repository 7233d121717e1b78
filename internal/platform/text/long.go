package text

import (
	"fmt"
	"unicode/utf8"
)

// TooLong says that a text has more characters than are kept; "" when it has no more.
func TooLong(s string, most int) string {
	n := utf8.RuneCountInString(s)
	if n <= most {
		return ""
	}
	return fmt.Sprintf("This is %s characters long; the limit is %s. Shorten it.", grouped(n), grouped(most))
}

// TooBig says by how much to shorten a text that takes more than most bytes, for people count characters; "" when it
// takes no more.
func TooBig(s string, most int) string {
	if len(s) <= most {
		return ""
	}
	n, kept := utf8.RuneCountInString(s), most
	for kept > 0 && !utf8.RuneStart(s[kept]) {
		kept--
	}
	return fmt.Sprintf("This is %s characters long. Shorten it by at least %s.", grouped(n),
		grouped(n-utf8.RuneCountInString(s[:kept])))
}

// Count is n with its noun, in the singular or the plural: Count(2, "case") → "2 cases". many is for a noun that takes
// no s.
func Count(n int, one string, many ...string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + append(many, one+"s")[0]
}

func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}
