package conflict

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"preceptor/internal/pack"
)

// The thresholds of the embedded detector. They were set on the pairs of testdata/pairs.tsv that are marked "tune".
const (
	alike        = 0.5  // share of meaning words (Jaccard) at which two demands ask for the same
	contains     = 0.75 // or so much of the shorter one stands in the longer
	leastWords   = 2    // if the shorter one has so many words at least
	sameObject   = 0.34 // Jaccard below which containment counts for nothing
	builtInWords = 0.34 // at which two demands of one move known by itself are one demand
	sameThing    = 0.4  // at which differing figures, or differing places in a draft, are about one thing
)

// Embedded compares rules by what package pension reads in them: for whom they hold, what they ask for and forbid, and with
// which figures. It needs no network, answers the same every time, and says what it saw. It knows the words of the trade and
// no others: two rules that contradict each other in a roundabout way pass it by.
type Embedded struct {
	mu   sync.Mutex
	read map[string]*reading // by principle
}

// mostRead bounds what is kept of rules that were taken apart.
const mostRead = 20_000

// NewEmbedded makes the detector.
func NewEmbedded() *Embedded { return &Embedded{read: map[string]*reading{}} }

// Name is stored with its answers.
func (e *Embedded) Name() string { return "embedded detector" }

// reading is a rule taken apart.
type reading struct {
	ok      bool
	conds   [][]pack.Condition
	demands []demand
}

func (e *Embedded) reading(principle string) *reading {
	e.mu.Lock()
	r := e.read[principle]
	e.mu.Unlock()
	if r != nil {
		return r
	}
	r = &reading{}
	if p, err := pack.ParsePrinciple(principle); err == nil {
		r.ok, r.conds = true, p.Conditions()
		for _, d := range p.Demands() {
			r.demands = append(r.demands, readDemand(d))
		}
		if len(r.demands) > 0 { // what is said of the order stands outside the demand
			if side := stancesOf(p.Action, false)["order"]; side != 0 {
				r.demands[0].take("order", side)
			}
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.read) >= mostRead {
		clear(e.read)
	}
	e.read[principle] = r
	return r
}

// Compare looks whether both can hold for one customer, and then whether a draft could follow both.
func (e *Embedded) Compare(_ context.Context, left, right Text) (Finding, error) {
	return e.compare(left.Principle, right.Principle), nil
}

func (e *Embedded) compare(left, right string) Finding {
	a, b := e.reading(left), e.reading(right)
	nothing := Finding{Kind: FoundNothing, Confidence: 0.5, By: e.Name()}
	if !a.ok || !b.ok {
		return nothing
	}
	o := overlapOf(a.conds, b.conds)
	if o.apart {
		nothing.Why = o.why
		return nothing
	}
	if why, sure := clash(a.demands, b.demands); why != "" && o.share*sure >= 0.25 {
		return Finding{Kind: FoundContradiction, Confidence: min(0.95, sure*(0.6+0.4*o.share)), By: e.Name(), Why: o.sentence() + " " + why}
	}
	aInB, bInA := within(a.demands, b.demands), within(b.demands, a.demands)
	switch {
	case aInB && bInA && o.equal():
		return Finding{Kind: FoundDuplicate, Confidence: 0.85, By: e.Name(), Why: "Both hold for the same customers and ask for the same."}
	case aInB && o.leftNarrower: // whoever follows the right rule does what the left one asks
		return Finding{Kind: FoundNarrower, Narrower: "left", Confidence: 0.7, By: e.Name(), Why: "Whatever the left rule asks for, the right one asks for already, of the same customers and more."}
	case bInA && o.rightNarrower:
		return Finding{Kind: FoundNarrower, Narrower: "right", Confidence: 0.7, By: e.Name(), Why: "Whatever the right rule asks for, the left one asks for already, of the same customers and more."}
	}
	return nothing
}

// near tells whether two rules are worth asking a model about: both can hold for one customer, and they share words or a stance.
func (e *Embedded) near(left, right string) float64 {
	a, b := e.reading(left), e.reading(right)
	if !a.ok || !b.ok {
		return 0
	}
	o := overlapOf(a.conds, b.conds)
	if o.apart {
		return 0
	}
	best := 0.0
	for _, x := range a.demands {
		for _, y := range b.demands {
			best = max(best, jaccard(x.words, y.words))
		}
	}
	return o.share * best
}

// overlap says how far two situations hold for the same customers.
type overlap struct {
	apart                       bool // no customer fits both
	leftNarrower, rightNarrower bool // every customer of it is one of the other's; both when they hold for the same
	share                       float64
	why                         string
}

func (o overlap) equal() bool { return o.leftNarrower && o.rightNarrower }

func (o overlap) sentence() string {
	switch {
	case o.equal():
		return "Both hold for the same customers."
	case o.leftNarrower:
		return "The right rule holds wherever the left one does."
	case o.rightNarrower:
		return "The left rule holds wherever the right one does."
	}
	return "Some customers fit both."
}

func overlapOf(a, b [][]pack.Condition) overlap {
	for _, g := range a {
		for _, h := range b {
			if why := exclude(g, h); why != "" {
				return overlap{apart: true, why: why}
			}
		}
	}
	if ta, tb := topics(a), topics(b); len(ta) > 0 && len(tb) > 0 && !meets(ta, tb) {
		return overlap{apart: true, why: "They are about different subjects."}
	}
	if ka, kb := kinds(a), kinds(b); len(ka) > 0 && len(kb) > 0 && !meets(ka, kb) {
		return overlap{apart: true, why: "They are about different kinds of pension."}
	}
	o := overlap{leftNarrower: covers(b, a), rightNarrower: covers(a, b)}
	switch {
	case o.equal():
		o.share = 1
	case o.leftNarrower || o.rightNarrower:
		o.share = 0.8
	case shared(a, b):
		o.share = 0.6
	default:
		o.share = 0.35
	}
	return o
}

// exclude says why no customer fits both groups; "" when one may.
func exclude(g, h []pack.Condition) string {
	if len(g) != 1 || len(h) != 1 {
		return ""
	}
	a, b := g[0], h[0]
	if a.Name == "" && b.Name == "" {
		if a.Not != b.Not && jaccard(a.Words, b.Words) >= 0.6 {
			return "One holds where the other does not."
		}
		return ""
	}
	if a.Name != b.Name {
		return ""
	}
	switch {
	case a.High > 0 || b.High > 0:
		if !a.Not && !b.Not && (a.High < b.Low || b.High < a.Low) {
			return "They are for different " + map[bool]string{true: "ages.", false: "values."}[a.Name == "age"]
		}
	case len(a.Levels) > 0 && len(b.Levels) > 0:
		if a.Not == b.Not && !slices.ContainsFunc(a.Levels, func(l string) bool { return slices.Contains(b.Levels, l) }) {
			return "They are for customers of different literacy."
		}
	case a.Not != b.Not:
		return "One holds where the other does not."
	}
	return ""
}

// kindOf are the conditions of which a customer is rarely meant by two.
var kindOf = map[string]bool{"a defined benefit pension": true, "a defined contribution pension": true, "the State Pension": true}

func kinds(conds [][]pack.Condition) map[string]bool {
	return names(conds, func(c pack.Condition) bool { return kindOf[c.Name] })
}

// sameTopic are subjects that run into each other.
var sameTopic = map[string]string{
	"charges": "charges", "tax-free cash": "taking money out", "taking the whole pot": "taking money out", "early access": "taking money out", "taking money out": "taking money out",
	"illness": "illness",
}

// topics are what a situation is about. "Ill health" and "a scam" are subjects when somebody asks about them.
func topics(conds [][]pack.Condition) map[string]bool {
	out := names(conds, func(c pack.Condition) bool { return c.Topic })
	for t := range maps.Clone(out) {
		if s := sameTopic[t]; s != "" {
			out[s] = true
		}
	}
	if len(out) == 0 { // words that no concept knows may name a subject
		return nil
	}
	return out
}

func names(conds [][]pack.Condition, which func(pack.Condition) bool) map[string]bool {
	out := map[string]bool{}
	for _, g := range conds {
		for _, c := range g {
			if c.Name != "" && !c.Not && which(c) {
				out[c.Name] = true
			}
		}
	}
	return out
}

func meets(a, b map[string]bool) bool {
	for k := range a {
		if b[k] {
			return true
		}
	}
	return false
}

// covers tells whether every customer whom narrow is for fits wide: each of wide's groups follows from one of narrow's.
func covers(wide, narrow [][]pack.Condition) bool {
	for _, h := range wide {
		if !slices.ContainsFunc(narrow, func(g []pack.Condition) bool { return follows(g, h) }) {
			return false
		}
	}
	return true
}

// follows tells whether h holds wherever g does: each condition of g implies one of h.
func follows(g, h []pack.Condition) bool {
	for _, c := range g {
		if !slices.ContainsFunc(h, func(d pack.Condition) bool { return implies(c, d) }) {
			return false
		}
	}
	return true
}

func implies(c, d pack.Condition) bool {
	if c.Not != d.Not {
		return false
	}
	if c.Name == "" || d.Name == "" {
		return c.Name == d.Name && jaccard(c.Words, d.Words) >= 0.5
	}
	if c.Name != d.Name {
		return false
	}
	if c.High > 0 || d.High > 0 {
		if c.Not {
			c, d = d, c
		}
		return c.Low >= d.Low && c.High <= d.High
	}
	if len(d.Levels) > 0 {
		return !slices.ContainsFunc(c.Levels, func(l string) bool { return !slices.Contains(d.Levels, l) })
	}
	return true
}

// shared tells whether both situations speak of one thing at least.
func shared(a, b [][]pack.Condition) bool {
	for _, g := range a {
		for _, c := range g {
			for _, h := range b {
				for _, d := range h {
					if c.Name != "" && c.Name == d.Name || c.Name == "" && d.Name == "" && jaccard(c.Words, d.Words) >= 0.34 {
						return true
					}
				}
			}
		}
	}
	return false
}

// within tells whether every demand of a is one of b's.
func within(a, b []demand) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	for _, x := range a {
		if !slices.ContainsFunc(b, func(y demand) bool { return sameDemand(x, y) }) {
			return false
		}
	}
	return true
}

func sameDemand(x, y demand) bool {
	if x.not != y.not || x.figures.differ(y.figures) || x.figures.any() != y.figures.any() {
		return false
	}
	if x.builtIn() && x.Move == y.Move && !x.figures.any() && (len(x.words) == 0 || len(y.words) == 0 || jaccard(x.words, y.words) >= builtInWords) {
		return true
	}
	return similar(x.words, y.words, alike)
}

// similar tells whether two sets of words are about the same, at a share of common words.
func similar(a, b map[string]bool, at float64) bool {
	j := jaccard(a, b)
	if j >= at {
		return true
	}
	return j >= sameObject && containment(a, b) >= contains && min(len(a), len(b)) >= leastWords
}

func jaccard(a, b map[string]bool) float64 {
	n := common(a, b)
	if n == 0 {
		return 0
	}
	return float64(n) / float64(len(a)+len(b)-n)
}

func containment(a, b map[string]bool) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	return float64(common(a, b)) / float64(min(len(a), len(b)))
}

func common(a, b map[string]bool) (n int) {
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}

func quote(s string) string { return "“" + strings.TrimSpace(s) + "”" }

func sentence(format string, args ...any) string { return fmt.Sprintf(format, args...) }
