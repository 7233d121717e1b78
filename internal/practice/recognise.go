package practice

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"preceptor/internal/llm"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/phrase"
)

// recogniser finds what a text says of the needs, by the judge's phrases. A sentence says what the phrase says that it
// is most like, from a likeness on that is read off the phrases themselves: where a phrase is told apart best from
// those of other needs and from those that only come near, each held against the rest. It sees sentences and nothing
// else.
type recogniser struct {
	phrases []spoken
	floor   float64
	told    Told

	mu   sync.Mutex
	seen map[string]string // need by sentence
}

type spoken struct {
	need   string
	not    bool
	vector []float32
}

// Told is how well the judge tells its own phrases apart, each held against all others: of those that say their need
// the share that is recognised, and of those that only come near, or say another, the share that is taken for it.
type Told struct {
	Found, False, Floor float64
	Phrases, Near       int
}

const mostSeen = 20_000 // sentences that are remembered

func newRecogniser(list []known) *recogniser {
	r := &recogniser{seen: map[string]string{}}
	for _, k := range list {
		for i, text := range slices.Concat(k.Phrases, k.Not) {
			r.phrases = append(r.phrases, spoken{k.Need, i >= len(k.Phrases), vectorOf(text)})
		}
	}
	r.calibrate()
	return r
}

var encoder = embedded.New()

func vectorOf(text string) []float32 {
	v, err := encoder.Embed(context.Background(), []string{text})
	if err != nil {
		panic(err) // it is local and fails for no text
	}
	return v[0]
}

// calibrate sets the floor where the phrases, each held against all others, are told apart best (F1).
func (r *recogniser) calibrate() {
	type trial struct {
		like  float64
		right bool
	}
	var trials []trial
	for i, p := range r.phrases {
		if p.not {
			r.told.Near++
		} else {
			r.told.Phrases++
		}
		near, like := r.nearest(p.vector, i)
		if near != nil && !near.not {
			trials = append(trials, trial{like, !p.not && near.need == p.need})
		}
	}
	slices.SortFunc(trials, func(a, b trial) int { return cmp.Compare(b.like, a.like) })
	found, wrong, best := 0, 0, -1.0
	for i, t := range trials {
		if t.right {
			found++
		} else {
			wrong++
		}
		f := 2 * float64(found) / float64(found+wrong+r.told.Phrases)
		if f > best && (i+1 == len(trials) || trials[i+1].like < t.like) {
			best, r.floor = f, t.like
			r.told.Found, r.told.False = float64(found)/float64(r.told.Phrases), float64(wrong)/float64(len(r.phrases))
		}
	}
	r.told.Floor = r.floor
}

// nearest is the phrase that a sentence is most like, but for one; nil where there is none.
func (r *recogniser) nearest(v []float32, except int) (best *spoken, like float64) {
	for i := range r.phrases {
		if l := llm.Dot(v, r.phrases[i].vector); i != except && (best == nil || l > like) {
			best, like = &r.phrases[i], l
		}
	}
	return best, like
}

// met are the needs that a text meets.
func (r *recogniser) met(text string) map[string]bool {
	out := map[string]bool{}
	for _, sp := range phrase.Sentences(text) {
		if need := r.says(sp.In(text)); need != "" {
			out[need] = true
		}
	}
	return out
}

// says is the need that a sentence meets; "" for none.
func (r *recogniser) says(s string) (need string) {
	r.mu.Lock()
	need, ok := r.seen[s]
	r.mu.Unlock()
	if ok {
		return need
	}
	if p, like := r.nearest(vectorOf(s), -1); p != nil && !p.not && like >= r.floor {
		need = p.need
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.seen) < mostSeen {
		r.seen[s] = need
	}
	return need
}
