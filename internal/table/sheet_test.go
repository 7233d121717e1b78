package table_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"preceptor/internal/table"
)

// A broken row costs itself, and the rows behind it keep their lines.
func TestSheet(t *testing.T) {
	s := table.NewSheet(strings.NewReader("a;b\n1;\"two\nlines\"\n\n'=x;3\n4\n"+strings.Repeat("y", 300_000)+";z\n\"open;5\n6;7"), 1000)
	var got []string
	for {
		r, err := s.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%d %q %q %v", r.Line, r.Cells["a"], r.Cells["b"], r.Err))
	}
	want := []string{
		`2 "1" "two\nlines" <nil>`, `5 "=x" "3" <nil>`, `6 "" "" it has 1 cells, and the first line 2`,
		`7 "" "" the row is longer than 1000 bytes`, `8 "" "" a quote is not closed`, `9 "6" "7" <nil>`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, text := range []string{"", "a,a\n1,2\n"} {
		if _, err := table.NewSheet(strings.NewReader(text), 1000).Next(); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
