package knowledge

import (
	"fmt"
	"math"
	"strings"
)

// decimal is a count that need not be whole.
func decimal(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") }

// points is a change of a chance in whole points with its sign.
func points(x float64) string {
	n := int(math.Round(x * 100))
	switch {
	case n < 0:
		return fmt.Sprintf("−%d", -n)
	case n > 0:
		return fmt.Sprintf("+%d", n)
	}
	return "0"
}
