// Package tuned is the branch of the encoder that was tuned to this program's tasks, and what it says of a question alone. The compliance judge (compliance/embedded) reads question and text together through the same branch.
//
// It owns no table. The same words give the same answer on every machine; what was read lately is kept in memory. tools/encoder tunes it;
// compliance/embedded/card.md says on what, and how well each head does on authors that it never saw.
package tuned

import (
	"context"
	_ "embed"
	"math"
	"slices"
	"sync"

	"preceptor/internal/llm/encoder"
)

//go:embed tuned.bin
var file []byte

// Branch reads question and text, or either alone.
var Branch = sync.OnceValue(func() *encoder.Branch {
	b, err := encoder.BGE().Branch(file)
	if err != nil {
		panic("tuned: " + err.Error()) // the file is part of the program, and a test reads it
	}
	return b
})

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

// from is the probability from which a question counts as of a kind: lower where to miss one costs more (authors left out, card.md).
var from = map[string]float64{Choice: 0.4, Crisis: 0.25}

// Is reports whether a question counts as of a kind; it may be of two.
func (q Question) Is(kind string) bool {
	if least, ok := from[kind]; ok {
		return q.Kinds[kind] >= least
	}
	return q.Kind == kind
}

var asked memory[Question]

// Ask reads a question.
func Ask(question string) Question {
	return asked.get(question, func() Question {
		v := read(question).Pool()
		kind := Head("kind")
		q := Question{Kinds: map[string]float64{}}
		p := softmax(kind.Apply(v))
		for i, name := range kind.Names {
			q.Kinds[name] = p[i]
			if p[i] > q.Kinds[q.Kind] || q.Kind == "" {
				q.Kind = name
			}
		}
		return q
	})
}

// read reads the first window: of a longer text what was said first decides.
func read(text string) encoder.Reading {
	r, err := Branch().Read(context.Background(), encoder.BGE().TokenizeTo(384, text, "")[0])
	if err != nil {
		panic("tuned: " + err.Error()) // it fails only when a context ends, and this one doesn't
	}
	return r
}

func softmax(z []float32) []float64 {
	top, sum, out := slices.Max(z), 0.0, make([]float64, len(z))
	for i, v := range z {
		out[i] = math.Exp(float64(v - top))
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// memory keeps what was read lately: two generations of recent answers.
type memory[T any] struct {
	mu       sync.Mutex
	new, old map[string]T
}

// recent is how many answers a generation holds.
const recent = 2048

func (m *memory[T]) get(key string, read func() T) T {
	m.mu.Lock()
	v, ok := m.new[key]
	if !ok {
		v, ok = m.old[key]
	}
	m.mu.Unlock()
	if !ok {
		v = read()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.new) >= recent || m.new == nil {
		m.old, m.new = m.new, map[string]T{}
	}
	m.new[key] = v
	return v
}
