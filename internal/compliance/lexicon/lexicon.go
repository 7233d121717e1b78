// Package lexicon reads sentences by phrases: wide hand-made lists of paraphrases, grouped in classes ("evaluation", "customer's
// circumstances", "loss of a guarantee"), found in one pass over the words.
//
// It owns no table. The checks and the embedded judges of compliance read with it. A phrase is written as words; a|b is either,
// (a|b)? may be left out, a* is any word that begins so, _ is any one word, and .. is up to four words.
//
// What it promises: reading takes time linear in the text for a given lexicon, is safe for concurrent use, and gives the same
// on every machine. Decided against: regular expressions (some thousand of them over every sentence cost a hundred times as
// much), and stemming (it joins what the line between guidance and advice keeps apart, as "recommended" and "recommend").
package lexicon

import (
	"strings"
	"sync"
	"sync/atomic"
)

// Class is the number of a group of phrases, from 0 to MaxClasses-1.
type Class int

// MaxClasses bounds how many classes a lexicon may have.
const MaxClasses = 128

// Match is a phrase that was found: tokens from First to Last, both inclusive.
type Match struct {
	Class       Class
	First, Last int
}

// Lexicon is a set of classes, ready to read.
type Lexicon struct {
	names    []string
	root     *node
	exact    map[string]int32
	prefixes map[string]int32
	shortest int                // of the prefixes, in bytes
	firsts   []first            // by id, what phrases begin with a word
	pairs    map[uint64][]*node // where the first two words of a phrase lead; most phrases are ruled out by one look here
	mu       sync.RWMutex
	seen     map[string]*Word // words met before; bounded
}

// first is what phrases begin with a word.
type first struct {
	single []Class // phrases of that word alone
	loose  []*node // places after it that let any word follow
	second uint64  // the last six bits of the second words' ids, as bits
}

// wordsKept bounds the memory for words met before.
const wordsKept = 50_000

// gap is the longest run of words that ".." stands for.
const gap = 4

// node is a place within phrases; what follows is shared by the alternatives that led here.
type node struct {
	next map[int32][]*node
	any  []*node // one word, whatever it is
	skip []*node // after up to gap words
	ends []Class
}

// New builds a lexicon from "name: phrase; phrase" entries, one a class; an entry may run over several lines. It panics on
// what it can't read, since lexicons are part of the program.
func New(entries ...string) *Lexicon {
	l := &Lexicon{root: &node{}, exact: map[string]int32{}, prefixes: map[string]int32{}, shortest: 99, seen: map[string]*Word{}}
	if len(entries) > MaxClasses {
		panic("lexicon: too many classes")
	}
	for i, e := range entries {
		name, phrases, ok := strings.Cut(e, ":")
		if !ok {
			panic("lexicon: an entry without a name: " + e)
		}
		l.names = append(l.names, strings.TrimSpace(name))
		for p := range strings.SplitSeq(phrases, ";") {
			if words := strings.Fields(p); len(words) > 0 {
				l.add(words, Class(i))
			}
		}
	}
	l.compile()
	return l
}

// compile makes the tables of first words.
func (l *Lexicon) compile() {
	l.firsts, l.pairs = make([]first, len(l.exact)+len(l.prefixes)+1), map[uint64][]*node{}
	for id, nodes := range l.root.next {
		f := &l.firsts[id]
		for _, n := range nodes {
			f.single = append(f.single, n.ends...)
			if len(n.any)+len(n.skip) > 0 {
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

// Name is the name of a class.
func (l *Lexicon) Name(c Class) string { return l.names[c] }

// Find is the class with a name; it panics when there is none.
func (l *Lexicon) Find(name string) Class {
	for i, n := range l.names {
		if n == name {
			return Class(i)
		}
	}
	panic("lexicon: no class " + name)
}

func (l *Lexicon) add(words []string, c Class) {
	at := []*node{l.root} // where the phrase may stand so far
	for _, w := range words {
		inner, optional := strings.CutSuffix(w, ")?")
		if optional {
			w = strings.TrimPrefix(inner, "(")
		}
		if strings.ContainsAny(w, "()?") {
			panic("lexicon: can't read " + w)
		}
		to := &node{}
		for alt := range strings.SplitSeq(w, "|") {
			for _, n := range at {
				n.lead(l, alt, to)
			}
		}
		if optional {
			at = append(at, to)
		} else {
			at = []*node{to}
		}
	}
	for _, n := range at {
		n.ends = append(n.ends, c)
	}
}

func (n *node) lead(l *Lexicon, word string, to *node) {
	switch word {
	case "_":
		n.any = append(n.any, to)
	case "..":
		n.skip = append(n.skip, to)
	default:
		if n.next == nil {
			n.next = map[int32][]*node{}
		}
		id := l.id(word)
		n.next[id] = append(n.next[id], to)
	}
}

func (l *Lexicon) id(w string) int32 {
	table := l.exact
	if p, ok := strings.CutSuffix(w, "*"); ok {
		w, table = p, l.prefixes
		l.shortest = min(l.shortest, len(w))
	}
	id, ok := table[w]
	if !ok {
		id = int32(len(l.exact) + len(l.prefixes) + 1)
		table[w] = id
	}
	return id
}

// Word is what is known of a word wherever it stands.
type Word struct {
	ids []int32 // what it counts as: itself, and every beginning that a phrase names
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
	for n := l.shortest; n <= len(w); n++ {
		if id, ok := l.prefixes[w[:n]]; ok {
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

// know looks up all words at once; those never met before are few.
func (l *Lexicon) know(tokens []Token) {
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
}

// Read finds every phrase in tokens, which it prepares on the way.
func (l *Lexicon) Read(tokens []Token) []Match {
	l.know(tokens)
	out := make([]Match, 0, 2*len(tokens))
	for i := range tokens {
		for _, id := range tokens[i].Word.ids {
			f := &l.firsts[id]
			for _, c := range f.single {
				out = append(out, Match{c, i, i})
			}
			for _, n := range f.loose {
				l.walkLoose(n, tokens, i, i+1, &out)
			}
			if i+1 == len(tokens) || f.second == 0 {
				continue
			}
			for _, second := range tokens[i+1].Word.ids {
				if f.second>>(second&63)&1 == 0 {
					continue
				}
				for _, n := range l.pairs[pair(id, second)] {
					l.walk(n, tokens, i, i+2, &out)
				}
			}
		}
		for _, n := range l.root.any {
			l.walk(n, tokens, i, i+1, &out)
		}
	}
	return out
}

func (l *Lexicon) walk(n *node, tokens []Token, first, at int, out *[]Match) {
	if at > first {
		for _, c := range n.ends {
			*out = append(*out, Match{c, first, at - 1})
		}
	}
	if at == len(tokens) {
		return
	}
	if len(n.next) > 0 {
		for _, id := range tokens[at].Word.ids {
			for _, m := range n.next[id] {
				l.walk(m, tokens, first, at+1, out)
			}
		}
	}
	l.walkLoose(n, tokens, first, at, out)
}

func (l *Lexicon) walkLoose(n *node, tokens []Token, first, at int, out *[]Match) {
	for _, m := range n.any {
		if at < len(tokens) {
			l.walk(m, tokens, first, at+1, out)
		}
	}
	for _, m := range n.skip {
		for k := 0; k <= gap && at+k < len(tokens); k++ {
			l.walk(m, tokens, first, at+k, out)
		}
	}
}
