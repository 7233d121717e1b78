package knowledge

import (
	"context"
	"slices"
	"strings"
	"time"

	"preceptor/internal/platform/db"
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
	list, err := b.Search(ctx, Query{AgentID: agent, Text: f.Text}, foundMost)
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

// hasWords reports whether every word of typed stands in one of the texts.
func hasWords(typed string, texts ...string) bool {
	all := strings.ToLower(strings.Join(texts, "\n"))
	for _, w := range strings.Fields(strings.ToLower(typed)) {
		if !strings.Contains(all, w) {
			return false
		}
	}
	return true
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
