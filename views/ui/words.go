package ui

import (
	"strings"
	"time"
	"unicode"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// WordDiff is what a person changed, in whole words: neighbouring changes are joined, so that one reads a phrase that
// went and a phrase that came and not a flicker of single words. Every change but the added ones, in order, spells
// before; every change but the removed ones spells after.
func WordDiff(before, after string) []Change {
	var ids wordIDs
	a, b := ids.encode(before), ids.encode(after)
	d := diffmatchpatch.New()
	// A page that was changed here and there takes a millisecond. What shares next to nothing with the text before would take
	// seconds, at every pause of the typing; then the rest is shown as gone and come.
	d.DiffTimeout = 250 * time.Millisecond
	if len(a)+len(b) > 20_000 {
		return whole(before, after)
	}
	// Words that both texts happen to share between larger changes would only be noise; the clean-up joins over them.
	return ids.decode(d.DiffCleanupMerge(d.DiffCleanupSemantic(d.DiffMainRunes(a, b, false))))
}

// whole is the diff of texts too long to compare by word.
func whole(before, after string) []Change {
	if before == after {
		return []Change{{"same", before}}
	}
	return []Change{{"removed", before}, {"added", after}}
}

// wordIDs gives every distinct word a rune of its own, so that a diff of runes is a diff of words.
type wordIDs struct {
	words []string
	ids   map[string]rune
}

// surrogates can't stand in a string, so the numbers leave them out.
const firstSurrogate, surrogates = 0xD800, 0x800

func (w *wordIDs) encode(text string) []rune {
	if w.ids == nil {
		w.ids = map[string]rune{}
	}
	var out []rune
	for _, word := range words(text) {
		id, ok := w.ids[word]
		if !ok {
			id = rune(len(w.words) + 1)
			if id >= firstSurrogate {
				id += surrogates
			}
			w.ids[word] = id
			w.words = append(w.words, word)
		}
		out = append(out, id)
	}
	return out
}

func (w *wordIDs) decode(diffs []diffmatchpatch.Diff) []Change {
	var out []Change
	for _, d := range diffs {
		var b strings.Builder
		for _, id := range d.Text {
			if id >= firstSurrogate+surrogates {
				id -= surrogates
			}
			b.WriteString(w.words[id-1])
		}
		out = append(out, Change{ops[d.Type], b.String()})
	}
	return joinAcrossBlanks(out)
}

var ops = map[diffmatchpatch.Operation]string{
	diffmatchpatch.DiffEqual: "same", diffmatchpatch.DiffInsert: "added", diffmatchpatch.DiffDelete: "removed",
}

// joinAcrossBlanks makes one change of two that only a blank keeps apart.
func joinAcrossBlanks(in []Change) []Change {
	var out []Change
	var removed, added strings.Builder
	flush := func() {
		if removed.Len() > 0 {
			out = append(out, Change{"removed", removed.String()})
		}
		if added.Len() > 0 {
			out = append(out, Change{"added", added.String()})
		}
		removed.Reset()
		added.Reset()
	}
	for i, c := range in {
		switch c.Op {
		case "removed":
			removed.WriteString(c.Text)
		case "added":
			added.WriteString(c.Text)
		default:
			if strings.TrimSpace(c.Text) == "" && !strings.Contains(c.Text, "\n") && removed.Len()+added.Len() > 0 && i+1 < len(in) {
				removed.WriteString(c.Text)
				added.WriteString(c.Text)
				continue
			}
			flush()
			out = append(out, c)
		}
	}
	flush()
	return out
}

// words cuts a text into words, runs of blanks, and single signs; joined they are the text again.
func words(text string) []string {
	var out []string
	start, kind := 0, -1
	for i, r := range text {
		k := kindOf(r)
		if (r == '.' || r == ',') && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9' {
			k = 1 // within a number
		}
		if i > 0 && (k != kind || k == 2) {
			out = append(out, text[start:i])
			start = i
		}
		kind = k
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

func kindOf(r rune) int {
	switch {
	case unicode.IsSpace(r):
		return 0
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("'’£%-", r):
		return 1
	default:
		return 2
	}
}
