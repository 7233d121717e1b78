package knowledge_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"preceptor/internal/db/dbtest"
	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/llm/sentence"
	"preceptor/internal/search"
)

// fitWrong is the share of the answered questions of an author left out that may be met with silence, the mean over authors.
const fitWrong = 0.03

// asked is a question of an author with whether it has an answer, and what speaks for one: the cosine of the best, the evidence in its
// words, and both vectors.
type asked struct {
	author string
	answer float64 // 1 or 0
	signs  []float64
}

// plain is how many signs come before the vectors.
const plain = 4

// TestFitTheFloor writes floor.bin, with PRECEPTOR_FIT=1: a logistic regression of whether a question has an answer on the cosine of the
// best, the evidence in its words, and both vectors. The questions are those of testdata without w8, x8 and y8; testdata/floor has a
// file for each author who saw the pages alone ("-" has no answer). The line is where fitWrong of an author left out fall silent.
func TestFitTheFloor(t *testing.T) {
	if os.Getenv("PRECEPTOR_FIT") == "" {
		t.Skip("set PRECEPTOR_FIT=1 to write floor.bin")
	}
	list := readAsked(t)
	scores := make([]float64, len(list))
	authors := []string{"a", "b", "c", "d", "e", "f", "ours", "near"}
	for _, author := range authors {
		m := fitFloor(slices.DeleteFunc(slices.Clone(list), func(q asked) bool { return q.author == author }))
		for i, q := range list {
			if q.author == author {
				scores[i] = score(m, q)
			}
		}
	}
	share := func(author string, answer, line float64) float64 {
		below, all := 0.0, 0.0
		for i, q := range list {
			if q.author == author && q.answer == answer {
				if all++; scores[i] < line {
					below++
				}
			}
		}
		return below / max(1, all)
	}
	line := slices.Min(scores)
	for wrong := 0.0; wrong < fitWrong; line += 0.01 {
		wrong = 0
		for _, author := range authors[:7] {
			wrong += share(author, 1, line) / 7
		}
	}
	for _, author := range authors {
		t.Logf("%-4s left out: silent on %.3f without an answer, and on %.3f with one", author, share(author, 0, line), share(author, 1, line))
	}
	m := fitFloor(list)
	m[0] -= line
	var out bytes.Buffer
	for _, x := range slices.Delete(slices.Clone(m), 1, 2) {
		if err := binary.Write(&out, binary.LittleEndian, float32(-x/m[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("floor.bin", out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readAsked(t *testing.T) (list []asked) {
	d := dbtest.New(t)
	index, emb, second := search.New(d), embedded.New(), sentence.New(0)
	if _, err := knowledge.New(d, index, emb, knowledge.Options{}).Import(ctx, pensionwise(t), knowledge.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	add := func(author, text string, answer float64) {
		v, _, _ := emb.Ask(text)
		u, _, _ := second.Ask(text)
		near, err := index.Nearest(ctx, emb.Name(), v, search.Filter{Kind: search.KindCase}, 1)
		if err != nil || len(near) == 0 {
			t.Fatal(text, err)
		}
		q := asked{author, answer, []float64{near[0].Score}}
		for _, x := range slices.Concat(emb.Evidence(text), u, v) {
			q.signs = append(q.signs, float64(x))
		}
		list = append(list, q)
	}
	for _, l := range readLabelled(t) {
		if !contains([]string{"w8", "x8", "y8"}, l.Split) {
			add("ours", l.Query, float64(min(1, len(l.Relevant))))
		}
	}
	for author, name := range map[string]string{"near": "near_misses", "a": "floor/a", "b": "floor/b", "c": "floor/c", "d": "floor/d", "e": "floor/e", "f": "floor/f"} {
		text, err := os.ReadFile("testdata/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for q := range strings.Lines(string(text)) {
			if q = strings.TrimSpace(q); q != "" && q[0] != '#' {
				known, answered := strings.CutPrefix(q, "+ ")
				add(author, strings.TrimPrefix(known, "- "), map[bool]float64{true: 1}[answered])
			}
		}
	}
	return list
}

// fitFloor is the regression: a constant, and a weight for each sign; ridge holds those of the vectors small.
func fitFloor(list []asked) []float64 {
	const ridge = 0.8
	slope := func(into, m []float64) (loss float64) {
		for i, x := range m[1+plain:] {
			into[1+plain+i] += ridge * x
			loss += ridge / 2 * x * x
		}
		for _, q := range list {
			s := score(m, q)
			loss += max(s, 0) + math.Log1p(math.Exp(-math.Abs(s))) - q.answer*s
			by := 1/(1+math.Exp(-s)) - q.answer
			into[0] += by
			floats.AddScaled(into[1:], by, q.signs)
		}
		return loss
	}
	r, err := optimize.Minimize(optimize.Problem{
		Func: func(m []float64) float64 { return slope(make([]float64, len(m)), m) },
		Grad: func(grad, m []float64) { clear(grad); slope(grad, m) },
	}, make([]float64, 1+len(list[0].signs)), &optimize.Settings{GradientThreshold: 1e-3, MajorIterations: 500}, &optimize.LBFGS{})
	if err != nil {
		panic(err)
	}
	return r.X
}

// score is above 0 where there is an answer.
func score(m []float64, q asked) float64 { return m[0] + floats.Dot(m[1:], q.signs) }
