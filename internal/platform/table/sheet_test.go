package table_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"preceptor/internal/platform/table"
)

// A broken row costs itself, and the rows behind it keep their lines.
func TestSheet(t *testing.T) {
	s := table.NewSheet(strings.NewReader("a;b\n1;\"two\nlines\"\n\n'=x;3\n4\n" + strings.Repeat("y", 2<<20) +
		";z\n\"open;5\n6;7"))
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
		`2 "1" "two\nlines" <nil>`, `5 "'=x" "3" <nil>`, `6 "" "" it has 1 cell, and the first line 2`,
		`7 "" "" the row is longer than 1 MB`, `8 "" "" a quotation mark is not closed, or not doubled`,
		`9 "6" "7" <nil>`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, text := range []string{"", "a,a\n1,2\n"} {
		if _, err := table.NewSheet(strings.NewReader(text)).Next(); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// rows reads a sheet to its end: each row as its line and cells, or as its line and "!".
func rows(t *testing.T, s *table.Sheet) (list []string) {
	t.Helper()
	names, err := s.Names()
	if err != nil {
		return []string{err.Error()}
	}
	for {
		r, err := s.Next()
		switch {
		case errors.Is(err, io.EOF):
			return list
		case err != nil:
			return append(list, err.Error())
		case r.Err != nil:
			list = append(list, fmt.Sprint(r.Line, "!"))
		default:
			cells := make([]string, len(names))
			for i, n := range names {
				cells[i] = r.Cells[n]
			}
			list = append(list, fmt.Sprint(r.Line, " ", strings.Join(cells, "|")))
		}
	}
}

// A quote costs its own row at most, wherever it is.
func TestAQuoteSwallowsNoOtherRow(t *testing.T) {
	var many strings.Builder
	many.WriteString("id,text,label\n")
	for i := range 1000 {
		switch i {
		case 9:
			many.WriteString("9,A 5\" leaflet,B\n")
		case 500:
			many.WriteString("500,\"never closed,B\n")
		case 700:
			many.WriteString("700,\"ends \" early\",B\n")
		default:
			fmt.Fprintf(&many, "%d,Row,B\n", i)
		}
	}
	got := rows(t, table.NewSheet(strings.NewReader(many.String())))
	bad := 0
	for _, r := range got {
		if strings.HasSuffix(r, "!") {
			bad++
		}
	}
	if len(got) != 1000 || bad != 2 || got[9] != "11 9|A 5\" leaflet|B" || got[500] != "502!" || got[700] != "702!" {
		t.Errorf("%d rows, %d broken: %q", len(got), bad, got)
	}
	for name, c := range map[string]struct{ text, want string }{
		"spoken": {"id,t,l\n1,He said \"yes\" to it,B\n3,say \"no,B\n4,x,B\n6,end\" of it,B\n",
			`2 1|He said "yes" to it|B; 3 3|say "no|B; 4 4|x|B; 5 6|end" of it|B`},
		"joins two rows": {"id,t,l\n3,\"open,B\n4,x,B\n5,\"fine\",B\n6,y,B\n", `2!; 3 4|x|B; 4 5|fine|B; 5 6|y|B`},
		"another number": {"id,t,l\n1,\"a\n2,b,B\n3,c\",B,B\n4,d,B\n", `2!; 5 4|d|B`},
		"5000 lines": {"t,l\n\"" + strings.Repeat("a,b\n", 5000) + "a\",B\nx,B\n",
			"2 " + strings.Repeat("a,b\n", 5000) + "a|B; 5003 x|B"},
		"not doubled":       {"t,l\n\"one\na \"b\" c,d\nx,y\",B\nz,B\n", "2!; 5 z|B"},
		"not doubled, one":  {"t\n\"one\na \"b\" c\ntwo\"\nz\n", "2!; 5 z"},
		"not doubled, late": {"t,u,l\n5\" x,\"one\na \"b\" c,d,e\ntwo\",B\nz,u,B\n", "2!; 5 z|u|B"},
		"open, and a stray": {"t,l\n\"open,B\nA 5\" one,B\n\"fine\",B\nz,B\n", `2!; 3 A 5" one|B; 4 fine|B; 5 z|B`},
		"never, over 1 MB":  {"t,l\n\"open,B\n" + strings.Repeat("a,b\n", 270_000), "2!; " + seconds(3, 270_003)},
	} {
		if got := strings.Join(rows(t, table.NewSheet(strings.NewReader(c.text))),
			"; "); got != strings.TrimSuffix(c.want, "; ") {
			t.Errorf("%s: %.300s\nwant %.300s", name, got, c.want)
		}
	}
}

// A file in which every row begins what never ends is read in about the time of its length.
func TestBrokenRowsCostNoTime(t *testing.T) {
	began := time.Now()
	got := rows(t, table.NewSheet(strings.NewReader("a,b,c\n"+strings.Repeat("a\",b,\"c\n", 60_000))))
	if took := time.Since(began); len(got) != 60_000 || took > time.Minute {
		t.Errorf("%d rows in %v", len(got), took)
	}
}

// Two columns whose names differ in case alone are one to most who read them.
func TestNamesThatDifferInCase(t *testing.T) {
	for head, want := range map[string][]string{"guidance,label,Label\n": {`"label"`, `"Label"`},
		"Guidance,guidance ,label\n": {`"Guidance"`, `"guidance"`},
		"a,ÄB,äb\n":                  {`"ÄB"`, `"äb"`}} {
		_, err := table.NewSheet(strings.NewReader(head + "1,2,3\n")).Names()
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%q: %v, want %s", head, err, w)
			}
		}
	}
}

func seconds(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, "%d a|b; ", i)
	}
	return b.String()
}

// However a spreadsheet saved it, a file has the same rows, or one error says that it can't be read.
func TestEncodingsAndSeparators(t *testing.T) {
	const text = "id;\"text, as sent, in full\";label\r\n1;£500 – now?;B\r\n2;\"two\r\nlines, \"\"here\"\"\";B\r\n"
	const want = `2 1|£500 – now?|B; 3 2|two
lines, "here"|B`
	as := func(e encoding.Encoding, s string) string {
		out, err := e.NewEncoder().String(s)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	tabs := strings.NewReplacer(";", "\t").Replace(text)
	for name, c := range map[string]struct {
		text  string
		noted bool
	}{
		"UTF-8":             {text, false},
		"UTF-8 with a mark": {"\ufeff" + text, false},
		"Unicode Text":      {as(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), tabs), false},
		"UTF-32":            {as(utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), tabs), false},
		"UTF-32, big":       {as(utf32.UTF32(utf32.BigEndian, utf32.UseBOM), text), false},
		"UTF-32, no mark":   {as(utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), text), false},
		"UTF-16, big":       {as(unicode.UTF16(unicode.BigEndian, unicode.UseBOM), text), false},
		"UTF-16, no mark":   {as(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), text), false},
		"Windows-1252":      {as(charmap.Windows1252, text), true},
		"1252 after 100 kB": {as(charmap.Windows1252, "a;b;c\n"+strings.Repeat("x;y;z\n", 20_000)+"1;£500 – now?;é\n"),
			true},
		"Macintosh": {strings.ReplaceAll(strings.ReplaceAll(text, "two\r\nlines", "two\nlines"), "\r\n", "\r"),
			false},
		"an unquoted header": {strings.ReplaceAll(text, "\"text, as sent, in full\"", "a, b, c, d, e"), false},
		"pipes":              {strings.ReplaceAll(text, ";", "|"), false},
	} {
		s := table.NewSheet(strings.NewReader(c.text))
		got := strings.Join(rows(t, s), "; ")
		if name == "1252 after 100 kB" {
			if !strings.HasSuffix(got, "20002 1|£500 – now?|é") || strings.Contains(got, "!") {
				t.Errorf("%s: …%s", name, got[max(0, len(got)-100):])
			}
		} else if got != want {
			t.Errorf("%s: %q", name, got)
		}
		if (s.Note() != "") != c.noted {
			t.Errorf("%s: noted %q", name, s.Note())
		}
	}
	for text, want := range map[string]string{
		"sep=;\na;b\n1,5;x\n":               "3 1,5|x",
		"sep=\t\r\na\tb\r\n1;5\tx\r\n":      "3 1;5|x",
		"a,b\n1,caf\xc3\xa9\n2,\xff\n":      "2 1|café; 3!", // UTF-8 with a broken character, and no other encoding
		"\ufeffa,b\n1,\xa35\n2,\xc2\xa36\n": "2!; 3 2|£6",   // as its mark says it is
		"\ufeffsep=;\na;b\n1,5;\xa3\n":      "3!",
	} {
		if got := strings.Join(rows(t, table.NewSheet(strings.NewReader(text))), "; "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	cyrillic := as(charmap.Windows1251, "id;текст\n"+strings.Repeat("1;Здравствуйте, как дела\n", 9))
	if got := rows(t, table.NewSheet(strings.NewReader(cyrillic))); len(got) != 1 ||
		!strings.Contains(got[0], "CSV UTF-8") {
		t.Errorf("a file in another encoding: %q", got)
	}
}

// Every line that is not blank is in a row that is taken, or is told.
func FuzzSheet(f *testing.F) {
	for _, s := range []string{"a,b\n1,\"x\ny\"\n2,5\" z\n3,\"open\n4,d\n", "sep=;\na;b\n\"1;2\n3;\"4\"\n",
		"a|b\r\n\r\n1|\"\"\"\"\r\n", "a\tb\n\"x\"y\tz\n\"\n\",1\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if bytes.ContainsAny(b, "\r\x00") || bytes.HasPrefix(b, []byte("sep=")) {
			for range rows(t, table.NewSheet(bytes.NewReader(b))) { // it ends, and doesn't panic
			}
			return
		}
		s := table.NewSheet(bytes.NewReader(b))
		if _, err := s.Names(); err != nil {
			return
		}
		lines := strings.Split(string(b), "\n")
		last := 0 // the last line that is accounted for
		for n := 0; ; n++ {
			r, err := s.Next()
			for at := last; last > 0 && at < r.Line-1; at++ {
				if strings.TrimSuffix(lines[at], "\r") != "" {
					t.Fatalf("line %d is lost: %q", at+1, b)
				}
			}
			if err != nil {
				return
			}
			last = r.Line + r.Lines - 1
			if n > len(b) {
				t.Fatal("it never ends")
			}
		}
	})
}

// A space before a quotation mark makes the cell no quoted one, and its comma cuts it: that is what is said.
func TestASpaceBeforeAQuotationMarkIsNamed(t *testing.T) {
	s := table.NewSheet(strings.NewReader("t,l\na, \"quoted, text\"\nb,c\n"))
	if _, err := s.Names(); err != nil {
		t.Fatal(err)
	}
	row, err := s.Next()
	if err != nil || row.Err == nil || !strings.Contains(row.Err.Error(), "a space stands before a quotation mark") {
		t.Errorf("%+v, %v", row, err)
	}
}

// What other programs put around the rows is no row: the mark of a file behind another, its first line, and comments.
func TestWhatIsNoRow(t *testing.T) {
	for text, want := range map[string]string{
		"t,l\na,b\n\ufefft,l\n\ufeffc,d\n\ufeff\"e\",f\n": "2 a|b; 3!; 4 c|d; 5 e|f",
		"t,l\na,\ufeffb\n":                           "2 a|\ufeffb",
		"# by CRM on 01/02/03\n# 3 rows\nt,l\na,b\n": "4 a|b",
		"# by a, b, and c\nt;l\na;b\n":               "3 a|b",
		"#\nt\na\n":                                  "3 a",
		"t\nt\n":                                     "2 t",
		"#,t\n1,a\n":                                 "2 1|a",
		"#;t\n#1;a\n":                                "2 #1|a",
		"t,l\n# late, one\n#\n":                      "2 # late| one; 3!",
	} {
		s := table.NewSheet(strings.NewReader(text))
		if got := strings.Join(rows(t, s), "; "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if noted := strings.HasPrefix(text, "# ") || strings.HasPrefix(text, "#\n"); (s.Note() != "") != noted {
			t.Errorf("%q: noted %q", text, s.Note())
		}
	}
}
