// Package table reads and writes the files of rows that people and programs bring and take away: CSV for spreadsheets,
// JSON Lines for programs. It owns no table of the database and knows nothing of the product.
//
// It promises that no cell of CSV is run as a formula by a spreadsheet, and that what was guarded can be read as it
// was. A Sheet takes no apostrophe off: who knows that a file is ours calls Unguard.
package table

import (
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// Guard keeps a spreadsheet from running a text as a formula: it gets an apostrophe in front. So does a text that would
// be taken for a guarded one, so that Unguard gives back every text.
func Guard(s string) string {
	if formula(s) {
		return "'" + s
	}
	return s
}

// Unguard is the text that Guard was given.
func Unguard(s string) string {
	if strings.HasPrefix(s, "'") && formula(s) {
		return s[1:]
	}
	return s
}

// formula reports whether a spreadsheet would run the text, apostrophes in front left out.
func formula(s string) bool {
	s = strings.TrimLeft(s, "'")
	if s == "" {
		return false
	}
	switch r, _ := utf8.DecodeRuneInString(s); r {
	case '=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠':
		return true
	}
	return false
}

// Head writes the first line of CSV, with a byte order mark where bom is asked for.
func Head(w io.Writer, columns []string, bom bool) error {
	line := strings.Join(columns, ",") + "\n"
	if bom {
		line = byteOrder + line
	}
	_, err := io.WriteString(w, line)
	return err
}

// Stamp is a time as files have it; "" for the zero time.
func Stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}
