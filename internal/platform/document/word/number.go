package word

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/platform/text/sign"
)

// numList is a list that paragraphs belong to.
type numList struct {
	counts *[9]int // one more than its numbers, by level; lists may count on together
	levels [9]*Node
	starts [9]string // that this list alone begins at
	begun  bool
}

func (f *file) numbering(root *Node) {
	abstract, linked, counts := map[string]*Node{}, map[string]*Node{}, map[*Node]*[9]int{}
	for _, a := range root.all("abstractNum") {
		abstract[a.Attr["abstractNumId"]], linked[a.val("styleLink")], counts[a] = a, a, &[9]int{}
	}
	for _, n := range root.all("num") {
		a := abstract[n.val("abstractNumId")]
		if of := a.val("numStyleLink"); of != "" {
			a = linked[of]
		}
		if a == nil {
			continue
		}
		l := &numList{counts: counts[a]}
		f.lists[n.Attr["numId"]] = l
		for _, k := range slices.Concat(a.Kids, n.Kids) {
			level, err := strconv.Atoi(k.Attr["ilvl"])
			if err != nil || level < 0 || level > 8 {
				continue
			}
			if k.Name == "lvlOverride" {
				l.starts[level] = k.val("startOverride")
				k = k.first("lvl")
			}
			if k.Name == "lvl" {
				l.levels[level] = k
			}
		}
	}
}

// number is the kind of list that a paragraph is an item of, and what is printed in front of it.
func (f *file) number(pr *Node) (kind, label string) {
	own, style := pr.first("numPr"), pr.val("pStyle")
	num := own
	for n := 0; num.val("numId") == "" && style != "" && n < 10; n++ {
		if num = f.numbered[style]; num.val("numId") == "" {
			style = f.based[style]
		}
	}
	l := f.lists[num.val("numId")]
	switch id := num.val("numId"); {
	case id == "", id == "0":
		return "", ""
	case l == nil:
		return "ul", ""
	}
	level, err := strconv.Atoi(cmp.Or(own.val("ilvl"), num.val("ilvl")))
	if err != nil {
		its := func(k *Node) bool { return style != "" && k.val("pStyle") == style }
		level = max(0, slices.IndexFunc(l.levels[:], its))
	}
	if level < 0 || level > 8 || l.levels[level] == nil {
		return "ul", ""
	}
	l.count(level)
	at := l.levels[level]
	if at.val("numFmt") == "bullet" {
		return "ul", ""
	}
	label = at.val("lvlText")
	for n, k := range l.levels {
		if mark := "%" + strconv.Itoa(n+1); strings.Contains(label, mark) {
			format := k.val("numFmt")
			if at.first("isLgl").on() {
				format = "decimal"
			}
			label = strings.ReplaceAll(label, mark, figures(l.counts[n]-1, format))
		}
	}
	if label = strings.TrimSpace(label); label == "" {
		return "", ""
	}
	if at.val("suff") != "nothing" {
		label += " "
	}
	return "ol", label
}

// count goes on to the next item of a level.
func (l *numList) count(level int) {
	for n, k := range l.levels {
		if !l.begun && l.starts[n] != "" {
			l.counts[n] = 0
		}
		again, err := strconv.Atoi(k.val("lvlRestart"))
		switch {
		case n > level && (err != nil || again > level):
			l.counts[n] = 0
		case n > level:
		case l.counts[n] == 0:
			start, _ := strconv.Atoi(cmp.Or(l.starts[n], k.val("start"), "1"))
			l.counts[n] = start + 1
		case n == level:
			l.counts[n]++
		}
	}
	l.begun = true
}

// figures writes a number as a list does, those in words and other scripts in figures.
func figures(n int, format string) string {
	kind := map[string]string{"lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I"}[format]
	switch {
	case format == "none":
		return ""
	case strings.HasSuffix(format, "Letter") && n > 0 && n < 1000: // aa, bb
		return strings.Repeat(sign.Numeral((n-1)%26+1, kind), (n+25)/26)
	}
	return sign.Numeral(n, kind)
}
