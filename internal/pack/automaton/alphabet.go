package automaton

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// alphabet sorts all letters into classes that an expression can't tell apart.
type alphabet struct {
	classes int
	narrow  [utf8.RuneSelf]uint16
	from    []rune // where runs of letters of one class begin, ascending
	of      []uint16
	example []rune // a letter of each class

	sets  []uint16 // of each instruction, the set of letters that it takes; instructions often share one
	takes [][]bool // by set, by class
}

// wide is the class of any letter.
func (a *alphabet) wide(r rune) int {
	i, ok := slices.BinarySearch(a.from, r)
	if !ok {
		i--
	}
	return int(a.of[i])
}

// matches tells whether instruction p takes the letters of a class.
func (a *alphabet) matches(p uint32, class int) bool { return a.takes[a.sets[p]][class] }

func alphabetOf(prog *syntax.Prog) alphabet {
	a := alphabet{sets: make([]uint16, len(prog.Inst))}
	sets := a.setsOf(prog)
	a.from = boundaries(sets)
	a.takes = make([][]bool, len(sets))
	known := map[string]uint16{}
	for _, r := range a.from {
		key := make([]byte, 0, len(sets)+2)
		for _, in := range sets {
			key = append(key, bit(in.MatchRune(r)))
		}
		key = append(key, bit(syntax.IsWordChar(r)), bit(r == '\n'))
		class, ok := known[string(key)]
		if !ok {
			class = uint16(a.classes)
			known[string(key)] = class
			a.classes++
			a.example = append(a.example, r)
			for i := range sets {
				a.takes[i] = append(a.takes[i], key[i] == 1)
			}
		}
		a.of = append(a.of, class)
	}
	for c := range a.narrow {
		a.narrow[c] = uint16(a.wide(rune(c)))
	}
	return a
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// setsOf gives one instruction for each set of letters.
func (a *alphabet) setsOf(prog *syntax.Prog) []*syntax.Inst {
	var out []*syntax.Inst
	known := map[string]uint16{}
	for i := range prog.Inst {
		in := &prog.Inst[i]
		key := string(in.Rune)
		switch in.Op {
		case syntax.InstRuneAny:
			key = "any"
		case syntax.InstRuneAnyNotNL:
			key = "any but a line's end"
		case syntax.InstRune, syntax.InstRune1:
			key = string(rune(in.Arg)) + "|" + key // Arg says whether case counts
		default:
			continue
		}
		set, ok := known[key]
		if !ok {
			set = uint16(len(out))
			known[key] = set
			out = append(out, in)
		}
		a.sets[i] = set
	}
	return out
}

// boundaries are where letters may begin to be taken otherwise.
func boundaries(sets []*syntax.Inst) []rune {
	out := []rune{0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1}
	for _, in := range sets {
		if len(in.Rune) == 1 { // a letter, perhaps in any case
			out = append(out, in.Rune[0], in.Rune[0]+1)
			for r := unicode.SimpleFold(in.Rune[0]); r != in.Rune[0]; r = unicode.SimpleFold(r) {
				out = append(out, r, r+1)
			}
			continue
		}
		for i := 0; i+1 < len(in.Rune); i += 2 {
			out = append(out, in.Rune[i], in.Rune[i+1]+1)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
