package encoder

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"
)

// stored is a text of testdata/texts.jsonl with what onnxruntime and the public tokenizer make of it.
type stored struct {
	File, ID, IDs  string
	Tokens         int
	question, text string
	pool, cls      []float32 // cls of the first 20 alone
}

func lines(t testing.TB, name string, f func([]byte)) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s := bufio.NewScanner(bytes.NewReader(b))
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		f(s.Bytes())
	}
}

func half(b []byte) float32 {
	h := binary.LittleEndian.Uint16(b)
	exponent, fraction := int(h>>10&31), float64(h&1023)
	v := math.Ldexp(1+fraction/1024, exponent-15)
	if exponent == 0 {
		v = math.Ldexp(fraction, -24)
	}
	if h>>15 == 1 {
		v = -v
	}
	return float32(v)
}

func reference(t testing.TB) []stored {
	t.Helper()
	var out []stored
	lines(t, "testdata/texts.jsonl", func(b []byte) {
		var s stored
		if err := json.Unmarshal(b, &s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	})
	texts := map[string][2]string{}
	for _, s := range out {
		if _, read := texts[s.File]; read {
			continue
		}
		texts[s.File] = [2]string{}
		lines(t, "../../compliance/testdata/texts/"+s.File, func(b []byte) {
			var r struct{ ID, Question, Guidance string }
			if err := json.Unmarshal(b, &r); err != nil {
				t.Fatal(err)
			}
			texts[s.File+"/"+r.ID] = [2]string{r.Question, r.Guidance}
		})
	}
	b, err := os.ReadFile("testdata/vectors.bin")
	if err != nil {
		t.Fatal(err)
	}
	vector := func() []float32 {
		v := make([]float32, 384)
		for i := range v {
			v[i] = half(b[2*i:])
		}
		b = b[768:]
		return v
	}
	for i := range out {
		both := texts[out[i].File+"/"+out[i].ID]
		out[i].question, out[i].text, out[i].pool = both[0], both[1], vector()
		if i < 20 {
			out[i].cls = vector()
		}
	}
	if len(out) != 200 || len(b) != 0 {
		t.Fatalf("%d texts, %d bytes left", len(out), len(b))
	}
	return out
}

func ids(w Window) []int32 {
	out := make([]int32, len(w.Tokens))
	for i, token := range w.Tokens {
		out[i] = token.ID
	}
	return out
}

// TestAsOnnxruntime reads 200 stored texts: the same tokens as the public tokenizer's, and vectors that differ hardly.
func TestAsOnnxruntime(t *testing.T) {
	texts := reference(t)
	if testing.Short() {
		texts = texts[:40]
	}
	worst, sum, worstCLS := 1.0, 0.0, 1.0
	for _, s := range texts {
		windows := BGE().Tokenize(s.question, s.text)
		if len(windows) != 1 {
			t.Fatalf("%s: %d windows", s.ID, len(windows))
		}
		b, _ := binary.Append(nil, binary.LittleEndian, ids(windows[0]))
		if h := sha256.Sum256(b); hex.EncodeToString(h[:8]) != s.IDs || len(windows[0].Tokens) != s.Tokens {
			t.Errorf("%s: other tokens than the public tokenizer's", s.ID)
		}
		r, err := BGE().Read(t.Context(), windows[0])
		if err != nil {
			t.Fatal(err)
		}
		c := cosine(r.Pool(), s.pool)
		worst, sum = min(worst, c), sum+c
		if s.cls != nil {
			worstCLS = min(worstCLS, cosine(r.Token(0), s.cls))
		}
	}
	t.Logf("cosine %.5f at worst, %.5f on average; CLS %.5f at worst", worst, sum/float64(len(texts)), worstCLS)
	if min(worst, worstCLS) < .999 {
		t.Error("further from onnxruntime than .999")
	}
}

func TestOddTexts(t *testing.T) {
	lines(t, "testdata/odd.jsonl", func(b []byte) {
		var want struct {
			Text string
			IDs  []int32
		}
		if err := json.Unmarshal(b, &want); err != nil {
			t.Fatal(err)
		}
		if got := ids(BGE().Tokenize(want.Text, "")[0]); !slices.Equal(got, want.IDs) {
			t.Errorf("%q: %v, want %v", want.Text, got, want.IDs)
		}
	})
}

// long is a window of n tokens.
func long(t testing.TB, n int) Window {
	texts := reference(t)
	s := ""
	for _, r := range texts[20:24] {
		s += r.text + " "
	}
	w := BGE().Tokenize(texts[0].question, s)[0]
	w.Tokens = w.Tokens[:n]
	return w
}

func BenchmarkRead(b *testing.B) {
	w := long(b, 250)
	for _, k := range kernels() {
		b.Run(k.name, func(b *testing.B) {
			trunk := *BGE()
			trunk.kernel = k
			for b.Loop() {
				if _, err := trunk.Read(context.Background(), w); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
