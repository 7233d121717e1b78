package learned

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"preceptor/internal/llm/embedded"
	"preceptor/internal/phrase"
)

// Classes are the categories and, as 0, nothing. Once is the row behind them: whether a correction is meant for this
// time only. From Reacts on there is a row for each of Heard.
const (
	Classes = 5
	Once    = Classes
	Reacts  = Once + 1
	rows    = Reacts + 3
)

// Heard is what a reaction to something that an agent did says of it, in the order of the rows.
var Heard = []string{"neutral", "success", "failure"}

const (
	// floor is the least probability at which a sentence teaches, explicitFloor that of what has one of the seed's
	// expressions, and orderFloor that of a sentence which begins as an order in the seed's words ("Always do a dry
	// run"). What only begins as an order lies below ("Always the same error here"). They lie where a wish that is lost
	// weighs more than one that somebody declines: of two sets that were blind until then (learned.go) 8 of 64 messages
	// that teach nothing lasting reach them and 55 of 64 plain wishes, at .85, .55 and .3 it were 6 and 54, but 16
	// fewer of 128 other wishes.
	floor         = 0.7
	explicitFloor = 0.45
	orderFloor    = 0.2
	// likely is the probability from which a correction is taken as one for this time only.
	likely = 0.5
	// doubtful is the probability below which a learning's confidence is low: half-way from the floor to certainty.
	doubtful = (1 + floor) / 2
	// leastHeard is the probability above which a reaction is more than neutral.
	leastHeard = 0.6
	// mostReaction is how much of a reaction is read, in bytes: it opens with what it says.
	mostReaction = 600
	// mostMessage bounds the work for one message, in bytes; what is behind it is not read.
	mostMessage = 16 << 10
)

//go:embed weights.bin
var packed []byte

// Weights are a softmax, a row of Inputs and a bias for each class, a row of its own for Once, and a softmax of Heard.
type Weights [rows][]float32

var loaded = sync.OnceValue(func() *Weights {
	w, err := Unpack(packed)
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return w
})

// Unpack reads weights.bin, which fit_test.go writes: by class a scale and a byte for each weight.
func Unpack(b []byte) (*Weights, error) {
	const row = 4 + Inputs + 1
	var w Weights
	if len(b) != len(w)*row {
		return nil, fmt.Errorf("learned: weights.bin has %d bytes, not %d", len(b), len(w)*row)
	}
	for c := range w {
		part := b[c*row : (c+1)*row]
		scale := math.Float32frombits(binary.LittleEndian.Uint32(part))
		w[c] = make([]float32, Inputs+1)
		for i, code := range part[4:] {
			w[c][i] = scale * float32(int8(code))
		}
	}
	return &w, nil
}

// Probabilities are those of each class for a sentence with these features.
func (w *Weights) Probabilities(features []Feature) []float64 { return w.softmax(0, Classes, features) }

// Reaction are the probabilities of Heard for a reaction with these features.
func (w *Weights) Reaction(features []Feature) []float64 {
	return w.softmax(Reacts, len(Heard), features)
}

func (w *Weights) softmax(from, n int, features []Feature) []float64 {
	p, sum := make([]float64, n), 0.0
	for c := range p {
		p[c] = w.sum(from+c, features)
	}
	top := slices.Max(p)
	for c := range p {
		p[c] = math.Exp(p[c] - top)
		sum += p[c]
	}
	for c := range p {
		p[c] /= sum
	}
	return p
}

func (w *Weights) sum(row int, features []Feature) float64 {
	out := float64(w[row][Inputs])
	for _, f := range features {
		out += float64(w[row][f.At]) * float64(f.Value)
	}
	return out
}

// ForOnce is the probability that a correction with these features is meant for this time only.
func (w *Weights) ForOnce(features []Feature) float64 {
	return 1 / (1 + math.Exp(-w.sum(Once, features)))
}

// Teaches is the likeliest category of a sentence with these features, and the probability that it teaches anything.
func (w *Weights) Teaches(features []Feature) (class int, p float64) {
	return likeliest(w.Probabilities(features))
}

func likeliest(all []float64) (class int, p float64) {
	class = 1
	for c := 2; c < Classes; c++ {
		if all[c] > all[class] {
			class = c
		}
	}
	return class, 1 - all[0]
}

// Embedded reads messages with the weights of the program. It is safe for concurrent use.
type Embedded struct{ sentences *embedded.Embedder }

// Reaction is what a user's reaction says of what was done, one of Heard; neutral is what it is not sure of.
func (e *Embedded) Reaction(ctx context.Context, said string) (string, error) {
	units, err := Units(ctx, e.sentences, strings.ToValidUTF8(said[:min(len(said), mostReaction)], ""))
	if err != nil {
		return Heard[0], err
	}
	best, heard := leastHeard, Heard[0]
	for _, u := range units {
		p := loaded().Reaction(u.Features)
		for k := 1; k < len(p); k++ {
			if p[k] > best {
				best, heard = p[k], Heard[k]
			}
		}
	}
	return heard, nil
}

// NewEmbedded makes one; the weights fit one embedder alone.
func NewEmbedded() *Embedded { return &Embedded{embedded.New()} }

// Floor is the least probability at which a part of a message teaches.
func Floor(part string) float64 {
	switch {
	case strings.HasSuffix(part, "?"): // "Don't we have one?" orders nothing
		return floor
	case ordered.MatchString(part):
		return orderFloor
	case states.MatchString(part), polite.MatchString(part):
		return explicitFloor
	}
	return floor
}

// Extract gives the wishes that reach the floor.
func (e *Embedded) Extract(ctx context.Context, message string, limits Limits) ([]Learning, error) {
	if limits.short(message) {
		return nil, nil
	}
	read := message
	if len(read) > mostMessage {
		read = strings.ToValidUTF8(read[:mostMessage], "")
	}
	units, err := e.judge(ctx, read)
	if err != nil {
		return nil, err
	}
	var list []Learning
	sure := map[[2]int]float64{}
	for _, u := range units {
		class, p := likeliest(u.all)
		if p < u.floor {
			continue
		}
		l := stated(message, Categories[class-1], u.span.Start, u.span.End)
		l.Once = l.Category == Correction && u.once >= likely
		if p < doubtful && l.Confidence != High {
			l.Confidence = Low
		}
		sure[l.Span] = p
		list = append(list, l)
	}
	levels := []string{Low, Medium, High}
	slices.SortStableFunc(list, func(a, b Learning) int {
		return cmp.Or(cmp.Compare(slices.Index(levels, b.Confidence), slices.Index(levels, a.Confidence)),
			cmp.Compare(sure[b.Span], sure[a.Span]))
	})
	return list[:min(len(list), limits.most())], nil
}

// judged is a part of a message, and what the classifier says of it in all its spellings: the mean.
type judged struct {
	span        phrase.Span
	all         []float64
	once, floor float64
}

func (e *Embedded) judge(ctx context.Context, message string) (out []judged, err error) {
	n := 0.0
	for _, spelt := range spellings(message) {
		units, err := Units(ctx, e.sentences, spelt)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			out = make([]judged, len(units))
		} else if len(units) != len(out) {
			continue // it falls into other parts
		}
		n++
		for i, u := range units {
			all, floor := loaded().Probabilities(u.Features), Floor(u.Span.In(spelt))
			if n == 1 {
				out[i] = judged{u.Span, make([]float64, Classes), 0, floor}
			}
			out[i].floor = min(out[i].floor, floor)
			out[i].once += (loaded().ForOnce(u.Features) - out[i].once) / n
			for c := range all {
				out[i].all[c] += (all[c] - out[i].all[c]) / n
			}
		}
	}
	own := ownWords(message)
	return slices.DeleteFunc(out, func(u judged) bool { return !letter.MatchString(u.span.In(own)) }), nil
}
