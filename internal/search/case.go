package search

import (
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
)

// PutCaseTx makes a case of the desk findable by the words of text, and no longer by those it had before. Each word is
// kept once, in no order.
func PutCaseTx(tx *db.Tx, id, text string) error {
	row, old, found, err := findCase(tx, id)
	if err != nil {
		return err
	}
	return putCase(tx, id, text, row, old, found)
}

// putCase is PutCaseTx with what findCase found.
func putCase(tx *db.Tx, id, text string, row int64, old string, found bool) (err error) {
	now := strings.Join(distinct(text), " ")
	switch {
	case found && old == now:
		return nil
	case found:
		if err := unindexCase(tx, row, old); err != nil {
			return err
		}
		_, err = tx.Exec(`UPDATE search_case SET words = $1, folded = 1 WHERE id = $2`, now, row)
	default:
		err = db.One(tx, "search: add a case",
			`INSERT INTO search_case (item_id, words, folded) VALUES ($1, $2, 1) RETURNING id`, id, now).Scan(&row)
	}
	if err != nil {
		return fmt.Errorf("search: keep the words of a case: %w", err)
	}
	return indexCase(tx, row, now)
}

func indexCase(tx *db.Tx, row int64, words string) error {
	if tx.OnServer() {
		return indexCaseWords(tx, row, words)
	}
	return db.Exec(tx, "search: index a case", `INSERT INTO case_text (rowid, words) VALUES ($1, $2)`, row, words)
}

// AddCaseTx makes a case findable by the words of text, too.
func AddCaseTx(tx *db.Tx, id, text string) error {
	row, old, found, err := findCase(tx, id)
	if err != nil {
		return err
	}
	return putCase(tx, id, old+" "+text, row, old, found)
}

// DropCaseTx forgets the words of a case; none is fine.
func DropCaseTx(tx *db.Tx, id string) error {
	row, old, found, err := findCase(tx, id)
	if err != nil || !found {
		return err
	}
	if err := unindexCase(tx, row, old); err != nil {
		return err
	}
	return db.Exec(tx, "search: forget a case", `DELETE FROM search_case WHERE id = $1`, row)
}

// FindCasesTx finds cases that have every word of text, the last one also as the beginning of a word: at most n ids,
// newest case first. more tells that there are others. Nothing that a person types is a syntax error; a text without a
// word finds nothing.
func FindCasesTx(tx *db.Tx, text string, n int) (ids []string, more bool, err error) {
	return FindCasesAmongTx(tx, text, n, Among{})
}

// Among is a query for the ids of cases, among which is looked, and whether these are few: then the search goes
// through them and not through all that have the words.
type Among struct {
	Few   bool
	Query string // ""; any case
	Args  []any
}

// FindCasesAmongTx is FindCasesTx among some cases.
func FindCasesAmongTx(tx *db.Tx, text string, n int, a Among) (ids []string, more bool, err error) {
	terms := queryTerms(text)
	match := everyWord(terms)
	if match == "" {
		return nil, false, nil
	}
	if tx.OnServer() {
		ids, err = findCaseWords(tx, terms, n+1, a)
	} else {
		from, among := `case_text CROSS JOIN search_case s`, ``
		if a.Few {
			from = `search_case s CROSS JOIN case_text`
		}
		if a.Query != "" {
			among = `s.item_id IN (` + a.Query + `) AND `
		}
		ids, err = db.Column[string](tx, "search: cases", `SELECT s.item_id FROM `+from+`
			WHERE `+among+fmt.Sprintf(`s.id = case_text.rowid AND case_text MATCH $%d
			ORDER BY case_text.rowid DESC LIMIT $%d`, len(a.Args)+1, len(a.Args)+2),
			append(slices.Clip(a.Args), match, n+1)...)
	}
	if len(ids) > n {
		ids, more = ids[:n], true
	}
	return ids, more, err
}

func findCase(tx *db.Tx, id string) (row int64, words string, found bool, err error) {
	found, err = db.One(tx, "search: find a case", `SELECT id, words FROM search_case
		WHERE item_id = $1`, id).Find(&row, &words)
	if err != nil || !found {
		return 0, "", false, err
	}
	return row, words, true, nil
}

// unindexCase takes a case's words out of the index, which wants the very words that went in.
func unindexCase(tx *db.Tx, row int64, words string) error {
	if tx.OnServer() {
		return unindexCaseWords(tx, row)
	}
	return db.Exec(tx, "search: unindex a case",
		`INSERT INTO case_text (case_text, rowid, words) VALUES ('delete', $1, $2)`, row, words)
}

// everyWord is an FTS5 query for all the words, each quoted.
func everyWord(terms []string) string {
	if len(terms) == 0 {
		return ""
	}
	return strings.Join(lists.Map(terms, quoted), " AND ") + " *"
}

// maxCaseWords bounds what is kept of one case; a long letter has three thousand different words.
const maxCaseWords = 8000

// distinct are the words of a text, each once.
func distinct(text string) []string { return distinctOf(wordsOf(text, true), false, maxCaseWords) }
