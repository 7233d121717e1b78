package reviews

import (
	"strings"

	"preceptor/internal/review"
)

// note is a flag with its number in the text.
type note struct {
	No   int
	Flag review.Flag
}

// placed tells whether the flag points at words.
func (n note) placed() bool { return n.Flag.End > n.Flag.Start }

// notes number the flags as they came.
func notes(flags []review.Flag) []note {
	out := make([]note, len(flags))
	for i, f := range flags {
		out[i] = note{i + 1, f}
	}
	return out
}

// long tells whether a text is so long that an editor must not grow with it.
func long(text string) bool { return len(text) > 20_000 || strings.Count(text, "\n") > 400 }
