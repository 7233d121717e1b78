package embedded

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"sync"
)

// Softmax is a linear model of several classes: Weights[class][feature], the last feature the constant.
type Softmax struct {
	Weights [][]float32
}

// Scores are the classes' probabilities for a sparse vector.
func (m Softmax) Scores(x []Feature) []float64 {
	out := make([]float64, len(m.Weights))
	for c, w := range m.Weights {
		sum := w[len(w)-1]
		for _, f := range x {
			sum += w[f.At] * f.Value
		}
		out[c] = float64(sum)
	}
	return normalise(out)
}

func normalise(z []float64) []float64 {
	top := z[0]
	for _, v := range z {
		top = max(top, v)
	}
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

// weightsFile is weights.json: the sentences' model in 16-bit steps, and one small model a judge, by the names of its features.
type weightsFile struct {
	Version  string                          `json:"version"`
	Trained  string                          `json:"trained_on"`
	Step     float64                         `json:"sentence_step"`
	Sentence map[string][]string             `json:"sentence"` // by judge: base64 of little-endian int16, one row a class
	Judges   map[string]map[string][]float64 `json:"judges"`   // judge, feature, weight of each label
}

//go:embed weights.json
var weightsJSON []byte

// model is what weights.json holds, ready to use.
type model struct {
	version  string
	sentence map[string]Softmax
	judges   map[string]Softmax
}

var loaded = sync.OnceValue(func() *model {
	m, err := parse(weightsJSON)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return m
})

func parse(b []byte) (*model, error) {
	var f weightsFile
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("embedded: weights.json: %w", err)
	}
	m := &model{version: f.Version, sentence: map[string]Softmax{}, judges: map[string]Softmax{}}
	for name, rows := range f.Sentence {
		var of Softmax
		for _, row := range rows {
			w, err := unpack(row, f.Step)
			if err != nil {
				return nil, err
			}
			of.Weights = append(of.Weights, w)
		}
		m.sentence[name] = of
	}
	for name, features := range f.Judges {
		rows := make([][]float32, 3)
		for l := range rows {
			rows[l] = make([]float32, len(DocumentFeatures)+1)
			for i, feature := range append(append([]string{}, DocumentFeatures...), "constant") {
				if w := features[feature]; len(w) == 3 {
					rows[l][i] = float32(w[l])
				}
			}
		}
		m.judges[name] = Softmax{rows}
	}
	return m, nil
}

func unpack(row string, step float64) ([]float32, error) {
	raw, err := base64.StdEncoding.DecodeString(row)
	if err != nil || len(raw) != 2*(Dimensions+1) {
		return nil, fmt.Errorf("embedded: weights.json: a row of %d bytes for %d features", len(raw), Dimensions)
	}
	w := make([]float32, Dimensions+1)
	for i := range w {
		w[i] = float32(float64(int16(uint16(raw[2*i])|uint16(raw[2*i+1])<<8)) * step)
	}
	return w, nil
}

// Encode writes weights.json for what was fitted. judges are by name, their rows by label.
func Encode(version, trained string, sentence, judges map[string]Softmax) ([]byte, error) {
	f := weightsFile{Version: version, Trained: trained, Sentence: map[string][]string{}, Judges: map[string]map[string][]float64{}}
	top := 0.0
	for _, m := range sentence {
		for _, w := range m.Weights {
			for _, v := range w {
				top = max(top, math.Abs(float64(v)))
			}
		}
	}
	f.Step = top / 32000
	for name, m := range sentence {
		for _, w := range m.Weights {
			raw := make([]byte, 2*len(w))
			for i, v := range w {
				n := uint16(int16(math.Round(float64(v) / f.Step)))
				raw[2*i], raw[2*i+1] = byte(n), byte(n>>8)
			}
			f.Sentence[name] = append(f.Sentence[name], base64.StdEncoding.EncodeToString(raw))
		}
	}
	for name, m := range judges {
		f.Judges[name] = map[string][]float64{}
		for i, feature := range append(append([]string{}, DocumentFeatures...), "constant") {
			row := []float64{}
			for l := range m.Weights {
				row = append(row, math.Round(float64(m.Weights[l][i])*1e4)/1e4)
			}
			f.Judges[name][feature] = row
		}
	}
	return json.MarshalIndent(f, "", " ")
}
