package knowledge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/pack"
	"preceptor/internal/search"
)

// activeRule is an active rule with its sentence taken apart.
type activeRule struct {
	Rule
	principle pack.Principle
	parsed    bool
}

// ruleCache keeps the active rules between recalls. Its stamp is the number of the last version of any rule, which every
// change raises, so that a rule accepted by a commit is in the next recall; and it is read anew when a date has come.
type ruleCache struct {
	stamp int64
	until time.Time // when a version begins or ends; zero: none will
	rules []*activeRule
	byID  map[string]*activeRule
}

// activeRules reads the active rules, or takes them from the cache.
func (b *Base) activeRules(ctx context.Context) (cache *ruleCache, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		var stamp int64
		if err := tx.QueryRow(`SELECT coalesce(max(seq), 0) FROM knowledge_rule_version`).Scan(&stamp); err != nil {
			return fmt.Errorf("knowledge: stamp rules: %w", err)
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
		cache = newRuleCache(stamp, held)
		cache.until = until
		b.rules.Store(cache)
		return nil
	})
	return cache, err
}

func newRuleCache(stamp int64, rules []Rule) *ruleCache {
	c := &ruleCache{stamp: stamp, byID: map[string]*activeRule{}}
	for _, r := range rules {
		a := &activeRule{Rule: r}
		if p, err := pack.ParsePrinciple(r.Principle); err == nil {
			a.principle, a.parsed = p, true
		}
		c.rules = append(c.rules, a)
		c.byID[r.ID] = a
	}
	return c
}

// recallRules ranks the active rules for a query, best first: those found by either leg, and those whose situation holds
// for the consultation however they are worded.
func (b *Base) recallRules(ctx context.Context, q Query, p probe) ([]Item, error) {
	cache, err := b.activeRules(ctx)
	if err != nil || len(cache.rules) == 0 {
		return nil, err
	}
	list, err := b.find(ctx, p, search.Filter{Kind: search.KindRule, AgentID: q.AgentID})
	if err != nil {
		return nil, err
	}
	if b.opts.Mode != Seed {
		list = addApplying(list, cache, q)
	}
	items := make([]Item, 0, len(list))
	for _, c := range list {
		if r := cache.byID[c.id]; r != nil {
			items = append(items, ruleItem(&r.Rule, c))
		}
	}
	slices.SortStableFunc(items, func(x, y Item) int { return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.Number, y.Number)) })
	return items, nil
}

// addApplying marks and lifts the rules that apply, adding those that no leg found.
func addApplying(list []*candidate, cache *ruleCache, q Query) []*candidate {
	byID := map[string]*candidate{}
	for _, c := range list {
		byID[c.id] = c
	}
	s := q.situation()
	for _, r := range cache.rules {
		if !r.parsed || q.AgentID != search.AnyAgent && r.AgentID != "" && r.AgentID != q.AgentID {
			continue
		}
		ok, why := r.principle.Applies(s)
		if !ok {
			continue
		}
		c := byID[r.ID]
		if c == nil {
			c = &candidate{id: r.ID}
			list = append(list, c)
		}
		c.legs.Applies = true
		c.fused = applied(c.fused)
		c.why = append(c.why, why...)
	}
	return list
}

func ruleItem(r *Rule, c *candidate) Item {
	var why []string
	if f := c.found(); f != "" {
		why = append(why, f)
	}
	if c.legs.Applies {
		why = append(why, strings.TrimSuffix("its situation applies: "+strings.Join(c.why, "; "), ": "))
	}
	if m := importance(r.Domain); m > 1 {
		why = append(why, fmt.Sprintf("%s counts × %.1f", strings.ReplaceAll(r.Domain, "_", " "), m))
	}
	if r.Provisional {
		why = append(why, "provisional: tested on few cases so far")
	}
	return Item{Kind: search.KindRule, ID: r.ID, Number: r.Number, Label: r.Label(), Version: r.Version, Score: ruleScore(c.fused, r.Confidence, r.Domain),
		Why: why, Title: r.Title, Text: r.Principle, Source: r.Label(), Domain: r.Domain, Confidence: r.Confidence, Legs: c.legs, Rule: r}
}

// dedup leaves out a rule that says the same as a better one, letter case, spaces and punctuation aside.
func dedup(sorted []Item) []Item {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(sorted), func(it Item) bool {
		key := strings.Join(plainWords(it.Text), " ")
		if seen[key] {
			return true
		}
		seen[key] = true
		return false
	})
}
