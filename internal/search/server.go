package search

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kljensen/snowball/english"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
)

// On a PostgreSQL server the words stand in tables of their own, by their stems, and are weighed as FTS5 weighs them.
// Vectors are compared in memory, as on a file; Tables, which asks no index there, compares them one by one.

// FTS5's BM25.
const (
	bm25K1 = 1.2
	bm25B  = .75
)

func stem(word string) string { return english.Stem(word, true) }

// stems of the words of a question, each once.
func stems(terms []string) []string { return distinctOf(lists.Map(terms, stem), false, maxTerms) }

// addWords is addText on a server.
func addWords(tx *db.Tx, r row) error {
	weights, size := map[string]int{}, 0
	for i, text := range []string{r.body, r.title} {
		for _, w := range wordsOf(text, true) {
			if size++; len(w) <= longestWord {
				weights[stem(w)] += i + 1
			}
		}
	}
	if err := db.Exec(tx, "search: index the size of an entry", `INSERT INTO entry_size (entry_id, words)
		VALUES ($1, $2)`, r.id, size); err != nil {
		return err
	}
	var args []any
	for w, n := range weights {
		args = append(args, w, r.id, n)
	}
	return insertMany(tx, "search: index words", `INSERT INTO entry_word (word, entry_id, weight) VALUES `, 3, args)
}

// insertMany inserts rows of so many values, some hundred at once.
func insertMany(tx *db.Tx, doing, insert string, columns int, args []any) error {
	const most = 100
	for len(args) > 0 {
		n := min(most*columns, len(args))
		var b strings.Builder
		b.WriteString(insert)
		for i := 0; i < n; i += columns {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString("(" + db.In(i+1, columns) + ")")
		}
		if err := db.Exec(tx, doing, b.String(), args[:n]...); err != nil {
			return err
		}
		args = args[n:]
	}
	return nil
}

func removeWords(tx *db.Tx, r row) error {
	return db.Exec(tx, "search: unindex words", `DELETE FROM entry_size WHERE entry_id = $1`, r.id)
}

// weighWords is the ranking of Tables on a server.
func weighWords(tx *db.Tx, terms []string, f Filter, n int) ([]Hit, error) {
	terms = stems(terms)
	var entries, size float64
	if err := db.One(tx, "search: count words", `SELECT count(*), coalesce(sum(words), 0)
		FROM entry_size`).Scan(&entries, &size); err != nil {
		return nil, err
	}
	counts := map[string]float64{}
	if err := db.Each(tx, "search: count words", db.Pairs(counts), `SELECT word, count(*) FROM entry_word
		WHERE word IN (`+db.In(1, len(terms))+`) GROUP BY word`, db.Anys(terms)...); err != nil || len(counts) == 0 {
		return nil, err
	}
	var asked []string
	var args []any
	for _, w := range terms {
		if c := counts[w]; c > 0 {
			asked = append(asked, "($"+strconv.Itoa(len(args)+1)+"::text, $"+strconv.Itoa(len(args)+2)+"::float8)")
			args = append(args, w, max(1e-6, math.Log((entries-c+.5)/(c+.5))))
		}
	}
	average := len(args) + 1
	args = append(args, size/entries)
	cond, more := f.where(len(args) + 1)
	args = append(append(args, more...), n)
	k := strconv.FormatFloat(bm25K1, 'g', -1, 64)
	// Rounded, so that equal scores are equal in whatever order they were summed.
	return readHits(tx, "search: by words", `SELECT e.kind, e.item_id, round(sum(a.idf * w.weight * (`+k+` + 1) /
			(w.weight + `+k+` * (1 - `+strconv.FormatFloat(bm25B, 'g', -1, 64)+` * (1 - s.words / $`+
		strconv.Itoa(average)+`::float8))))::numeric, 12) AS score
		FROM (VALUES `+strings.Join(asked, ", ")+`) a (word, idf) JOIN entry_word w ON w.word = a.word
			JOIN entry_size s ON s.entry_id = w.entry_id JOIN search_entry e ON e.id = w.entry_id
		WHERE 1 = 1`+cond+`
		GROUP BY e.id, e.kind, e.item_id ORDER BY score DESC, e.id LIMIT $`+strconv.Itoa(len(args)), args...)
}

// indexCaseWords makes a case findable by words, and by no others.
func indexCaseWords(tx *db.Tx, row int64, words string) error {
	if err := unindexCaseWords(tx, row); err != nil {
		return err
	}
	var args []any
	for _, w := range distinctOf(lists.Map(strings.Fields(words), stem), false, maxCaseWords) {
		args = append(args, w, row)
	}
	return insertMany(tx, "search: index a case", `INSERT INTO case_word (word, case_id) VALUES `, 2, args)
}

func unindexCaseWords(tx *db.Tx, row int64) error {
	return db.Exec(tx, "search: unindex a case", `DELETE FROM case_word WHERE case_id = $1`, row)
}

// findCaseWords finds the newest cases that have each word, the last one also as a beginning.
func findCaseWords(tx *db.Tx, terms []string, n int, a Among) ([]string, error) {
	if len(terms) == 0 {
		return nil, nil
	}
	var b strings.Builder
	args := slices.Clone(a.Args)
	if a.Query != "" {
		b.WriteString(` AND s.item_id IN (` + a.Query + `)`)
	}
	for i, w := range terms {
		args = append(args, stem(w))
		is := " = $" + strconv.Itoa(len(args))
		if i == len(terms)-1 {
			args = append(args, args[len(args)-1].(string)+"\U0010FFFF")
			is = " BETWEEN $" + strconv.Itoa(len(args)-1) + " AND $" + strconv.Itoa(len(args))
		}
		b.WriteString(` AND EXISTS (SELECT 1 FROM case_word w WHERE w.case_id = s.id AND w.word` + is + `)`)
	}
	return db.Column[string](tx, "search: cases", `SELECT s.item_id FROM search_case s WHERE 1 = 1`+b.String()+`
		ORDER BY s.id DESC LIMIT $`+strconv.Itoa(len(args)+1), append(args, n)...)
}

// rebuildWords makes the words of entries and cases anew.
func rebuildWords(tx *db.Tx) error {
	if err := db.Exec(tx, "search: rebuild words", `DELETE FROM entry_size`); err != nil {
		return err
	}
	if err := db.Each(tx, "search: rebuild words", func(r db.Row) error {
		var one row
		if err := r.Scan(&one.id, &one.title, &one.body); err != nil {
			return err
		}
		return addWords(tx, one)
	}, `SELECT id, title, body FROM search_entry WHERE active = 1 ORDER BY id`); err != nil {
		return err
	}
	return db.Each(tx, "search: rebuild the words of cases", func(r db.Row) error {
		var id int64
		var words string
		if err := r.Scan(&id, &words); err != nil {
			return err
		}
		return indexCaseWords(tx, id, words)
	}, `SELECT id, words FROM search_case ORDER BY id`)
}

// nearestOf compares every vector.
func nearestOf(tx *db.Tx, vector []float32, f Filter, n int) ([]Hit, error) {
	s, err := readStamp(tx)
	if err != nil {
		return nil, err
	}
	q, b := scaled(vector), best{n: n}
	err = s.each(tx, nil, func(e stored, v []float32) {
		if e.passes(f) {
			b.offer(Hit{e.kind, e.id, float64(blas.Sdot(s.dims, v, 1, q, 1))})
		}
	})
	return b.hits, err
}

// readServer is what Check reads on a server: there is no index of vectors to compare.
func (r *Report) readServer(tx *db.Tx) error {
	if err := db.One(tx, "search: count entries", `SELECT count(*), coalesce(sum(active), 0),
		(SELECT count(*) FROM entry_size) FROM search_entry`).Scan(&r.Entries, &r.Active, &r.Texts); err != nil {
		return err
	}
	if r.Texts != r.Active {
		r.add("The full-text index has %d entries and should have %d. Rebuild it.", r.Texts, r.Active)
	}
	s, err := readStamp(tx)
	if err != nil {
		return err
	}
	r.Model = s.model
	err = s.each(tx, nil, func(stored, []float32) { r.Vectors++ })
	r.Missing = r.Active - r.Vectors
	return err
}
