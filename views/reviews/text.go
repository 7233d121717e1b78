package reviews

import (
	"strings"

	"preceptor/internal/review"
	"preceptor/views/ui"
)

// part is a stretch of a text and the flags whose words end in it, so that the reason stands beside the words. The parts
// of a text, joined, are the text.
type part struct {
	Text  string
	Marks []ui.Mark
	Notes []note
}

// note is a flag with its number in the text.
type note struct {
	No   int
	Flag review.Flag
}

func (n note) placed() bool { return n.Flag.End > n.Flag.Start }

// notes number the flags as they came.
func notes(flags []review.Flag) []note {
	out := make([]note, len(flags))
	for i, f := range flags {
		out[i] = note{i + 1, f}
	}
	return out
}

// unplaced are the flags that point at no words of a text of n runes: they are about the whole.
func unplaced(flags []review.Flag, n int) (out []note) {
	for _, f := range notes(flags) {
		if !f.placed() || f.Flag.Start < 0 || f.Flag.End > n {
			out = append(out, f)
		}
	}
	return out
}

// parts cuts a text after each paragraph in which a flag's words end, and before it. A text without such flags is one
// part, however long.
func parts(text string, flags []review.Flag) (out []part) {
	runes := []rune(text)
	all := marks(flags)
	start := 0 // of what is not yet in a part
	for _, p := range paragraphs(runes) {
		var here []note
		for _, n := range notes(flags) {
			if n.placed() && n.Flag.Start >= 0 && n.Flag.End > p[0] && n.Flag.End <= p[1] {
				here = append(here, n)
			}
		}
		if len(here) == 0 {
			continue
		}
		if p[0] > start {
			out = append(out, cut(runes, start, p[0], all, nil))
		}
		out = append(out, cut(runes, p[0], p[1], all, here))
		start = p[1]
	}
	if start < len(runes) || len(out) == 0 {
		out = append(out, cut(runes, start, len(runes), all, nil))
	}
	return out
}

// paragraphs are the places where they begin and end, their blank lines included.
func paragraphs(text []rune) (out [][2]int) {
	start := 0
	for i := 1; i < len(text); i++ {
		if text[i-1] == '\n' && text[i] == '\n' && (i+1 == len(text) || text[i+1] != '\n') {
			out = append(out, [2]int{start, i + 1})
			start = i + 1
		}
	}
	if start < len(text) {
		out = append(out, [2]int{start, len(text)})
	}
	return out
}

// cut is the part from start to end. A mark that goes on in the next part carries its number there.
func cut(text []rune, start, end int, all []ui.Mark, here []note) part {
	p := part{Text: string(text[start:end]), Notes: here}
	for _, m := range all {
		if m.Start < 0 || m.End > len(text) || m.Start >= end || m.End <= start {
			continue
		}
		if m.End > end {
			m.Number = 0
		}
		m.Start, m.End = max(m.Start, start)-start, min(m.End, end)-start
		p.Marks = append(p.Marks, m)
	}
	return p
}

// long tells whether a text is so long that an editor must not grow with it.
func long(text string) bool { return len(text) > 20_000 || strings.Count(text, "\n") > 400 }
