package knowledge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/llm"
	"preceptor/internal/pack"
	"preceptor/internal/rule"
	"preceptor/internal/search"
)

// Query asks for knowledge.
type Query struct {
	AgentID   string // own and shared knowledge; "" the shared alone, search.AnyAgent everything
	Text      string
	Situation pack.Situation // may be empty
	Known     []string       // of the customer, to hide from an embedder elsewhere; see Options.Hide
	Task      string         // "" and pack.General filter nothing
	// TokenBudget bounds Prompt, counted by Tokens; 0 is unbounded.
	TokenBudget int
	TopCases    int // 3 when 0
	TopRules    int // 4 when 0
	// Far asks for the nearest cases however far they are, outside of a known domain; Closest tells how near they are.
	Far bool
	// browse: a person looks around, and no conversation is had: what a rule is conditional on keeps nothing back.
	browse bool
	// Withhold is left out on purpose, for an experiment.
	Withhold Withhold
}

// Item is one piece of recalled knowledge.
type Item struct {
	Kind    string `json:"kind"` // case or rule
	ID      string `json:"id"`
	Number  int    `json:"number"`
	Label   string `json:"label"` // Case #127 or R-12
	Version int    `json:"version"`
	// relevance × recency and worth (cases), × confidence × importance (rules); orders, and says nothing across
	// questions
	Score      float64  `json:"score"`
	Why        []string `json:"why"`
	Title      string   `json:"title"`
	Text       string   `json:"text"`   // guidance of a case, principle of a rule
	Source     string   `json:"source"` // citation of a document case, else the source's name
	Domain     string   `json:"domain,omitempty"`
	Confidence float64  `json:"confidence,omitempty"` // of a rule that was tested
	Legs       Legs     `json:"legs"`
	// Match is whether a rule's conditions hold; Unknown for a rule from before rules were data.
	Match    rule.Result `json:"-"`
	Case     *Case       `json:"-"`
	Rule     *Rule       `json:"-"`
	Block    string      `json:"-"` // as it stands in the prompt
	Evidence string      `json:"-"` // of a rule, in words
	every    bool        // a wish from an agent's sessions about any answer
}

// Legs says how an item was found.
type Legs struct {
	Lexical int     `json:"lexical,omitempty"` // rank by words, 1 is best; 0 not found
	Vector  int     `json:"vector,omitempty"`  // rank by meaning
	Cosine  float64 `json:"cosine,omitempty"`
	// cosine of the question as asked, before it was led into its domain; 0 where it wasn't
	Own     float64 `json:"-"`
	Fused   float64 `json:"fused"`             // 0 to 1, the best found is 1, before the boosts
	Applies bool    `json:"applies,omitempty"` // a rule whose conditions hold for this consultation
}

// Recall is what an agent is given.
type Recall struct {
	Cases  []Item
	Rules  []Item
	Items  []Item // cases, then rules
	Prompt string // both blocks in the seed's shape
	Tokens int    // of Prompt
	// Budget and Embedder are how it was made: the bound in tokens, and whose vectors were asked; "" when the words
	// alone were.
	Budget   int
	Embedder string
}

// NothingRelated is what is said of an empty answer.
const NothingRelated = "Nothing related was found."

// Note is NothingRelated when there is no item, and else empty.
func (r *Recall) Note() string {
	if len(r.Items) > 0 {
		return ""
	}
	return NothingRelated
}

// candidate is an item on its way.
type candidate struct {
	id    string
	legs  Legs
	fused float64
	bm25  float64
	why   []string
}

func (q Query) text() string {
	if strings.TrimSpace(q.Text) == "" {
		return q.Situation.Question
	}
	return q.Text
}

func (q Query) situation() pack.Situation {
	s := q.Situation
	if s.Question == "" {
		s.Question = q.Text
	}
	if s.Task == "" {
		s.Task = q.Task
	}
	if s.Task == "" && len(pack.Of(s.Pack).Topics) > 0 {
		s.Task = pack.Classify(s.Question) // once, and not again for every rule
	}
	return s
}

// Recall answers a query: the best cases and rules, and the prompt made of them.
func (b *Base) Recall(ctx context.Context, q Query) (*Recall, error) {
	top := cmp.Or(max(q.TopCases, 0), caseTop)
	probe, cases, rules, err := b.both(ctx, q)
	if err != nil {
		return nil, err
	}
	cases, rules = q.Withhold.from(cases), q.Withhold.from(rules)
	if b.opts.Mode == Seed {
		cases, err = b.withoutTwins(ctx, cases, top)
	} else {
		cases, err = b.diverse(ctx, sectionsFirst(cases), top)
	}
	if err != nil {
		return nil, err
	}
	rules = forEvery(dedup(rules), cmp.Or(max(q.TopRules, 0), ruleTop))
	r, err := b.render(ctx, q.TokenBudget, pack.Of(q.Situation.Pack).Checks, cases, rules)
	if err != nil {
		return nil, err
	}
	r.Budget, r.Embedder = max(q.TokenBudget, 0), probe.model
	return r, nil
}

// Search ranks cases and rules together by relevance, up to n; for people and the command line.
func (b *Base) Search(ctx context.Context, q Query, n int) ([]Item, error) {
	_, cases, rules, err := b.both(ctx, q)
	if err != nil {
		return nil, err
	}
	all := append(cases, rules...)
	slices.SortStableFunc(all, func(x, y Item) int { return cmp.Compare(y.Score, x.Score) })
	return all[:min(n, len(all))], nil
}

// both gives the cases and rules that a query finds.
func (b *Base) both(ctx context.Context, q Query) (p probe, cases, rules []Item, err error) {
	if p, err = b.probe(ctx, q); err == nil {
		cases, err = b.recallCases(ctx, q, p)
	}
	if err == nil {
		rules, err = b.recallRules(ctx, q, p)
	}
	return p, cases, rules, err
}

// probe is a question with its vector, made by an embedder whose vectors are in use; without one the words must do.
type probe struct {
	text   string
	model  string
	vector []float32
	own    []float32 // the question's vector before it was led into the domain's answers; nil where it wasn't
	low    float64   // cosine that texts with nothing in common have
	floor  float64   // cosine of the best answer below which there is none
	scale  scale     // of the cosines of what was led
}

func (b *Base) probe(ctx context.Context, q Query) (probe, error) {
	text := q.text()
	p := probe{text: text}
	if strings.TrimSpace(text) == "" {
		return p, nil
	}
	model, err := b.index.Model(ctx)
	if err != nil {
		return p, err
	}
	for _, e := range append([]llm.Embedder{b.embedder}, b.previous...) {
		if e.Name() != model {
			continue
		}
		if x, ok := e.(Reader); ok && llm.IsLocal(e) {
			return b.read(ctx, x, q)
		}
		sent := text
		if b.opts.Hide != nil && !llm.IsLocal(e) {
			sent = b.opts.Hide(text, q.Known...)
		}
		vectors, err := e.Embed(ctx, []string{sent})
		if err != nil {
			b.log.Warn("the embedder did not answer; recall goes by words alone", "embedder", model, "error", err)
			return p, nil
		}
		p.model, p.vector, p.floor = model, vectors[0], plainFloor
	}
	return p, nil
}

// read has a question read by a local embedder, and leads it to where answers lie.
func (b *Base) read(ctx context.Context, x Reader, q Query) (p probe, err error) {
	p = probe{text: q.text(), model: x.Name()}
	p.low, p.floor = x.Unlike()
	if q.Situation.Previous() != "" && b.opts.Mode != Seed {
		return readIn(ctx, x, q, p)
	}
	p.vector, err = x.Ask(ctx, p.text)
	if err != nil || b.opts.Mode == Seed || p.model != domainOf {
		return p, err
	}
	p.own = p.vector
	if asked := q.Situation.Question; asked != "" && strings.HasPrefix(p.text, asked+"\n") {
		// a topic that was added makes any question look like one of the field
		if p.own, err = x.Ask(ctx, asked); err != nil {
			return p, err
		}
	}
	return p.led(ctx, x, q, "", p.text)
}

// readIn reads a question after what was said before it. How near a case is to it is said of it as it was published:
// after the last exchange, and after the whole conversation, half each (compliance/testdata/conversations says how well
// what leads it to its answers does, and what else was tried).
func readIn(ctx context.Context, x Reader, q Query, p probe) (probe, error) {
	said := q.Situation.Talk(mostTalk)
	var plain []([]float32)
	for _, before := range []string{q.Situation.Exchange(), said} {
		v, err := x.Ask(ctx, after(before, p.text))
		if err != nil {
			return p, err
		}
		plain = append(plain, v)
	}
	asked := p.text
	p.text, p.vector = said+p.text, blend(plain...)
	if p.model != domainOf {
		return p, nil
	}
	p.own = p.vector
	return p.led(ctx, x, q, said, asked)
}

// led leads a question to where its answers lie, by the encoder that was tuned on questions and conversations: in a
// known domain two parts, one by the matrix that was fitted on the domain's; elsewhere half, half as it was asked.
func (p probe) led(ctx context.Context, x Reader, q Query, before, asked string) (probe, error) {
	v, err := x.Lead(ctx, before, asked)
	if err != nil {
		return p, err
	}
	if p.scale = anyScale; pack.Of(q.Situation.Pack).Concept {
		p.scale, p.floor, p.vector = domainScale, domain().floor(p.own), blend(v, v, domain().lead(p.vector))
	} else {
		p.vector = blend(v, p.vector)
	}
	p.low = p.scale.low
	return p, nil
}

// said is a cosine on the scale of questions that nothing led, from which callers' lines are.
func (p probe) said(cosine float64) float64 {
	if p.own == nil {
		return cosine
	}
	return p.scale.from + p.scale.by*cosine
}

// after is a question behind the end of what was said before it: what is too long loses its beginning.
func after(before, question string) string {
	return before[max(0, min(len(before), len(before)+len(question)-mostTalk)):] + question
}

// mostTalk is how many bytes of a conversation are read, the question included, the last ones: a Reader reads 1,200.
const mostTalk = 1100

// Reader is an embedder that reads questions and passages differently, and knows what its cosines mean.
type Reader interface {
	llm.Embedder
	Ask(ctx context.Context, text string) ([]float32, error)
	// Lead reads a question after what was said before it as one that passages answer.
	Lead(ctx context.Context, before, question string) ([]float32, error)
	// Unlike are the cosine of texts with nothing in common, and that below which nothing answers a question.
	Unlike() (low, floor float64)
	// Alike are the cosines from which two questions are one (near), and on one topic (wide).
	Alike() (near, wide float64)
}

// plainFloor is the cosine below which likeness means nothing to an embedder that does not say.
const plainFloor = 0.2

// find runs both legs and fuses them; in the seed's mode the cosine alone.
func (b *Base) find(ctx context.Context, p probe, f search.Filter) ([]*candidate, error) {
	byID := map[string]*candidate{}
	var order []*candidate
	get := func(id string) *candidate {
		c, ok := byID[id]
		if !ok {
			c = &candidate{id: id}
			byID[id] = c
			order = append(order, c)
		}
		return c
	}
	best, rules := 0.0, f.Kind == search.KindRule
	// as the question was asked: at most least where it isn't among the nearest
	asked, least := map[string]float64{}, 0.0
	if rules && p.own != nil {
		p.vector, p.own = p.own, nil // a rule is no answer: it is about the same
	}
	if p.vector != nil {
		near, err := b.index.Nearest(ctx, p.model, p.vector, f, candidates)
		if err != nil {
			return nil, err
		}
		if len(near) > 0 {
			best = near[0].Score
		} else {
			p.vector = nil // vectors are on their way: the words must do
		}
		if len(near) == candidates {
			// what so many have in common with the question tells nothing
			p.low = max(p.low, p.said(near[candidates-1].Score))
		}
		if p.own != nil {
			own, err := b.index.Nearest(ctx, p.model, p.own, f, candidates)
			if err != nil {
				return nil, err
			}
			best = 0
			for _, h := range own {
				best, least, asked[h.ID] = max(best, h.Score), h.Score, h.Score
			}
		}
		for i, h := range near {
			c := get(h.ID)
			h.Score = p.said(h.Score)
			c.legs.Vector, c.legs.Cosine, c.legs.Own = i+1, h.Score, cmp.Or(asked[h.ID], least)
		}
	}
	if b.opts.Mode != Seed {
		hits, err := b.index.Lexical(ctx, p.text, f, candidates)
		if err != nil {
			return nil, err
		}
		for i, h := range hits {
			c := get(h.ID)
			c.legs.Lexical, c.bm25 = i+1, h.Score
		}
	}
	return b.weigh(order, p, best, rules), nil
}

// weigh gives each candidate its relevance, 0 to 1. When nothing is like the question there is no answer to it, and
// none is given; else what is unlike it goes, save the best by words among what the vectors did not reach. Each rule
// has to reach the floor itself.
func (b *Base) weigh(list []*candidate, p probe, best float64, rules bool) []*candidate {
	if b.opts.Mode == Seed {
		for _, c := range list {
			c.fused, c.legs.Fused = max(0, c.legs.Cosine), max(0, c.legs.Cosine)
		}
		return list
	}
	if p.vector != nil {
		if best < p.floor {
			return nil
		}
		first := 0.0
		for _, c := range list {
			first = max(first, c.legs.Cosine)
		}
		least := p.low + (first-p.low)*unlike
		if rules {
			least = p.floor
		}
		list = slices.DeleteFunc(list, func(c *candidate) bool {
			return c.legs.Cosine < least && (c.legs.Vector > 0 || c.legs.Lexical > bestByWords)
		})
	}
	fuse(list, p.low, wordsScore)
	return list
}

func (c *candidate) found() string {
	switch {
	case c.legs.Vector > 0 && c.legs.Lexical > 0:
		return fmt.Sprintf("similar meaning (%d) and words (%d)", c.legs.Vector, c.legs.Lexical)
	case c.legs.Vector > 0:
		return fmt.Sprintf("similar meaning (%d)", c.legs.Vector)
	case c.legs.Lexical > 0:
		return fmt.Sprintf("found by words (place %d)", c.legs.Lexical)
	}
	return ""
}
