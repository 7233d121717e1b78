package main

import (
	"encoding/json"
	"fmt"
)

// printJSON writes v as indented JSON to standard output.
func (t *terminal) printJSON(v any) error {
	enc := json.NewEncoder(t.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}

// printLine writes v as one line of JSON to standard output.
func (t *terminal) printLine(v any) error {
	enc := json.NewEncoder(t.out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}
