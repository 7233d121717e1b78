package interaction

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"preceptor/internal/platform/strict"
)

// What a schema may cost whoever checks with it: an agent sends it, and a reference to itself would never end.
const (
	deepest     = 64        // of what is nested
	mostValues  = 2_000     // in a schema
	mostWork    = 1_000_000 // values in a schema, times those in the arguments
	mostPattern = 1_000     // bytes of a pattern; and steps of all patterns of a schema
)

// pointing are the words of a schema that lead elsewhere in it. encoding/json takes them in any case.
var pointing = []string{"$ref", "$dynamicRef", "$recursiveRef", "$anchor", "$dynamicAnchor", "$recursiveAnchor",
	"$defs", "definitions"}

// schema is the schema made ready, and how many values it has; nil where there is none. The error is in words.
func (a Action) schema() (s *jsonschema.Resolved, values int, err error) {
	if len(a.Schema) == 0 {
		return nil, 0, nil
	}
	if err := strict.Check(a.Schema, deepest); err != nil {
		return nil, 0, fmt.Errorf("it %w", err)
	}
	var tree any
	if err := strict.Tree(a.Schema, &tree); err != nil {
		return nil, 0, err
	}
	var size measure
	if err := size.add(tree, false); err != nil {
		return nil, 0, err
	}
	var parsed jsonschema.Schema
	if err := json.Unmarshal(a.Schema, &parsed); err != nil {
		return nil, 0, err
	}
	s, err = parsed.Resolve(nil)
	return s, size.values, err
}

// measure is how large a schema is.
type measure struct{ values, steps int }

// add counts what is in a schema, or in an object of schemas by name, and refuses what can't be bounded.
func (m *measure) add(v any, byName bool) error {
	if m.values++; m.values > mostValues {
		return fmt.Errorf("at most %d values are accepted", mostValues)
	}
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			if err := m.add(one, false); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, one := range v {
			is := func(word string) bool { return !byName && strings.EqualFold(name, word) }
			if slices.ContainsFunc(pointing, is) {
				return fmt.Errorf("%s isn't accepted: write out what it stands for", name)
			}
			if expr, ok := one.(string); ok && is("pattern") {
				if err := m.pattern(expr); err != nil {
					return err
				}
			}
			if exprs, ok := one.(map[string]any); ok && is("patternProperties") {
				for expr := range exprs {
					if err := m.pattern(expr); err != nil {
						return err
					}
				}
			}
			named := name == "properties" || name == "patternProperties" || name == "dependentSchemas"
			if err := m.add(one, named && !byName); err != nil {
				return err
			}
		}
	}
	return nil
}

// pattern counts what a pattern may cost for each letter.
func (m *measure) pattern(expr string) error {
	if len(expr) > mostPattern {
		return fmt.Errorf("a pattern has at most %d bytes", mostPattern)
	}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return err
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return err
	}
	if m.steps += len(prog.Inst); m.steps > mostPattern {
		return errors.New("its patterns are too large, repeat fewer times")
	}
	return nil
}

// count is how many values there are in one.
func count(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			n += count(one)
		}
	case map[string]any:
		for _, one := range v {
			n += count(one)
		}
	}
	return n
}
