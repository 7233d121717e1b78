package embedded

import (
	"context"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/llm"
)

func embed(t testing.TB, texts ...string) [][]float32 {
	t.Helper()
	v, err := New().Embed(t.Context(), texts)
	if err != nil || len(v) != len(texts) {
		t.Fatalf("%d vectors for %d texts, %v", len(v), len(texts), err)
	}
	return v
}

func cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestVectors(t *testing.T) {
	if e := New(); !llm.IsLocal(e) || e.Name() != Version || e.Dims() != Dims {
		t.Errorf("%s, %d", e.Name(), e.Dims())
	}
	for i, v := range embed(t, "Can I take it all?", "", " \n", "\xff\x00", "£",
		strings.Repeat("A pension pays for life. ", 2000)) {
		if len(v) != Dims || math.Abs(cosine(v, v)-1) > 1e-5 {
			t.Errorf("text %d: %d numbers of length %v", i, len(v), cosine(v, v))
		}
	}
	asked, err := New().Ask(t.Context(), "What happens\nto my old bed?")
	if err != nil {
		t.Fatal(err)
	}
	v := embed(t, "We take the old mattress away when we deliver the new one.",
		"Our showrooms are open from ten to six.", "What happens to my old bed?")
	if near, far := cosine(asked, v[0]), cosine(asked, v[1]); near < far+.1 {
		t.Errorf("the answer lies at %.3f, another page at %.3f", near, far)
	}
	if like := cosine(asked, v[2]); like > .999 || like < .5 {
		t.Errorf("a question to a search lies at %.3f of the same words read for their own sake", like)
	}
}

// A change of what is read or how makes other vectors, and that is a new Version: those that are stored are made anew.
func TestAVersionKeepsItsVectors(t *testing.T) {
	v := embed(t, "How long is my settee covered if it breaks?")[0]
	for i, want := range []float64{-.0599, -.0787, .0676, -.0159, -.0002, -.0284, .0014, .0170} {
		if math.Abs(float64(v[i])-want) > .004 {
			t.Errorf("number %d is %.4f, and was %.4f in %s", i, v[i], want, Version)
		}
	}
}

func TestAnEndedContextEndsTheReading(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New().Embed(ctx, []string{"never read before, one", "never read before, two"}); err == nil {
		t.Error("read all the same")
	}
}

func TestWhatIsRememberedIsTheCallersOwn(t *testing.T) {
	first := embed(t, "kept")[0]
	was := slices.Clone(first)
	clear(first)
	if again := embed(t, "kept")[0]; !slices.Equal(again, was) {
		t.Error("what a caller does to a vector changes the next one")
	}
	m := memory{seed: lately.seed, kept: map[uint64][]float32{}}
	for i := range 2*len(m.ring) + 3 {
		m.keep(strings.Repeat("x", i), []float32{1})
	}
	if len(m.kept) != len(m.ring) || m.get("") != nil || m.get(strings.Repeat("x", len(m.ring)+9)) == nil {
		t.Errorf("%d are kept", len(m.kept))
	}
}

// Of questions of 36 intents in five walks of life the nearest example has their intent, or doesn't.
func TestIntents(t *testing.T) {
	var examples, asked []string
	of := map[string]string{}
	b, err := os.ReadFile("testdata/intents.txt")
	if err != nil {
		t.Fatal(err)
	}
	name, n := "", 0
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '=':
			name, n = line, 0
		default:
			if of[line] = name; n%2 == 0 {
				examples = append(examples, line)
			} else {
				asked = append(asked, line)
			}
			n++
		}
	}
	known, right := embed(t, examples...), 0
	for i, v := range embed(t, asked...) {
		best := slices.IndexFunc(known, func(k []float32) bool {
			return !slices.ContainsFunc(known, func(other []float32) bool { return cosine(v, other) > cosine(v, k) })
		})
		if of[asked[i]] == of[examples[best]] {
			right++
		}
	}
	t.Logf("%d of %d; USE-lite with hashed words had .71", right, len(asked))
	if float64(right) < .82*float64(len(asked)) {
		t.Error("that is worse than it was")
	}
}

func BenchmarkAsk(b *testing.B) {
	texts := strings.Fields(
		strings.Repeat("what happens to my old bed when you bring the new one and who pays for that on a Sunday ", 40))
	for i := 0; b.Loop(); i++ {
		at := i % (len(texts) - 15)
		lately = memory{seed: lately.seed, kept: map[uint64][]float32{}}
		if _, err := New().Ask(context.Background(), strings.Join(texts[at:at+15], " ")); err != nil {
			b.Fatal(err)
		}
	}
}

// Lead reads as what tuned it does (numbers of the float model), after what was said before or alone.
func TestLeadReadsAsItWasTuned(t *testing.T) {
	for before, want := range map[string][]float64{
		"": {.0968, -.0400, -.0616, .0100, -.0126, .0295, .0796, .0177},
		"Hello there.\nHi, it's about my works pension.\n": {.0798, .0008, -.0539, .0002, -.0052, -.0229, .0655, -.0154},
	} {
		v, err := New().Lead(t.Context(), before, "When can I take it?")
		if err != nil || len(v) != Dims || math.Abs(cosine(v, v)-1) > 1e-5 {
			t.Fatalf("%d numbers of length %v, %v", len(v), cosine(v, v), err)
		}
		for i, x := range want {
			if math.Abs(float64(v[i])-x) > .01 {
				t.Errorf("after %q number %d is %.4f, want %.4f", before, i, v[i], x)
			}
		}
	}
	if v, err := New().Lead(t.Context(), "", "\xff\x00"); err != nil || math.Abs(cosine(v, v)-1) > 1e-5 {
		t.Errorf("of no words: %v, %v", cosine(v, v), err)
	}
}

func BenchmarkAsked(b *testing.B) {
	const q = "My husband died last year and I would like to know whether I can take his works pension as cash. "
	e, i := New(), 0
	for name, read := range map[string]func(string) ([]float32, error){
		"ask":  func(q string) ([]float32, error) { return e.Ask(b.Context(), q) },
		"lead": func(q string) ([]float32, error) { return e.Lead(b.Context(), "", q) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				i++
				if _, err := read(q + strings.Repeat("x", i%50) + string(rune('a'+i%26))); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
