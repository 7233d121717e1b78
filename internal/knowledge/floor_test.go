package knowledge_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"preceptor/internal/db/dbtest"
	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/llm/sentence"
	"preceptor/internal/search"
)

// group are the questions of an author that have an answer (1), or that have none (0).
type group struct {
	author string
	answer float64
}

// asked is a question with what speaks for an answer: the cosine of the best, the evidence in its words, and both vectors.
type asked struct {
	group
	signs []float64
}

const (
	beforeVectors = 4    // signs
	wrongSilences = 0.03 // share of the answered questions of an author left out, the mean over authors
)

// TestFitTheFloor writes floor.bin, with PRECEPTOR_FIT=1: a logistic regression of whether a question has an answer. The questions are those
// of testdata without w8, x8 and y8; testdata/floor has a file for each author who saw the pages alone ("-" has no answer). The line is
// where wrongSilences of an author left out lie below it.
func TestFitTheFloor(t *testing.T) {
	if os.Getenv("PRECEPTOR_FIT") == "" {
		t.Skip("set PRECEPTOR_FIT=1 to write floor.bin")
	}
	authors := []string{"a", "b", "c", "d", "e", "f", "ours", "near"} // near has no question with an answer
	list := readAsked(t, authors[:6])
	scores := map[group][]float64{}
	for _, author := range authors {
		m := fitFloor(slices.DeleteFunc(slices.Clone(list), func(q asked) bool { return q.author == author }))
		for _, q := range list {
			if q.author == author {
				scores[q.group] = append(scores[q.group], score(m, q))
			}
		}
	}
	below := func(author string, answer, line float64) float64 {
		all := scores[group{author, answer}]
		return float64(floats.Count(func(s float64) bool { return s < line }, all)) / float64(max(1, len(all)))
	}
	line := -20.0
	for wrong := 0.0; wrong < wrongSilences; line += 0.01 {
		wrong = 0
		for _, author := range authors[:7] {
			wrong += below(author, 1, line) / 7
		}
	}
	for _, author := range authors {
		t.Logf("%-4s left out: silent on %.3f without an answer, and on %.3f with one", author, below(author, 0, line), below(author, 1, line))
	}
	m := fitFloor(list)
	m[0] -= line
	var out bytes.Buffer
	for _, x := range slices.Delete(slices.Clone(m), 1, 2) { // the floor is the cosine at which the score is 0
		if err := binary.Write(&out, binary.LittleEndian, float32(-x/m[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("floor.bin", out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readAsked(t *testing.T, strangers []string) (list []asked) {
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
		q := asked{group{author, answer}, []float64{near[0].Score}}
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
	for _, q := range nearMisses(t) {
		add("near", q, 0)
	}
	for _, author := range strangers {
		for _, line := range lines(t, "testdata/floor/"+author+".txt") {
			add(author, line[2:], map[byte]float64{'+': 1}[line[0]])
		}
	}
	return list
}

// fitFloor gives a constant and a weight for each sign; those of the vectors are held small.
func fitFloor(list []asked) []float64 {
	const ridge = 0.8
	lossOf := func(slope, m []float64) (loss float64) {
		clear(slope)
		for i := 1 + beforeVectors; i < len(m); i++ {
			slope[i] = ridge * m[i]
			loss += ridge / 2 * m[i] * m[i]
		}
		for _, q := range list {
			s := score(m, q)
			by := 1/(1+math.Exp(-s)) - q.answer
			loss += max(s, 0) + math.Log1p(math.Exp(-math.Abs(s))) - q.answer*s
			slope[0] += by
			floats.AddScaled(slope[1:], by, q.signs)
		}
		return loss
	}
	r, err := optimize.Minimize(optimize.Problem{
		Func: func(m []float64) float64 { return lossOf(make([]float64, len(m)), m) },
		Grad: func(slope, m []float64) { lossOf(slope, m) },
	}, make([]float64, 1+len(list[0].signs)), &optimize.Settings{GradientThreshold: 1e-3, MajorIterations: 500}, &optimize.LBFGS{})
	if err != nil {
		panic(err)
	}
	return r.X
}

// score is above 0 where there is an answer.
func score(m []float64, q asked) float64 { return m[0] + floats.Dot(m[1:], q.signs) }
