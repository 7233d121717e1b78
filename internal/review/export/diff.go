package export

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// op is one step from the draft to the final text: '=' keeps, '-' takes out, '+' puts in.
type op struct {
	kind byte
	text string
}

// mostEdits bounds the search: a text that differs in more words than that is shown as replaced.
const mostEdits = 400

// cut is a text in words, each with the blanks behind it; at holds where each begins, and the end.
type cut struct {
	text string
	at   []int32
}

func words(s string) cut {
	c := cut{s, make([]int32, 0, len(s)/5+2)}
	for i, blank := 0, true; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		space := r == ' ' || r == '\n' || r > ' ' && unicode.IsSpace(r) || r >= '\t' && r <= '\r'
		if i == 0 || blank && !space {
			c.at = append(c.at, int32(i))
		}
		blank = space
		i += n
	}
	c.at = append(c.at, int32(len(s)))
	return c
}

func (c cut) len() int             { return len(c.at) - 1 }
func (c cut) word(i int) string    { return c.text[c.at[i]:c.at[i+1]] }
func (c cut) part(i, j int) string { return c.text[c.at[i]:c.at[j]] }
func (c cut) from(i, j int) cut    { return cut{c.text, c.at[i : j+1]} }

// diff is the steps from a to b, in words. Taking '=' and '-' gives a, taking '=' and '+' gives b.
func diff(a, b string) []op {
	x, y := words(a), words(b)
	head := 0
	for head < x.len() && head < y.len() && x.word(head) == y.word(head) {
		head++
	}
	tail := 0
	for tail < x.len()-head && tail < y.len()-head && x.word(x.len()-1-tail) == y.word(y.len()-1-tail) {
		tail++
	}
	var s steps
	s.add('=', x.part(0, head))
	s.middle(x.from(head, x.len()-tail), y.from(head, y.len()-tail))
	s.add('=', x.part(x.len()-tail, x.len()))
	return s
}

// steps collects what is done.
type steps []op

func (s *steps) add(kind byte, text string) {
	switch n := len(*s); {
	case text == "":
	case n > 0 && (*s)[n-1].kind == kind:
		(*s)[n-1].text += text
	default:
		*s = append(*s, op{kind, text})
	}
}

// middle is the shortest way from x to y (Myers, 1986), taken out before put in; beyond mostEdits all of it is replaced.
func (s *steps) middle(x, y cut) {
	trace, ok := search(x, y)
	if !ok {
		s.add('-', x.part(0, x.len()))
		s.add('+', y.part(0, y.len()))
		return
	}
	i, j := 0, 0 // up to where x and y are told
	for _, k := range kept(trace, x, y) {
		s.add('-', x.part(i, k.i))
		s.add('+', y.part(j, k.j))
		s.add('=', x.part(k.i, k.i+k.n))
		i, j = k.i+k.n, k.j+k.n
	}
	s.add('-', x.part(i, x.len()))
	s.add('+', y.part(j, y.len()))
}

// run is n words that x from i and y from j share.
type run struct{ i, j, n int }

// kept reads from the trace what stays, in order.
func kept(trace [][]int32, x, y cut) (runs []run) {
	i, j := x.len(), y.len()
	for e := len(trace) - 1; e >= 0; e-- {
		start, from := 0, 0
		if e > 0 {
			start, from = reach(trace[e-1], e, i-j, x.len(), y.len())
		}
		if n := i - start; n > 0 {
			i, j = start, j-n
			runs = append(runs, run{i, j, n})
		}
		switch {
		case e == 0:
		case from > i-j:
			j--
		default:
			i--
		}
	}
	slices.Reverse(runs)
	return runs
}

// search walks the furthest paths; trace[e] holds how far in x the diagonals -e, -e+2 … e get with e edits.
func search(x, y cut) (trace [][]int32, ok bool) {
	n, m := x.len(), y.len()
	for e := 0; e <= min(n+m, mostEdits); e++ {
		v := make([]int32, e+1)
		for k := -e; k <= e; k += 2 {
			i := 0
			if e > 0 {
				i, _ = reach(trace[e-1], e, k, n, m)
			}
			if i >= 0 {
				for i < n && i-k < m && x.word(i) == y.word(i-k) {
					i++
				}
			}
			v[(k+e)/2] = int32(i)
			if i == n && i-k == m {
				return append(trace, v), true
			}
		}
		trace = append(trace, v)
	}
	return nil, false
}

// nowhere is a diagonal that can't be reached.
const nowhere = -1

// reach is how far on diagonal k an e-th edit gets from v, the diagonals after e-1, and from which one it comes: the one above
// puts a word in, the one below takes one out.
func reach(v []int32, e, k, n, m int) (i, from int) {
	at := func(k int) int {
		if k < 1-e || k > e-1 {
			return nowhere
		}
		return int(v[(k+e-1)/2])
	}
	in, out := at(k+1), at(k-1)
	if in-k > m {
		in = nowhere
	}
	if out++; out == 0 || out > n {
		out = nowhere
	}
	if in >= out {
		return in, k + 1
	}
	return out, k - 1
}

// around is how many words stand around a change in the text form.
const around = 6

// unified writes the steps as text: [-what went-]{+what came+} with some words around, and … for what was left out.
func unified(ops []op) string {
	var b strings.Builder
	for i := 0; i < len(ops); i++ {
		o := ops[i]
		if o.kind == '=' {
			writeKept(&b, o.text, i > 0, i < len(ops)-1)
			continue
		}
		blank := blankEnd(o.text)
		if o.kind == '-' && i+1 < len(ops) && ops[i+1].kind == '+' {
			added := ops[i+1].text
			if blankEnd(added) != blank {
				blank = ""
			}
			b.WriteString("[-" + strings.TrimSuffix(o.text, blank) + "-]{+" + strings.TrimSuffix(added, blank) + "+}" + blank)
			i++
			continue
		}
		text := strings.TrimSuffix(o.text, blank)
		if o.kind == '-' {
			b.WriteString("[-" + text + "-]" + blank)
		} else {
			b.WriteString("{+" + text + "+}" + blank)
		}
	}
	return strings.TrimSpace(b.String())
}

// writeKept writes the words of a kept part that are next to a change.
func writeKept(b *strings.Builder, text string, before, after bool) {
	c := words(text)
	from, to := 0, c.len() // the words that are left out
	if before {
		from = around
	}
	if after {
		to -= around
	}
	if to-from < 3 {
		b.WriteString(text)
		return
	}
	b.WriteString(c.part(0, from))
	b.WriteString("… ")
	b.WriteString(c.part(to, c.len()))
}

func blankEnd(s string) string { return s[len(strings.TrimRightFunc(s, unicode.IsSpace)):] }

// jsonOps is the JSON form: ["=", n] keeps n code points, ["-", "…"] takes out, ["+", "…"] puts in.
func jsonOps(ops []op) [][2]any {
	out := make([][2]any, len(ops))
	for i, o := range ops {
		if o.kind == '=' {
			out[i] = [2]any{"=", utf8.RuneCountInString(o.text)}
			continue
		}
		out[i] = [2]any{string(o.kind), o.text}
	}
	return out
}
