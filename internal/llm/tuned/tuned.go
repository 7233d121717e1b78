// Package tuned is the branch of the encoder that was tuned to this program's tasks, and what it says of a question
// alone. The compliance judge (compliance/embedded) reads question and text together through the same branch.
//
// It owns no table. The same words give the same answer on every machine; what was read lately is kept in memory.
// tools/encoder tunes it; compliance/embedded/card.md says on what, and how well each head does on authors that it
// never saw.
package tuned

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"math"
	"slices"
	"sync"

	"preceptor/internal/llm/encoder"
)

// packed is the branch as tools/encoder writes it, or that file through gzip -9n, a tenth smaller.
//
//go:embed tuned.bin
var packed []byte

// Branch reads question and text, or either alone.
var Branch = encoder.Part("tuned", packed, func(b []byte) (*encoder.Branch, error) { return encoder.BGE().Branch(b) })

// Head is one of the branch's heads; it must have it.
func Head(name string) encoder.Head {
	h, ok := Branch().Head(name)
	if !ok {
		panic("tuned: no head " + name)
	}
	return h
}

// Kinds of questions, by what an answer must do first.
const (
	Explain   = "explain"   // a fact, rule, term, amount or time
	Options   = "options"   // what could be done
	Choice    = "choice"    // somebody is to choose or judge for them
	YesNo     = "yes_no"    // a closed question of fact or permission
	HowTo     = "how_to"    // steps
	DoIt      = "do_it"     // the desk is to act
	Complaint = "complaint" // something went wrong
	Crisis    = "crisis"    // grief, danger, no money for food, being scammed now
	Chat      = "chat"      // a greeting, thanks, nonsense
)

// Question is what a question asks for.
type Question struct {
	Kind  string             // the likeliest
	Kinds map[string]float64 // probability by kind
}

// from is the probability from which a question counts as of a kind: lower where to miss one costs more (authors left
// out, card.md).
var from = map[string]float64{Choice: 0.4, Crisis: 0.25}

// Is reports whether a question counts as of a kind; it may be of two.
func (q Question) Is(kind string) bool {
	if least, ok := from[kind]; ok {
		return q.Kinds[kind] >= least
	}
	return q.Kind == kind
}

var asked Memory[Question]

// Ask reads a question; of a very long one, what was said first.
func Ask(question string) Question {
	q, err := asked.Get(question, func() (q Question, err error) {
		r, err := Branch().Read(context.Background(), encoder.BGE().TokenizeTo(384, question, "")[0])
		if err != nil {
			return q, err
		}
		kind := Head("kind")
		q.Kinds = map[string]float64{}
		for i, p := range Softmax(kind.Apply(r.Pool())) {
			if q.Kinds[kind.Names[i]] = p; q.Kind == "" || p > q.Kinds[q.Kind] {
				q.Kind = kind.Names[i]
			}
		}
		return q, nil
	})
	if err != nil {
		panic("tuned: " + err.Error()) // reading fails only when a context ends, and this one doesn't
	}
	return q
}

// Softmax gives the probabilities of log odds, none of them quite 0 or 1.
func Softmax(z []float32) []float64 {
	top, sum, out := slices.Max(z), 0.0, make([]float64, len(z))
	for i, v := range z {
		out[i] = math.Exp(float64(v - top))
		sum += out[i]
	}
	for i := range out {
		out[i] = min(max(out[i]/sum, 1e-6), 1-1e-6)
	}
	return out
}

// Memory keeps what was read lately, by the words that were read: two generations of recent readings. It is safe for
// concurrent use.
type Memory[T any] struct {
	mu       sync.Mutex
	new, old map[[32]byte]T
}

// recent is how many readings a generation holds.
const recent = 1024

// Get gives what is kept under a key, or reads it; an error isn't kept.
func (m *Memory[T]) Get(words string, read func() (T, error)) (T, error) {
	key := sha256.Sum256([]byte(words))
	m.mu.Lock()
	v, ok := m.new[key]
	if !ok {
		v, ok = m.old[key]
	}
	m.mu.Unlock()
	if !ok {
		var err error
		if v, err = read(); err != nil {
			return v, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.new) >= recent || m.new == nil {
		m.old, m.new = m.new, map[[32]byte]T{}
	}
	m.new[key] = v
	return v, nil
}
