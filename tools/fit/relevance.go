package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"preceptor/internal/compliance/relevance"
	"preceptor/internal/llm/sentence"
)

// Settings of the form that tells whether a draft answers its question, chosen with authors left out.
const (
	formSteps = 400
	formRate  = 1e-3
	formDecay = 3e-4
	formSharp = 8.0   // what the form is multiplied by before the softmax
	formFalse = 0.075 // the share of answers, by authors left out, that may lie below the line
	formBatch = 96
)

// asked is a question with its own answer.
type asked struct {
	item
	q, d []float32
}

// answers fits the form that tells whether a draft answers its question, on pairs/ and on the texts of texts/, one of each question,
// and measures it on authors left out. Most of its minutes are for the vectors.
func answers(dir string, write bool) error {
	pairs, err := readAsked(filepath.Join(dir, "pairs", "*.jsonl"))
	if err != nil {
		return err
	}
	texts, err := readAsked(filepath.Join(dir, "texts", "*.jsonl"))
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	texts = slices.DeleteFunc(texts, func(a *asked) bool { was := seen[a.Question]; seen[a.Question] = true; return was })
	embedAll(append(slices.Clone(pairs), texts...))

	var own, near, far, text []match
	authors := authorsOf(pairs)
	for _, left := range authors {
		f := fitForm(butFor(pairs, left), texts)
		rest := of(pairs, left)
		for _, a := range rest {
			for _, b := range rest {
				switch p := f.at(a, b); {
				case a == b:
					own = append(own, p)
				case a.Group == b.Group:
					near = append(near, p)
				case a.Domain == b.Domain:
					far = append(far, p)
				}
			}
		}
	}
	parts := authorsOf(texts)
	for i := range 4 {
		var left []string
		for k := i; k < len(parts); k += 4 {
			left = append(left, parts[k])
		}
		f := fitForm(pairs, butFor(texts, left...))
		for _, a := range of(texts, left...) {
			text = append(text, f.at(a, a))
		}
	}
	line := quantile(own, formFalse)
	var card strings.Builder
	fmt.Fprintf(&card, "# Does a draft answer its question?\n\nMade by `go run ./tools/fit -answers -write` on %s.\n\n", time.Now().Format("2 January 2006"))
	fmt.Fprintf(&card, "Data: %d questions with answers by %d authors (testdata/pairs), in groups of four on one subject, and %d texts with questions of %d authors (testdata/texts); all ours.\n\n", len(pairs), len(authors), len(texts), len(parts))
	fmt.Fprintf(&card, "Figures, each of an author whom the form had not read; a draft with %.0f%% of the question's words passes unread. The line was set so that %.1f%% of the answers lie below it:\n\n| drafts | called off topic |\n|---|--:|\n", 100*relevance.Enough, 100*formFalse)
	for _, row := range []struct {
		name string
		list []match
	}{{"answers to the question", own}, {"labelled texts, with the question they were written for", text}, {"answers to questions of other groups", far}, {"answers to the three other questions of the group", near}} {
		fmt.Fprintf(&card, "| %s (%d) | %.1f%% |\n", row.name, len(row.list), 100*below(row.list, line))
	}
	fmt.Fprintf(&card, "\nArea under the curve, by form and words: other groups %.3f, the same group %.3f. Line: %.3f.\n", area(own, far), area(own, near), line)
	fmt.Print(card.String())
	if !write {
		return nil
	}
	f := fitForm(pairs, texts)
	f.Line = float32(line)
	const to = "internal/compliance/relevance/"
	if err := os.WriteFile(to+"form.bin", f.Encode(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(to+"card.md", []byte(card.String()), 0o644)
}

func readAsked(pattern string) (out []*asked, err error) {
	items, err := load(pattern)
	for _, it := range items {
		if it.Question != "" && it.Guidance != "" {
			out = append(out, &asked{item: it})
		}
	}
	return out, err
}

func embedAll(list []*asked) {
	var wg sync.WaitGroup
	next := make(chan *asked)
	for range runtime.NumCPU() {
		wg.Go(func() {
			for a := range next {
				a.q, a.d = relevance.Vector(a.Question), relevance.Vector(a.Guidance)
			}
		})
	}
	for _, a := range list {
		next <- a
	}
	close(next)
	wg.Wait()
}

func authorsOf(list []*asked) (out []string) {
	for _, a := range list {
		if !slices.Contains(out, a.author) {
			out = append(out, a.author)
		}
	}
	return out
}

func butFor(list []*asked, authors ...string) []*asked {
	return slices.DeleteFunc(slices.Clone(list), func(a *asked) bool { return slices.Contains(authors, a.author) })
}

func of(list []*asked, authors ...string) []*asked {
	return slices.DeleteFunc(slices.Clone(list), func(a *asked) bool { return !slices.Contains(authors, a.author) })
}

// form is a form that is being fitted.
type form struct{ relevance.Form }

// match is what a form and the words that both have make of a question and a draft.
type match struct {
	fit    float64
	passes bool // by its words alone
}

func (f *form) at(question, draft *asked) match {
	share := sentence.Shared(question.Question, draft.Guidance)
	return match{f.Fit(question.q, draft.d) + relevance.ShareWeight*share, share >= relevance.Enough}
}

// fitForm is gradient descent (Adam) on batches of questions: each is to choose its own answer among those of its batch, and each answer its
// question. Two batches of three are of one author, groups whole, so that near misses are among the answers; the third is of texts.
func fitForm(pairs, texts []*asked) *form {
	r := rand.New(rand.NewPCG(14, 3))
	f := &form{relevance.Form{Question: noise(r), Draft: noise(r)}}
	sides := [2]adam{newAdam(f.Question), newAdam(f.Draft)}
	authors := authorsOf(pairs)
	for step := 1; step <= formSteps; step++ {
		var batch []*asked
		if step%3 == 0 {
			for _, i := range r.Perm(len(texts))[:min(formBatch, len(texts))] {
				batch = append(batch, texts[i])
			}
		} else {
			batch = groupsOf(of(pairs, authors[r.IntN(len(authors))]), r)
		}
		question, draft := f.slope(batch)
		sides[0].step(question, step)
		sides[1].step(draft, step)
	}
	return f
}

// groupsOf are whole groups of one domain, up to a batch.
func groupsOf(list []*asked, r *rand.Rand) (out []*asked) {
	domain := list[r.IntN(len(list))].Domain
	groups := map[string][]*asked{}
	var names []string
	for _, a := range list {
		if a.Domain == domain {
			if groups[a.Group] == nil {
				names = append(names, a.Group)
			}
			groups[a.Group] = append(groups[a.Group], a)
		}
	}
	for _, i := range r.Perm(len(names)) {
		if len(out)+len(groups[names[i]]) > formBatch {
			break
		}
		out = append(out, groups[names[i]]...)
	}
	return out
}

func noise(r *rand.Rand) []float32 {
	out := make([]float32, relevance.Dims*relevance.Rank)
	for i := range out {
		out[i] = float32(0.02 * r.NormFloat64())
	}
	return out
}

// slope is the gradient of the loss on a batch, for both matrices.
func (f *form) slope(batch []*asked) (question, draft []float64) {
	n := len(batch)
	q, d := make([][relevance.Rank]float64, n), make([][relevance.Rank]float64, n)
	for i, a := range batch {
		q[i], d[i] = relevance.Project(f.Question, a.q), relevance.Project(f.Draft, a.d)
	}
	s := make([][]float64, n)
	for i, a := range batch {
		s[i] = make([]float64, n)
		for j, b := range batch {
			sum := 0.0
			for k, x := range a.q {
				sum += float64(x) * float64(b.d[k])
			}
			for k := range q[i] {
				sum += q[i][k] * d[j][k]
			}
			s[i][j] = formSharp * sum
		}
	}
	g := make([][]float64, n)
	for i := range g {
		g[i] = make([]float64, n)
		g[i][i] = -formSharp / float64(n)
	}
	for i := range n {
		row, column := 0.0, 0.0
		rowMax, columnMax := slices.Max(s[i]), math.Inf(-1)
		for j := range n {
			columnMax = max(columnMax, s[j][i])
		}
		for j := range n {
			row += math.Exp(s[i][j] - rowMax)
			column += math.Exp(s[j][i] - columnMax)
		}
		for j := range n {
			g[i][j] += formSharp / float64(2*n) * math.Exp(s[i][j]-rowMax) / row
			g[j][i] += formSharp / float64(2*n) * math.Exp(s[j][i]-columnMax) / column
		}
	}
	question, draft = make([]float64, len(f.Question)), make([]float64, len(f.Draft))
	for i, a := range batch {
		var toQ, toD [relevance.Rank]float64
		for j := range batch {
			for k := range toQ {
				toQ[k] += g[i][j] * d[j][k]
				toD[k] += g[j][i] * q[j][k]
			}
		}
		for at := range a.q {
			for k := range toQ {
				question[at*relevance.Rank+k] += float64(a.q[at]) * toQ[k]
				draft[at*relevance.Rank+k] += float64(a.d[at]) * toD[k]
			}
		}
	}
	for i := range question {
		question[i] += formDecay * float64(f.Question[i])
		draft[i] += formDecay * float64(f.Draft[i])
	}
	return question, draft
}

// adam is Adam's state for one matrix (Kingma and Ba 2015).
type adam struct {
	of           []float32
	mean, square []float64
}

func newAdam(of []float32) adam { return adam{of, make([]float64, len(of)), make([]float64, len(of))} }

func (a *adam) step(slope []float64, n int) {
	first, second := 1-math.Pow(0.9, float64(n)), 1-math.Pow(0.999, float64(n))
	for i, g := range slope {
		a.mean[i] = 0.9*a.mean[i] + 0.1*g
		a.square[i] = 0.999*a.square[i] + 0.001*g*g
		a.of[i] -= float32(formRate * a.mean[i] / first / (math.Sqrt(a.square[i]/second) + 1e-8))
	}
}

// quantile is the fit below which a share of those points lies that don't pass by their words, counted in all points.
func quantile(list []match, share float64) float64 {
	var fits []float64
	for _, p := range list {
		if !p.passes {
			fits = append(fits, p.fit)
		}
	}
	slices.Sort(fits)
	return fits[min(int(share*float64(len(list))), len(fits)-1)]
}

func below(list []match, line float64) float64 {
	n := 0
	for _, p := range list {
		if !p.passes && p.fit < line {
			n++
		}
	}
	return float64(n) / float64(len(list))
}

// area is the chance that one of better fits better than one of worse.
func area(better, worse []match) float64 {
	var fits []float64
	for _, p := range worse {
		fits = append(fits, p.fit)
	}
	slices.Sort(fits)
	sum := 0
	for _, p := range better {
		at, _ := slices.BinarySearch(fits, p.fit)
		sum += at
	}
	return float64(sum) / float64(len(better)) / float64(len(fits))
}
