package keyset_test

import (
	"testing"

	"preceptor/internal/platform/db/keyset"

	"github.com/google/go-cmp/cmp"
)

// Placeholders come in ascending order, and what is not asked for takes none.
func TestWhere(t *testing.T) {
	var w keyset.Where
	w.Add(`SELECT id FROM t WHERE 1 = 1`)
	w.Is("a", "x")
	w.Is("b", "")
	w.If(false, "c > ?", 1)
	w.If(true, "(d = ? OR e = ?)", 2, "y")
	w.Add(` LIMIT ?`, 3)
	if diff := cmp.Diff(keyset.Where{SQL: `SELECT id FROM t WHERE 1 = 1 AND a = $1 AND (d = $2 OR e = $3) LIMIT $4`,
		Args: []any{"x", 2, "y", 3}}, w); diff != "" {
		t.Error(diff)
	}
}
