package search

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
)

// fewEntries is up to how many entries each word of a question is asked for, and how many entries may be weighed where
// there are more. FTS5 weighs every entry that has any of the words, some four microseconds each.
const fewEntries = 5000

// commonWords remembers which words more than twice few entries have, for as many changes as can't bring such a word
// under few, so that what is answered does not hang on what was asked before. Other words are counted each time: that
// costs little, and a name that somebody asked for is not kept.
type commonWords struct {
	sync.Map
	seq int64 // when the first was counted
}

// Lexical implements Index. In a large base a question is answered by its rarer words (the "common terms" of other
// engines): a word that a tenth of all entries have says little, and BM25 gives it little weight, yet to weigh it costs
// a tenth of all entries.
func (m *Memory) Lexical(ctx context.Context, text string, f Filter, n int) (hits []Hit, err error) {
	common := m.commonWords()
	if common == nil || m.db.OnServer() {
		return m.Tables.Lexical(ctx, text, f, n)
	}
	terms := queryTerms(text)
	if len(terms) == 0 || n <= 0 {
		return nil, nil
	}
	err = m.db.Read(ctx, func(tx *db.Tx) error {
		if terms, err = m.rarest(tx, terms, common); err != nil || len(terms) == 0 {
			return err
		}
		hits, err = weighSome(tx, anyOf(terms), f, m.few, n)
		return err
	})
	return hits, err
}

// commonWords is what is remembered now; nil while there are few entries.
func (m *Memory) commonWords() *commonWords {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.held == nil || len(m.held.rows) <= m.few {
		return nil
	}
	c := m.common.Load()
	if c == nil || m.held.seq-c.seq > int64(m.few) || m.held.seq < c.seq {
		c = &commonWords{seq: m.held.seq}
		m.common.Store(c)
	}
	return c
}

// rarest picks of the words those that the fewest entries have, as many as fit: at least one, unless no entry has any.
func (m *Memory) rarest(tx *db.Tx, terms []string, common *commonWords) ([]string, error) {
	counts, most := map[string]int{}, 2*m.few+1
	for _, w := range terms {
		if _, ok := common.Load(w); ok {
			counts[w] = most
			continue
		}
		n, err := db.Value[int](tx, "search: count a word", `SELECT count(*)
			FROM (SELECT 1 FROM entry_text WHERE entry_text MATCH $1 LIMIT $2)`, quoted(w), most)
		if err != nil {
			return nil, err
		}
		if counts[w] = n; n == most {
			common.Store(w, true)
		}
	}
	terms = slices.DeleteFunc(terms, func(w string) bool { return counts[w] == 0 })
	slices.SortStableFunc(terms, func(a, b string) int { return cmp.Compare(counts[a], counts[b]) })
	sum := 0
	for i, w := range terms {
		if sum += counts[w]; i > 0 && sum > m.few {
			return terms[:i], nil
		}
	}
	return terms, nil
}

// weighSome is the ranking of Tables over at most some entries, the newest: where the rarest word of a question is in
// more, each of them has about the same weight.
func weighSome(tx *db.Tx, match string, f Filter, some, n int) ([]Hit, error) {
	cond, args := f.where(3)
	args = append([]any{match, some}, args...)
	args = append(args, n)
	return readHits(tx, "search: by words", `SELECT e.kind, e.item_id, t.score
		FROM (SELECT rowid AS id, -bm25(entry_text, 2.0, 1.0) AS score FROM entry_text
			WHERE entry_text MATCH $1 ORDER BY rowid DESC LIMIT $2) t CROSS JOIN search_entry e ON e.id = t.id
		WHERE 1`+cond+` ORDER BY t.score DESC, e.id LIMIT $`+strconv.Itoa(len(args)), args...)
}

func quoted(word string) string { return `"` + word + `"` }

// anyOf is the FTS5 query for entries that have any of the words.
func anyOf(terms []string) string {
	list := lists.Map(terms, quoted)
	return strings.Join(list, " OR ")
}
