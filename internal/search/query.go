package search

import (
	"context"
	"strconv"
	"strings"

	"preceptor/internal/platform/db"
)

// maxTerms bounds a query; a person's question has ten words, a pasted letter thousands.
const maxTerms = 48

// stopwords carry no meaning of their own; with them every entry is a hit and BM25 is slow to say so.
var stopwords = setOf(
	`a about after all also am an and any anyone are as at be because been before being but by can could
did do does doing dont for from get gets getting give go going got had has have having he her here hers him his how i id if
ill im in into is it its ive just let like may me might more most much must my need no not now of off on one or our out over
own please put say see she should so some such tell than that thats the their them then there these they thing things this
those to too up us use very want was way we well were what whats when where which while who whom why will with wont would
you your yours don doesn didn isn won wasn couldn wouldn shouldn hasn haven ll ve re`)

func setOf(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// matchQuery turns any text into an FTS5 query that asks for any of its words, each quoted. It is "" when there is
// none.
func matchQuery(text string) string { return anyOf(queryTerms(text)) }

// queryTerms are the words of a question that are asked for.
func queryTerms(text string) []string {
	if terms := words(text, true); len(terms) > 0 {
		return terms
	}
	return words(text, false) // nothing but stopwords: better than nothing
}

func words(text string, content bool) []string {
	return distinctOf(wordsOf(text, false), content, maxTerms)
}

// longestWord is how many bytes a word has at most that is looked for.
const longestWord = 64

func distinctOf(list []string, content bool, most int) (out []string) {
	seen := map[string]bool{}
	for _, w := range list {
		if len(w) > longestWord || seen[w] || content && (stopwords[w] || len(w) < 2 && (w[0] < '0' || w[0] > '9')) {
			continue
		}
		seen[w] = true
		if out = append(out, w); len(out) == most {
			break
		}
	}
	return out
}

// where spells the conditions of f on search_entry e, with placeholders from first on.
func (f Filter) where(first int) (string, []any) {
	var b strings.Builder
	var args []any
	add := func(cond string, v any) {
		args = append(args, v)
		b.WriteString(" AND " + strings.ReplaceAll(cond, "?", "$"+strconv.Itoa(first+len(args)-1)))
	}
	if f.Kind != "" {
		add("e.kind = ?", f.Kind)
	}
	if f.Task != "" {
		add("e.task = ?", f.Task)
	}
	if owners := f.owners(); owners[0] != AnyAgent {
		b.WriteString(" AND e.agent_id IN (" + db.In(first+len(args), len(owners)) + ")")
		args = append(args, db.Anys(owners)...)
	}
	return b.String(), args
}

// Lexical implements Index. A word in the title counts twice.
func (t *Tables) Lexical(ctx context.Context, text string, f Filter, n int) (hits []Hit, err error) {
	match := matchQuery(text)
	if match == "" || n <= 0 {
		return nil, nil
	}
	if t.db.OnServer() {
		err = t.db.Read(ctx, func(tx *db.Tx) (err error) {
			hits, err = weighWords(tx, queryTerms(text), f, n)
			return err
		})
		return hits, err
	}
	cond, args := f.where(2)
	args = append([]any{match}, args...)
	args = append(args, n)
	err = t.db.Read(ctx, func(tx *db.Tx) (err error) {
		hits, err = readHits(tx, "search: by words", `SELECT e.kind, e.item_id, -bm25(entry_text, 2.0, 1.0) AS score
			FROM entry_text CROSS JOIN search_entry e ON e.id = entry_text.rowid
			WHERE entry_text MATCH $1`+cond+` ORDER BY score DESC, e.id LIMIT $`+strconv.Itoa(len(args)), args...)
		return err
	})
	return hits, err
}

func readHits(tx *db.Tx, doing, query string, args ...any) ([]Hit, error) {
	return db.Rows(tx, doing, func(h *Hit) []any { return []any{&h.Kind, &h.ID, &h.Score} }, query, args...)
}
