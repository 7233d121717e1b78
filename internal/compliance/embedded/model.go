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
	Steers           map[string]Softmax // by judge: what a sentence is, in the order of Classes
	Acts             Softmax            // what a sentence does, in the order of Acts
	Judges           map[string]Softmax // by judge: compliant, borderline, not compliant
	Codes            map[string]Softmax // by judge: how likely the text has each issue, in the order of Codes
	Clear            Softmax            // one row: the log odds of a violation as all judges see it together
	From             []float64          // the probability from which an issue is named, in the order of Codes

	packed []row // the sentences' models side by side: what each feature adds to every class, and last the constants
}

// row is what one feature adds to every class, in columns() of its numbers: two lines of the processor's cache.
type row [rowWidth]float32

const rowWidth = 32

// newRows is room for the packed models.
func newRows() []row {
	if columns() > rowWidth {
		panic("embedded: more classes than a row of weights has room for")
	}
	return make([]row, Dimensions+1)
}

// columns is how many classes the packed models have together.
func columns() int { return len(Names)*len(Classes) + len(Acts) }

// Pack prepares w for reading; call it once the sentences' models are set.
func (w *Weights) Pack() *Weights {
	w.packed = newRows()
	put := func(column int, weights []float32) {
		for i, v := range weights {
			w.packed[i][column] = v
		}
	}
	for j, name := range Names {
		for c, row := range w.Steers[name].Weights {
			put(j*len(Classes)+c, row)
		}
	}
	for a, row := range w.Acts.Weights {
		put(len(Names)*len(Classes)+a, row)
	}
	return w
}

// Scores are what the sentences' models say of a text.
type Scores struct {
	Steers [][][]float64 // by judge in the order of Names, by sentence, by class
	Acts   [][]float64   // by sentence, by act

	disclosed []float64 // what of the text's vector is the same for all judges
	together  *float64  // the log odds of a violation as all judges see it together
}

// Read gives the scores of every sentence, all models in one pass.
func (w *Weights) Read(e *Evidence) Scores {
	s := Scores{Steers: make([][][]float64, len(Names)), Acts: make([][]float64, len(e.Vectors))}
	for j := range s.Steers {
		s.Steers[j] = make([][]float64, len(e.Vectors))
	}
	n := columns()
	room := make([]float64, n*len(e.Vectors))
	for i, x := range e.Vectors {
		sums := w.packed[Dimensions]
		w.addUp(&sums, x)
		all := room[i*n : (i+1)*n : (i+1)*n]
		for c := range all {
			all[c] = float64(sums[c])
		}
		for j := range Names {
			s.Steers[j][i] = normalise(all[j*len(Classes) : (j+1)*len(Classes)])
		}
		s.Acts[i] = normalise(all[len(Names)*len(Classes):])
	}
	s.disclosed = disclosed(s.Acts, e)
	if len(w.Clear.Weights) > 0 {
		together := w.together(s)
		s.together = &together
	}
	return s
}

// together is the log odds of a violation from the judges' mean.
func (w *Weights) together(s Scores) float64 {
	d := desks.Get().(*desk)
	defer desks.Put(d)
	return w.Clear.Sums(d.document(Together(s.Steers), s.disclosed))[0]
}

// Together is the mean of what the judges' models say of each sentence. They err apart, so that it is surer than each.
func Together(steers [][][]float64) [][]float64 {
	out := make([][]float64, len(steers[0]))
	all := make([]float64, len(out)*len(Classes))
	for i := range out {
		out[i] = all[i*len(Classes) : (i+1)*len(Classes)]
		for _, judge := range steers {
			for c, p := range judge[i] {
				out[i][c] += p / float64(len(steers))
			}
		}
	}
	return out
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
	From    map[string]float64              `json:"named_from"`    // by code
	Judges  map[string]map[string][]float64 `json:"judges"`        // judge, feature, weight of each label
	Codes   map[string]map[string][]float64 `json:"codes"`         // judge, feature, weight of each code
	Clear   map[string]map[string][]float64 `json:"clear"`         // "all", feature, weight
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
	w := &Weights{Version: f.Version, Trained: f.Trained, Judges: rows(f.Judges, WeighedFeatures, 3), Codes: rows(f.Codes, DocumentFeatures, len(Codes)),
		Clear: rows(f.Clear, DocumentFeatures, 1)[everyone], packed: newRows()}
	for _, c := range Codes {
		w.From = append(w.From, f.From[c])
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

// everyone stands in weights.json for the judges together.
const everyone = "all"

func rows(of map[string]map[string][]float64, names []string, n int) map[string]Softmax {
	out := map[string]Softmax{}
	for name, features := range of {
		m := make([][]float32, n)
		for l := range m {
			m[l] = make([]float32, len(names)+1)
			for i, feature := range withConstant(names) {
				if w := features[feature]; len(w) == n {
					m[l][i] = float32(w[l])
				}
			}
		}
		out[name] = Softmax{m}
	}
	return out
}

func withConstant(names []string) []string { return append(slices.Clone(names), "constant") }

// Encode gives weights.json and sentences.bin for what was fitted.
func (w *Weights) Encode() (small, large []byte, err error) {
	f := weightsFile{Version: w.Version, Trained: w.Trained, From: map[string]float64{}, Judges: byFeature(w.Judges, WeighedFeatures), Codes: byFeature(w.Codes, DocumentFeatures),
		Clear: byFeature(map[string]Softmax{everyone: w.Clear}, DocumentFeatures)}
	for i, c := range Codes {
		f.From[c] = w.From[i]
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

func byFeature(models map[string]Softmax, names []string) map[string]map[string][]float64 {
	out := map[string]map[string][]float64{}
	for name, m := range models {
		out[name] = map[string][]float64{}
		for i, feature := range withConstant(names) {
			row := []float64{}
			for l := range m.Weights {
				row = append(row, math.Round(float64(m.Weights[l][i])*1e3)/1e3)
			}
			out[name][feature] = row
		}
	}
	return out
}
