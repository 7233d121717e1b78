package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// CheckJSON refuses what encoding/json takes in silence, although two readers of it could disagree on what it says: a key that
// comes twice in one object, more than one value, and nesting deeper than depth. The error is for a person.
func CheckJSON(raw []byte, depth int) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	type level struct {
		keys map[string]bool // nil in an array
		key  bool            // a key comes next
	}
	var stack []level
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			if len(stack) > 0 {
				return errors.New("is cut off")
			}
			return nil
		}
		if err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				return errors.New("is cut off")
			}
			return fmt.Errorf("is not valid JSON at byte %d", d.InputOffset())
		}
		top := len(stack) - 1
		if top >= 0 && stack[top].keys != nil {
			if k, ok := t.(string); ok && stack[top].key {
				if stack[top].keys[k] {
					return fmt.Errorf("says %.40q twice", k)
				}
				stack[top].keys[k], stack[top].key = true, false
				continue
			}
			stack[top].key = true // what follows this value
		}
		switch t {
		case json.Delim('{'):
			stack = append(stack, level{map[string]bool{}, true})
		case json.Delim('['):
			stack = append(stack, level{})
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:top]
		}
		if len(stack) > depth {
			return fmt.Errorf("is nested deeper than %d", depth)
		}
		if len(stack) == 0 {
			if _, err := d.Token(); !errors.Is(err, io.EOF) {
				return errors.New("has something behind its end")
			}
			return nil
		}
	}
}
