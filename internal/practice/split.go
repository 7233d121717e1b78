package practice

import (
	"cmp"
	"hash/fnv"
	"slices"
)

// Parts of the customers.
const (
	Train      = "train"
	Validation = "validation"
	Test       = "test"
)

// Splits is how many ways there are to part the customers.
const Splits = 3

// The shares of situations, of 20: the rest is for tests.
const (
	trainOf20      = 10
	validationOf20 = 13
)

// part is where a situation belongs in a split. It hangs on its id alone, or its twin's, so that a further one moves no
// other.
func part(l *Life, split int) string {
	h := fnv.New32a()
	h.Write([]byte(cmp.Or(l.Twin, l.ID)))
	h.Write([]byte{'#', byte(split)})
	switch x := (h.Sum32() >> 7) % 20; {
	case x < trainOf20:
		return Train
	case x < validationOf20:
		return Validation
	}
	return Test
}

// authors are those of a part's wordings in a split: half of them for training, and one each for validation and test;
// where there are only two, one for training and the other for both.
func authors(all []string, where string, split int) []string {
	n := len(all)
	if n < 2 {
		return all
	}
	turned := append(slices.Clone(all[split%n:]), all[:split%n]...)
	switch {
	case where == Train:
		return turned[:max(1, n-2)]
	case where == Validation:
		return turned[max(1, n-2) : max(1, n-2)+1]
	}
	return turned[n-1:]
}
