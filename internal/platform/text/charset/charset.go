// Package charset tells how the bytes of a text are written, for documents and tables alike: by a byte order mark, by
// the NULs of UTF-16 and UTF-32, as valid UTF-8, by what the text says of itself, and else by a guess.
//
// It promises that no nonsense is taken for text: a guess is made only among the encodings of Western Europe, where
// the letters beyond ASCII are few and stand as letters and signs of print do. All else is refused, and whoever
// guesses says so.
//
// Decided against: telling the scripts of other languages apart without being told (in bytes, Hebrew looks like
// Russian), which needs tables of each language's letters.
package charset

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	utf "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// Marked is the encoding that a byte order mark or NULs tell; nil where they tell none.
func Marked(head []byte) encoding.Encoding {
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return utf.UTF8BOM
	case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")):
		return utf32.UTF32(utf32.BigEndian, utf32.UseBOM)
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return utf.UTF16(utf.BigEndian, utf.UseBOM)
	}
	var nul [4]int
	for i, b := range head {
		if b == 0 {
			nul[i%4]++
		}
	}
	big, little, few := nul[0]+nul[2], nul[1]+nul[3], max(1, len(head)/8)
	quarter := func(places ...int) bool { // two characters begin it that have NULs in these places
		for _, i := range places {
			if len(head) < 8 || head[i] != 0 || head[i+4] != 0 {
				return false
			}
		}
		return true
	}
	switch {
	case quarter(0, 1, 2):
		return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)
	case quarter(1, 2, 3):
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)
	case big > few && little <= big/8:
		return utf.UTF16(utf.BigEndian, utf.IgnoreBOM)
	case little > few && big <= little/8:
		return utf.UTF16(utf.LittleEndian, utf.IgnoreBOM)
	}
	return nil
}

// Declared is the encoding of a name, as browsers know it; nil where there is none, or it is UTF-8 or UTF-16, which is
// told otherwise.
func Declared(label string) encoding.Encoding {
	enc, err := htmlindex.Get(strings.TrimSpace(label))
	if err != nil {
		return nil
	}
	if name, _ := htmlindex.Name(enc); strings.HasPrefix(name, "utf") {
		return nil
	}
	return enc
}

// guesses are those of the texts that say nothing, the likelier first.
var guesses = []struct {
	name string
	enc  *charmap.Charmap
}{
	{"Windows-1252", charmap.Windows1252}, {"ISO-8859-15", charmap.ISO8859_15}, {"Mac Roman", charmap.Macintosh},
	{"DOS (code page 850)", charmap.CodePage850},
}

// Guess is the encoding of a text that is not all ASCII, has no mark and says nothing of itself: nil with the name
// UTF-8 for what is, but for some broken characters. It is not ok where nothing is sure.
func Guess(head []byte) (enc encoding.Encoding, name string, ok bool) {
	good, bad, run, runs := 0, 0, 0, 0
	for rest := head; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && size == 1:
			bad++
			if run++; run == 4 { // of no word of Western Europe
				runs += 4
			} else if run > 4 {
				runs++
			}
		case size > 1:
			good++
			run = 0
		default:
			run = 0
		}
		rest = rest[size:]
	}
	if good >= bad {
		return nil, "UTF-8", true
	}
	if runs*4 > bad || bytes.IndexByte(head, 0) >= 0 {
		return nil, "", false
	}
	all, least := 0, -1
	for _, g := range guesses {
		n, odd := misfits(g.enc, head)
		if odd >= 0 && (least < 0 || odd < least) {
			enc, name, all, least = g.enc, g.name, n, odd
		}
	}
	switch {
	case least == 0:
		return enc, name, true
	case good*4 >= bad && least*2 <= all:
		return nil, "UTF-8", true // whose other bytes would do for Western Europe
	}
	return enc, name, least > 0 && least*4 <= all
}

// misfits counts the characters that are not ASCII, and those of them that stand where their like never does. -1: the
// text has one that no text has.
func misfits(enc *charmap.Charmap, raw []byte) (n, odd int) {
	for i, b := range raw {
		if b < utf8.RuneSelf {
			continue
		}
		r := enc.DecodeByte(b)
		if unicode.IsControl(r) || r == utf8.RuneError {
			return n, -1
		}
		var before, after rune
		if i > 0 {
			before = enc.DecodeByte(raw[i-1])
		}
		if i+1 < len(raw) {
			after = enc.DecodeByte(raw[i+1])
		}
		if n++; !fits(before, r, after) {
			odd++
		}
	}
	return n, odd
}

// fits reports whether a character may stand between two others.
func fits(before, r, after rune) bool {
	inWord := unicode.IsLetter(before) || unicode.IsLetter(after)
	switch {
	case strings.ContainsRune("ðÐþÞýÝÿ", r):
		return false // of Icelandic or, in bytes, of Turkish: nothing tells which
	case strings.ContainsRune("ªº", r):
		return unicode.IsDigit(before)
	case unicode.Is(unicode.Latin, r):
		return !unicode.IsDigit(before) && !unicode.IsDigit(after) && !(unicode.IsLower(before) && unicode.IsUpper(r))
	case strings.ContainsRune("£€¥", r):
		return !inWord
	case strings.ContainsRune("¼½¾§†‡", r):
		return !inWord
	case strings.ContainsRune("“‘«„‚¡¿", r):
		return !unicode.IsLetter(before) && !unicode.IsDigit(before)
	case strings.ContainsRune("”»…®™°", r):
		return !unicode.IsLetter(after) || r == '°'
	case strings.ContainsRune("¹²³", r):
		return (unicode.IsLetter(before) || unicode.IsDigit(before)) && !unicode.IsLetter(after)
	}
	return strings.ContainsRune("’–—•·©×÷±‰µ\u00a0\u00ad−≤≥", r)
}
