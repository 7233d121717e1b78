package learned

import (
	"slices"
	"time"
)

// Wish is what a user asked for, for which work, and when last.
type Wish struct {
	Scope, Content string
	At             time.Time
}

// Asked tells an agent what a user asked for, the newest first. A wish that is the same as a newer one for the same
// work but for a value ("metric units", "imperial units"), as rivals says, has that beside it: whether both hold nobody
// can tell for sure, so neither is left out.
func Asked(list []Wish, rivals func(a, b string) (bool, error)) (string, error) {
	slices.SortStableFunc(list, func(a, b Wish) int { return b.At.Compare(a.At) })
	out := "What this user asked for:"
	if len(list) > 1 {
		out = "What this user asked for, newest first. Where two don't fit together, the newer one holds:"
	}
	for i, w := range list {
		out += "\n- " + w.Content
		for _, newer := range list[:i] {
			if newer.Scope != w.Scope {
				continue
			}
			if yes, err := rivals(w.Content, newer.Content); err != nil {
				return "", err
			} else if yes {
				out += " (older than “" + newer.Content + "”)"
				break
			}
		}
	}
	return out, nil
}
