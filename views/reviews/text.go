package reviews

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"preceptor/internal/interaction"
	"preceptor/internal/review"
	"preceptor/views/ui"
)

// note is a flag with its number in the text.
type note struct {
	No   int
	Flag review.Flag
}

// placed reports whether the flag points at words.
func (n note) placed() bool { return n.Flag.End > n.Flag.Start }

// notes number the flags as they came.
func notes(flags []review.Flag) []note {
	out := make([]note, len(flags))
	for i, f := range flags {
		out[i] = note{i + 1, f}
	}
	return out
}

// marks are the flags that can point at words, and the rules that sentences come from.
func (v Case) marks() []ui.Mark {
	out := append(marks(v.Flags), v.ruleMarks()...)
	if f := v.Assessment.Weighs; f != nil && PointsNowhere(v.Assessment) {
		out = append(out, ui.Mark{Start: f.Start, End: f.End, Tone: ui.Amber, Label: "What weighs most"})
	}
	return out
}

// ruleMarks are the rules that words of the draft come from, where these stand unchanged in the text under review.
func (v Case) ruleMarks() (out []ui.Mark) {
	was, is := 0, 0 // in bytes of the draft, in runes of the text
	for _, c := range ui.WordDiff(v.In.Guidance, v.text()) {
		for _, m := range v.In.Provenance.Marks {
			if c.Op != "same" || m.Kind != interaction.MarkRule || m.Start < was || m.End > was+len(c.Text) ||
				m.Start >= m.End {
				continue
			}
			r := v.rule(m.Label)
			start := is + utf8.RuneCountInString(c.Text[:m.Start-was])
			out = append(out, ui.Mark{Start: start, End: start + utf8.RuneCountInString(c.Text[m.Start-was:m.End-was]),
				Name: m.Label, Label: r.Text, Href: r.Href})
		}
		if c.Op != "added" {
			was += len(c.Text)
		}
		if c.Op != "removed" {
			is += utf8.RuneCountInString(c.Text)
		}
	}
	return out
}

// applied are the labels of the rules that words of the text come from, each once.
func (v Case) applied() (labels []string) {
	for _, m := range v.ruleMarks() {
		if !slices.Contains(labels, m.Name) {
			labels = append(labels, m.Name)
		}
	}
	return labels
}

// rule is the rule of a label as the draft knew it; one that it no longer knows is searched for.
func (v Case) rule(label string) Known {
	i := slices.IndexFunc(v.Knowledge, func(k Known) bool { return slices.Contains(strings.Fields(k.Label), label) })
	if i < 0 {
		return Known{Href: "/search?q=" + url.QueryEscape(label), Text: "a rule"}
	}
	return v.Knowledge[i]
}

// ruleLabel is a rule's label in a note, or a case's number.
var ruleLabel = regexp.MustCompile(`\bR-\d+\b|#\d+\b`)

// linked cuts a note at the labels of rules and cases; every second part is one.
func linked(note string) (parts []string) {
	at := 0
	for _, m := range ruleLabel.FindAllStringIndex(note, -1) {
		parts = append(parts, note[at:m[0]], note[m[0]:m[1]])
		at = m[1]
	}
	return append(parts, note[at:])
}

// long reports whether a text is so long that an editor must not grow with it.
func long(text string) bool { return len(text) > 20_000 || strings.Count(text, "\n") > 400 }
