package learned

import (
	"context"
	"hash/fnv"
	"regexp"
	"strings"
	"unicode"

	"preceptor/internal/llm/embedded"
	"preceptor/internal/phrase"
)

const (
	hashed = 1 << 16 // places of words, pairs and triples
	dense  = 5 * embedded.Dims
	// Inputs is how many numbers the classifier sees of a sentence.
	Inputs = dense + hashed
	// The scales make the vectors count beside the words (ownScale is that of the sentence's and of the mean), and
	// nearScale the neighbours' words less than a sentence's own.
	ownScale    = 5
	wholeScale  = 8
	besideScale = 3
	nearScale   = 0.3
)

// Feature is one of the numbers that isn't 0.
type Feature struct {
	At    int32
	Value float32
}

// Unit is a sentence of a message.
type Unit struct {
	Span     phrase.Span
	Features []Feature
}

// states are seed 004's expressions of corrections and preferences, without their rest. They decide nothing: what has
// one is looked at more closely, and where one begins behind a comma or an "and" so does another wish.
var states = regexp.MustCompile(`(?i)\b(?:((?:actually|no,?\s*)?i\s*(?:meant|want(?:ed)?|need(?:ed)?))|` +
	`((?:that['’]s\s*)?not\s*what\s*i\s*(?:meant|wanted|asked))|((?:please\s*)?(?:don['’]t|do\s*not))|` +
	`(i\s*(?:prefer|like))|((?:always|usually)\s+(?:use|do|want)|always)|(never))\b`)

// ordered is how an order begins that has something to do and something to do it to.
var ordered = regexp.MustCompile(`(?i)^(?:please\s+)?(?:always|never|don['’]t|do\s*not)\s+\pL+\s+\S`)

// joint is what stands between two wishes of one sentence.
var joint = regexp.MustCompile(`(?i)(?:[,:–—]|\s(?:and|but))\s*(?:(?:and|but)\s+)?$`)

// leastWords is how many words each of them has.
const leastWords = 3

// semicolon separates as a full stop does.
var semicolon = regexp.MustCompile(`;\s+`)

// wishes cuts a sentence where another wish begins.
func wishes(message string, s phrase.Span) (out []phrase.Span) {
	start := s.Start
	for _, found := range states.FindAllStringIndex(s.In(message), -1) {
		at := start + found[0]
		before := message[s.Start:at]
		link := joint.FindStringIndex(before)
		if link != nil && len(strings.Fields(before[:link[0]])) >= leastWords &&
			len(strings.Fields(message[at:s.End])) >= leastWords {
			out = append(out, phrase.Span{Start: s.Start, End: s.Start + link[0]})
			s.Start = at
		}
	}
	return append(out, s)
}

// Units cuts a message without what it quotes into sentences, and these into wishes, and gives each what the
// classifier sees of it: the sentence, those beside it, and the whole message.
func Units(ctx context.Context, e *embedded.Embedder, message string) ([]Unit, error) {
	message = ownWords(message)
	var spans []phrase.Span
	for _, s := range phrase.Sentences(message) {
		from := s.Start
		for _, cut := range semicolon.FindAllStringIndex(s.In(message), -1) {
			spans = append(spans, wishes(message, phrase.Span{Start: s.Start, End: from + cut[0]})...)
			s.Start = from + cut[1]
		}
		spans = append(spans, wishes(message, s)...)
	}
	texts := make([]string, len(spans))
	for i, s := range spans {
		texts[i] = strings.Join(strings.Fields(s.In(message)), " ")
	}
	vectors, err := e.Embed(ctx, append(texts[:len(texts):len(texts)], strings.Join(strings.Fields(message), " ")))
	if err != nil {
		return nil, err
	}
	whole := vectors[len(spans)]
	vectors = vectors[:len(spans)]
	mean := make([]float32, embedded.Dims)
	for _, v := range vectors {
		for i, x := range v {
			mean[i] += x / float32(len(vectors))
		}
	}
	words := make([][]string, len(texts))
	for i, t := range texts {
		words[i] = tokens(t)
	}
	out := make([]Unit, len(spans))
	for i, s := range spans {
		f := make([]Feature, 0, dense+8*len(words[i]))
		add := func(at int32, scale float32, v []float32) {
			for k, x := range v {
				f = append(f, Feature{at*embedded.Dims + int32(k), scale * x})
			}
		}
		add(0, ownScale, vectors[i])
		add(1, ownScale, mean)
		add(2, wholeScale, whole)
		if i > 0 {
			add(3, besideScale, vectors[i-1])
		}
		if i+1 < len(vectors) {
			add(4, besideScale, vectors[i+1])
		}
		b := bag{seen: map[int32]bool{}, features: f}
		b.sentence(words, i)
		b.stated(s.In(message))
		b.shape(len(words[i]), len(texts), strings.HasSuffix(texts[len(texts)-1], "?"))
		out[i] = Unit{s, b.features}
	}
	return out, nil
}

// bag hashes parts of a text to places behind the vectors.
type bag struct {
	seen     map[int32]bool
	features []Feature
}

func (b *bag) add(value float32, parts ...string) {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	sum := h.Sum64()
	sum ^= sum >> 29 // FNV's low bits of short names are alike
	sum *= 0xbf58476d1ce4e5b9
	sum ^= sum >> 32
	at := int32(dense + sum%hashed)
	if !b.seen[at] {
		b.seen[at] = true
		b.features = append(b.features, Feature{at, value})
	}
}

// sentence adds the i-th sentence's words, pairs and triples, its ends marked, and its neighbours' words and pairs.
func (b *bag) sentence(words [][]string, i int) {
	own := append(append([]string{"^"}, words[i]...), "$")
	for k := range own {
		b.add(1, "u", own[k])
		for _, n := range []int{3, 4} {
			r := []rune("<" + own[k] + ">")
			for i := 0; i+n <= len(r); i++ {
				b.add(0.5, "c", string(r[i:i+n]))
			}
		}
		if k > 0 {
			b.add(1, "b", own[k-1], own[k])
		}
		if k > 1 {
			b.add(1, "t", own[k-2], own[k-1], own[k])
			b.add(1, "s", own[k-2], own[k])
		}
	}
	b.neighbour("before", words, i-1)
	b.neighbour("after", words, i+1)
}

func (b *bag) neighbour(name string, words [][]string, at int) {
	if at < 0 || at >= len(words) {
		b.add(1, "none", name)
		return
	}
	for k, w := range words[at] {
		b.add(nearScale, name, w)
		if k > 0 {
			b.add(nearScale, name, words[at][k-1], w)
		}
	}
}

// stated adds which of the seed's expressions a sentence has, and which it begins with.
func (b *bag) stated(sentence string) {
	for _, found := range states.FindAllStringSubmatchIndex(sentence, -1) {
		for k := 2; k < len(found); k += 2 {
			if found[k] >= 0 {
				b.add(1, "stated", string(rune('0'+k)))
			}
			if found[k] == 0 {
				b.add(2, "begins", string(rune('0'+k)))
			}
		}
	}
}

// shape adds how long the sentence is, how many there are, and whether the message ends in a question.
func (b *bag) shape(words, sentences int, asked bool) {
	for _, n := range []int{2, 4, 7, 11, 18, 28} {
		if words > n {
			b.add(1, "words", string(rune(n)))
		}
	}
	for _, n := range []int{1, 2, 4, 7} {
		if sentences > n {
			b.add(1, "sentences", string(rune(n)))
		}
	}
	if asked {
		b.add(1, "asked")
	}
}

// marks are kept as words of their own, since they tell quotes, questions and things put beside each other.
const marks = "\"-/._!?,:;(`="

var alike = strings.NewReplacer("“", `"`, "”", `"`, "–", "-", "—", "-", "'", "", "’", "")

// tokens are the words of a text in small letters, any number as 0, and its marks, each run of one once.
func tokens(s string) (out []string) {
	var word []rune
	end := func() {
		if len(word) > 0 {
			out = append(out, string(word))
			word = word[:0]
		}
	}
	for _, r := range strings.ToLower(alike.Replace(s)) {
		switch {
		case unicode.IsLetter(r):
			word = append(word, r)
		case unicode.IsDigit(r):
			if len(word) == 0 || word[len(word)-1] != '0' {
				word = append(word, '0')
			}
		default:
			end()
			if strings.ContainsRune(marks, r) && (len(out) == 0 || out[len(out)-1] != string(r)) {
				out = append(out, string(r))
			}
		}
	}
	end()
	return out
}
