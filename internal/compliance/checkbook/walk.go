package checkbook

import (
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

// walkText is how long the made-up texts are on which a cost is measured, in letters. What counts is the mean per letter, which is the
// same from some hundred letters on, so it stands for 20,000 of a long submission too.
const walkText = 2000

// walk is how many places of a program are looked at per letter, at worst of several made-up texts of walkText letters without a full
// stop. It counts what RE2's slow way does, so it is the same on every machine; most is where counting stops, per letter.
func walk(prog *syntax.Prog, source string, most int) int {
	key := walked{source, most}
	if n, ok := walks.get(key); ok {
		return n
	}
	worst := 0
	for _, text := range nasty(prog) {
		worst = max(worst, newWalker(prog).over(text, walkText, most*walkText)/walkText)
	}
	walks.put(key, worst)
	return worst
}

// Heavy tells whether a wording takes more than half of what one check may on a long text.
func (w *Wording) Heavy() bool {
	c, p := compile(w.Pattern)
	return p == nil && c.heavy()
}

// nasty are texts that keep much of a program under way: its own letters in its order, the letters that most of it takes, as words
// and without a blank, and plain words.
func nasty(prog *syntax.Prog) [][]rune {
	var own []rune
	takes := map[rune]int{}
	for i := range prog.Inst {
		in := &prog.Inst[i]
		switch in.Op {
		case syntax.InstRune, syntax.InstRune1:
			own = append(own, in.Rune[0])
		}
	}
	for _, r := range append(slices.Clone(own), 'e', 'a', '1', ' ') {
		if takes[r] > 0 || len(takes) > 40 {
			continue
		}
		for i := range prog.Inst {
			if prog.Inst[i].MatchRune(r) {
				takes[r]++
			}
		}
	}
	often := 'e'
	for r, n := range takes {
		if n > takes[often] || n == takes[often] && r < often {
			often = r
		}
	}
	texts := [][]rune{[]rune("abcd efgh "), []rune(strings.Repeat(string(often), 6) + " "), {often}}
	if len(own) > 0 {
		texts = append(texts, own)
	}
	return texts
}

// walker follows all ways through a program at once, as RE2 does.
type walker struct {
	prog      *syntax.Prog
	seen      []int // by instruction: the letter at which it was last looked at
	now, next []uint32
	stack     []uint32
	n         int
}

func newWalker(prog *syntax.Prog) *walker {
	return &walker{prog: prog, seen: make([]int, len(prog.Inst))}
}

// over counts what is looked at on text repeated to a number of letters, and stops beyond most.
func (w *walker) over(text []rune, letters, most int) int {
	before := rune(-1)
	for i := range letters {
		r := text[i%len(text)]
		flags := syntax.EmptyOpContext(before, r)
		w.next = w.next[:0]
		for _, pc := range w.now {
			w.reach(w.prog.Inst[pc].Out, i+1, flags)
		}
		w.reach(uint32(w.prog.Start), i+1, flags)
		w.now = w.now[:0]
		for _, pc := range w.next {
			if w.prog.Inst[pc].MatchRune(r) {
				w.now = append(w.now, pc)
			}
		}
		if before = r; w.n > most+walkText {
			break
		}
	}
	return w.n
}

// reach looks at an instruction and at all that it leads to without a letter.
func (w *walker) reach(pc uint32, at int, flags syntax.EmptyOp) {
	w.stack = append(w.stack[:0], pc)
	for len(w.stack) > 0 {
		pc = w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		if w.seen[pc] == at {
			continue
		}
		w.seen[pc] = at
		w.n++
		switch in := &w.prog.Inst[pc]; in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			w.stack = append(w.stack, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstNop:
			w.stack = append(w.stack, in.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^flags == 0 {
				w.stack = append(w.stack, in.Out)
			}
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			w.next = append(w.next, pc)
		}
	}
}

// walked is an expression with the bound that it was counted to.
type walked struct {
	source string
	most   int
}

// kept are counts of expressions, since the same ones are put in force again and again.
type kept struct {
	mu sync.Mutex
	n  map[walked]int
}

const mostKept = 2000

var walks kept

func (k *kept) get(key walked) (int, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	n, ok := k.n[key]
	return n, ok
}

func (k *kept) put(key walked, n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.n == nil || len(k.n) >= mostKept {
		k.n = map[walked]int{}
	}
	k.n[key] = n
}
