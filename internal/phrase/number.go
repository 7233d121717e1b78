package phrase

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Figures gives the figure of the day with a name ("annual_allowance"), and what it was before; ok is false where the
// day has none. Nil has none.
type Figures func(key string) (now float64, before []float64, ok bool)

// number is a comparison of a figure in a text.
type number struct {
	word   string // as written, by which it is known
	kind   string // "£#", "#%" or "#"
	op     string
	values []string // numbers, or {key}
	id     int32
}

// comparison is the kind of figure that a word compares.
func comparison(word string) (kind string, ok bool) {
	for _, kind := range []string{"£#", "#%", "#"} {
		if rest, found := strings.CutPrefix(word, kind); found {
			return kind, rest != "" && (strings.IndexByte("!=<>", rest[0]) >= 0 || strings.HasPrefix(rest, "was="))
		}
	}
	return "", false
}

// numberID is the number of a comparison among words.
func (l *Lexicon) numberID(kind, word string) (int32, error) {
	if i := slices.IndexFunc(l.numbers, func(n number) bool { return n.word == word }); i >= 0 {
		return l.numbers[i].id, nil
	}
	rest := strings.TrimPrefix(word, kind)
	n := number{word: word, kind: kind}
	for _, op := range []string{"!=", ">=", "<=", "=", ">", "<", "was="} {
		if values, ok := strings.CutPrefix(rest, op); ok {
			n.op, n.values = op, strings.Split(values, "|")
			break
		}
	}
	for _, v := range n.values {
		if _, key := reference(v); !key {
			if _, err := strconv.ParseFloat(v, 64); err != nil {
				return 0, fmt.Errorf("%s can't be read: %q is no number", word, v)
			}
		}
	}
	if n.op == "" {
		return 0, fmt.Errorf("%s can't be read; compare with = != > < >= <= or was=", word)
	}
	l.words++
	n.id = l.words
	l.numbers = append(l.numbers, n)
	return n.id, nil
}

// numbersOf are the comparisons that hold of a figure.
func (l *Lexicon) numbersOf(t *Token, text string, of Figures) (ids []int32) {
	v, ok := valueOf(text[t.Start:t.End])
	if !ok {
		return nil
	}
	for i := range l.numbers {
		if n := &l.numbers[i]; n.kind == t.Text && n.holds(v, of) {
			ids = append(ids, n.id)
		}
	}
	return ids
}

// holds reports whether the comparison is true of v: of any of its values, or for != of all; one that is unknown makes
// it false.
func (n *number) holds(v float64, of Figures) bool {
	for _, written := range n.values {
		with, err := strconv.ParseFloat(written, 64)
		var before []float64
		if key, ok := reference(written); ok {
			if of == nil {
				return false
			}
			if with, before, ok = of(key); !ok {
				return false
			}
		} else if err != nil {
			return false
		}
		switch n.op {
		case "was=": // once, and not any more
			if v != with && slices.Contains(before, v) {
				return true
			}
			continue
		case "=":
			if v == with {
				return true
			}
			continue
		case "!=":
			if v == with {
				return false
			}
			continue
		}
		return n.op[0] == '>' && v > with || n.op[0] == '<' && v < with || len(n.op) == 2 && v == with
	}
	return n.op == "!="
}

// valueOf reads a figure as it was written: "£1,073,100", "60k", "£1.2m", "25%", "35th", "GBP 250", "2 million pounds".
func valueOf(s string) (float64, bool) {
	s = strings.ToLower(strings.ReplaceAll(s[max(0, strings.IndexAny(s, "0123456789")):], ",", ""))
	end := 0
	for end < len(s) && (isDigit(s[end]) || s[end] == '.') {
		end++
	}
	v, err := strconv.ParseFloat(s[:end], 64)
	unit, _, _ := strings.Cut(strings.TrimSpace(s[end:]), " ")
	switch unit {
	case "k":
		v *= 1e3
	case "m", "mn", "million":
		v *= 1e6
	}
	return v, err == nil
}
