package rule

import (
	"cmp"
	"slices"
	"strings"

	"preceptor/internal/pack"
)

// Suggestion is an act that the difference of two texts suggests, with the words that it is about.
type Suggestion struct {
	Act
	Start, End int  // in the text after, or before where Removed
	Removed    bool // the words are in the text before
}

// Suggest lists acts from the difference of two texts, in the order of the text. It sees sentences and words, and reads
// none: an added sentence is to be included (asked, where it ends in a question mark), a removed one never said, a term
// that was replaced wherever it stood is said instead, a sentence that moved to the front comes first. Typing errors,
// figures, articles, case, marks and the order of words within a sentence teach nothing. A sentence that was changed
// otherwise is a new one and a removed one. Greeting, signature, marks of sources and their list are not looked at.
func Suggest(before, after string) []Suggestion {
	d := differ(before, after)
	return d.suggest()
}

func (d *difference) suggest() (out []Suggestion) {
	terms, termed := d.terms()
	gone := map[int]bool{}
	for n, p := range d.changed {
		if !termed[n] {
			out = append(out, d.never(p.before), d.include(p.after))
		}
		gone[p.before] = true
	}
	for b := range d.before {
		if !gone[b] && d.openBefore(b) {
			out = append(out, d.never(b))
		}
	}
	for a := range d.after {
		if d.openAfter(a) {
			out = append(out, d.include(a))
		}
		if _, moved := d.moved[a]; moved && d.place(a) == AtStart {
			out = append(out, d.include(a))
		}
	}
	out = append(out, replacements(terms)...)
	slices.SortStableFunc(out, func(x, y Suggestion) int {
		return cmp.Compare(d.position(x), d.position(y))
	})
	return out
}

func (d *difference) never(b int) Suggestion {
	u := d.before[b]
	return Suggestion{Act: Act{Kind: Never, Phrases: []string{u.text}}, Start: u.Start, End: u.End, Removed: true}
}

func (d *difference) include(a int) Suggestion {
	u := d.after[a]
	s := Suggestion{Act: Act{Kind: Include, Text: u.text, Place: d.place(a)}, Start: u.Start, End: u.End}
	if strings.HasSuffix(u.text, "?") {
		s.Act = Act{Kind: Ask, Text: u.text}
	}
	return s
}

// place is where an added sentence stands among those that were kept.
func (d *difference) place(a int) string {
	first, last := len(d.after), -1
	stays := func(n int) {
		if n >= 0 {
			first, last = min(first, n), max(last, n)
		}
	}
	for n := range d.kept {
		stays(n)
	}
	for _, p := range d.changed {
		if p.after != a {
			stays(p.after)
		}
	}
	switch {
	case last < 0:
		return AtTopic
	case a < first:
		return AtStart
	case a > last:
		return AtEnd
	}
	return AtTopic
}

// position orders what was removed among what is there: by the last sentence before it that was kept.
func (d *difference) position(s Suggestion) float64 {
	if !s.Removed {
		return float64(s.Start)
	}
	for _, p := range d.changed {
		if d.before[p.before].Start == s.Start {
			return float64(d.after[p.after].Start) - 0.5
		}
	}
	at := -0.5
	for a, b := range d.kept {
		if a >= 0 && d.before[b].Start < s.Start {
			at = max(at, float64(d.after[a].End)-0.5)
		}
	}
	return at
}

// replacements are the terms as acts; the forms of one term are one act.
func replacements(list []term) (out []Suggestion) {
	for _, t := range list {
		i := slices.IndexFunc(out, func(s Suggestion) bool {
			return pack.HasPhrase(s.Swaps[0].Avoid, t.Avoid) && pack.HasPhrase(t.Avoid, s.Swaps[0].Avoid)
		})
		if i >= 0 {
			out[i].Swaps = append(out[i].Swaps, t.Swap)
			continue
		}
		out = append(out, Suggestion{Act: Act{Kind: Replace, Swaps: []Swap{t.Swap}}, Start: t.at.Start, End: t.at.End})
	}
	return out
}
