package knowledge

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"preceptor/internal/llm"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text"
	"preceptor/internal/rule"
	"preceptor/internal/search"
)

// ruleCache keeps the active rules between recalls. Its stamp is the number of the last version of any rule, which
// every change raises, so that a rule accepted by a commit is in the next recall; and it is read anew when a date has
// come.
type ruleCache struct {
	stamp int64
	until time.Time // when a version begins or ends; zero: none will
	rules []*Rule
	byID  map[string]*Rule
	asked map[string]bool // the example questions of their conditions
	like  sync.Map        // their vectors, by embedder and question
}

// activeRules reads the active rules, or takes them from the cache.
func (b *Base) activeRules(ctx context.Context) (cache *ruleCache, err error) {
	fresh := false
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		var stamp int64
		if err := db.One(tx, "knowledge: stamp rules", `SELECT coalesce(max(seq), 0)
			FROM knowledge_rule_version`).Scan(&stamp); err != nil {
			return err
		}
		if c := b.rules.Load(); c != nil && c.stamp == stamp && (c.until.IsZero() || tx.Now.Before(c.until)) {
			cache = c
			return nil
		}
		rules, err := queryRules(tx, ` AND c.status = $1 ORDER BY c.number`, Active)
		if err != nil {
			return err
		}
		held := make([]Rule, 0, len(rules))
		var until time.Time
		for i := range rules {
			r, turns, err := b.ruleInForceTx(tx, &rules[i])
			if err != nil {
				return err
			}
			until = earlier(until, turns)
			if r != nil {
				held = append(held, *r)
			}
		}
		cache, fresh = newRuleCache(stamp, held), true
		cache.until = until
		return nil
	})
	if err != nil || !fresh {
		return cache, err
	}
	b.rules.Store(cache)
	return cache, nil
}

// RulesInForce are the rules that recall may give an agent, by number: its own and those of all.
func (b *Base) RulesInForce(ctx context.Context, agentID string) (out []Rule, err error) {
	cache, err := b.activeRules(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range cache.rules {
		if r.AgentID == "" || r.AgentID == agentID {
			out = append(out, *r.of(agentID))
		}
	}
	return out, nil
}

// of is the rule as an agent is given it: what is only for others is no exception of it.
func (r *Rule) of(agentID string) *Rule {
	other := func(o *Rule) bool { return o.AgentID != "" && o.AgentID != agentID }
	if agentID == search.AnyAgent || !slices.ContainsFunc(r.Yields, other) {
		return r
	}
	own := *r
	own.Yields = slices.DeleteFunc(slices.Clone(r.Yields), other)
	return &own
}

func newRuleCache(stamp int64, rules []Rule) *ruleCache {
	c := &ruleCache{stamp: stamp, byID: map[string]*Rule{}, asked: map[string]bool{}}
	for i := range rules {
		c.rules = append(c.rules, &rules[i])
		c.byID[rules[i].ID] = &rules[i]
		c.asked[rules[i].Action] = rules[i].Noticed || c.asked[rules[i].Action]
		for _, cond := range rules[i].Statement.When {
			for _, v := range cond.Values {
				c.asked[v] = cond.Kind == rule.Like || c.asked[v]
			}
		}
	}
	for _, r := range c.rules {
		for _, id := range r.Statement.Except {
			if o := c.byID[id]; o != nil && r.Excepts(o) {
				o.yield(r)
			} else if o != nil && o.Excepts(r) {
				r.yield(o)
			}
		}
	}
	return c
}

// recallRules ranks the active rules for a query, best first: those whose conditions hold, however they are worded, and
// those found by either leg whose conditions may hold.
func (b *Base) recallRules(ctx context.Context, q Query, p probe) ([]Item, error) {
	cache, err := b.activeRules(ctx)
	if err != nil || len(cache.rules) == 0 {
		return nil, err
	}
	list, err := b.find(ctx, p, search.Filter{Kind: search.KindRule, AgentID: q.AgentID})
	if err != nil {
		return nil, err
	}
	s := q.situation()
	items := b.held(list, cache, q, b.subject(s), pack.Of(s.Pack))
	slices.SortStableFunc(items, func(x, y Item) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.Number, y.Number))
	})
	return items, nil
}

// held keeps the rules that may be given. Conditions filter: one that is not met keeps its rule back from everybody;
// where all are met the rule is lifted, and given though no leg found it; where it can't be told a leg has to have
// found it. What only the draft can decide counts as met, since the draft is made of what is given. A rule to which one
// that is met is the exception is left out. The seed's mode neither lifts nor adds.
func (b *Base) held(found []*candidate, cache *ruleCache, q Query, on rule.Subject,
	p *pack.Pack) (items []Item) {
	byID := map[string]*candidate{}
	for _, c := range found {
		byID[c.id] = c
	}
	everyday := b.everyday(on)
	for _, r := range cache.rules {
		if q.AgentID != search.AnyAgent && r.AgentID != "" && r.AgentID != q.AgentID {
			continue
		}
		c := byID[r.ID]
		m := rule.Result{}
		if !q.browse {
			m = matchOf(r.Statement, on)
		}
		applies := m.State == rule.Met || len(m.Open) > 0 && m.OpenOnDraft()
		if m.State == rule.NotMet || c == nil && (!applies || b.opts.Mode == Seed) {
			continue
		}
		anywhere, like := r.Noticed && r.Statement.Anywhere() && b.opts.Mode != Seed, 0.0
		every := anywhere && !b.ofOtherWork(r)
		if anywhere && !every && p.Name == pack.GeneralName && on.Like != nil {
			like, _, _ = on.Like([]string{r.Action})
			least := b.related()
			if everyday {
				least = b.surely()
			} else if c != nil {
				least = -1
			}
			if like < least && !atWork(on) {
				continue // its kind of work is another
			}
		}
		if c == nil {
			c = &candidate{id: r.ID, fused: max(0, like) * unfound}
			if every {
				c.fused = unfound // before what is only for work
			}
		}
		if applies && b.opts.Mode != Seed {
			c.legs.Applies = true
			c.fused = applied(c.fused)
		}
		it := ruleItem(r.of(q.AgentID), c, m, p)
		it.every = every
		items = append(items, it)
	}
	return slices.DeleteFunc(slices.Clone(items), func(o Item) bool {
		return slices.ContainsFunc(items, func(it Item) bool {
			return it.Match.State == rule.Met && it.Rule.Excepts(o.Rule)
		})
	})
}

// atWork reports whether the agent said which language or project it works in: what is for work is for this, too.
func atWork(on rule.Subject) bool {
	return slices.ContainsFunc(on.Scopes, func(s string) bool {
		return strings.HasPrefix(s, "language:") || strings.HasPrefix(s, "project:")
	})
}

// related is the cosine from which a question may be about the work that a rule is for. It is nearer to what texts with
// nothing in common have than to an answer's: a rule too many costs a line, and one too few is what its user asked for
// and doesn't get. Of 71 requests for such work ("Install react" and the package manager) 52 reach it, 27 the floor of
// answers; of 440 pairs of such a rule and a question about anything else 13, and 1.
func (b *Base) related() float64 {
	e, ok := b.embedder.(Reader)
	if !ok {
		return -1
	}
	low, floor := e.Unlike()
	return low + (floor-low)/3
}

// surely is the cosine from which a rule for one kind of work is given with a request for none.
func (b *Base) surely() float64 {
	e, ok := b.embedder.(Reader)
	if !ok {
		return -1
	}
	low, floor := e.Unlike()
	return floor + (floor - low)
}

// everyday reports whether a question asks for no work with tools, files or code, but for an answer or a text: it is
// nearer to such requests. Likeness to one rule can't tell: "Write a haiku" is as near to "Write test first" as
// "Install react" is to a package manager.
func (b *Base) everyday(on rule.Subject) bool {
	e, ok := b.embedder.(Reader)
	if !ok || !b.local || on.Situation.Question == "" {
		return false
	}
	of, asked := vectorsOfWishes(e), asWritten(e, on.Situation.Question)
	return nearest(of[2], asked) > nearest(of[3], asked)
}

// forEvery gives the best rules up to top, and beside them what is for any answer, whatever it is about.
func forEvery(sorted []Item, top int) []Item {
	var every, rest []Item
	for _, it := range sorted {
		if it.every && len(every) < everyMost {
			every = append(every, it)
		} else {
			rest = append(rest, it)
		}
	}
	out := append(reserve(rest, top), every...)
	slices.SortStableFunc(out, func(a, b Item) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

// wishes are what any answer can follow, whatever it is about, and, after an empty line, what is for one kind of work;
// then requests for an answer or a text, and for work.
//
//go:embed wishes.txt
var wishes string

// wishVectors are those of wishes, by embedder.
var wishVectors sync.Map

func vectorsOfWishes(e Reader) (out [4][][]float32) {
	if v, ok := wishVectors.Load(e.Name()); ok {
		return v.([4][][]float32)
	}
	for i, part := range strings.SplitN(wishes, "\n\n", 4) {
		for _, w := range strings.Split(strings.TrimSpace(part), "\n") {
			out[i] = append(out[i], asWritten(e, w))
		}
	}
	wishVectors.Store(e.Name(), out)
	return out
}

// nearWishes is how many of each kind a wish is held against, the nearest. Of 15 others about any answer with eight
// questions each 112 of 120 are given, of 15 about work 4 of 120 (wish_test.go); by one sentence of fourteen it was 109
// and 57.
const nearWishes = 3

// ofOtherWork reports whether what was noticed in an agent's sessions, for which nobody chose a scope, is surely for
// one kind of work, and not for any answer: it is nearer to that. Without a local embedder nobody can tell, and it
// isn't. What a person stated for everybody is for everybody.
func (b *Base) ofOtherWork(r *Rule) bool {
	e, ok := b.embedder.(Reader)
	if !ok || !b.local || b.opts.Mode == Seed {
		return false
	}
	said, of := b.exampleVector(e, r.Action), vectorsOfWishes(e)
	return nearest(of[1], said) > nearest(of[0], said)
}

// nearest is how near a text is to those of a list that are nearest.
func nearest(list [][]float32, said []float32) (sum float64) {
	like := lists.Map(list, func(v []float32) float64 { return llm.Dot(said, v) })
	slices.Sort(like)
	for _, l := range like[len(like)-nearWishes:] {
		sum += l
	}
	return sum
}

// matchOf is Unknown for a rule from before rules were data: it is given as text where a leg found it.
func matchOf(st rule.Statement, on rule.Subject) rule.Result {
	if st.Empty() {
		return rule.Result{}
	}
	return rule.Match(st, on)
}

func ruleItem(r *Rule, c *candidate, m rule.Result, p *pack.Pack) Item {
	var why []string
	if f := c.found(); f != "" {
		why = append(why, f)
	}
	if c.legs.Applies {
		why = append(why, "applies: "+wordsOf(m.Held, p))
	}
	if len(m.Open) > 0 {
		why = append(why, "not known: "+wordsOf(m.Open, p))
	}
	if m := importance(r.Domain); m > 1 {
		why = append(why, fmt.Sprintf("%s counts × %.1f", strings.ReplaceAll(r.Domain, "_", " "), m))
	}
	if trial := r.OnTrial(); trial != "" {
		why = append(why, "provisional: "+trial)
	}
	it := Item{Kind: search.KindRule, ID: r.ID, Number: r.Number, Label: r.Label(), Version: r.Version,
		Score: ruleScore(c.fused, r.Confidence, r.Domain),
		Why:   why, Title: r.Title, Text: r.Line(), Source: r.Label(), Domain: r.Domain, Legs: c.legs,
		Match: m, Rule: r}
	if !r.Untested() {
		it.Confidence = r.Confidence
	}
	return it
}

// wordsOf are conditions in words.
func wordsOf(list []rule.Condition, p *pack.Pack) string {
	words := lists.Map(list, func(c rule.Condition) string { return c.Words(p) })
	return strings.Join(words, "; ")
}

// dedup leaves out a rule that says the same as a better one, letter case, spaces and punctuation aside.
func dedup(sorted []Item) []Item {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(sorted), func(it Item) bool {
		key := strings.Join(text.Words(it.Text), " ")
		if seen[key] {
			return true
		}
		seen[key] = true
		return false
	})
}
