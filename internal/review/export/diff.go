package export

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text"
)

// words cuts a text into words, each with the blanks behind it.
func words(s string) (list []string) {
	start, blank := 0, false
	for i, r := range s {
		space := unicode.IsSpace(r)
		if blank && !space {
			list = append(list, s[start:i])
			start = i
		}
		blank = space
	}
	if start < len(s) {
		list = append(list, s[start:])
	}
	return list
}

// Changes are the steps from before to after, in words.
func Changes(before, after string) []text.Change {
	return text.Difference(words(before), words(after))
}

// around is how many words stand around a change in the text form.
const around = 6

// unified writes the steps as text: [-what went-]{+what came+} with some words around, and … for what was left out.
func unified(ops []text.Change) string {
	var b strings.Builder
	for i, o := range ops {
		if o.Op == text.Same {
			writeKept(&b, o.Text, i > 0, i < len(ops)-1)
			continue
		}
		blank := blankEnd(o.Text)
		after := i > 0 && o.Op == text.Added && ops[i-1].Op == text.Removed
		before := i+1 < len(ops) && o.Op == text.Removed && ops[i+1].Op == text.Added
		if after && blankEnd(ops[i-1].Text) != blank || before && blankEnd(ops[i+1].Text) != blank {
			blank = ""
		}
		open, end := "{+", "+}"
		if o.Op == text.Removed {
			open, end = "[-", "-]"
		}
		b.WriteString(open + strings.TrimSuffix(o.Text, blank) + end)
		if !before {
			b.WriteString(blank)
		}
	}
	return strings.TrimSpace(b.String())
}

// writeKept writes the words of a kept part that are next to a change.
func writeKept(b *strings.Builder, kept string, before, after bool) {
	list := words(kept)
	from, to := 0, len(list) // the words that are left out
	if before {
		from = around
	}
	if after {
		to -= around
	}
	if to-from < 3 {
		b.WriteString(kept)
		return
	}
	b.WriteString(strings.Join(list[:from], "") + "… " + strings.Join(list[to:], ""))
}

func blankEnd(s string) string { return s[len(strings.TrimRightFunc(s, unicode.IsSpace)):] }

var signs = map[string]string{text.Same: "=", text.Removed: "-", text.Added: "+"}

// jsonOps is the JSON form: ["=", n] keeps n code points, ["-", "…"] takes out, ["+", "…"] puts in.
func jsonOps(ops []text.Change) [][2]any {
	return lists.Map(ops, func(o text.Change) [2]any {
		if o.Op == text.Same {
			return [2]any{"=", utf8.RuneCountInString(o.Text)}
		}
		return [2]any{signs[o.Op], o.Text}
	})
}
