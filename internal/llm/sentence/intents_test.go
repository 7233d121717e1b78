package sentence

import (
	"math"
	"os"
	"strings"
	"testing"

	"preceptor/internal/llm"
	"preceptor/internal/llm/embedded"
)

// asked is a question of a file: its heading, and whether it is an example.
type asked struct {
	text, heading string
	example       bool
}

// questions reads a file of headings ("= it.vpn") and questions; the 1st, 3rd, ... below a heading are examples.
func questions(t testing.TB, name string) (out []asked) {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	heading, n := "", 0
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "= "):
			heading, n = line[2:], 0
		default:
			out = append(out, asked{line, heading, n%2 == 0})
			n++
		}
	}
	return out
}

// likeness says how like two questions are, by their places.
type likeness func(i, j int) float64

func byVectors(t testing.TB, e llm.Embedder, list []asked) likeness {
	t.Helper()
	return within(vectorsOf(t, e, list), 0, e.Dims())
}

func vectorsOf(t testing.TB, e llm.Embedder, list []asked) [][]float32 {
	t.Helper()
	texts := make([]string, len(list))
	for i, q := range list {
		texts[i] = q.text
	}
	vectors, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return vectors
}

// nearest is the example most like question i, other than those that skip leaves out.
func nearest(list []asked, i int, like likeness, skip func(asked) bool) (at int, best float64) {
	at, best = -1, -2
	for j, q := range list {
		if j == i || skip(q) {
			continue
		}
		if s := like(i, j); s > best {
			at, best = j, s
		}
	}
	return at, best
}

// found is the share of questions whose nearest example has their intent.
func found(list []asked, like likeness, swapped bool) float64 {
	right, all := 0.0, 0.0
	for i, q := range list {
		if q.example != swapped {
			continue
		}
		all++
		at, _ := nearest(list, i, like, func(other asked) bool { return other.example == swapped })
		if list[at].heading == q.heading {
			right++
		}
	}
	return right / all
}

// byFrequency is plain TF-IDF over words, pairs of words and runs of 3 to 5 letters, with the frequencies of the examples.
func byFrequency(list []asked) likeness {
	vectors := make([]map[string]float64, len(list))
	in, examples := map[string]float64{}, 0.0
	for i, q := range list {
		vectors[i] = parts(q.text)
		if !q.example {
			continue
		}
		examples++
		for part := range vectors[i] {
			in[part]++
		}
	}
	for _, v := range vectors {
		square := 0.0
		for part, n := range v {
			v[part] = (1 + math.Log(n)) * (1 + math.Log((1+examples)/(1+in[part])))
			square += v[part] * v[part]
		}
		for part := range v {
			v[part] /= math.Sqrt(square)
		}
	}
	return func(i, j int) (s float64) {
		for part, x := range vectors[i] {
			s += x * vectors[j][part]
		}
		return s
	}
}

func parts(text string) map[string]float64 {
	out, before := map[string]float64{}, ""
	for _, w := range fields(text) {
		out["w"+w]++
		out["p"+before+" "+w]++
		before = w
		marked := "<" + w + ">"
		for n := 3; n <= 5; n++ {
			for i := 0; i+n <= len(marked); i++ {
				out["c"+marked[i:i+n]]++
			}
		}
	}
	return out
}

// within compares the numbers from one place to another: with the whole vector, meaning alone or words alone.
func within(vectors [][]float32, from, to int) likeness {
	return func(i, j int) float64 { return cosine(vectors[i][from:to], vectors[j][from:to]) }
}

// original is the network as it was published, pieces counting alike.
func original(list []asked) likeness {
	w, vectors := loaded(), make([][]float32, len(list))
	for i, q := range list {
		ids := w.pieces.split(q.text)
		s := sum{weight: float64(len(ids))}
		for k, v := range w.read(ids) {
			s.values[k%wide] += float64(v)
		}
		vectors[i] = w.finish(&s)
	}
	return func(i, j int) float64 { return cosine(vectors[i], vectors[j]) }
}

func TestIntents(t *testing.T) {
	for _, c := range []struct {
		file  string
		least float64
	}{{"intents.txt", 0.65}, {"topics.txt", 0.25}} {
		if testing.Short() && c.file == "topics.txt" {
			continue
		}
		list := questions(t, c.file)
		vectors := vectorsOf(t, New(ExamplesFloor), list)
		ours, network := within(vectors, 0, Dims), original(list)
		pension, frequency := byVectors(t, embedded.New(), list), byFrequency(list)
		share := map[string]float64{}
		for _, by := range []struct {
			name string
			like likeness
		}{
			{"pension", pension}, {"TF-IDF", frequency}, {"our words alone", within(vectors, wide, Dims)},
			{"network as published", network}, {"network, pieces weighed", within(vectors, 0, wide)}, {"ours", ours},
			{"network as published + TF-IDF", both(network, frequency, 0.5)}, {"network as published + pension", both(network, pension, 0.2)},
			{"ours + pension", both(ours, pension, 0.2)},
		} {
			share[by.name] = found(list, by.like, false)
			t.Logf("%s: %-30s %.3f, halves swapped %.3f", c.file, by.name, share[by.name], found(list, by.like, true))
		}
		if got := share["ours"]; got < c.least || got < share["pension"]+0.08 || got < share["TF-IDF"]+0.08 {
			t.Errorf("%s: %.3f of the intents are found; want %.2f, and 0.08 more than the pension embedder and TF-IDF", c.file, got, c.least)
		}
	}
}

// both adds a second likeness with a weight that was chosen on the examples alone.
func both(a, b likeness, weight float64) likeness {
	return func(i, j int) float64 { return a(i, j) + weight*b(i, j) }
}

// TestFloor measures the floor on what it was not set on: the questions that are no examples, and every other unrelated one.
func TestFloor(t *testing.T) {
	list := questions(t, "intents.txt")
	known := len(list)
	list = append(list, questions(t, "unrelated.txt")...)
	like := byVectors(t, New(ExamplesFloor), list)
	count := map[string][2]float64{} // kept, all
	note := func(what string, best float64) {
		n := count[what]
		if best >= ExamplesFloor {
			n[0]++
		}
		n[1]++
		count[what] = n
	}
	for i, q := range list {
		if q.example {
			continue
		}
		if i >= known {
			_, best := nearest(list[:known], i, like, func(o asked) bool { return !o.example })
			note(q.heading, best)
			continue
		}
		at, best := nearest(list[:known], i, like, func(o asked) bool { return !o.example })
		if list[at].heading == q.heading {
			note("right", best)
		} else {
			note("wrong", best)
		}
		_, best = nearest(list[:known], i, like, func(o asked) bool { return !o.example || o.heading == q.heading })
		note("own intent removed", best)
	}
	share := func(what string) float64 { return count[what][0] / count[what][1] }
	for what, n := range count {
		t.Logf("%s: %.0f of %.0f reach the floor (%.3f)", what, n[0], n[1], share(what))
	}
	if unrelated := (count["near"][0] + count["far"][0]) / (count["near"][1] + count["far"][1]); unrelated > 0.1 {
		t.Errorf("%.2f of the unrelated questions get an answer", unrelated)
	}
	if share("right") < 0.85 {
		t.Errorf("only %.2f of the right answers are kept", share("right"))
	}
}
