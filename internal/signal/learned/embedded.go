package learned

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/llm/encoder"
	"preceptor/internal/llm/tuned"
	"preceptor/internal/phrase"
)

// Heard is what a reaction to something that an agent did says of it, in the order of the head's rows.
var Heard = []string{"neutral", "success", "failure"}

const (
	// floor is the least probability at which a part of a message teaches, chosen on testdata/held.
	floor = 0.7
	// doubtful is the probability below which a learning's confidence is low: half-way from the floor to certainty.
	doubtful = (1 + floor) / 2
	// leastHeard is the probability above which a reaction is more than neutral.
	leastHeard = 0.6
	// leastLasting and surelyLasts are how sure the reader has to be that an order lasts, read of the work at hand or
	// by its own words: of 33 orders for once that it took for lasting ones 5 were left, of 122 lasting ones of a few
	// words 12 were lost, of 153 others 2.
	leastLasting, surelyLasts = 0.28, 4
	// mostReaction is how much of a reaction is read, in bytes: it opens with what it says.
	mostReaction = 600
	// mostMessage bounds the work for one message, in bytes; what is behind it is not read.
	mostMessage = 16 << 10
	// mostTokens are read at once.
	mostTokens = 256
)

// readerFile makes of the trunk what reads a message; tools/encoder/reader.py tunes it.
//
//go:embed reader.bin
var readerFile []byte

var reader = encoder.Part("learned: reader.bin", readerFile, func(b []byte) (*encoder.Branch, error) {
	return encoder.BGE().Adapted(b)
})

// Embedded reads messages with the reader of the program. It is safe for concurrent use.
type Embedded struct{}

// NewEmbedded makes one.
func NewEmbedded() *Embedded { return &Embedded{} }

// Reaction is what a user's reaction says of what was done, one of Heard; neutral is what it is not sure of.
func (*Embedded) Reaction(ctx context.Context, said string) (string, error) {
	said = ownWords(strings.ToValidUTF8(said[:min(len(said), mostReaction)], ""))
	r, err := reader().Read(ctx, encoder.BGE().TokenizeTo(mostTokens, said, "")[0])
	if err != nil {
		return Heard[0], err
	}
	heard, best := 0, leastHeard
	for k, p := range asked("heard", r.Pool()) {
		if k > 0 && p > best {
			heard, best = k, p
		}
	}
	return Heard[heard], nil
}

// asked are the probabilities of a head's outputs.
func asked(name string, of []float32) []float64 {
	h, _ := reader().Head(name)
	return tuned.Softmax(h.Apply(of))
}

// Extract gives the wishes that reach the floor. A message is read at once, or where it is long in stretches that
// overlap, and each part of it in the first one that has its end.
func (*Embedded) Extract(ctx context.Context, message string, limits Limits) ([]Learning, error) {
	if limits.short(message) {
		return nil, nil
	}
	read := message
	if len(read) > mostMessage {
		read = strings.ToValidUTF8(read[:mostMessage], "")
	}
	own, parts := Units(read)
	one := len(parts) == 1 && !states.MatchString(own)
	windows := encoder.BGE().TokenizeTo(mostTokens, own, "")
	var list []Learning
	sure := map[[2]int]float64{}
	for i, w := range windows {
		r, err := reader().Read(ctx, w)
		if err != nil {
			return nil, err
		}
		whole := r.Pool()
		for len(parts) > 0 && (i+1 == len(windows) || parts[0].End <= w.Tokens[len(w.Tokens)-2].To) {
			of := parts[0]
			l, p, once := taught(message, of, append(r.Between(of.Start, of.End), whole...))
			if parts = parts[1:]; p < floor {
				continue
			}
			if l.Once = once > 0 && l.Category == Correction; one && once > -surelyLasts && !l.Once {
				if l.Once, err = isOnce(ctx, of.In(own)); err != nil {
					return nil, err
				}
			}
			list, sure[l.Span] = append(list, l), p
		}
	}
	levels := []string{Low, Medium, High}
	slices.SortStableFunc(list, func(a, b Learning) int {
		return cmp.Or(cmp.Compare(slices.Index(levels, b.Confidence), slices.Index(levels, a.Confidence)),
			cmp.Compare(sure[b.Span], sure[a.Span]))
	})
	return list[:min(len(list), limits.most())], nil
}

// atHand says an order of the work at hand.
var atHand = []string{"Ok, %s", "%s today", "Let's %s"}

// isOnce reports whether an order that has none of the seed's expressions is for this time only ("Deploy to staging"):
// by itself it reads like a lasting one, and said of the work at hand it doesn't.
func isOnce(ctx context.Context, order string) (bool, error) {
	lasts := 0.0
	for _, said := range atHand {
		said = fmt.Sprintf(said, strings.TrimRight(strings.TrimSpace(order), ".!"))
		r, err := reader().Read(ctx, encoder.BGE().TokenizeTo(mostTokens, said, "")[0])
		if err != nil {
			return false, err
		}
		lasts += 1 - asked("teaches", append(r.Between(0, len(said)), r.Pool()...))[0]
	}
	return lasts < leastLasting*float64(len(atHand)), nil
}

// taught is what a part of a message teaches by its vector, the probability that it teaches anything, and by how much
// more it is meant once than not.
func taught(message string, part phrase.Span, v []float32) (l Learning, p float64, once float32) {
	all, class := asked("teaches", v), 1
	for c := 2; c < len(all); c++ {
		if all[c] > all[class] {
			class = c
		}
	}
	l, p = stated(message, Categories[class-1], part.Start, part.End), 1-all[0]
	if p < doubtful && l.Confidence != High {
		l.Confidence = Low
	}
	h, _ := reader().Head("once")
	return l, p, h.Apply(v)[0]
}
