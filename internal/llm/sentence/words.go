package sentence

import (
	"hash/fnv"
	"math"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"
)

// The words themselves, beside what the network makes of them: names, numbers and codes that it has never met are alike only when
// they are the same.
const (
	wordDims    = 256
	plainest    = 5.0 // a word as common as e⁻⁵ counts nothing: "the", "is", "my"
	tellingSpan = 6.0 // and one as rare as e⁻¹¹ counts fully
	pairWeight  = 0.2
	letters     = 4 // length of a run of letters
	runWeight   = 0.8
	maxWords    = 4000
	maxWord     = 40
)

// bag counts a text's words, pairs of neighbours and runs of letters.
type bag struct {
	w     *weights
	parts map[string]*part
	order []*part // a map's order would change the sums' last bits
}

// part is a word, pair or run: how often it occurs, and how much it tells each time.
type part struct {
	name           string
	count, telling float64
}

// add counts the words of text times over.
func (b *bag) add(text string, times float64) {
	before := ""
	for i, word := range fields(text) {
		if i >= maxWords {
			return
		}
		telling := b.w.pieces.rarity(word)
		stem := english.Stem(word, true)
		b.note("w"+stem, times, telling)
		if before != "" {
			b.note("p"+before+" "+stem, times, telling*pairWeight)
		}
		before = stem
		b.runs(word, times, telling)
	}
}

// runs adds the word's runs of letters, its ends marked.
func (b *bag) runs(word string, times, telling float64) {
	if len(word) < letters {
		return
	}
	marked := "<" + word + ">"
	n := len(marked) - letters + 1
	for i := range n {
		b.note("c"+marked[i:i+letters], times, telling*runWeight*math.Sqrt(2/float64(n)))
	}
}

func (b *bag) note(name string, times, telling float64) {
	if telling == 0 {
		return
	}
	p, ok := b.parts[name]
	if !ok {
		p = &part{name: name}
		b.parts[name] = p
		b.order = append(b.order, p)
	}
	p.count += times
	p.telling = max(p.telling, telling)
}

// grow is how a count becomes a weight: the second mention tells less than the first.
func grow(count float64) float64 {
	if count <= 1 {
		return count
	}
	return 1 + math.Log(count)
}

// place is where and with which sign name is hashed to.
func place(name string) (at int, sign float64) {
	h := fnv.New64a()
	h.Write([]byte(name))
	sum := h.Sum64()
	sum ^= sum >> 29 // FNV's low bits of short names are alike
	sum *= 0xbf58476d1ce4e5b9
	sum ^= sum >> 32
	if sum&(1<<40) != 0 {
		return int(sum % wordDims), -1
	}
	return int(sum % wordDims), 1
}

// finish is the hashed sum at length 1, or at 0 when no word tells anything.
func (b *bag) finish() []float32 {
	var values [wordDims]float64
	for _, p := range b.order {
		at, sign := place(p.name)
		values[at] += sign * p.telling * grow(p.count)
	}
	var square float64
	for _, x := range values {
		square += x * x
	}
	out := make([]float32, wordDims)
	if square == 0 {
		return out
	}
	by := 1 / math.Sqrt(square)
	for i, x := range values {
		out[i] = float32(x * by)
	}
	return out
}

// rarity is how much a word tells, 0 to 1, by how common its pieces are in general English.
func (p *pieces) rarity(word string) float64 {
	common := 0.0
	for _, id := range p.split(word) {
		common -= float64(p.scores[id])
	}
	return min(1, max(0, (common-plainest)/tellingSpan))
}

// fields are the lower-case words of text; apostrophes vanish.
func fields(text string) []string {
	text = apostrophes.Replace(strings.ToLower(text))
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		if len(w) > maxWord {
			words[i] = strings.ToValidUTF8(w[:maxWord], "")
		}
	}
	return words
}

var apostrophes = strings.NewReplacer("'", "", "’", "", "‘", "")
