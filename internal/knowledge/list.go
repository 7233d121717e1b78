package knowledge

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/text"
	"preceptor/internal/rule"
	"preceptor/internal/search"
)

const (
	// foundMost is how many items a person's search looks at before the filter.
	foundMost = 400
	// scanMost is how many cases are read for words in what is not in use, which no index holds.
	scanMost = 20_000
)

// Finding is what a person's search came to.
type Finding struct {
	Items []Item // of the kind that was asked for, best first, at most Filter.Limit
	More  int    // of that kind that fit and are not among Items
	Other int    // of the other kind
}

// Find searches what is in use by words and by meaning, and keeps what f lets through. kind is search's "case" or
// "rule".
func (b *Base) Find(ctx context.Context, kind string, f Filter) (found Finding, err error) {
	agent := f.AgentID
	if agent == "" {
		agent = AnyAgent
	}
	list, err := b.Browse(ctx, Query{AgentID: agent, Text: f.Text}, foundMost)
	if err != nil {
		return found, err
	}
	for _, it := range list {
		switch {
		case it.Kind != kind:
			found.Other++
		case !f.lets(it):
		case len(found.Items) == f.limit():
			found.More++
		default:
			found.Items = append(found.Items, it)
		}
	}
	return found, nil
}

// Browse is Search for a person who looks for something that is in use. What has the words that were typed comes first,
// whether or not it comes near by meaning; no score is above 1.
func (b *Base) Browse(ctx context.Context, q Query, n int) ([]Item, error) {
	q.browse = true
	p, cases, rules, err := b.both(ctx, q)
	if err == nil {
		cases, rules, err = b.said(ctx, q, p, cases, rules)
	}
	if err != nil {
		return nil, err
	}
	all := append(cases, rules...)
	for i := range all {
		it := &all[i]
		if it.says(q.text()) {
			it.Score++ // before all others
		} else {
			it.Score = min(it.Score, 1)
		}
	}
	slices.SortStableFunc(all, func(x, y Item) int { return cmp.Compare(y.Score, x.Score) })
	all = all[:min(n, len(all))]
	for i := range all {
		all[i].Score = min(all[i].Score, 1)
	}
	return all, nil
}

// says reports whether an item has the words that somebody typed.
func (it Item) says(typed string) bool {
	if it.Case != nil {
		return hasWords(typed, it.Case.Title, it.Case.Situation, it.Text, it.Label)
	}
	return hasWords(typed, it.Title, it.Text)
}

// said adds what has the words that were typed and was not found by meaning.
func (b *Base) said(ctx context.Context, q Query, p probe, cases, rules []Item) (c, r []Item, err error) {
	p.vector = nil
	byWords, err := b.recallCases(ctx, q, p)
	if err != nil {
		return nil, nil, err
	}
	cache, err := b.activeRules(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, one := range cache.rules {
		if q.AgentID == AnyAgent || one.AgentID == "" || one.AgentID == q.AgentID {
			byWords = append(byWords, ruleItem(one, &candidate{id: one.ID, legs: Legs{Lexical: 1}}, rule.Result{}, nil))
		}
	}
	have := map[string]bool{}
	for _, it := range slices.Concat(cases, rules) {
		have[it.ID] = true
	}
	for _, it := range byWords {
		switch {
		case have[it.ID] || !it.says(q.text()):
		case it.Kind == search.KindRule:
			rules = append(rules, it)
		default:
			cases = append(cases, it)
		}
	}
	return cases, rules, nil
}

// lets reports whether an item that is in use passes the filter.
func (f Filter) lets(it Item) bool {
	if f.Status != "" && f.Status != Active || f.Domain != "" && it.Domain != f.Domain {
		return false
	}
	switch {
	case it.Rule != nil:
		return !f.Provisional || it.Rule.Provisional
	case it.Case != nil:
		c := it.Case
		return (f.Task == "" || c.Task == f.Task) && (f.Source == "" || c.Source == f.Source) &&
			(!f.Flagged || len(c.Flags) > 0) && (!f.Exemplar || c.Exemplar)
	}
	return false
}

// CasesWith lists cases of any status that have the words of f.Text in them, newest first, on one page; more tells
// whether there are others, or were too many to look through.
func (b *Base) CasesWith(ctx context.Context, f Filter) (out []Case, more bool, err error) {
	limit := f.limit()
	f.Limit = 500
	for read := 0; read < scanMost; read += f.Limit {
		list, next, err := b.Cases(ctx, f)
		if err != nil {
			return nil, false, err
		}
		for _, c := range list {
			if !hasWords(f.Text, c.Title, c.Situation, c.Guidance, c.Negative, c.Label()) {
				continue
			}
			if len(out) == limit {
				return out, true, nil
			}
			out = append(out, c)
		}
		if next == "" {
			return out, false, nil
		}
		f.Cursor = next
	}
	return out, true, nil
}

// hasWords reports whether the words of typed stand in the texts. One in six may be another: who copies a sentence by
// heart gets most of it right.
func hasWords(typed string, texts ...string) bool {
	all := strings.ToLower(strings.Join(texts, "\n"))
	words := text.Words(typed)
	if len(words) == 0 {
		return strings.Contains(all, strings.TrimSpace(typed))
	}
	missing := 0
	for _, w := range words {
		if !strings.Contains(all, w) {
			missing++
		}
	}
	return 6*missing <= len(words)
}

// idleStatuses are those of what recall does not give out, those that somebody should look at first.
var idleStatuses = []string{Candidate, Quarantined, Rejected, Withdrawn, Retired}

// Idle are rules that are not in use and have the words of f.Text in them, at most f.Limit.
func (b *Base) Idle(ctx context.Context, f Filter) (out []Rule, err error) {
	most := f.limit()
	for _, status := range idleStatuses {
		if f.Limit = most - len(out); f.Limit <= 0 {
			break
		}
		f.Status = status
		list, _, err := b.Rules(ctx, f)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// UsesSince counts for each of some items how many drafts were shown it since from.
func (b *Base) UsesSince(ctx context.Context, ids []string, from time.Time) (map[string]int, error) {
	out := map[string]int{}
	err := b.db.Read(ctx, func(tx *db.Tx) error {
		for _, batch := range db.Batches(ids) {
			args := append([]any{db.Ms(from)}, db.Anys(batch)...)
			if err := db.Each(tx, "knowledge: count uses", func(row db.Row) error {
				var itemID string
				var n int
				err := row.Scan(&itemID, &n)
				out[itemID] = n
				return err
			}, `SELECT item_id, count(*) FROM knowledge_usage
				WHERE created_at >= $1 AND item_id IN (`+db.In(2, len(batch))+`) GROUP BY item_id`, args...); err !=
				nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// Cited is a rule in use that names a case as evidence.
type Cited struct {
	Rule    Rule
	Against bool
}

// RulesCiting lists the rules in use that name a case as evidence, by number, at most n.
func (b *Base) RulesCiting(ctx context.Context, caseID string, n int) (out []Cited, err error) {
	cache, err := b.activeRules(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range cache.rules {
		if len(out) == n {
			break
		}
		switch {
		case slices.Contains(r.Supporting, caseID):
			out = append(out, Cited{Rule: *r})
		case slices.Contains(r.Counter, caseID):
			out = append(out, Cited{Rule: *r, Against: true})
		}
	}
	return out, nil
}

// UsesCount is how many drafts were shown an item.
func (b *Base) UsesCount(ctx context.Context, itemID string) (n int, err error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) (int, error) {
		return db.Value[int](tx, "knowledge: count uses", `SELECT count(*) FROM knowledge_usage
			WHERE item_id = $1`, itemID)
	})
}
