package table

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf8"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text/charset"
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
	western bool      // its encoding may be guessed, and it is ASCII so far
}

// byteOrder is the mark of UTF-8. Text leaves it to its readers with all behind it: a decoder would pass over bytes
// that aren't UTF-8.
const byteOrder = "\ufeff"

// NewText looks at the beginning of a file.
func NewText(r io.Reader) *Text {
	t := &Text{b: bufio.NewReaderSize(r, window)}
	head, _ := t.b.Peek(window)
	if enc := charset.Marked(head); enc != nil && !bytes.HasPrefix(head, []byte(byteOrder)) {
		t.b = bufio.NewReaderSize(enc.NewDecoder().Reader(t.b), window)
	}
	t.r = t.b
	head, _ = t.b.Peek(window)
	end := bytes.IndexAny(head, "\r\n")
	t.cr = end >= 0 && head[end] == '\r' && !bytes.HasPrefix(head[end+1:], []byte{'\n'}) &&
		bytes.Count(head[:end], []byte{'"'})%2 == 0
	return t
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

// decide tells how the rest is written, by what begins with the first byte that is not ASCII. In what is UTF-8 each row
// with a broken character says so.
func (t *Text) decide(head []byte) error {
	t.western = false
	for i := 1; i < utf8.UTFMax && len(head) == window; i++ {
		if last := head[window-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) { // it goes on behind
				head = head[:window-i]
			}
			break
		}
	}
	enc, name, ok := charset.Guess(head)
	if !ok {
		return fault.New(fault.Invalid,
			`nothing tells how its characters are encoded; save it as "CSV UTF-8" and try again`)
	}
	if enc != nil {
		t.r = enc.NewDecoder().Reader(t.b)
		t.Note = "The file is not UTF-8 and was read as " + name + ". Check £, €, – and accents; if they are wrong, " +
			`save it as "CSV UTF-8" and import it again.`
	}
	return nil
}
