package encoder

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

func TestOffsetsPointAtTheText(t *testing.T) {
	text, pair := "Is £40k OK?", "Yes – the café’s  tax-free\nlump sum. Next."
	w := BGE().Tokenize(text, pair)[0]
	var got []string
	for _, token := range w.Tokens {
		switch {
		case token.Mark:
			got = append(got, "|")
		case token.Segment == 0:
			got = append(got, text[token.From:token.To])
		default:
			got = append(got, pair[token.From:token.To])
		}
	}
	if s := strings.Join(got, " "); s != "| Is £ 40 k OK ? | Yes – the café ’ s tax - free lump sum . Next . |" {
		t.Error(s)
	}
	if n := len(w.Tokens); w.Tokens[7].Segment != 0 || w.Tokens[8].Segment != 1 || w.Tokens[n-1].Segment != 1 {
		t.Error("the marks are of the wrong segments")
	}
}

func TestWindowsCoverAndOverlap(t *testing.T) {
	for _, c := range []struct{ text, pair, windows int }{
		{1, 1, 1}, {0, 3000, 8}, {9, 500, 1}, {9, 501, 2}, {192, 2000, 10}, {900, 317, 1}, {900, 318, 2}, {900, 0, 3},
		{510, 0, 1}, {0, 0, 1},
	} {
		text, pair := strings.Repeat("tax ", c.text), strings.Repeat("sum ", c.pair)
		windows := BGE().Tokenize(text, pair)
		if len(windows) != c.windows {
			t.Errorf("%d and %d: %d windows, want %d", c.text, c.pair, len(windows), c.windows)
		}
		long := pair
		if pair == "" {
			long = text
		}
		seen := 0
		for i, w := range windows {
			if len(w.Tokens) > maxTokens || !w.Tokens[0].Mark || !w.Tokens[len(w.Tokens)-1].Mark {
				t.Errorf("%d and %d: a window of %d tokens", c.text, c.pair, len(w.Tokens))
			}
			if pair != "" && (w.Tokens[min(c.text, maxText)+1].Segment != 0 || !w.Tokens[min(c.text, maxText)+1].Mark) {
				t.Errorf("%d and %d: the text isn't repeated", c.text, c.pair)
			}
			body := slices.DeleteFunc(slices.Clone(w.Tokens), func(x Token) bool {
				return x.Mark || pair != "" && x.Segment == 0
			})
			if len(body) == 0 {
				continue
			}
			if from := body[0].From; i == 0 && from != 0 || i > 0 && seen-from < 4*overlap-1 {
				t.Errorf("%d and %d: window %d begins at byte %d, the one before ends at %d", c.text, c.pair, i, from,
					seen)
			}
			seen = body[len(body)-1].To
		}
		if seen != max(0, len(long)-1) {
			t.Errorf("%d and %d: read to byte %d of %d", c.text, c.pair, seen, len(long))
		}
	}
}

func TestPool(t *testing.T) {
	r := Reading{Width: 1, Hidden: []float32{9, 9, 9, 1, 2, 4, 9}, Window: BGE().Tokenize("tax", "one two three")[0]}
	if got := r.Pool()[0]; got != 43.0/7 {
		t.Errorf("%v", got)
	}
}

// branch gives a branch's file that holds the public layers from first on, its last matrix's biases changed by add, and
// a head.
func branch(t testing.TB, first int, change func(*Header)) []byte {
	bge, err := Unpacked(bge)
	if err != nil {
		t.Fatal(err)
	}
	h, p, err := open(bge, "trunk")
	if err != nil {
		t.Fatal(err)
	}
	p.bytes(h.VocabularyBytes)
	for _, rows := range []int{h.Vocabulary, h.Positions, 2} {
		p.table(rows, h.Width)
	}
	below := h
	p.norm(h.Width)
	if below.Layers = first; first > 0 {
		p.layers(below)
	}
	h.Kind, h.Name, h.Trunk, h.First = "branch", "test", h.Name, first
	h.Outputs = []Output{{Name: "label", Names: []string{"yes", "no"}, Inputs: 3}}
	if change != nil {
		change(&h)
	}
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	b := append(binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(text))), text...)
	b = append(append(b, make([]byte, up(len(b), align)-len(b))...), bge[up(p.at, align):]...)
	weights, _ := binary.Append(nil, binary.LittleEndian, []float32{1, 2, 3, 0, -1, .5})
	b = append(b, append(weights, make([]byte, align-len(weights))...)...)
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, 0x3F800000), 0xBF000000) // 1, -½
}

func TestBranch(t *testing.T) {
	w := BGE().Tokenize("May I take it all?", "You may take a quarter.")[0]
	public, err := BGE().Read(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	for _, first := range []int{0, 7, 12} {
		b, err := BGE().Branch(branch(t, first, nil))
		if err != nil {
			t.Fatal(err)
		}
		r, err := b.Read(t.Context(), w)
		if err != nil || !slices.Equal(r.Hidden, public.Hidden) {
			t.Errorf("from layer %d: the public layers read otherwise in a branch (%v)", first, err)
		}
		head, ok := b.Head("label")
		if got := head.Apply([]float32{1, 10, 100}); !ok || !slices.Equal(got, []float32{322, 39.5}) {
			t.Errorf("the head gives %v", got)
		}
		if _, ok := b.Head("other"); ok {
			t.Error("a head that isn't there was found")
		}
	}
	b, err := BGE().Branch(branch(t, 7, nil))
	if err != nil {
		t.Fatal(err)
	}
	b.layers[11].down.bias = slices.Clone(b.layers[11].down.bias)
	b.layers[11].down.bias[3]++
	r, err := b.Read(t.Context(), w)
	again, err2 := BGE().Read(t.Context(), w)
	if err != nil || err2 != nil || slices.Equal(r.Hidden, public.Hidden) ||
		!slices.Equal(again.Hidden, public.Hidden) {
		t.Error("a branch's layers aren't its own")
	}
	for name, change := range map[string]func(*Header){
		"another trunk": func(h *Header) { h.Trunk = "other" }, "too high": func(h *Header) {
			h.First, h.Layers = 13, 13
		},
		"wider": func(h *Header) { h.Width = 416; h.Heads = 13 }, "shorter": func(h *Header) { h.Layers = 11 },
		"longer": func(h *Header) { h.Layers = 13 }, "a trunk": func(h *Header) { h.Kind = "trunk" },
		"nameless": func(h *Header) { h.Outputs[0].Name = "" }, "negative": func(h *Header) { h.First = -1 },
	} {
		if _, err := BGE().Branch(branch(t, 7, change)); err == nil {
			t.Errorf("%s: the branch was taken", name)
		}
	}
}

func TestReadStopsAndRefuses(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	w := BGE().Tokenize("tax", "")[0]
	if _, err := BGE().Read(ctx, w); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	for _, tokens := range [][]Token{nil, make([]Token, 513), {{ID: -1}}, {{ID: 40000}}, {{Segment: 2}}} {
		if _, err := BGE().Read(t.Context(), Window{Tokens: tokens}); err == nil {
			t.Errorf("%d tokens were read", len(tokens))
		}
	}
}

func TestReadAtOnce(t *testing.T) {
	windows := []Window{BGE().Tokenize("tax", "")[0],
		BGE().Tokenize("May I?", strings.Repeat("You may take a quarter. ", 4))[0]}
	var want [2][]float32
	for i, w := range windows {
		r, err := BGE().Read(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		want[i] = r.Hidden
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if r, err := BGE().Read(t.Context(), windows[i%2]); err != nil || !slices.Equal(r.Hidden, want[i%2]) {
				t.Errorf("read at once with others, a window has other numbers (%v)", err)
			}
		})
	}
	all.Wait()
}

func FuzzTokenize(f *testing.F) {
	for _, s := range []string{"", "Is £40k OK?", "a\x00b\xff\xfe", strings.Repeat("x", 5000), "[CLS] [SEP]",
		"é年İ\u0301\u2028"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, text, pair string) {
		for _, w := range BGE().Tokenize(text, pair) {
			last := [2]int{}
			for i, token := range w.Tokens {
				s := []string{text, pair}[token.Segment]
				ends := i == 0 || i == len(w.Tokens)-1 || token.Segment != w.Tokens[i+1].Segment
				if token.Mark {
					if !ends {
						t.Fatal("a mark within the text")
					}
					continue
				}
				// One character may have several tokens.
				if token.From < last[token.Segment] && token.To != last[token.Segment] || token.To <= token.From ||
					token.To > len(s) {
					t.Fatalf("token %d from %d to %d of %d bytes", i, token.From, token.To, len(s))
				}
				if !utf8.RuneStart(s[token.From]) && utf8.ValidString(s) {
					t.Fatalf("token %d begins within a character", i)
				}
				last[token.Segment] = token.To
			}
		}
	})
}

func FuzzLoad(f *testing.F) {
	trunk, err := Unpacked(bge)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(trunk[:1024])
	f.Add([]byte(magic))
	f.Add(branch(f, 12, nil))
	f.Add(branch(f, 12, func(h *Header) { h.Layers = 1 << 40 }))
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := Load(b); err == nil {
			t.Error("a part of a trunk was taken")
		}
		if branch, err := BGE().Branch(b); err == nil && len(branch.layers) != branch.head.Layers {
			t.Error("a branch without all its layers")
		}
	})
}
