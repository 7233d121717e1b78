package phrase

import (
	"fmt"
	"strings"
)

// add leads a phrase from the root to c.
func (l *Lexicon) add(phrase string, c Class) error {
	if strings.Count(phrase, "(") != strings.Count(phrase, ")") {
		return fmt.Errorf("%q has a bracket without its other half", phrase)
	}
	if l.gaps(phrase, 0) > maxGaps {
		return fmt.Errorf("%q has more than %d gaps", phrase, maxGaps)
	}
	to := &node{}
	ends, err := l.lead(phrase, []*node{l.root}, to, 0)
	if err != nil {
		return fmt.Errorf("%q: %w", phrase, err)
	}
	for _, n := range ends {
		if n == l.root {
			return fmt.Errorf("%q would match nothing at all", phrase)
		}
		n.ends = append(n.ends, c)
	}
	return nil
}

// maxGaps bounds the gaps of a phrase, and with them the time that it takes at a word.
const maxGaps = 3

// gaps is how many gaps stand in a phrase, those of the classes that it names included.
func (l *Lexicon) gaps(phrase string, depth int) (n int) {
	if depth > maxDepth {
		return 0 // which lead tells
	}
	for _, item := range split(phrase, ' ') {
		if item == ".." || item == "..." {
			n++
			continue
		}
		most := 0
		inner, _, _ := unbracketed(item)
		for _, alternative := range alternatives(inner) {
			if name, ok := reference(alternative); ok {
				for _, of := range l.phrases[name] {
					most = max(most, l.gaps(of, depth+1))
				}
			} else if strings.Contains(alternative, " ") {
				most = max(most, l.gaps(alternative, depth+1))
			}
		}
		n += most
	}
	return n
}

// maxDepth bounds how deep classes may stand in classes.
const maxDepth = 6

// lead goes from each of at by the words of a phrase, the last to to, and gives where it ends.
func (l *Lexicon) lead(phrase string, at []*node, to *node, depth int) ([]*node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("classes stand in each other too deep")
	}
	items := split(phrase, ' ')
	if len(items) == 0 {
		return nil, fmt.Errorf("it is empty")
	}
	for i, item := range items {
		target := &node{}
		if i == len(items)-1 {
			target = to
		}
		inner, optional, ok := unbracketed(item)
		if !ok {
			return nil, fmt.Errorf("%s can't be read; what may be left out stands in brackets, as (the|a)?", item)
		}
		item = inner
		ends := []*node{target}
		if len(alternatives(item)) == 0 || item[0] == '|' || item[len(item)-1] == '|' {
			return nil, fmt.Errorf("nothing stands in %q", items[i])
		}
		for _, alternative := range alternatives(item) {
			more, err := l.alternative(alternative, at, target, depth)
			if err != nil {
				return nil, err
			}
			for _, n := range more {
				if n != target {
					ends = append(ends, n)
				}
			}
		}
		if optional {
			ends = append(ends, at...)
		}
		at = ends
	}
	return at, nil
}

func (l *Lexicon) alternative(item string, at []*node, to *node, depth int) ([]*node, error) {
	if name, ok := reference(item); ok {
		phrases, ok := l.phrases[name]
		if !ok {
			return nil, fmt.Errorf("there is no class %q", name)
		}
		var ends []*node
		for _, phrase := range phrases {
			more, err := l.lead(phrase, at, to, depth+1)
			if err != nil {
				return nil, err
			}
			for _, n := range more {
				if n != to {
					ends = append(ends, n)
				}
			}
		}
		return ends, nil
	}
	if strings.ContainsAny(item, " (") {
		return l.lead(item, at, to, depth+1)
	}
	for _, n := range at {
		if err := l.step(n, item, to); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// step leads from n by one word.
func (l *Lexicon) step(n *node, word string, to *node) error {
	atRoot := n == l.root
	switch word {
	case "_":
		n.any = append(n.any, to)
	case "..", "...":
		if atRoot {
			return fmt.Errorf("a phrase can't begin with %s", word)
		}
		most := 4
		if word == "..." {
			most = 12
		}
		n.skip = append(n.skip, gap{most, to})
	case "^":
		if !atRoot {
			return fmt.Errorf("^ stands first")
		}
		n.opens = append(n.opens, to)
	case "$":
		n.closes = append(n.closes, to)
	default:
		if kind, ok := comparison(word); ok {
			id, err := l.numberID(kind, word)
			if err != nil {
				return err
			}
			n.leadTo(id, to)
			return nil
		}
		if first, rest, ok := strings.Cut(word, "-"); ok { // hyphens part words
			middle := &node{}
			n.leadTo(l.id(first), middle)
			return l.step(middle, rest, to)
		}
		if !readable(word) {
			return fmt.Errorf("%s can't be read: words stand in lower case, without marks, and can't is \"can not\"",
				word)
		}
		n.leadTo(l.id(word), to)
	}
	return nil
}

// readable reports whether a word is one as texts are read; a figure is one by its kind.
func readable(word string) bool {
	if word == "£#" || word == "#%" || word == "#" {
		return true
	}
	body := strings.TrimSuffix(strings.TrimSuffix(word, "*"), "~")
	tokens := Tokens(body, 0)
	return len(tokens) == 1 && tokens[0].Text == body && tokens[0].End == len(body) && tokens[0].Start == 0
}

func (n *node) leadTo(id int32, to *node) {
	if n.next == nil {
		n.next = map[int32][]*node{}
	}
	n.next[id] = append(n.next[id], to)
}

// unbracketed is what stands in the brackets around a whole item, and whether it may be left out; ok is false for a ?
// without brackets.
func unbracketed(item string) (inner string, optional, ok bool) {
	body, optional := strings.CutSuffix(item, ")?")
	if optional {
		body += ")"
	}
	depth := 0
	for i := range len(body) {
		switch body[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(body)-1 { // the brackets, if there are any, don't go round all of it
			return body, optional, !optional && (strings.Contains(body, "(") || !strings.Contains(body, "?"))
		}
	}
	if strings.HasPrefix(body, "(") {
		return body[1 : len(body)-1], optional, true
	}
	return body, optional, !strings.Contains(body, "?")
}
