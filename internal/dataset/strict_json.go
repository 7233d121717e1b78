package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// CheckJSON refuses what encoding/json takes in silence, although two readers of it could disagree on what it says: a key that
// comes twice in one object, and nesting deeper than depth; and what is no JSON, or more than one value. The error is for a
// person.
func CheckJSON(raw []byte, depth int) error {
	if !json.Valid(raw) {
		return invalid(raw)
	}
	var stack [][]string // the keys of each object that is open; nil for an array
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '{':
			stack = append(stack, make([]string, 0, 8))
		case '[':
			stack = append(stack, nil)
		case '}', ']':
			stack = stack[:len(stack)-1]
		case '"':
			end := stringEnd(raw, i)
			if top := len(stack) - 1; top >= 0 && stack[top] != nil && isKey(raw, end) {
				key := keyOf(raw[i:end])
				if slices.Contains(stack[top], key) {
					return fmt.Errorf("says %.40q twice", key)
				}
				if stack[top] = append(stack[top], key); len(stack[top]) > maxKeys {
					return fmt.Errorf("has more than %d keys in one object", maxKeys)
				}
			}
			i = end - 1
		}
		if len(stack) > depth {
			return fmt.Errorf("is nested deeper than %d", depth)
		}
	}
	return nil
}

// maxKeys bounds the keys of one object, which are compared with each other.
const maxKeys = 500

// stringEnd is where the text that begins at i ends, its quote included.
func stringEnd(raw []byte, i int) int {
	for i++; raw[i] != '"'; i++ {
		if raw[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// isKey tells whether a colon follows.
func isKey(raw []byte, i int) bool {
	for ; i < len(raw); i++ {
		switch raw[i] {
		case ' ', '\t', '\r', '\n':
		default:
			return raw[i] == ':'
		}
	}
	return false
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
		return errors.New("has something behind its end")
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return errors.New("is cut off")
	}
	return errors.New("is not valid JSON")
}
