package table

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"preceptor/internal/platform/fault"
)

// window is how much of a file decides how it is written.
const window = 64 << 10

// Text reads a file of text as UTF-8 with lines that end in \n, however it was saved: UTF-8, UTF-16, UTF-32, or with
// lines that end in \r alone.
type Text struct {
	Note string // what a person should know about how it was read; "" is nothing

	b       *bufio.Reader
	r       io.Reader // what gives the text: b, or a decoder on it
	cr      bool      // lines end in \r
	western bool      // it may be Windows-1252, and is ASCII so far
}

// NewText looks at the beginning of a file.
func NewText(r io.Reader) *Text {
	t := &Text{b: bufio.NewReaderSize(r, window)}
	head, _ := t.b.Peek(window)
	if bytes.HasPrefix(head, []byte("\ufeff")) {
		_, _ = t.b.Discard(3)
	} else if order, yes := wide(head); yes {
		t.b = bufio.NewReaderSize(utf32.UTF32(order, utf32.UseBOM).NewDecoder().Reader(t.b), window)
	} else if order, yes := utf16(head); yes {
		decode := unicode.UTF16(order, unicode.UseBOM).NewDecoder()
		t.b = bufio.NewReaderSize(decode.Reader(t.b), window)
	}
	t.r = t.b
	head, _ = t.b.Peek(window)
	end := bytes.IndexAny(head, "\r\n")
	t.cr = end >= 0 && head[end] == '\r' && !bytes.HasPrefix(head[end+1:], []byte{'\n'}) &&
		bytes.Count(head[:end], []byte{'"'})%2 == 0
	return t
}

// wide reports whether a file begins as UTF-32: with a byte order mark, or with two characters that have three NULs
// each on the same side.
func wide(head []byte) (order utf32.Endianness, yes bool) {
	nul := func(places ...int) bool {
		return len(head) >= 8 && !slices.ContainsFunc(places, func(i int) bool { return head[i] != 0 })
	}
	if bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")) || nul(0, 1, 2, 4, 5, 6) {
		return utf32.BigEndian, true
	}
	return utf32.LittleEndian, bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")) || nul(1, 2, 3, 5, 6, 7)
}

// utf16 reports whether a file begins as UTF-16: with a byte order mark, or with a NUL in most pairs, always on the
// same side.
func utf16(head []byte) (order unicode.Endianness, yes bool) {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return unicode.LittleEndian, true
	}
	var nul [2]int
	for i, b := range head {
		if b == 0 {
			nul[i%2]++
		}
	}
	if nul[0] > nul[1] {
		return unicode.BigEndian, nul[0] > len(head)/8 && nul[1] <= nul[0]/8
	}
	return unicode.LittleEndian, nul[1] > len(head)/8 && nul[0] <= nul[1]/8
}

// Read implements io.Reader. The error for what can't be told is Invalid.
func (t *Text) Read(p []byte) (n int, err error) {
	if t.western {
		head, _ := t.b.Peek(window)
		ascii := bytes.IndexFunc(head, func(r rune) bool { return r >= utf8.RuneSelf })
		if ascii == 0 {
			if err := t.decide(head); err != nil {
				return 0, err
			}
		} else if ascii > 0 {
			p = p[:min(len(p), ascii)]
		} else {
			p = p[:min(len(p), max(1, len(head)))]
		}
	}
	n, err = t.r.Read(p)
	for i := range p[:n] {
		if t.cr && p[i] == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// decide tells UTF-8 from Windows-1252, by what begins with the first byte that is not ASCII.
func (t *Text) decide(head []byte) error {
	t.western = false
	good, bad := 0, 0
	for rest := head; len(rest) > 0 && (utf8.FullRune(rest) || len(head) < window); {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 {
			bad++
		} else if size > 1 {
			good++
		}
		rest = rest[size:]
	}
	switch {
	case good >= bad: // UTF-8, and each row with a broken character says so
	case bytes.ContainsAny(head, "\x00") || bad > 20 && bad > len(head)/4:
		return fault.New(fault.Invalid,
			`its characters are neither UTF-8 nor Windows-1252; save it as "CSV UTF-8" and try again`)
	default:
		t.r = charmap.Windows1252.NewDecoder().Reader(t.b)
		t.Note =
			`The file is not UTF-8 and was read as Windows-1252. Check £, €, – and accents; if they are wrong, save it as "CSV UTF-8" and import it again.`
	}
	return nil
}
