package interaction

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
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

// pointing are the words of a schema that lead elsewhere in it: those of them that inlined can't write out.
// encoding/json takes them in any case.
var pointing = []string{"$ref", "$dynamicRef", "$recursiveRef", "$anchor", "$dynamicAnchor", "$recursiveAnchor",
	"$defs", "definitions"}

// schema is the schema made ready, and how many values it has; nil where there is none. The error is in words.
func (a Action) schema() (s *jsonschema.Resolved, values int, err error) {
	if len(a.Schema) == 0 {
		return nil, 0, nil
	}
	raw, err := inlined(a.Schema)
	if err != nil {
		return nil, 0, err
	}
	if err := strict.Check(raw, deepest); err != nil {
		return nil, 0, fmt.Errorf("it %w", err)
	}
	var tree any
	if err := strict.Tree(raw, &tree); err != nil {
		return nil, 0, err
	}
	var size measure
	if err := size.add(tree, false); err != nil {
		return nil, 0, err
	}
	var parsed jsonschema.Schema
	if err := json.Unmarshal(raw, &parsed); err != nil {
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

// plainer says in words what the schema's reader says in signs: it writes 20000 as 20000/1 and 10000 as 10000.000000.
var plainer = []struct {
	found *regexp.Regexp
	said  string
}{
	{regexp.MustCompile(`^(?:validating [^:]+: )*validating ([^:]+): `), "$1: "}, // the place within all the others
	{regexp.MustCompile(`/properties(/[^/:]+)|/items\b|/(?:any|all|one)Of/\d+`), "$1"},
	{regexp.MustCompile(`^(?:root: |/)`), ""},
	{regexp.MustCompile(`m(?:ax|in)imum: (\S+?)(?:/1)? is (greater|less) than ([-\d.]*?)\.?0*$`), "$1 is $2 than $3"},
	{regexp.MustCompile(`type: (.+) has type "\w+", want "(\w+)"$`), "$1 isn't of type $2"},
	{regexp.MustCompile(`(?s)(?:any|one)Of: did not validate against any of .*`), "none of the forms it may have fits"},
}

// plainly is what the schema's reader said. Of what may be left out it says what is wrong with the value.
func plainly(said string) string {
	if _, each, found := strings.Cut(said, "anyOf: did not validate against any of"); found {
		each := slices.DeleteFunc(strings.Split(each, "\n")[1:], func(line string) bool {
			return strings.HasSuffix(line, `want "null"`)
		})
		if len(each) == 1 {
			said = each[0]
		}
	}
	for _, w := range plainer {
		said = w.found.ReplaceAllString(said, w.said)
	}
	return said
}
