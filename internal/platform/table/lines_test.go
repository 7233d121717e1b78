package table_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"preceptor/internal/platform/table"
)

func TestLines(t *testing.T) {
	l := table.NewLines(strings.NewReader("one\r\n\n"+strings.Repeat("x", 200_000)+"\nlast"), 1000)
	for n, want := range []struct {
		line string
		err  error
	}{{"one", nil}, {"", nil}, {"", table.ErrLong}, {"last", nil}, {"", io.EOF}} {
		if line, err := l.Next(); string(line) != want.line || !errors.Is(err, want.err) || l.N != n+1 {
			t.Errorf("line %d: %q, %v; want %q, %v", l.N, line, err, want.line, want.err)
		}
	}
}
