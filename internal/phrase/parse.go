package phrase

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// names of scopes, in the order of Scope.
var scopeNames = [...]string{"denied", "reported", "supposed", "past", "duty", "warned", "asked", "quoted"}

// Parse reads classes and rules from texts, each named for its errors:
//
//	class NAME: phrase; phrase            a group of phrases; indented lines go on
//	code CODE SEVERITY                    of the rules that follow, as are source TEXT and about PHRASES
//	rule NAME                             with indented lines: find, not, about, even, prose, why, code, source, yes, no
//	need NAME                             with indented lines: for, asked, unasked, told, unless, says, early, undenied, why, code, source, yes, no
//	topic NAME WEIGHT: phrase; phrase     signs of what a question is about
//
// A phrase is words with blanks between: word (exactly), word* (any that begins so), word~ (any inflection), a|b
// (either), (a b|c)
// (either run), (a|b)? (may be left out), _ (any one word), .. (up to four words), ... (up to twelve), ^ and $ (the
// sentence's ends),
// {name} (any phrase of a class), £#, #% and # (an amount, a share, another number), which may be compared: £#>60000,
// #!=25|100,
// £#!={key}, where key is a figure of the day (Figures), £#was={key} for one that was right once. A line that begins
// with # is a comment.
func Parse(texts ...Source) (*Lexicon, error) {
	l := &Lexicon{names: map[string]Class{}, phrases: map[string][]string{}, root: &node{}, exact: map[string]int32{},
		prefixes: map[string]int32{},
		stems:    map[string]int32{}, shortest: 99, seen: map[string]*Word{}, turn: -1}
	var rules []*draft
	var classes, where []string
	for _, t := range texts {
		p := parser{l: l, where: t.Name}
		if err := p.read(t.Text); err != nil {
			return nil, err
		}
		rules, classes = append(rules, p.rules...), append(classes, p.classes...)
		for range p.classes {
			where = append(where, t.Name)
		}
	}
	for i, name := range classes {
		c, err := l.class()
		if err != nil {
			return nil, err
		}
		l.names[name] = c
		if of, ok := strings.CutPrefix(name, "topic "); ok {
			name, weight, _ := strings.Cut(of, " ")
			w, err := strconv.ParseFloat(weight, 64)
			if err != nil {
				return nil, fmt.Errorf("topic %s: its weight %q is no number", name, weight)
			}
			l.topics = append(l.topics, topic{name, w, c})
		}
		for _, phrase := range l.phrases[name] {
			if err := l.add(phrase, c); err != nil {
				return nil, fmt.Errorf("%s: class %s: %w", where[i], name, err)
			}
		}
	}
	for i, name := range scopeNames[:marked] {
		l.scopes[i] = l.orNone(name)
	}
	l.turn = l.orNone("pointer")
	for _, d := range rules {
		if err := d.into(l); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", d.where, d.Name, err)
		}
	}
	l.compile()
	return l, nil
}

// Source is a text of classes and rules with its name.
type Source struct{ Name, Text string }

func (l *Lexicon) orNone(name string) Class {
	if c, ok := l.names[name]; ok {
		return c
	}
	return -1
}

func (l *Lexicon) class() (Class, error) {
	if l.count == maxClasses {
		return 0, fmt.Errorf("more than %d classes and conditions", maxClasses)
	}
	l.count++
	return Class(l.count - 1), nil
}

// draft is a rule as it was written.
type draft struct {
	Head
	where                            string
	need, early, prose, undenied     bool
	find, says                       []string // conditions joined by " & "
	asked, told                      string
	not, about, even, flags, unasked []string
}

type parser struct {
	l       *Lexicon
	where   string
	rules   []*draft
	classes []string
	deflt   draft
}

func (p *parser) read(text string) error {
	var rule *draft
	class := ""
	for n, line := range strings.Split(text, "\n") {
		indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		body := strings.TrimSpace(line)
		if body == "" || !indented && body[0] == '#' {
			continue
		}
		key, rest, _ := strings.Cut(body, " ")
		rest = strings.TrimSpace(rest)
		var err error
		switch {
		case indented && class != "":
			p.l.phrases[class] = append(p.l.phrases[class], split(body, ';')...)
		case indented && rule != nil:
			rule.Text += body + "\n"
			err = rule.set(key, rest)
		case indented:
			err = fmt.Errorf("this line belongs to no rule or class")
		case key == "class", key == "topic":
			name, phrases, ok := strings.Cut(rest, ":")
			class, rule = strings.TrimSpace(name), nil
			if key == "topic" {
				class = "topic " + class
			}
			if _, known := p.l.phrases[class]; !ok || class == "" || known {
				err = fmt.Errorf("a class needs a name of its own and a colon")
			}
			p.classes = append(p.classes, class)
			p.l.phrases[class] = split(phrases, ';')
		case key == "rule", key == "need":
			d := p.deflt
			d.Name, d.where, d.need, class = rest, p.where, key == "need", ""
			rule = &d
			p.rules = append(p.rules, rule)
		default:
			rule, class = nil, ""
			if key == "about" {
				p.deflt.about = nil
			}
			err = p.deflt.set(key, rest)
		}
		if err != nil {
			return fmt.Errorf("%s, line %d: %w", p.where, n+1, err)
		}
	}
	return nil
}

func (d *draft) set(key, value string) error {
	switch key {
	case "find":
		d.find = append(d.find[:len(d.find):len(d.find)], value)
	case "not", "unless":
		d.not = append(d.not[:len(d.not):len(d.not)], split(value, ';')...)
	case "for":
		d.flags = strings.Fields(value)
	case "asked":
		d.asked = value
	case "unasked":
		d.unasked = split(value, ';')
	case "told":
		d.told = value
	case "says":
		d.says = append(d.says[:len(d.says):len(d.says)], value)
	case "early":
		d.early = true
	case "prose":
		d.prose = true
	case "undenied":
		d.undenied = true
	case "about":
		d.about = split(value, ';')
	case "even":
		d.even = append(d.even[:len(d.even):len(d.even)], strings.Fields(value)...)
	case "why":
		d.Why = value
	case "source":
		d.Source = value
	case "yes":
		d.Yes = append(d.Yes[:len(d.Yes):len(d.Yes)], value)
	case "no":
		d.No = append(d.No[:len(d.No):len(d.No)], value)
	case "code":
		d.Code, d.Severity, _ = strings.Cut(value, " ")
	default:
		return fmt.Errorf("%q is none of find, not, about, even, prose, for, asked, unasked, told, unless, says, "+
			"early, undenied, why, code, source, yes and no", key)
	}
	return nil
}

// into makes the draft's conditions classes of l, and the draft one of its rules or needs.
func (d *draft) into(l *Lexicon) (err error) {
	group := func(phrases []string) Class {
		if len(phrases) == 0 || err != nil {
			return -1
		}
		if name, ok := reference(phrases[0]); ok && len(phrases) == 1 && l.orNone(name) >= 0 {
			// a class by itself needs no other
			return l.names[name]
		}
		c, wrong := l.class()
		for _, phrase := range phrases {
			if wrong == nil {
				wrong = l.add(phrase, c)
			}
		}
		err = wrong
		return c
	}
	all := func(conditions string) (classes []Class) {
		for condition := range strings.SplitSeq(conditions, " & ") {
			if phrases := split(condition, ';'); len(phrases) > 0 {
				classes = append(classes, group(phrases))
			}
		}
		return classes
	}
	anyOf := func(lines []string) (classes [][]Class) {
		for _, line := range lines {
			classes = append(classes, all(line))
		}
		return classes
	}
	if d.need {
		n := Need{Head: d.Head, flags: d.flags, asked: all(d.asked), not: group(d.unasked), unless: group(d.not),
			says: anyOf(d.says), early: d.early, plain: d.undenied}
		count, phrases, _ := strings.Cut(d.told, " ")
		if n.times, _ = strconv.Atoi(count); n.times == 0 {
			phrases = d.told
		}
		n.told = all(phrases)
		l.needs = append(l.needs, n)
		if len(n.says) == 0 && err == nil {
			return fmt.Errorf("it has no says")
		}
		return err
	}
	r := Rule{Head: d.Head, find: anyOf(d.find), not: group(d.not), about: group(d.about), prose: d.prose}
	for _, name := range d.even {
		s := scopeOf(name)
		if s < 0 {
			return fmt.Errorf("%q is no scope; there are %s", name, strings.Join(scopeNames[:], ", "))
		}
		r.even |= 1 << s
	}
	if err == nil && (len(r.find) == 0 || slices.ContainsFunc(r.find, func(all []Class) bool {
		return len(all) == 0
	})) {
		return fmt.Errorf("it has no find, or an empty one")
	}
	l.rules = append(l.rules, r)
	return err
}

// reference is the class that an item names.
func reference(item string) (string, bool) {
	inner, ok := strings.CutPrefix(item, "{")
	if !ok || !strings.HasSuffix(inner, "}") {
		return "", false
	}
	return inner[:len(inner)-1], true
}

// split cuts s at a mark that stands outside brackets, without what is empty.
func split(s string, mark byte) (parts []string) {
	depth, from := 0, 0
	cut := func(to int) {
		if p := strings.TrimSpace(s[from:to]); p != "" {
			parts = append(parts, p)
		}
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case mark:
			if depth == 0 {
				cut(i)
				from = i + 1
			}
		}
	}
	cut(len(s))
	return parts
}

// alternatives are the parts of an item between its bars; what a figure is compared with may be several, as in
// #%=25|50.
func alternatives(item string) (parts []string) {
	for _, part := range split(item, '|') {
		if n := len(parts); n > 0 && (isDigit(part[0]) || part[0] == '{' && strings.HasSuffix(parts[n-1], "}")) {
			if _, ok := comparison(parts[n-1]); ok {
				parts[n-1] += "|" + part
				continue
			}
		}
		parts = append(parts, part)
	}
	return parts
}
