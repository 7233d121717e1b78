package search_test

import (
	"fmt"
	"slices"
	"testing"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/search"
)

// spellings are texts, what finds them, and what doesn't.
var spellings = []struct{ text, finds, misses string }{
	{"You may pay in 10,000 a year.", "10000", "10001"},
	{"You may pay in 10000 a year.", "10,000", "1000"},
	{"Der Betrag ist 1'250'000 Franken.", "1250000", "1250"},
	{"Das Büro in der Schillerstraße ist zu.", "Schillerstrasse", "Schiller"},
	{"Das Buero in der Goethestrasse ist zu.", "Goethestraße", "Goethe"},
	{"Biuro w Łodzi i w Małopolsce.", "lodzi malopolsce", "lodge"},
	{"Kontoret i København er lukket.", "kobenhavn", "koben"},
	{"Crème brûlée", "creme brulee", "cremona"},
	{"公的年金制度は世代間の支え合いです。", "年金制度", "金年"},
	{"厚生年金の受給額を確認してください。", "受給額", "額受"},
	{"您可以在退休时领取养老金。", "养老金", "老养"},
	{"iDeCo個人型確定拠出年金に加入する", "個人型", "型人"},
	{"ｉＤｅＣｏ　１００万円", "ideco 100", "idec"},
}

func TestAWordIsFoundHoweverItIsWritten(t *testing.T) {
	dbtest.FilesOnly(t, "it reads FTS5's tables")
	d := dbtest.New(t)
	index := search.NewMemory(d)
	if err := d.Write(t.Context(), func(tx *db.Tx) error {
		for i, s := range spellings {
			if err := search.PutCaseTx(tx, fmt.Sprint(i), s.text); err != nil {
				return err
			}
			if err := index.UpsertTx(tx,
				search.Entry{Kind: search.KindCase, ID: fmt.Sprint(i), Active: true, Title: "T",
					Body: s.text}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	look := func(when string) {
		t.Helper()
		for i, s := range spellings {
			for query, want := range map[string]bool{s.finds: true, s.misses: false} {
				var ids []string
				if err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
					ids, _, err = search.FindCasesTx(tx, query+" ", 50)
					return err
				}); err != nil {
					t.Fatal(err)
				}
				hits, err := index.Lexical(t.Context(), query, search.Filter{AgentID: search.AnyAgent}, 50)
				if err != nil {
					t.Fatal(err)
				}
				recalled := slices.ContainsFunc(hits, func(h search.Hit) bool { return h.ID == fmt.Sprint(i) })
				if found := slices.Contains(ids, fmt.Sprint(i)); recalled != want || want && !found {
					t.Errorf("%s: %q by %q: at the desk %v, in recall %v, want %v", when, s.text, query, found,
						recalled, want)
				}
			}
		}
		if r, err := index.Check(t.Context()); err != nil || len(r.Problems) > 0 {
			t.Errorf("%s: %v %v", when, r.Problems, err)
		}
	}
	look("new")
	if err := d.Write(t.Context(), func(tx *db.Tx) error { // as an older version left it
		for _, q := range []string{`UPDATE search_entry SET words = NULL`, `INSERT INTO entry_text (entry_text)
			VALUES ('rebuild')`, `UPDATE search_case SET folded = 0`} {
			if _, err := tx.Exec(q); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := index.Refold(t.Context()); err != nil {
		t.Fatal(err)
	}
	look("cut anew")
	if err := d.Write(t.Context(), func(tx *db.Tx) error {
		if err := index.UpsertTx(tx, search.Entry{Kind: search.KindCase, ID: "8", Active: true, Title: "T",
			Body: "其他"}); err != nil {
			return err
		}
		return index.DeleteTx(tx, search.KindCase, "9")
	}); err != nil {
		t.Fatal(err)
	}
	if r, err := index.Check(t.Context()); err != nil || len(r.Problems) > 0 {
		t.Errorf("changed: %v %v", r.Problems, err)
	}
}
