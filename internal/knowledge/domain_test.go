package knowledge_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/search"
)

// group are the questions of an author that have an answer (1), or that have none (0).
type group struct {
	author string
	answer float64
}

// asked is a question with the numbers that speak for an answer: the cosine of the best, and its vector; and where
// its answers lie.
type asked struct {
	group
	signs   []float64
	answers []float64 // their mean; nil where it has none or nobody named them
}

const (
	wrongSilences = 0.05 // share of the answered questions of an author left out, the mean over authors
	leadRidge     = 0.3
	floorRidge    = 0.04
)

// TestFitTheDomain writes domain.bin, with PRECEPTOR_FIT=1. The way from a question to its answers is a ridge
// regression on the questions of testdata whose answers are named. The floor is a logistic regression of whether a
// question has an answer; testdata/floor has a file for each author who saw the pages alone ("-" has no answer), and
// its line is where wrongSilences of an author left out lie below it. Both are fitted without "test" and y8.
func TestFitTheDomain(t *testing.T) {
	if os.Getenv("PRECEPTOR_FIT") == "" {
		t.Skip("set PRECEPTOR_FIT=1 to write domain.bin")
	}
	// near has no question with an answer
	authors := []string{"a", "b", "c", "d", "e", "f", "ours", "strangers", "near"}
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
		for _, author := range authors[:8] {
			wrong += below(author, 1, line) / 8
		}
	}
	for _, author := range authors {
		t.Logf("%-4s left out: silent on %.3f without an answer, and on %.3f with one", author, below(author, 0, line),
			below(author, 1, line))
	}
	m := fitFloor(list)
	m[0] -= line
	var out bytes.Buffer
	write := func(x any) {
		if err := binary.Write(&out, binary.LittleEndian, x); err != nil {
			t.Fatal(err)
		}
	}
	constant, scales, codes := fitLead(t, list)
	write(constant)
	write(scales)
	for _, x := range slices.Delete(slices.Clone(m), 1, 2) { // the floor is the cosine at which the score is 0
		write(float32(-x / m[1]))
	}
	write(codes)
	if err := os.WriteFile("domain.bin", out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readAsked(t *testing.T, strangers []string) (list []asked) {
	d := dbtest.New(t)
	index, emb := search.New(d), embedded.New()
	b := knowledge.New(d, index, emb, knowledge.Options{})
	if _, err := b.Import(ctx, pensionwise(t), knowledge.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	cases, _, err := b.Cases(ctx, knowledge.Filter{Limit: 500})
	if err != nil {
		t.Fatal(err)
	}
	cited := map[string]string{}
	for _, c := range cases {
		cited[c.ID] = c.Citation
	}
	pending, err := index.Pending(ctx, "none", 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string][]float64{}
	for _, p := range pending {
		v, err := emb.Embed(ctx, []string{p.Text})
		if err != nil {
			t.Fatal(err)
		}
		sections[cited[p.ID]] = doubles(v[0])
	}
	add := func(author, text string, answer float64, relevant []string) {
		v, err := emb.Ask(ctx, text)
		if err != nil {
			t.Fatal(err)
		}
		near, err := index.Nearest(ctx, emb.Name(), v, search.Filter{Kind: search.KindCase, AgentID: search.AnyAgent},
			1)
		if err != nil || len(near) == 0 {
			t.Fatal(text, err)
		}
		q := asked{group: group{author, answer}, signs: append([]float64{near[0].Score}, doubles(v)...)}
		for _, r := range relevant {
			if sections[r] == nil {
				t.Fatalf("%q is answered by %s, which isn't there", text, r)
			}
			if q.answers == nil {
				q.answers = make([]float64, len(v))
			}
			floats.Add(q.answers, sections[r])
		}
		if q.answers != nil {
			floats.Scale(1/floats.Norm(q.answers, 2), q.answers)
		}
		list = append(list, q)
	}
	for _, l := range readLabelled(t, "recall_queries") {
		switch {
		case contains([]string{"test", "y8"}, l.Split):
		case contains([]string{"w8", "x8"}, l.Split):
			add("strangers", l.Query, float64(min(1, len(l.Relevant))), l.Relevant)
		default:
			add("ours", l.Query, float64(min(1, len(l.Relevant))), l.Relevant)
		}
	}
	for _, q := range nearMisses(t) {
		add("near", q, 0, nil)
	}
	for _, author := range strangers {
		for _, line := range lines(t, "testdata/floor/"+author+".txt") {
			add(author, line[2:], map[byte]float64{'+': 1}[line[0]], nil)
		}
	}
	return list
}

func doubles(v []float32) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}

// fitLead gives what domain.bin holds of the way from a question to its answers: constant, scales and codes.
func fitLead(t *testing.T, list []asked) (constant, scales []float32, codes []int8) {
	shift, w := ridge(t, list, leadRidge)
	scales, codes = rounded(w)
	return shift, scales, codes
}

// ridge fits how far from a question its answers lie: a constant and a matrix.
func ridge(t *testing.T, list []asked, by float64) (constant []float32, w *mat.Dense) {
	list = slices.DeleteFunc(slices.Clone(list), func(q asked) bool { return q.answers == nil })
	n := len(list[0].answers)
	from, to := make([]float64, n), make([]float64, n)
	for _, q := range list {
		floats.AddScaled(from, 1/float64(len(list)), q.signs[1:])
		floats.AddScaled(to, 1/float64(len(list)), floats.SubTo(make([]float64, n), q.answers, q.signs[1:]))
	}
	x, y := mat.NewDense(len(list), n, nil), mat.NewDense(len(list), n, nil)
	for i, q := range list {
		x.SetRow(i, floats.SubTo(make([]float64, n), q.signs[1:], from))
		y.SetRow(i, floats.SubTo(make([]float64, n), floats.SubTo(make([]float64, n), q.answers, q.signs[1:]), to))
	}
	var xx, xy mat.Dense
	w = new(mat.Dense)
	xx.Mul(x.T(), x)
	xy.Mul(x.T(), y)
	for i := range n {
		xx.Set(i, i, xx.At(i, i)+by)
	}
	if err := w.Solve(&xx, &xy); err != nil {
		t.Fatal(err)
	}
	shift := make([]float64, n)
	for i := range n {
		floats.AddScaled(shift, -from[i], w.RawRowView(i))
	}
	for _, v := range shift {
		constant = append(constant, float32(v))
	}
	return constant, w
}

// rounded are the rows of a matrix in bytes, a scale each.
func rounded(w *mat.Dense) (scales []float32, codes []int8) {
	rows, _ := w.Dims()
	for i := range rows {
		row := w.RawRowView(i)
		most := max(slices.Max(row), -slices.Min(row), 1e-9)
		scales = append(scales, float32(most/127))
		for _, v := range row {
			codes = append(codes, int8(math.RoundToEven(v/most*127)))
		}
	}
	return scales, codes
}

// fitFloor gives a constant and a weight for each sign; those of the vectors are held small.
func fitFloor(list []asked) []float64 {
	const beforeVectors = 1
	lossOf := func(slope, m []float64) (loss float64) {
		clear(slope)
		for i := 1 + beforeVectors; i < len(m); i++ {
			slope[i] = floorRidge * m[i]
			loss += floorRidge / 2 * m[i] * m[i]
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
	}, make([]float64, 1+len(list[0].signs)), &optimize.Settings{GradientThreshold: 1e-3, MajorIterations: 500},
		&optimize.LBFGS{})
	if err != nil {
		panic(err)
	}
	return r.X
}

// score is above 0 where there is an answer.
func score(m []float64, q asked) float64 { return m[0] + floats.Dot(m[1:], q.signs) }
