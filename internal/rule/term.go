package rule

import (
	"slices"
	"strings"
	"unicode/utf8"

	"preceptor/internal/pack"
	"preceptor/internal/phrase"
	"preceptor/internal/platform/text"
)

// run is a piece of a sentence that was replaced; one of the two is empty where words were only added or removed.
type run struct {
	was, is phrase.Span // words by number
}

// longestTerm is how many words a term has at most.
const longestTerm = 6

// runsOf are the pieces in which two sentences differ, without typing errors, articles and figures.
func runsOf(b, a unit) (out []run) {
	same := common(b.words, a.words, func(x, y string) bool { return x == y || slip(x, y) })
	i, j := 0, 0
	for _, m := range append(same, [2]int{len(b.words), len(a.words)}) {
		r := run{phrase.Span{Start: i, End: m[0]}, phrase.Span{Start: j, End: m[1]}}
		r.trim(b.words, a.words)
		if !r.slight(b.words, a.words) {
			out = append(out, r)
		}
		i, j = m[0]+1, m[1]+1
	}
	return out
}

// trim leaves articles out at the front of both.
func (r *run) trim(b, a []string) {
	for r.was.Start < r.was.End && article(b[r.was.Start]) && (r.was.End-r.was.Start > 1 || r.is.Start == r.is.End) {
		r.was.Start++
	}
	for r.is.Start < r.is.End && article(a[r.is.Start]) && (r.is.End-r.is.Start > 1 || r.was.Start == r.was.End) {
		r.is.Start++
	}
}

func article(w string) bool { return w == "a" || w == "an" || w == "the" }

// slight reports whether nothing changed but articles and figures, or words were written apart or together.
func (r run) slight(b, a []string) bool {
	was, is := b[r.was.Start:r.was.End], a[r.is.Start:r.is.End]
	if strings.Join(was, "") == strings.ReplaceAll(strings.Join(is, ""), "-", "") ||
		strings.ReplaceAll(strings.Join(was, ""), "-", "") == strings.Join(is, "") {
		return true
	}
	all := slices.Concat(was, is)
	return !slices.ContainsFunc(all, func(w string) bool { return !article(w) }) ||
		len(was) > 0 && len(is) > 0 && !slices.ContainsFunc(all, func(w string) bool { return !figure(w) })
}

// figure reports whether a word is a number.
func figure(w string) bool {
	return strings.ContainsAny(w, "0123456789") || slices.Contains(numbers, w)
}

var numbers = strings.Fields("no one two three four five six seven eight nine ten eleven twelve")

// slip reports whether two words differ by a typing error, or are one word's inflections.
func slip(x, y string) bool {
	if figure(x) || figure(y) || pack.IsStop(x) && pack.IsStop(y) && x != "then" && x != "than" {
		return false
	}
	if pack.Inflect(x) == pack.Inflect(y) {
		return true
	}
	n := min(utf8.RuneCountInString(x), utf8.RuneCountInString(y))
	if n == 3 && len(x) == len(y) && sameBag(strings.Split(x, ""), strings.Split(y, "")) {
		return true
	}
	if n < 4 || strings.HasSuffix(x, y) || strings.HasSuffix(y, x) { // "lawful" and "unlawful"
		return false
	}
	most := 1
	if n > 6 {
		most = 2
	}
	return text.Distance([]rune(x), []rune(y), most+1) <= most
}

// sameBag reports whether two sentences have the same words in another order.
func sameBag(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

// term is a swap with the sentences in which it was made.
type term struct {
	Swap
	pairs []int // places in changed
	at    phrase.Span
}

// terms are the replacements that were made wherever their words stand. A sentence in which something else changed too
// has none.
func (d *difference) terms() (list []term, of map[int]bool) {
	of = map[int]bool{}
	for n, p := range d.changed {
		if swaps := d.swaps(p); swaps != nil {
			of[n] = true
			for _, t := range swaps {
				t.pairs = []int{n}
				list = merge(list, t)
			}
		}
	}
	all := slices.Clone(list)
	for bad := true; bad; { // a term that is not everywhere spoils its sentences, and with them their other terms
		bad = false
		for _, t := range list {
			if d.everywhere(t, all) {
				continue
			}
			bad = true
			list = slices.DeleteFunc(list, func(x term) bool {
				return slices.ContainsFunc(x.pairs, func(n int) bool { return slices.Contains(t.pairs, n) })
			})
			for _, n := range t.pairs {
				delete(of, n)
			}
			break
		}
	}
	for n := range of {
		if !slices.ContainsFunc(list, func(t term) bool { return slices.Contains(t.pairs, n) }) {
			delete(of, n)
		}
	}
	return d.widen(list), of
}

func merge(list []term, t term) []term {
	for i, have := range list {
		if strings.EqualFold(have.Say, t.Say) && strings.EqualFold(have.Avoid, t.Avoid) {
			list[i].pairs = append(list[i].pairs, t.pairs...)
			if strings.ToLower(t.Avoid) == t.Avoid {
				list[i].Swap = t.Swap
			}
			return list
		}
	}
	return append(list, t)
}

// swaps are the terms replaced in one sentence; nil when it was changed in another way.
func (d *difference) swaps(p pair) (out []term) {
	b, a := d.before[p.before], d.after[p.after]
	for _, r := range p.runs {
		was, is := b.words[r.was.Start:r.was.End], a.words[r.is.Start:r.is.End]
		if !nameable(was) || !nameable(is) {
			return nil
		}
		w := Swap{Avoid: b.piece(r.was), Say: a.piece(r.is)}
		if r.was.Start == 0 && r.is.Start == 0 {
			w.Avoid, w.Say = plainCase(w.Avoid), plainCase(w.Say)
		}
		out = append(out, term{Swap: w, at: a.Span})
	}
	if len(out) > 3 {
		return nil
	}
	return out
}

// nameable reports whether words can be a term.
func nameable(ws []string) bool {
	return len(ws) > 0 && len(ws) <= longestTerm && slices.ContainsFunc(ws, func(w string) bool {
		return !pack.IsStop(w) && !figure(w)
	})
}

// piece is the text of some words.
func (u unit) piece(words phrase.Span) string {
	at := pack.WordSpans(u.text)
	return strings.TrimRight(u.text[at[words.Start].Start:at[words.End-1].End], "'’-")
}

// plainCase is a term from the beginning of a sentence as it stands within one; one with more capitals is a name or an
// abbreviation.
func plainCase(s string) string {
	if low := pack.Lower(s); strings.ToLower(s) == low {
		return low
	}
	return s
}

// everywhere reports whether a term is said nowhere any more, and always the same instead.
func (d *difference) everywhere(t term, all []term) bool {
	for _, u := range d.after {
		if contains(u.words, pack.Words(t.Avoid)) {
			return false
		}
	}
	return !slices.ContainsFunc(all, func(x term) bool {
		return strings.EqualFold(x.Avoid, t.Avoid) && !strings.EqualFold(x.Say, t.Say)
	})
}

// widen takes the next word into a term that was replaced several times, while that word is the same each time: of
// "lump sum" and "cash sum" the difference is "lump" and "cash".
func (d *difference) widen(list []term) []term {
	for i := range list {
		for len(list[i].pairs) > 1 {
			next := d.nextWord(list[i])
			if next == "" {
				break
			}
			list[i].Say += " " + next
			list[i].Avoid += " " + next
		}
	}
	return list
}

// nextWord is the word after a term in every sentence that had it; "" when there are several, or it only holds others
// together.
func (d *difference) nextWord(t term) (next string) {
	for _, n := range t.pairs {
		u := d.before[d.changed[n].before]
		for _, at := range exact(u.words, pack.Words(t.Avoid)) {
			if at == len(u.words) || next != "" && u.words[at] != next || pack.IsStop(u.words[at]) ||
				figure(u.words[at]) {
				return ""
			}
			next = u.words[at]
		}
	}
	return next
}

// exact are the places behind a run of words.
func exact(whole, part []string) (out []int) {
	for i := 0; i+len(part) <= len(whole); i++ {
		if slices.Equal(whole[i:i+len(part)], part) {
			out = append(out, i+len(part))
		}
	}
	return out
}
