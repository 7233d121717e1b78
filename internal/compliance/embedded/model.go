package embedded

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// Softmax is a linear model of several classes: Weights[class][feature], the last feature the constant.
type Softmax struct {
	Weights [][]float32
}

// Scores are the classes' probabilities for a sparse vector; they add up to 1.
func (m Softmax) Scores(x []Feature) []float64 { return normalise(m.Sums(x)) }

// Each are the probabilities of the rows by themselves, for a model whose rows are separate questions.
func (m Softmax) Each(x []Feature) []float64 {
	out := m.Sums(x)
	for i, z := range out {
		out[i] = 1 / (1 + math.Exp(-z))
	}
	return out
}

// Sums are the rows' log odds, before they are made probabilities. It makes four rows' sums side by side, each in the features' order: one addition need not wait for that of another row.
func (m Softmax) Sums(x []Feature) []float64 {
	out := make([]float64, len(m.Weights))
	c := 0
	for ; c+4 <= len(m.Weights); c += 4 {
		w0, w1, w2, w3 := m.Weights[c], m.Weights[c+1], m.Weights[c+2], m.Weights[c+3]
		last := len(w0) - 1
		s0, s1, s2, s3 := w0[last], w1[last], w2[last], w3[last]
		for _, f := range x {
			s0 += w0[f.At] * f.Value
			s1 += w1[f.At] * f.Value
			s2 += w2[f.At] * f.Value
			s3 += w3[f.At] * f.Value
		}
		out[c], out[c+1], out[c+2], out[c+3] = float64(s0), float64(s1), float64(s2), float64(s3)
	}
	for ; c < len(m.Weights); c++ {
		w := m.Weights[c]
		sum := w[len(w)-1]
		for _, f := range x {
			sum += w[f.At] * f.Value
		}
		out[c] = float64(sum)
	}
	return out
}

func normalise(z []float64) []float64 {
	top := slices.Max(z)
	sum := 0.0
	for i, v := range z {
		z[i] = math.Exp(v - top)
		sum += z[i]
	}
	for i := range z {
		z[i] /= sum
	}
	return z
}

// Weights are everything that was fitted.
type Weights struct {
	Version, Trained string
	Steers, Acts     Softmax            // what a sentence is, in the order of Classes, and what it does, in that of Acts
	Codes            Softmax            // how likely the text has each issue, in the order of Codes; each row by the features of its aspect
	Labels           map[string]Softmax // by aspect: compliant, borderline, not compliant
	From             []float64          // the probability from which an issue is named, in the order of Codes
	Shift            float64            // added to the log odds of a violation, for the careful side

	packed []row // the sentences' models side by side: what each feature adds to every class, and last the constants
}

// row is what one feature adds to every class, in columns() of its numbers: a line of the processor's cache.
type row [rowWidth]float32

const rowWidth = 16

// columns is how many classes the packed models have together.
func columns() int { return len(Classes) + len(Acts) }

// Pack prepares w for reading; call it once the sentences' models are set.
func (w *Weights) Pack() *Weights {
	w.packed = make([]row, Dimensions+1)
	for c, row := range append(slices.Clone(w.Steers.Weights), w.Acts.Weights...) {
		for i, v := range row {
			w.packed[i][c] = v
		}
	}
	return w
}

// Scores are what the sentences' models say of a text: by sentence, by class and by act.
type Scores struct{ Steers, Acts [][]float64 }

// Read gives the scores of every sentence, both models in one pass.
func (w *Weights) Read(e *Evidence) Scores {
	s := Scores{make([][]float64, len(e.Vectors)), make([][]float64, len(e.Vectors))}
	n := columns()
	room := make([]float64, n*len(e.Vectors))
	for i, x := range e.Vectors {
		sums := w.packed[Dimensions]
		w.addUp(&sums, x)
		all := room[i*n : (i+1)*n : (i+1)*n]
		for c := range all {
			all[c] = float64(sums[c])
		}
		s.Steers[i], s.Acts[i] = normalise(all[:len(Classes):len(Classes)]), normalise(all[len(Classes):])
	}
	return s
}

// addUp adds what the features of a sentence say to sums. It takes four at a time, so that their rows, which lie far apart, are
// fetched together; each sum is still made in the features' order.
func (w *Weights) addUp(sums *row, x []Feature) {
	w.fetch(x)
	for ; len(x) >= 4; x = x[4:] {
		a, b, c, d := &w.packed[x[0].At], &w.packed[x[1].At], &w.packed[x[2].At], &w.packed[x[3].At]
		va, vb, vc, vd := x[0].Value, x[1].Value, x[2].Value, x[3].Value
		for i := range sums {
			sum := sums[i]
			sum += a[i] * va
			sum += b[i] * vb
			sum += c[i] * vc
			sum += d[i] * vd
			sums[i] = sum
		}
	}
	for _, f := range x {
		for i, v := range &w.packed[f.At] {
			sums[i] += v * f.Value
		}
	}
}

// fetch reads a little of every row that a sentence asks for. None of these reads waits for another, as sums do, so that rows that
// lie far apart come into the processor's cache side by side.
func (w *Weights) fetch(x []Feature) {
	sum := float32(0)
	for _, f := range x {
		sum += w.packed[f.At][0] + w.packed[f.At][rowWidth/2]
	}
	fetched.Store(sum > 0)
}

// fetched keeps the compiler from leaving fetch out.
var fetched atomic.Bool

// weightsFile is weights.json: the small models, by the names of their features.
type weightsFile struct {
	Version string                          `json:"version"`
	Trained string                          `json:"trained_on"`
	Step    float64                         `json:"sentence_step"` // one step of sentences.bin
	Shift   float64                         `json:"shift"`
	From    map[string]float64              `json:"named_from"` // by code
	Codes   map[string]map[string]float64   `json:"codes"`      // code, feature, weight
	Labels  map[string]map[string][]float64 `json:"labels"`     // aspect, feature, weight of each label
}

//go:embed weights.json
var weightsJSON []byte

// sentencesBin is the packed sentences' models in little-endian 16-bit steps, compressed with gzip.
//
//go:embed sentences.bin
var sentencesBin []byte

var loaded = sync.OnceValue(func() *Weights {
	w, err := parse(weightsJSON, sentencesBin)
	if err != nil {
		panic(err) // the files are part of the program
	}
	return w
})

func parse(small, large []byte) (*Weights, error) {
	var f weightsFile
	if err := json.Unmarshal(small, &f); err != nil {
		return nil, fmt.Errorf("embedded: weights.json: %w", err)
	}
	w := &Weights{Version: f.Version, Trained: f.Trained, Shift: f.Shift, Labels: map[string]Softmax{}, packed: make([]row, Dimensions+1)}
	for _, aspect := range aspects {
		from, to := Of(aspect)
		for _, c := range Codes[from:to] {
			row := make([]float32, len(Features[aspect])+1)
			for i, feature := range withConstant(Features[aspect]) {
				row[i] = float32(f.Codes[c][feature])
			}
			w.Codes.Weights, w.From = append(w.Codes.Weights, row), append(w.From, f.From[c])
		}
		m := Softmax{make([][]float32, 3)}
		for l := range m.Weights {
			m.Weights[l] = make([]float32, len(WeighedFeatures[aspect])+1)
			for i, feature := range withConstant(WeighedFeatures[aspect]) {
				if v := f.Labels[aspect][feature]; len(v) == 3 {
					m.Weights[l][i] = float32(v[l])
				}
			}
		}
		w.Labels[aspect] = m
	}
	z, err := gzip.NewReader(bytes.NewReader(large))
	if err != nil {
		return nil, fmt.Errorf("embedded: sentences.bin: %w", err)
	}
	raw, err := io.ReadAll(z)
	n := columns()
	if err != nil || len(raw) != 2*len(w.packed)*n {
		return nil, fmt.Errorf("embedded: sentences.bin: %d bytes for %d weights (%v)", len(raw), len(w.packed)*n, err)
	}
	for i := range len(w.packed) * n {
		w.packed[i/n][i%n] = float32(float64(int16(binary.LittleEndian.Uint16(raw[2*i:]))) * f.Step)
	}
	return w, nil
}

func withConstant(names []string) []string { return append(slices.Clone(names), "constant") }

// Encode gives weights.json and sentences.bin for what was fitted.
func (w *Weights) Encode() (small, large []byte, err error) {
	f := weightsFile{Version: w.Version, Trained: w.Trained, Shift: round(w.Shift), From: map[string]float64{}, Codes: map[string]map[string]float64{}, Labels: map[string]map[string][]float64{}}
	for _, aspect := range aspects {
		from, to := Of(aspect)
		for k, c := range Codes[from:to] {
			f.From[c], f.Codes[c] = w.From[from+k], map[string]float64{}
			for i, feature := range withConstant(Features[aspect]) {
				f.Codes[c][feature] = round(float64(w.Codes.Weights[from+k][i]))
			}
		}
		f.Labels[aspect] = map[string][]float64{}
		for i, feature := range withConstant(WeighedFeatures[aspect]) {
			for _, row := range w.Labels[aspect].Weights {
				f.Labels[aspect][feature] = append(f.Labels[aspect][feature], round(float64(row[i])))
			}
		}
	}
	top := 0.0
	for _, r := range w.packed {
		for _, v := range r {
			top = max(top, math.Abs(float64(v)))
		}
	}
	f.Step = top / 2000 // fine enough, and small steps compress
	raw := make([]byte, 0, 2*len(w.packed)*columns())
	for _, r := range w.packed {
		for _, v := range r[:columns()] {
			raw = binary.LittleEndian.AppendUint16(raw, uint16(int16(math.Round(float64(v)/f.Step))))
		}
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, nil, err
	}
	if _, err := z.Write(raw); err != nil {
		return nil, nil, err
	}
	if err := z.Close(); err != nil {
		return nil, nil, err
	}
	small, err = json.MarshalIndent(f, "", " ")
	return append(small, '\n'), b.Bytes(), err
}
