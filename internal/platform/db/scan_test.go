package db_test

import (
	"database/sql"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
)

func TestARowIsReadIntoItsFields(t *testing.T) {
	type thing struct {
		name  string
		at    time.Time
		codes []string
	}
	fields := func(th *thing) []any { return []any{&th.name, db.At(&th.at), db.JSON(&th.codes)} }
	const two = `SELECT 'a', 1700000000000, '["x","y"]' UNION ALL SELECT 'b', 0, '[]' ORDER BY 1`
	err := dbtest.New(t).Read(t.Context(), func(tx *db.Tx) error {
		list, err := db.Rows(tx, "test: list", fields, two)
		if err != nil {
			return err
		}
		if len(list) != 2 || list[0].name != "a" || !list[0].at.Equal(time.UnixMilli(1_700_000_000_000)) ||
			!slices.Equal(list[0].codes, []string{"x", "y"}) || !list[1].at.IsZero() {
			t.Errorf("%+v", list)
		}
		if _, err := db.Rows(tx, "test: list", fields, `SELECT 'a', 0, '{'`); err == nil {
			t.Error("what is no JSON was read")
		}
		set, by := map[string]bool{}, map[string]int{}
		if err := db.Each(tx, "test: set", db.Keys(set), `SELECT 'a' UNION SELECT 'b'`); err != nil ||
			!maps.Equal(set, map[string]bool{"a": true, "b": true}) {
			t.Errorf("%v, %v", set, err)
		}
		if err := db.Each(tx, "test: map", db.Pairs(by), `SELECT 'a', 1 UNION SELECT 'b', 2`); err != nil ||
			!maps.Equal(by, map[string]int{"a": 1, "b": 2}) {
			t.Errorf("%v, %v", by, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestARowMayBeMissing(t *testing.T) {
	gone := errors.New("gone")
	err := dbtest.New(t).Read(t.Context(), func(tx *db.Tx) error {
		const none, one = `SELECT 1, 2 WHERE 1 = 0`, `SELECT 1, 2`
		var a, b int
		if found, err := db.One(tx, "test: find", none).Find(&a, &b); found || err != nil {
			t.Errorf("none: %v, %v", found, err)
		}
		if found, err := db.One(tx, "test: find", one).Find(&a, &b); !found || err != nil || a != 1 || b != 2 {
			t.Errorf("one: %v, %v, %d, %d", found, err, a, b)
		}
		if err := db.One(tx, "test: read", none).Or(gone).Scan(&a, &b); err != gone {
			t.Errorf("instead of a row: %v", err)
		}
		if err := db.One(tx, "test: read", none).Scan(&a, &b); !errors.Is(err, sql.ErrNoRows) {
			t.Errorf("no row: %v", err)
		}
		var more int
		if err := db.More(db.One(tx, "test: read", `SELECT 1, 2, 3`), &more).Scan(&a, &b); err != nil || more != 3 {
			t.Errorf("one column more: %d, %v", more, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
