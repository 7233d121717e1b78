// Package lists makes one list of another. It owns no table and knows nothing of the product.
package lists

import "strings"

// And is names in words, as "a, b and c".
func And(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Map is what f makes of each of list, in its order; never nil, so that JSON has an empty list.
func Map[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, one := range list {
		out[i] = f(one)
	}
	return out
}
