// Package phrase reads sentences by phrases and finds what rules written with them say. It knows no domain: classes of
// phrases and rules are a pack's data (internal/pack/data), in the language that Parse describes; an expert's own
// checks are written in the same.
//
// It owns no table. Rules say what a sentence says (find), of what (about), what it must not say beside (not) and what
// excuses nothing (even); whose words a sentence reports, denies, supposes or warns of is told once, by scopes, for all
// rules.
//
// What it promises: reading takes time linear in the text for a given lexicon, is safe for concurrent use, and gives
// the same on every machine. Decided against: regular expressions (some thousand of them over every sentence cost a
// hundred times as much, and nobody but programmers reads them), and stemming every word (it joins what the line
// between guidance and advice keeps apart, as "recommended" and "recommend"; a rule asks for inflections where it wants
// them).
package phrase

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/kljensen/snowball/english"
)

// Class is the number of a group of phrases, from 0.
type Class int

// maxClasses bounds how many classes a lexicon may have, the conditions of its rules included.
const maxClasses = 1024

// Match is a phrase that was found: tokens from First to Last, both inclusive.
type Match struct {
	Class       Class
	First, Last int
}

// Lexicon is a set of classes, ready to read, and the rules written with them.
type Lexicon struct {
	names    map[string]Class
	phrases  map[string][]string // by class, as written
	count    int
	root     *node
	words    int32
	exact    map[string]int32
	prefixes map[string]int32
	stems    map[string]int32
	numbers  []number
	shortest int     // of the prefixes, in bytes
	longest  int     // of them too
	firsts   []first // by id, what phrases begin with a word
	// where the first two words of a phrase lead; most phrases are ruled out by one look here
	pairs map[uint64][]*node
	mu    sync.RWMutex
	seen  map[string]*Word // words met before; bounded

	rules  []Rule
	needs  []Need
	topics []topic
	scopes [scopeCount]Class // -1 where the lexicon has no such class
	turn   Class
}

// first is what phrases begin with a word.
type first struct {
	single []Class // phrases of that word alone
	loose  []*node // places after it that let any word follow
	second uint64  // the last six bits of the second words' ids, as bits
}

// wordsKept bounds the memory for words met before.
const wordsKept = 50_000

// node is a place within phrases; what follows is shared by the alternatives that led here.
type node struct {
	next   map[int32][]*node
	any    []*node // one word, whatever it is
	skip   []gap   // after some words
	opens  []*node // where the sentence begins here
	closes []*node // where it ends here
	ends   []Class
}

// gap leads on after up to so many words.
type gap struct {
	most int
	to   *node
}

// id is the number of a word as phrases write it.
func (l *Lexicon) id(w string) int32 {
	table := l.exact
	if p, ok := strings.CutSuffix(w, "*"); ok {
		w, table = p, l.prefixes
		l.shortest, l.longest = min(l.shortest, len(w)), max(l.longest, len(w))
	} else if p, ok := strings.CutSuffix(w, "~"); ok {
		w, table = english.Stem(p, false), l.stems
	}
	id, ok := table[w]
	if !ok {
		l.words++
		id = l.words
		table[w] = id
	}
	return id
}

// compile makes the tables of first words.
func (l *Lexicon) compile() {
	l.firsts, l.pairs = make([]first, l.words+1), map[uint64][]*node{}
	for id, nodes := range l.root.next {
		f := &l.firsts[id]
		for _, n := range nodes {
			f.single = append(f.single, n.ends...)
			if len(n.any)+len(n.skip)+len(n.closes) > 0 {
				f.loose = append(f.loose, n)
			}
			for second, to := range n.next {
				k := pair(id, second)
				l.pairs[k] = append(l.pairs[k], to...)
				f.second |= 1 << (second & 63)
			}
		}
	}
}

func pair(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }

// Find is the class with a name; it panics when there is none, since names stand in the program.
func (l *Lexicon) Find(name string) Class {
	c, ok := l.names[name]
	if !ok {
		panic("phrase: no class " + name)
	}
	return c
}

// Word is what is known of a word wherever it stands.
type Word struct {
	ids []int32 // what it counts as: itself, its stem, and every beginning that a phrase names
	// Syllables is how many it has, by rule of thumb.
	Syllables int
	// Note is for whoever reads words beyond phrases and would look up the same of each again; nil until it is set.
	Note atomic.Pointer[any]
}

func (l *Lexicon) wordOf(w string) *Word {
	l.mu.RLock()
	known, ok := l.seen[w]
	l.mu.RUnlock()
	if ok {
		return known
	}
	known = &Word{Syllables: syllablesOf(w)}
	if id, ok := l.exact[w]; ok {
		known.ids = append(known.ids, id)
	}
	for n := l.shortest; n <= min(len(w), l.longest); n++ {
		if id, ok := l.prefixes[w[:n]]; ok {
			known.ids = append(known.ids, id)
		}
	}
	if len(l.stems) > 0 {
		if id, ok := l.stems[english.Stem(w, false)]; ok {
			known.ids = append(known.ids, id)
		}
	}
	l.mu.Lock()
	if len(l.seen) < wordsKept && len(w) < 40 {
		l.seen[strings.Clone(w)] = known
	}
	l.mu.Unlock()
	return known
}

// know looks up all words at once; those never met before are few. text is what the tokens were cut from.
func (l *Lexicon) know(tokens []Token, text string, of Figures) {
	missing := 0
	l.mu.RLock()
	for i := range tokens {
		if tokens[i].Word = l.seen[tokens[i].Text]; tokens[i].Word == nil {
			missing++
		}
	}
	l.mu.RUnlock()
	for i := 0; missing > 0; i++ {
		if tokens[i].Word == nil {
			tokens[i].Word = l.wordOf(tokens[i].Text)
			missing--
		}
	}
	for i := range tokens {
		t := &tokens[i]
		if t.ids = t.Word.ids; len(l.numbers) > 0 && (t.Text[len(t.Text)-1] == '#' || t.Text == "#%") {
			t.ids = append(t.ids[:len(t.ids):len(t.ids)], l.numbersOf(t, text, of)...)
		}
	}
}

// Read finds every phrase in the tokens of a sentence of text, which it prepares on the way.
func (l *Lexicon) Read(tokens []Token, text string, of Figures) []Match {
	l.know(tokens, text, of)
	out := make([]Match, 0, 2*len(tokens))
	for _, n := range l.root.opens {
		l.walk(n, tokens, 0, 0, &walked{out: &out})
	}
	for i := range tokens {
		on := walked{out: &out}
		for _, id := range tokens[i].ids {
			f := &l.firsts[id]
			for _, c := range f.single {
				out = append(out, Match{c, i, i})
			}
			for _, n := range f.loose {
				l.walkLoose(n, tokens, i, i+1, &on)
			}
			if i+1 == len(tokens) || f.second == 0 {
				continue
			}
			for _, second := range tokens[i+1].ids {
				if f.second>>(second&63)&1 == 0 {
					continue
				}
				for _, n := range l.pairs[pair(id, second)] {
					l.walk(n, tokens, i, i+2, &on)
				}
			}
		}
		for _, n := range l.root.any {
			l.walk(n, tokens, i, i+1, &on)
		}
	}
	return out
}

// walked is what is found from one word on, and how many steps that took.
type walked struct {
	out   *[]Match
	steps int
}

// mostSteps bounds what the phrases that begin at one word may cost, whoever wrote them: with several gaps they may run
// over the same words in many ways.
const mostSteps = 50_000

func (l *Lexicon) walk(n *node, tokens []Token, first, at int, on *walked) {
	if on.steps++; on.steps > mostSteps {
		return
	}
	if at > first {
		for _, c := range n.ends {
			*on.out = append(*on.out, Match{c, first, at - 1})
		}
	}
	if at < len(tokens) && len(n.next) > 0 {
		for _, id := range tokens[at].ids {
			for _, m := range n.next[id] {
				l.walk(m, tokens, first, at+1, on)
			}
		}
	}
	l.walkLoose(n, tokens, first, at, on)
}

func (l *Lexicon) walkLoose(n *node, tokens []Token, first, at int, on *walked) {
	if at == len(tokens) {
		for _, m := range n.closes {
			l.walk(m, tokens, first, at, on)
		}
	} else {
		for _, m := range n.any {
			l.walk(m, tokens, first, at+1, on)
		}
	}
	for _, g := range n.skip {
		for k := 0; k <= g.most && at+k <= len(tokens); k++ {
			l.walk(g.to, tokens, first, at+k, on)
		}
	}
}
