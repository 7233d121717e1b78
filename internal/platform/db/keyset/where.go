package keyset

import (
	"strconv"
	"strings"
)

// Where is what a query is narrowed to, with its arguments from $1 on. The zero value narrows nothing.
type Where struct {
	SQL  string
	Args []any
}

// Add adds SQL in which each ? is the next argument.
func (w *Where) Add(sql string, args ...any) {
	for _, a := range args {
		w.Args = append(w.Args, a)
		sql = strings.Replace(sql, "?", "$"+strconv.Itoa(len(w.Args)), 1)
	}
	w.SQL += sql
}

// If adds a condition that has to hold, too, where it is asked for.
func (w *Where) If(asked bool, condition string, args ...any) {
	if asked {
		w.Add(" AND "+condition, args...)
	}
}

// Is asks for the value of a column; "" asks for nothing.
func (w *Where) Is(column, value string) { w.If(value != "", column+" = ?", value) }
