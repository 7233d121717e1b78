package word

import (
	"cmp"
	"strconv"
	"strings"
)

// numList is a list that paragraphs belong to; several may count on together.
type numList struct {
	counts map[int]int // by level; without those that haven't begun
	levels map[int]*Node
	starts map[int]int // that this list alone begins at
	begun  bool
}

func (f *file) numbering(root *Node) {
	abstract, linked, counts := map[string]*Node{}, map[string]*Node{}, map[*Node]map[int]int{}
	for _, a := range root.all("abstractNum") {
		abstract[a.Attr["abstractNumId"]] = a
		linked[cmp.Or(a.val("styleLink"), "-")] = a
	}
	for _, n := range root.all("num") {
		a := abstract[n.val("abstractNumId")]
		if a != nil {
			a = cmp.Or(linked[a.val("numStyleLink")], a)
		}
		if a == nil {
			continue
		}
		if counts[a] == nil {
			counts[a] = map[int]int{}
		}
		l := &numList{counts: counts[a], levels: map[int]*Node{}, starts: map[int]int{}}
		f.lists[n.Attr["numId"]] = l
		for _, k := range append(a.Kids, n.Kids...) {
			level, err := strconv.Atoi(k.Attr["ilvl"])
			if err != nil || level < 0 || level > 8 {
				continue
			}
			if start, err := strconv.Atoi(k.val("startOverride")); err == nil {
				l.starts[level] = start
			}
			if k.Name != "lvl" {
				k = k.first("lvl")
			}
			if k.Name != "" {
				l.levels[level] = k
			}
		}
	}
}

// item is the kind of list that a paragraph belongs to, and what is printed in front of it.
type item struct{ kind, label string }

func (f *file) number(pr *Node) item {
	style, num := pr.val("pStyle"), pr.first("numPr")
	id, ilvl, of := num.val("numId"), num.val("ilvl"), style
	for n := 0; id == "" && of != "" && n < 10; n++ {
		num = f.numbered[of]
		if id = num.val("numId"); id == "" {
			of = f.based[of]
		}
	}
	if id == "0" || id == "" {
		return item{}
	}
	l := f.lists[id]
	if l == nil {
		return item{kind: "ul"}
	}
	level, err := strconv.Atoi(cmp.Or(ilvl, num.val("ilvl")))
	for n, k := range l.levels {
		if err != nil && k.val("pStyle") == of && of != "" {
			level = n
		}
	}
	at := l.levels[level]
	if at == nil {
		return item{kind: "ul"}
	}
	l.count(level)
	if at.val("numFmt") == "bullet" {
		return item{kind: "ul"}
	}
	label := at.val("lvlText")
	for n, c := range l.counts {
		own := cmp.Or(l.levels[n], at).val("numFmt")
		if at.first("isLgl").on() {
			own = "decimal"
		}
		figure, known := figures(c, own)
		mark := "%" + strconv.Itoa(n+1)
		f.otherwise = f.otherwise || !known && strings.Contains(label, mark)
		label = strings.ReplaceAll(label, mark, figure)
	}
	if label = strings.TrimSpace(label); label == "" {
		return item{}
	}
	if at.val("suff") != "nothing" {
		label += " "
	}
	return item{"ol", label}
}

// count goes on to the next item of a level.
func (l *numList) count(level int) {
	if !l.begun {
		for n := range l.starts {
			delete(l.counts, n)
		}
	}
	l.begun = true
	for n := range level + 1 {
		if _, ok := l.counts[n]; ok {
			if n == level {
				l.counts[n]++
			}
		} else if k := l.levels[n]; k != nil {
			l.counts[n] = 1
			if start, err := strconv.Atoi(k.val("start")); err == nil {
				l.counts[n] = start
			}
			if start, ok := l.starts[n]; ok {
				l.counts[n] = start
			}
		}
	}
	for n, k := range l.levels {
		if again, err := strconv.Atoi(k.val("lvlRestart")); n > level && (err != nil || again > level) {
			delete(l.counts, n)
		}
	}
}

// figures writes a number as a list does; known: in this form.
func figures(n int, format string) (out string, known bool) {
	if n < 1 || n > 2000 {
		return strconv.Itoa(n), n < 1
	}
	letter := strings.Repeat(string(rune('a'+(n+25)%26)), (n+25)/26)
	roman, left := "", n
	for _, r := range []struct {
		is int
		as string
	}{{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"},
		{9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}} {
		for ; left >= r.is; left -= r.is {
			roman += r.as
		}
	}
	switch format {
	case "none":
		return "", true
	case "decimalZero":
		if n < 10 {
			return "0" + strconv.Itoa(n), true
		}
	case "lowerLetter":
		return letter, true
	case "upperLetter":
		return strings.ToUpper(letter), true
	case "lowerRoman":
		return roman, true
	case "upperRoman":
		return strings.ToUpper(roman), true
	}
	return strconv.Itoa(n), format == "decimal" || format == "decimalZero" || format == ""
}
