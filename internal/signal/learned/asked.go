package learned

import (
	"slices"
	"time"

	"preceptor/internal/platform/text/compare"
)

// Wish is what a user asked for, for which work, and when last.
type Wish struct {
	Scope, Content string
	At             time.Time
}

// Rivals reports whether two wishes for the same work are the same but for a value ("metric units", "imperial units").
func Rivals(a, b Wish) bool {
	_, _, _, ok := compare.Value(a.Content, b.Content)
	return ok && a.Scope == b.Scope
}

// Asked tells an agent what a user asked for, the newest first. A wish that is the same as a newer one
// but for a value says so: whether both hold nobody can tell for sure, so neither is left out.
func Asked(list []Wish) string {
	slices.SortStableFunc(list, func(a, b Wish) int { return b.At.Compare(a.At) })
	out := "What this user asked for:"
	if len(list) > 1 {
		out = "What this user asked for, newest first. Where two don't fit together, the newer one holds:"
	}
	for i, w := range list {
		out += "\n- " + w.Content
		if n := slices.IndexFunc(list[:i], func(newer Wish) bool { return Rivals(w, newer) }); n >= 0 {
			out += " (older than “" + list[n].Content + "”)"
		}
	}
	return out
}
