// Package strict reads JSON that people and other programs wrote, and refuses what encoding/json takes in silence.
//
// Two readers of one text must not disagree on what it says: a name that comes twice in one object, something behind
// the end, and nesting without end are refused everywhere. Into, for texts that fill one of our types, refuses unknown
// fields, names that differ in case alone (Go's decoder takes them for one), NUL, and what is not UTF-8. What is wrong
// is said for a person, to stand behind "it" or "the row".
//
// It owns no table and knows nothing of the product. It walks the bytes itself: files of a million rows go through
// here, and a decoder's tokens take five times as long.
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Error says what is wrong.
type Error struct {
	What string   // as "is cut off"
	At   []string // JSON pointers to what is wrong, where it has a place

	twice bool
}

// Twice reports whether names come twice in one object; At has all of them.
func (e *Error) Twice() bool { return e.twice }

func (e *Error) Error() string { return e.What }

func wrong(format string, args ...any) *Error { return &Error{What: fmt.Sprintf(format, args...)} }

// deepest is the nesting that Into allows.
const deepest = 64

// Into fills v, a pointer, from one JSON value.
func Into(raw []byte, v any) error {
	if !utf8.Valid(raw) {
		return wrong("is not UTF-8")
	}
	if err := check(raw, deepest, true); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		return nil
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && kind.Field == "" {
		return wrong("is of the wrong kind")
	} else if ok {
		return &Error{What: "has a wrong kind of value in the field " + kind.Field,
			At: []string{"/" + strings.ReplaceAll(kind.Field, ".", "/")}}
	}
	if unknown, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return wrong("has an unknown field %s", unknown)
	}
	return wrong("can't be read: %s", strings.TrimPrefix(err.Error(), "json: "))
}

// Tree fills v, a pointer to what holds any value, and keeps numbers as they were written.
func Tree(raw []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return wrong("has something behind its end")
	}
	return nil
}

// Check refuses what is no JSON, a name that comes twice in one object, and nesting deeper than depth. The error is an
// *Error.
func Check(raw []byte, depth int) error { return check(raw, depth, false) }

// frame is an object or a list that is open.
type frame struct {
	object bool
	keys   []string
	past   int // how many values have ended
}

func check(raw []byte, depth int, ours bool) error {
	if !json.Valid(raw) {
		return invalid(raw)
	}
	var open []frame
	var twice *Error
	for i := 0; i < len(raw); i++ {
		top := len(open) - 1
		switch raw[i] {
		case '{', '[':
			if len(open) == depth {
				return &Error{What: fmt.Sprintf("is nested deeper than %d", depth), At: []string{pointer(open)}}
			}
			open = append(open, frame{object: raw[i] == '{'})
		case ',':
			open[top].past++
		case '}', ']':
			for _, key := range open[top].twice(ours) {
				if twice == nil {
					twice = wrong("says %.40q twice", key)
					twice.twice = true
				}
				twice.At = append(twice.At, pointer(open[:top])+"/"+Step(key))
			}
			open = open[:top]
		case '"':
			end, nul := stringEnd(raw, i)
			if nul && ours {
				return wrong("has a NUL character in a text")
			}
			if top >= 0 && open[top].object && isKey(raw, end) {
				open[top].keys = append(open[top].keys, keyOf(raw[i:end]))
			}
			i = end - 1
		}
	}
	if twice != nil {
		return twice
	}
	return nil
}

// twice are the keys that come again.
func (f frame) twice(anyCase bool) (list []string) {
	if len(f.keys) < 2 {
		return nil
	}
	keys := slices.Clone(f.keys)
	if anyCase {
		for i, k := range keys {
			keys[i] = strings.ToLower(strings.ToUpper(k))
		}
	}
	slices.Sort(keys)
	for i := 1; i < len(keys); i++ {
		if keys[i] == keys[i-1] && (i < 2 || keys[i] != keys[i-2]) {
			list = append(list, keys[i])
		}
	}
	return list
}

// pointer is the JSON pointer (RFC 6901) of what is being read.
func pointer(open []frame) string {
	var b strings.Builder
	for _, f := range open {
		b.WriteByte('/')
		if f.object {
			b.WriteString(Step(f.keys[len(f.keys)-1]))
		} else {
			b.WriteString(strconv.Itoa(f.past))
		}
	}
	return b.String()
}

// Step is one step of a JSON pointer.
func Step(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

// stringEnd is where the text that begins at i ends, its quote included, and whether it has a NUL.
func stringEnd(raw []byte, i int) (end int, nul bool) {
	for i++; raw[i] != '"'; i++ {
		if raw[i] == '\\' {
			nul = nul || bytes.HasPrefix(raw[i:], []byte(`\u0000`))
			i++
		}
	}
	return i + 1, nul
}

// HalfCharacter is the first surrogate of valid JSON that has no partner, "" when there is none. encoding/json makes
// another character of it in silence.
func HalfCharacter(raw []byte) string {
	unit := func(i int) rune {
		if i+6 > len(raw) || raw[i] != '\\' || raw[i+1] != 'u' {
			return 0
		}
		n, _ := strconv.ParseUint(string(raw[i+2:i+6]), 16, 16) // it is valid
		return rune(n)
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		switch r := unit(i); {
		case !utf16.IsSurrogate(r):
			i++
		case utf16.DecodeRune(r, unit(i+6)) == utf8.RuneError:
			return string(raw[i : i+6])
		default:
			i += 11
		}
	}
	return ""
}

// isKey reports whether a colon follows.
func isKey(raw []byte, i int) bool {
	rest := bytes.TrimLeft(raw[i:], " \t\r\n")
	return len(rest) > 0 && rest[0] == ':'
}

func keyOf(quoted []byte) (key string) {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	_ = json.Unmarshal(quoted, &key) // it is valid
	return key
}

// invalid says what is wrong with what is no JSON.
func invalid(raw []byte) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	var v json.RawMessage
	switch err := d.Decode(&v); {
	case err == nil:
		return wrong("has something behind its end")
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return wrong("is cut off")
	}
	return wrong("is not valid JSON")
}
