package learned

import (
	"context"
	"hash/fnv"
	"strings"
	"unicode"

	"preceptor/internal/llm/sentence"
	"preceptor/internal/phrase"
)

const (
	hashed = 1 << 14 // places of words, pairs and triples
	dense  = 2*sentence.Dims + 2048
	Inputs = dense + hashed
)

// Feature is one number of what the classifier sees.
type Feature struct {
	At    int32
	Value float32
}

// Unit is a sentence of a message.
type Unit struct {
	Span     phrase.Span
	Features []Feature
}

// Knobs for experiments.
var (
	KDense, KMean, KUni, KBi, KTri, KSkel, KNear, KShape, KMn, KMax, KMin, KPub float32 = 1, 1, 1, 1, 1, 1, .5, 1, 0, 0, 0, 0
)

// Units cuts a message into sentences and gives each its features.
func Units(e *sentence.Embedder, message string) []Unit {
	spans := phrase.Sentences(message)
	texts := make([]string, len(spans))
	for i, s := range spans {
		texts[i] = strings.Join(strings.Fields(s.In(message)), " ")
	}
	vectors, err := e.Embed(context.Background(), texts)
	if err != nil {
		panic(err)
	}
	mean := make([]float32, sentence.Dims)
	for _, v := range vectors {
		for i, x := range v {
			mean[i] += x / float32(len(vectors))
		}
	}
	out := make([]Unit, len(spans))
	for i, s := range spans {
		var f []Feature
		for k, x := range vectors[i] {
			f = append(f, Feature{int32(k), KDense * 5 * x})
		}
		for k, x := range mean {
			f = append(f, Feature{int32(sentence.Dims + k), KMean * 5 * x})
		}
		mn, mx, ls, pub := sentence.Rows(texts[i])
		for j, v := range [][]float32{mn, mx, ls, pub} {
			by := []float32{KMn, KMax, KMin, KPub * 5}[j]
			if by == 0 {
				continue
			}
			for k, x := range v {
				f = append(f, Feature{int32(2*sentence.Dims + 512*j + k), by * x})
			}
		}
		f = append(f, words(texts, i)...)
		out[i] = Unit{s, f}
	}
	return out
}

type bag struct {
	seen map[int32]bool
	f    []Feature
}

func (b *bag) add(v float32, parts ...string) {
	if v == 0 {
		return
	}
	h := fnv.New64a()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	sum := h.Sum64()
	sum ^= sum >> 29
	sum *= 0xbf58476d1ce4e5b9
	sum ^= sum >> 32
	at := int32(dense + sum%hashed)
	if !b.seen[at] {
		b.seen[at] = true
		b.f = append(b.f, Feature{at, v})
	}
}

func words(texts []string, i int) []Feature {
	b := &bag{seen: map[int32]bool{}}
	toks := tokens(texts[i])
	toks = append(append([]string{"^"}, toks...), "$")
	skel := make([]string, len(toks))
	for k, t := range toks {
		skel[k] = skeleton(t)
	}
	for k := range toks {
		b.add(KUni, "u", toks[k])
		if k > 0 {
			b.add(KBi, "b", toks[k-1], toks[k])
			if skel[k-1] != toks[k-1] || skel[k] != toks[k] {
				b.add(KSkel, "s", skel[k-1], skel[k])
			}
		}
		if k > 1 {
			b.add(KTri, "t", toks[k-2], toks[k-1], toks[k])
			b.add(KSkel, "z", skel[k-2], skel[k-1], skel[k])
			b.add(KSkel, "g", skel[k-2], skel[k])
		}
	}
	for d, name := range map[int]string{-1: "p", 1: "n"} {
		if i+d < 0 || i+d >= len(texts) {
			b.add(KShape, "none", name)
			continue
		}
		near := tokens(texts[i+d])
		for k, t := range near {
			b.add(KNear, name, t)
			if k > 0 {
				b.add(KNear, name, near[k-1], t)
			}
		}
	}
	n := len(toks)
	for _, m := range []int{4, 6, 9, 13, 20, 30} {
		if n > m {
			b.add(KShape, "long", string(rune('a'+m)))
		}
	}
	for _, m := range []int{1, 2, 4, 7} {
		if len(texts) > m {
			b.add(KShape, "many", string(rune('a'+m)))
		}
	}
	if strings.HasSuffix(texts[len(texts)-1], "?") {
		b.add(KShape, "asked")
	}
	return b.f
}

func skeleton(t string) string {
	if len(t) <= 4 {
		return t
	}
	return "-" + t[len(t)-2:]
}

func tokens(s string) (out []string) {
	var w []rune
	end := func() {
		if len(w) > 0 {
			out = append(out, string(w))
			w = nil
		}
	}
	for _, r := range strings.ToLower(s) {
		switch {
		case unicode.IsLetter(r):
			w = append(w, r)
		case unicode.IsDigit(r):
			if len(w) == 0 || w[len(w)-1] != '0' {
				w = append(w, '0')
			}
		case r == '\'' || r == '’':
		case unicode.IsSpace(r):
			end()
		default:
			end()
			switch r {
			case '"', '“', '”':
				r = '"'
			case '-', '–', '—', '/', '.', '_', '!', '?', ',', ':', ';', '(', '`', '=':
			default:
				continue
			}
			if len(out) == 0 || out[len(out)-1] != string(r) {
				out = append(out, string(r))
			}
		}
	}
	end()
	return out
}
