package sentence

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"preceptor/internal/llm"
)

var _ llm.Embedder = New(ExamplesFloor)

func embed(t testing.TB, text string) []float32 {
	t.Helper()
	v, err := New(ExamplesFloor).Embed(t.Context(), []string{text})
	if err != nil || len(v) != 1 || len(v[0]) != Dims {
		t.Fatalf("%v", err)
	}
	return v[0]
}

func cosine(a, b []float32) float64 {
	var s, x, y float64
	for i := range a {
		s += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	return s / math.Sqrt(x*y)
}

func TestItIsLocal(t *testing.T) {
	if e := New(ExamplesFloor); !llm.IsLocal(e) || e.Dims() != Dims || e.Name() != Version {
		t.Error("the embedder does not say what it is")
	}
}

// The network's own vectors, without our weights: pieces count alike.
func TestTheNetworkIsTheOriginal(t *testing.T) {
	raw, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var references []struct {
		Text   string
		Pieces []int32
		Vector []float32
	}
	if err := json.Unmarshal(raw, &references); err != nil || len(references) < 10 {
		t.Fatal(len(references), err)
	}
	w := loaded()
	for _, r := range references {
		ids := w.pieces.split(r.Text)
		if !slices.Equal(ids, r.Pieces) {
			t.Errorf("%q is cut into %v, want %v", r.Text, ids, r.Pieces)
		}
		s := sum{weight: float64(len(ids))}
		for i, v := range w.read(ids) {
			s.values[i%wide] += float64(v)
		}
		if c := cosine(w.finish(&s), r.Vector); c < 0.998 {
			t.Errorf("%q has a cosine of %.5f with the original's vector", r.Text, c)
		}
	}
}

// TestVectorsAreFrozenWithTheVersion holds every 64th number of some vectors. If it fails you have changed what vectors mean: raise
// Version, so that stored ones are made anew, and write testdata/frozen.json again with PRECEPTOR_FREEZE=1.
func TestVectorsAreFrozenWithTheVersion(t *testing.T) {
	type sample struct {
		Text   string
		Sample []float64
	}
	var frozen struct {
		Version string
		Samples []sample
	}
	raw, err := os.ReadFile("testdata/frozen.json")
	if err == nil {
		err = json.Unmarshal(raw, &frozen)
	}
	if err != nil {
		t.Fatal(err)
	}
	write := os.Getenv("PRECEPTOR_FREEZE") != ""
	for k, f := range frozen.Samples {
		var now []float64
		for i, x := range embed(t, f.Text) {
			if i%64 == 0 {
				now = append(now, math.Round(float64(x)*1e6)/1e6)
			}
		}
		for i, x := range now {
			if !write && (len(f.Sample) != len(now) || math.Abs(x-f.Sample[i]) > 2e-5) {
				t.Fatalf("%.30q: number %d is %v", f.Text, 64*i, x)
			}
		}
		frozen.Samples[k].Sample = now
	}
	if write {
		frozen.Version = Version
		raw, _ := json.MarshalIndent(frozen, "", " ")
		if err := os.WriteFile("testdata/frozen.json", append(raw, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if frozen.Version != Version || len(frozen.Samples) == 0 {
		t.Errorf("the samples are of %q", frozen.Version)
	}
}

func TestVectorsHaveLengthOne(t *testing.T) {
	for _, text := range []string{"", " ", "\n\n", "the of and", "x", "💷", strings.Repeat("parcel ", 20_000), strings.Repeat("a", 20_000), "\x00\xff", "\nbody alone"} {
		v := embed(t, text)
		if n := math.Sqrt(cosine(v, v)) * norm2(v); math.Abs(n-1) > 1e-5 || math.IsNaN(n) {
			t.Errorf("%.20q has length %v", text, n)
		}
	}
}

func norm2(v []float32) float64 {
	var s float64
	for _, x := range v {
		s += float64(x) * float64(x)
	}
	return math.Sqrt(s)
}

func TestTheSameTextGivesTheSameVectorEverywhere(t *testing.T) {
	text := "Lost luggage\nTell us at the desk in the arrivals hall."
	want := fmt.Sprint(embed(t, text))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				if v, _ := New(ExamplesFloor).Embed(t.Context(), []string{"other", text}); fmt.Sprint(v[1]) != want {
					t.Error("another vector for the same text")
				}
			}
		})
	}
	wg.Wait()
}

func TestEmbedEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(ExamplesFloor).Embed(ctx, []string{"x"}); err == nil {
		t.Error("no error")
	}
}

func TestMeaningWithoutACommonWord(t *testing.T) {
	question := embed(t, "someone nicked my wallet")
	near, far := embed(t, "I want to report a stolen purse"), embed(t, "I want to report a slow printer")
	if cosine(question, near) <= cosine(question, far) {
		t.Errorf("a stolen purse is %.2f away, a slow printer %.2f", cosine(question, near), cosine(question, far))
	}
}

func TestALongTextIsNotItsBeginning(t *testing.T) {
	filler := strings.Repeat("The office is open on weekdays from nine to five. ", 40)
	question := embed(t, "how do I return a faulty kettle")
	with, without := embed(t, "Shop\n"+filler+strings.Repeat("A faulty kettle can be returned. ", 20)), embed(t, "Shop\n"+filler)
	if cosine(question, with) < cosine(question, without)+0.1 {
		t.Errorf("the end of a long text hardly counts: %.2f and %.2f", cosine(question, with), cosine(question, without))
	}
}

func TestAskIsEmbed(t *testing.T) {
	for _, text := range []string{"", "where is my parcel?", "two\nlines  here", "💷"} {
		v, words, floor := New(ExamplesFloor).Ask(text)
		if line := strings.Join(strings.Fields(text), " "); words != line || fmt.Sprint(v) != fmt.Sprint(embed(t, line)) || floor != ExamplesFloor {
			t.Errorf("%q is read as %q with the floor %v", text, words, floor)
		}
	}
}

func TestSentences(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "The first is here. Two is there!": "The first is here.| Two is there!", "Use e.g. a card\nor cash, at £1.50 each": "Use e.g. a card\n|or cash, at £1.50 each",
	} {
		if got := strings.Join(sentences(text), "|"); got != want {
			t.Errorf("%q is cut into %q", text, got)
		}
	}
}

func TestBothProductsAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{16, 256, 512, 1536, 24} {
		row, x := make([]byte, n), make([]int16, group*n)
		for round := range 20 {
			for i := range row {
				row[i] = byte(random.IntN(255) - 127)
			}
			for i := range x {
				x[i] = int16(random.IntN(2*mostCode+1) - mostCode)
			}
			if round == 0 { // the largest sum there can be
				for i := range row {
					row[i] = 127
				}
				for i := range x {
					x[i] = mostCode
				}
			}
			var got, want [group]int32
			dot(row, x, &got)
			dotPlain(row, x, &want)
			if got != want || round == 0 && got[0] != int32(127*mostCode*n) {
				t.Fatalf("%d: %v, want %v", n, got, want)
			}
		}
	}
}

func TestMatrixTimesValues(t *testing.T) {
	d := dense{in: 16, out: 2, codes: make([]byte, 32), scale: []float32{0.5, 2}, bias: []float32{1, -1}}
	d.codes[0], d.codes[16] = 2, 0xff // 2 and -1
	x := make([]float32, 5*16)
	for i := range 5 {
		x[i*16] = float32(i)
	}
	if got, want := fmt.Sprint(d.apply(x, 5)), "[1 -1 2 -3 3 -5 4 -7 5 -9]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func FuzzPieces(f *testing.F) {
	for _, s := range []string{"", "where is my parcel?", "▁▁", "naïve ﬁnd 日本 🙂🙂", "\xff\x00", "a\u0301"} {
		f.Add(s)
	}
	p := &loaded().pieces
	texts := make([]string, len(p.scores))
	for text, id := range p.ids {
		texts[id] = text
	}
	f.Fuzz(func(t *testing.T, s string) {
		ids := p.split(s)
		var joined strings.Builder
		unknowns := false
		for i, id := range ids {
			if id < 0 || int(id) >= len(texts) || id > 0 && id < reserved || id == unknown && i > 0 && ids[i-1] == unknown {
				t.Fatalf("%q is cut into %v", s, ids)
			}
			unknowns = unknowns || id == unknown
			joined.WriteString(texts[id])
		}
		if !unknowns && joined.String() != plain(s) {
			t.Fatalf("%q became %q", plain(s), joined.String())
		}
		if len(s) < 500 {
			if n := norm2(loaded().vector(s)); math.Abs(n-1) > 1e-4 {
				t.Fatalf("length %v", n)
			}
		}
	})
}

const fifteen = "my card was swallowed by the cash machine on the high street what now please"

func BenchmarkQuestion(b *testing.B) {
	e := New(ExamplesFloor)
	for b.Loop() {
		lately = memory{seed: lately.seed, kept: map[uint64]read{}}
		e.Embed(b.Context(), []string{fifteen})
	}
}

func BenchmarkSection(b *testing.B) {
	e := New(ExamplesFloor)
	text := "Lost cards\n" + strings.Repeat("Tell us at once, and we stop the card and send you another within five working days. ", 15)
	for b.Loop() {
		lately = memory{seed: lately.seed, kept: map[uint64]read{}}
		e.Embed(b.Context(), []string{text})
	}
}

func BenchmarkReadWeights(b *testing.B) {
	for b.Loop() {
		readWeights(packed)
	}
}

func BenchmarkPlainProduct(b *testing.B) {
	row, x := make([]byte, wide), make([]int16, group*wide)
	var sums [group]int32
	for b.Loop() {
		dotPlain(row, x, &sums)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(group*wide), "ns/product")
}

// What was read lately is what would be read again, also when more came than are kept and when somebody changed what they were given.
func TestMemory(t *testing.T) {
	e := New(0)
	ask := func(text string) []float32 {
		v, err := e.Embed(t.Context(), []string{text})
		if err != nil {
			t.Fatal(err)
		}
		return v[0]
	}
	first := slices.Clone(ask(fifteen))
	clear(ask(fifteen))
	if again := ask(fifteen); !slices.Equal(first, again) {
		t.Error("what was read lately differs")
	}
	m := memory{kept: map[uint64]read{}, seed: maphash.MakeSeed()}
	for i := range int32(2 * len(m.ring)) {
		if _, weight := m.of([]int32{i}, func([]int32) ([]float32, float64) { return nil, float64(i) }); weight != float64(i) {
			t.Fatalf("%d reads as %v", i, weight)
		}
	}
	if len(m.kept) != len(m.ring) {
		t.Errorf("%d are kept, want %d", len(m.kept), len(m.ring))
	}
}
