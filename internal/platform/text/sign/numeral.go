package sign

import (
	"strconv"
	"strings"
)

// Numeral writes a list's number as its type says.
func Numeral(n int, kind string) (s string) {
	upper := kind == "A" || kind == "I"
	switch {
	case n > 0 && strings.EqualFold(kind, "a"):
		for ; n > 0; n = (n - 1) / 26 {
			s = string(rune('a'+(n-1)%26)) + s
		}
	case n > 0 && n < 4000 && strings.EqualFold(kind, "i"):
		for i, v := range []int{1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1} {
			for ; n >= v; n -= v {
				s += strings.Fields("m cm d cd c xc l xl x ix v iv i")[i]
			}
		}
	default:
		return strconv.Itoa(n)
	}
	if upper {
		return strings.ToUpper(s)
	}
	return s
}
