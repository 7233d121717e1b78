package text

import (
	"strings"
	"time"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// What became of a piece of a text.
const (
	Same    = "same"
	Removed = "removed"
	Added   = "added"
)

// Change is one piece of a difference. All but the added ones, in order, spell the text before; all but the removed
// ones the text after.
type Change struct {
	Op, Text string
}

// mostTokens bounds what is compared; what is longer is shown as gone and come.
const mostTokens = 20_000

// Difference is the shortest way from one list of tokens to another: of two pieces in the same place the removed one
// comes first.
func Difference(before, after []string) []Change { return difference(before, after, false) }

// Phrases is a difference to be read: what two texts happen to share between larger changes is joined with them. What
// shares next to nothing is not searched for long.
func Phrases(before, after []string) []Change { return difference(before, after, true) }

func difference(before, after []string, phrases bool) []Change {
	if len(before)+len(after) > mostTokens {
		return whole(strings.Join(before, ""), strings.Join(after, ""))
	}
	ids := tokenIDs{known: map[string]rune{}}
	a, b := ids.encode(before), ids.encode(after)
	d := diffmatchpatch.New()
	d.DiffTimeout = 0
	if !phrases {
		return ids.decode(d.DiffMainRunes(a, b, false))
	}
	// A page that was changed here and there takes a millisecond; what was written anew would take seconds, at every
	// pause of the typing.
	d.DiffTimeout = 250 * time.Millisecond
	return ids.decode(d.DiffCleanupMerge(d.DiffCleanupSemantic(d.DiffMainRunes(a, b, false))))
}

// whole is the difference of texts that are too long to compare.
func whole(before, after string) []Change {
	if before == after {
		return []Change{{Same, before}}
	}
	return []Change{{Removed, before}, {Added, after}}
}

// tokenIDs gives every distinct token a rune of its own, so that a difference of runes is one of tokens.
type tokenIDs struct {
	tokens []string
	known  map[string]rune
}

// surrogates can't stand in a string, so the numbers leave them out.
const firstSurrogate, surrogates = 0xD800, 0x800

func (t *tokenIDs) encode(list []string) []rune {
	out := make([]rune, len(list))
	for i, token := range list {
		id, ok := t.known[token]
		if !ok {
			id = rune(len(t.tokens) + 1)
			if id >= firstSurrogate {
				id += surrogates
			}
			t.known[token] = id
			t.tokens = append(t.tokens, token)
		}
		out[i] = id
	}
	return out
}

var ops = map[diffmatchpatch.Operation]string{diffmatchpatch.DiffEqual: Same, diffmatchpatch.DiffInsert: Added,
	diffmatchpatch.DiffDelete: Removed}

func (t *tokenIDs) decode(diffs []diffmatchpatch.Diff) []Change {
	var out []Change
	for _, d := range diffs {
		var b strings.Builder
		for _, id := range d.Text {
			if id >= firstSurrogate+surrogates {
				id -= surrogates
			}
			b.WriteString(t.tokens[id-1])
		}
		out = append(out, Change{ops[d.Type], b.String()})
	}
	return out
}
