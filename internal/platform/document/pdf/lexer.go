package pdf

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strconv"
)

// lexer reads objects and operators.
type lexer struct {
	raw []byte
	at  int
	f   *pdfFile
}

// operator is a word of a content stream.
type operator string

var errEnd = errors.New("end")

func (l *lexer) space() {
	for l.at < len(l.raw) {
		switch c := l.raw[l.at]; {
		case isSpace(c):
			l.at++
		case c == '%':
			for l.at < len(l.raw) && l.raw[l.at] != '\n' && l.raw[l.at] != '\r' {
				l.at++
			}
		default:
			return
		}
	}
}

// object reads one; at the end it is errEnd.
func (l *lexer) object(depth int) any {
	l.f.step()
	l.space()
	if l.at >= len(l.raw) {
		return errEnd
	}
	if depth > maxDepth {
		l.at = len(l.raw)
		return errEnd
	}
	switch c := l.raw[l.at]; c {
	case '/':
		l.at++
		return name(l.word(true))
	case '(':
		return l.text()
	case '[':
		l.at++
		var list []any
		for {
			v := l.object(depth + 1)
			if v == operator("]") || v == errEnd {
				return list
			}
			list = append(list, v)
		}
	case '<':
		if l.at+1 < len(l.raw) && l.raw[l.at+1] == '<' {
			l.at += 2
			return l.dict(depth)
		}
		end := bytes.IndexByte(l.raw[l.at:], '>')
		if end < 0 {
			l.at = len(l.raw)
			return errEnd
		}
		digits := bytes.Join(bytes.Fields(l.raw[l.at+1:l.at+end]), nil)
		if len(digits)%2 == 1 {
			digits = append(digits, '0')
		}
		out := make([]byte, len(digits)/2)
		n, _ := hex.Decode(out, digits)
		l.at += end + 1
		return text(out[:n])
	case ']', '{', '}', ')':
		l.at++
		return operator(c)
	case '>':
		l.at++
		if l.at < len(l.raw) && l.raw[l.at] == '>' {
			l.at++
		}
		return operator(">>")
	}
	return l.plain(l.word(false))
}

// plain is a number, a reference, a constant or an operator.
func (l *lexer) plain(word string) any {
	switch word {
	case "":
		l.at++
		return operator("")
	case "true", "false":
		return word == "true"
	case "null":
		return nil
	}
	n, err := strconv.ParseFloat(word, 64)
	if err != nil || word[0] > '9' {
		return operator(word)
	}
	if n >= 0 && n == float64(int(n)) { // "12 0 R"
		at := l.at
		l.space()
		if gen := l.word(false); gen != "" && gen[0] >= '0' && gen[0] <= '9' {
			l.space()
			if l.at < len(l.raw) && l.raw[l.at] == 'R' && (l.at+1 == len(l.raw) || isSpace(l.raw[l.at+1]) ||
				isDelimiter(l.raw[l.at+1])) {
				l.at++
				return ref(n)
			}
		}
		l.at = at
	}
	return n
}

func (l *lexer) word(escaped bool) string {
	from := l.at
	for l.at < len(l.raw) && !isSpace(l.raw[l.at]) && !isDelimiter(l.raw[l.at]) {
		l.at++
	}
	w := l.raw[from:l.at]
	if !escaped || bytes.IndexByte(w, '#') < 0 {
		return string(w)
	}
	var out []byte
	for i := 0; i < len(w); i++ {
		if w[i] == '#' && i+2 < len(w) {
			if v, err := strconv.ParseUint(string(w[i+1:i+3]), 16, 8); err == nil {
				out = append(out, byte(v))
				i += 2
				continue
			}
		}
		out = append(out, w[i])
	}
	return string(out)
}

func (l *lexer) dict(depth int) any {
	d := dict{}
	for {
		key := l.object(depth + 1)
		if key == operator(">>") || key == errEnd {
			break
		}
		k, ok := key.(name)
		if !ok {
			continue
		}
		v := l.object(depth + 1)
		if v == operator(">>") || v == errEnd {
			break
		}
		d[k] = v
	}
	at := l.at
	l.space()
	if !bytes.HasPrefix(l.raw[l.at:], []byte("stream")) {
		l.at = at
		return d
	}
	l.at += len("stream")
	if bytes.HasPrefix(l.raw[l.at:], []byte("\r\n")) {
		l.at += 2
	} else {
		l.at++
	}
	rest := l.raw[min(l.at, len(l.raw)):]
	if n := int(l.f.num(d["Length"])); n >= 0 && n < len(rest) &&
		bytes.HasPrefix(bytes.TrimLeft(rest[n:min(len(rest), n+20)], "\r\n "), []byte("endstream")) {
		return &stream{d, rest[:n]}
	}
	end := bytes.Index(rest, []byte("endstream"))
	if end < 0 {
		end = len(rest)
	}
	return &stream{d, bytes.TrimRight(rest[:end], "\r\n")}
}

// text reads a string in brackets.
func (l *lexer) text() text {
	l.at++
	var out []byte
	for open := 1; l.at < len(l.raw); l.at++ {
		c := l.raw[l.at]
		switch c {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				l.at++
				return text(out)
			}
		case '\\':
			l.at++
			if l.at >= len(l.raw) {
				return text(out)
			}
			c = l.raw[l.at]
			if i := bytes.IndexByte([]byte("nrtbf"), c); i >= 0 {
				c = "\n\r\t\b\f"[i]
			} else if c >= '0' && c <= '7' {
				v := 0
				for n := 0; n < 3 && l.at < len(l.raw) && l.raw[l.at] >= '0' && l.raw[l.at] <= '7'; n++ {
					v = v*8 + int(l.raw[l.at]-'0')
					l.at++
				}
				l.at--
				c = byte(v)
			} else if c == '\n' || c == '\r' {
				if c == '\r' && l.at+1 < len(l.raw) && l.raw[l.at+1] == '\n' {
					l.at++
				}
				continue
			}
		}
		out = append(out, c)
	}
	return text(out)
}
