package labelling

import (
	"slices"

	"preceptor/internal/platform/db"
)

// What an item comes to once it has answers.
const (
	Waiting = iota // for answers
	Another        // is asked, since the answers differ
	Agreed
	Disputed // somebody who did not answer decides
)

// ComesTo is what an item comes to that has some answers and needs, or may have at most, so many; same: they say the
// same.
func ComesTo(has, needs, most int, same bool) int {
	switch {
	case has < needs:
		return Waiting
	case same:
		return Agreed
	case has < most:
		return Another
	}
	return Disputed
}

// Same reports whether all answers have one value.
func Same[T any](answers []T, value func(T) string) bool {
	return !slices.ContainsFunc(answers, func(a T) bool { return value(a) != value(answers[0]) })
}

// Left are those of some people who never answered an item, not even with an answer that they took back: who may decide
// it.
func Left(tx *db.Tx, set, item string, people []Person) ([]Person, error) {
	all, err := OfItem(tx, set, item)
	return slices.DeleteFunc(slices.Clone(people), func(p Person) bool {
		return slices.ContainsFunc(all, func(a Answer) bool { return a.By.ID == p.ID })
	}), err
}
