package rule

import (
	"regexp"
	"slices"
	"strings"

	"preceptor/internal/pack"
	"preceptor/internal/phrase"
)

// unit is a sentence of a text, without marks of sources and lists.
type unit struct {
	phrase.Span          // in the whole text
	text        string   // on one line
	words       []string // in lower case
}

// pair is a sentence that was changed.
type pair struct {
	before, after int
	runs          []run
}

// difference is what became of the sentences of two texts.
type difference struct {
	before, after []unit
	kept          map[int]int // after to before: the same sentence, typing errors aside
	moved         map[int]int // after to before
	changed       []pair
}

var (
	citeRE = regexp.MustCompile(`\s*\[\d+(?:,\s*\d+)*\]`)
	listRE = regexp.MustCompile(`^(?:[-*•–]|\d{1,2}[.)])\s+`)
	lineRE = regexp.MustCompile(`[^\n]*\S[^\n]*`)
	gapRE  = regexp.MustCompile(`\n[ \t]*\n\s*\b`)
	headRE = regexp.MustCompile(`(?mi)^sources:\s*$`)
)

// unitsOf are the sentences of a text between its greeting and its signature, and those below the list of sources,
// without that list.
func unitsOf(text string) (out []unit) {
	from, to := letter(text)
	spans := phrase.Sentences(text[from:to])
	below := belowSources(text)
	for _, sp := range phrase.Sentences(text[below:]) {
		spans = append(spans, phrase.Span{Start: below - from + sp.Start, End: below - from + sp.End})
	}
	for _, sp := range spans {
		if u := unitAt(text, from+sp.Start, from+sp.End); len(u.words) > 0 {
			out = append(out, u)
		}
	}
	return out
}

func unitAt(text string, start, end int) unit {
	sp := phrase.Span{Start: start, End: end}
	line := listRE.ReplaceAllString(oneLine(citeRE.ReplaceAllString(sp.In(text), "")), "")
	return unit{sp, line, pack.Words(line)}
}

// cut ends sentences of a text at a line's end where what is before or behind it is a sentence of the other text: a
// line that was put above or below it has no mark at its end.
func cut(list []unit, text string, other []unit) (out []unit) {
	known := func(u unit) bool {
		return slices.ContainsFunc(other, func(o unit) bool { return slices.Equal(o.words, u.words) })
	}
	for _, u := range list {
		for at := u.Start; at < u.End; at++ {
			if text[at] != '\n' {
				continue
			}
			head, tail := unitAt(text, u.Start, at), unitAt(text, at+1, u.End)
			if len(head.words) > 0 && len(tail.words) > 0 && (known(head) || known(tail)) {
				out, u = append(out, head), tail
			}
		}
		out = append(out, u)
	}
	return out
}

// belowSources is where a paragraph begins below the list of sources; the end of the text where none does.
func belowSources(text string) int {
	at := headRE.FindStringIndex(text)
	if at == nil {
		return len(text)
	}
	for _, gap := range gapRE.FindAllStringIndex(text[at[1]:], -1) {
		if from := at[1] + gap[1]; strings.TrimSpace(text[at[1]:from]) != "" && text[from] != '[' {
			return from
		}
	}
	return len(text)
}

// letter is what stands between a greeting and a signature: short lines that end in a comma, at the front and before
// the last short lines. A text of one line is no letter.
func letter(text string) (from, to int) {
	to = len(text)
	if at := headRE.FindStringIndex(text); at != nil {
		to = at[0]
	}
	lines := lineRE.FindAllStringIndex(text[:to], -1)
	if len(lines) > 1 && closed(text, lines[0]) {
		from, lines = lines[0][1], lines[1:]
	}
	for i := len(lines) - 1; i > 0 && i >= len(lines)-3; i-- {
		line := text[lines[i][0]:lines[i][1]]
		if closed(text, lines[i]) {
			return from, lines[i][0]
		}
		if endsSentence(line) || len(pack.Words(line)) > shortLine {
			break
		}
	}
	return from, to
}

// shortLine is how many words a line of a greeting or signature has at most.
const shortLine = 6

func closed(text string, line []int) bool {
	s := strings.TrimSpace(text[line[0]:line[1]])
	return strings.HasSuffix(s, ",") && len(pack.Words(s)) <= shortLine
}

func endsSentence(s string) bool {
	s = strings.TrimSpace(s)
	return strings.ContainsAny(s[max(0, len(s)-3):], ".!?…")
}

// differ aligns the sentences of two texts.
func differ(before, after string) difference {
	d := difference{before: unitsOf(before), after: unitsOf(after), kept: map[int]int{},
		moved: map[int]int{}}
	d.before, d.after = cut(d.before, before, d.after), cut(d.after, after, d.before)
	sameWords := func(b, a unit) bool { return slices.Equal(b.words, a.words) }
	for _, m := range common(d.before, d.after, sameWords) {
		d.kept[m[1]] = m[0]
	}
	for a := range d.after {
		if b := slices.IndexFunc(d.before, func(u unit) bool { return sameWords(u, d.after[a]) }); b >= 0 &&
			d.open(b, a) {
			d.moved[a] = b
		}
	}
	d.joined()
	d.pairUp()
	return d
}

// open reports whether nothing is known yet of these two.
func (d *difference) open(b, a int) bool { return d.openBefore(b) && d.openAfter(a) }

func (d *difference) openAfter(a int) bool {
	_, kept := d.kept[a]
	_, moved := d.moved[a]
	return !kept && !moved && !slices.ContainsFunc(d.changed, func(p pair) bool { return p.after == a })
}

func (d *difference) openBefore(b int) bool {
	for _, m := range []map[int]int{d.kept, d.moved} {
		for _, have := range m {
			if have == b {
				return false
			}
		}
	}
	return !slices.ContainsFunc(d.changed, func(p pair) bool { return p.before == b })
}

// common is the longest run of equal elements in both lists, as pairs of places. Where two are as good, what moved up
// is left out.
func common[T any](a, b []T, same func(a, b T) bool) (out [][2]int) {
	size := make([][]int, len(a)+1)
	for i := range size {
		size[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if same(a[i], b[j]) {
				size[i][j] = size[i+1][j+1] + 1
			} else {
				size[i][j] = max(size[i+1][j], size[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case same(a[i], b[j]):
			out = append(out, [2]int{i, j})
			i, j = i+1, j+1
		case size[i][j+1] >= size[i+1][j]:
			j++
		default:
			i++
		}
	}
	return out
}

// joined keeps sentences that were only joined into one, or one that was cut into several.
func (d *difference) joined() {
	for a := range d.after {
		if parts := d.partsOf(d.after[a].words, d.before, func(b int) bool { return d.open(b, a) }); len(parts) > 1 {
			d.kept[a] = parts[0]
			for _, b := range parts[1:] {
				d.kept[-1-b] = b // no sentence of its own any more
			}
		}
	}
	for b := range d.before {
		if !d.openBefore(b) {
			continue
		}
		if parts := d.partsOf(d.before[b].words, d.after, d.openAfter); len(parts) > 1 {
			for _, a := range parts {
				d.kept[a] = b
			}
		}
	}
}

// partsOf are the sentences of which whole consists, but for a word or two that join them.
func (d *difference) partsOf(whole []string, list []unit, open func(int) bool) (parts []int) {
	left := len(whole)
	for i, u := range list {
		if open(i) && contains(whole, u.words) {
			parts, left = append(parts, i), left-len(u.words)
		}
	}
	if left > 2 {
		return nil
	}
	return parts
}

func contains(whole, part []string) bool {
	for i := 0; i+len(part) <= len(whole); i++ {
		if slices.Equal(whole[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

// alike is from which share of common words on two sentences are one that was changed.
const alike = 0.5

// pairUp finds which removed sentence became which added one, the most alike first.
func (d *difference) pairUp() {
	type match struct {
		b, a  int
		share float64
	}
	var list []match
	for b := range d.before {
		for a := range d.after {
			if d.open(b, a) {
				if s := share(d.before[b].words, d.after[a].words); s >= alike {
					list = append(list, match{b, a, s})
				}
			}
		}
	}
	slices.SortStableFunc(list, func(x, y match) int {
		switch {
		case x.share > y.share:
			return -1
		case x.share < y.share:
			return 1
		}
		return 0
	})
	for _, m := range list {
		if !d.open(m.b, m.a) {
			continue
		}
		runs := runsOf(d.before[m.b], d.after[m.a])
		if len(runs) == 0 || sameBag(d.before[m.b].words, d.after[m.a].words) {
			d.kept[m.a] = m.b
			continue
		}
		d.changed = append(d.changed, pair{m.b, m.a, runs})
	}
	slices.SortFunc(d.changed, func(x, y pair) int { return x.after - y.after })
}

// share is how much of two sentences is common to both.
func share(a, b []string) float64 {
	n := len(common(a, b, func(x, y string) bool { return x == y || slip(x, y) }))
	return 2 * float64(n) / float64(len(a)+len(b))
}
