package search_test

import (
	"context"
	"strings"
	"testing"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/search"
	"preceptor/internal/search/searchtest"
)

var ctx = context.Background()

func TestTables(t *testing.T) {
	searchtest.Contract(t, func(d *db.DB) search.Index { return search.New(d) })
}

func TestMemory(t *testing.T) {
	searchtest.Contract(t, func(d *db.DB) search.Index { return search.NewMemory(d) })
}

// harm breaks the index in one way, as a defect or a bad disk would.
func TestCheckFindsHarmAndRebuildMendsIt(t *testing.T) {
	dbtest.FilesOnly(t, "it harms FTS5's tables")
	for name, harm := range map[string]string{
		"a vector is gone from the index": `DELETE FROM entry_vector WHERE entry_id = 2`,
		"a vector differs": `UPDATE entry_vector SET vector = (SELECT vector FROM embedding
				WHERE entry_id = 3)
			WHERE entry_id = 2`,
		"words are gone from the index": `INSERT INTO entry_text (entry_text, rowid, title, body)
			SELECT 'delete', id, title, body
			FROM search_entry WHERE id = 2`,
		"a text changed behind our back":    `UPDATE search_entry SET title = 'something else' WHERE id = 2`,
		"an entry vanished from the source": `UPDATE search_entry SET active = 0 WHERE id = 2`,
	} {
		t.Run(name, func(t *testing.T) {
			d := dbtest.New(t)
			index := search.New(d)
			searchtest.Write(t, d, func(tx *db.Tx) error {
				for i, id := range []string{"a", "b", "c"} {
					if err := index.UpsertTx(tx,
						search.Entry{Kind: search.KindCase, ID: id, Active: true, Title: "entry " + id,
							Model: searchtest.Model, Vector: searchtest.Unit(i)}); err != nil {
						return err
					}
				}
				return nil
			})
			searchtest.Write(t, d, func(tx *db.Tx) error { _, err := tx.Exec(harm); return err })
			r, err := index.Check(ctx)
			if err != nil || len(r.Problems) == 0 {
				t.Fatalf("the harm was not found: %+v, %v", r, err)
			}
			if err := index.Rebuild(ctx, ""); err != nil {
				t.Fatal(err)
			}
			if r, err = index.Check(ctx); err != nil || len(r.Problems) > 0 {
				t.Errorf("the rebuild did not mend it: %+v, %v", r, err)
			}
		})
	}
}

func TestCheckFindsABadBlob(t *testing.T) {
	dbtest.FilesOnly(t, "it asks in SQLite's words")
	d := dbtest.New(t)
	index := search.New(d)
	searchtest.Write(t, d, func(tx *db.Tx) error {
		return index.UpsertTx(tx, search.Entry{Kind: search.KindCase, ID: "a", Active: true, Title: "x",
			Model: searchtest.Model, Vector: searchtest.Unit(0)})
	})
	searchtest.Write(t, d, func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE embedding SET vector = zeroblob(length(vector))`)
		return err
	})
	r, err := index.Check(ctx)
	if err != nil || !strings.Contains(strings.Join(r.Problems, " "), "wrong length") {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestNoTextIsASyntaxError(t *testing.T) {
	d := dbtest.New(t)
	index := search.New(d)
	searchtest.Write(t, d, func(tx *db.Tx) error {
		return index.UpsertTx(tx, search.Entry{Kind: search.KindCase, ID: "a", Active: true,
			Title: "can't take 25% tax-free"})
	})
	for _, text := range []string{"", " ", `"`, `""`, `' OR 1=1 --`, "AND", "NOT", "tax AND", "NEAR(", "title:", "*",
		"tax*", "^tax", "-tax", "(", "{a b}", "a+b", "tax\x00free",
		"\xff\xfe", "😀", "日本語", "can't", "25%", "NULL", strings.Repeat("tax ", 50_000), strings.Repeat("x", 300_000),
		"the of and"} {
		if _, err := index.Lexical(ctx, text, search.Filter{}, 5); err != nil {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	for _, text := range []string{"TAX", "“tax”", "tax-free", "can't", "can’t", "25"} {
		if hits, err := index.Lexical(ctx, text, search.Filter{}, 5); err != nil || len(hits) != 1 ||
			hits[0].Score <= 0 {
			t.Errorf("%q finds %v, %v", text, hits, err)
		}
	}
}

func FuzzLexical(f *testing.F) {
	d := dbtest.New(f)
	index := search.New(d)
	searchtest.Write(f, d, func(tx *db.Tx) error {
		return index.UpsertTx(tx, search.Entry{Kind: search.KindCase, ID: "a", Active: true,
			Title: "take 25% tax-free"})
	})
	f.Add(`tax AND "free`)
	f.Add("NEAR(a b, 3) : * ^ -")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := index.Lexical(ctx, text, search.Filter{}, 5); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}

func TestErasedWordsLeaveTheIndexFile(t *testing.T) {
	dbtest.FilesOnly(t, "it reads FTS5's tables")
	d := dbtest.New(t)
	index := search.New(d)
	put := func(title string) {
		searchtest.Write(t, d, func(tx *db.Tx) error {
			return index.UpsertTx(tx, search.Entry{Kind: search.KindCase, ID: "a", Active: true, Title: title})
		})
	}
	put("zyxwvut")
	put("harmless")
	err := d.Read(ctx, func(tx *db.Tx) error {
		rows, err := tx.Query(`SELECT block FROM entry_text_data`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var block []byte
			if err := rows.Scan(&block); err != nil {
				return err
			}
			if strings.Contains(string(block), "zyxwvut") {
				t.Error("the erased word is still in the full-text index")
			}
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
}
