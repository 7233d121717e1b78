package interaction

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/platform/strict"
)

// What a word of a schema holds: a schema (or a list of them), schemas by name, or a value.
const (
	aValue = iota
	aSchema
	byName
)

// holds says it of each word; what isn't here holds a value.
var holds = map[string]int{"items": aSchema, "prefixItems": aSchema, "additionalItems": aSchema, "contains": aSchema,
	"additionalProperties": aSchema, "propertyNames": aSchema, "unevaluatedItems": aSchema,
	"unevaluatedProperties": aSchema, "allOf": aSchema, "anyOf": aSchema, "oneOf": aSchema, "not": aSchema,
	"if": aSchema, "then": aSchema, "else": aSchema, "properties": byName, "patternProperties": byName,
	"dependentSchemas": byName}

// notes are the words beside a reference that ask nothing of a value.
var notes = []string{"$schema", "$comment", "title", "description", "default", "examples", "deprecated", "readOnly",
	"writeOnly"}

// definitions are the words that hold schemas for others to refer to.
var definitions = []string{"$defs", "definitions"}

// inlined is a schema with what its references stand for in their place, as the form and the check read it: tools made
// from types have every type under $defs. A schema without references is as it came.
func inlined(raw json.RawMessage) (json.RawMessage, error) {
	if !bytes.Contains(raw, []byte(`"$ref"`)) && !bytes.Contains(raw, []byte(`"$defs"`)) &&
		!bytes.Contains(raw, []byte(`"definitions"`)) || len(raw) > maxAction ||
		strict.Check(raw, deepest) != nil { // which is said elsewhere
		return raw, nil
	}
	n := inliner{left: maxAction}
	if err := strict.Tree(raw, &n.root); err != nil {
		return raw, err
	}
	out, err := n.walk(n.root, aSchema)
	if err != nil {
		return raw, err
	}
	return json.Marshal(out)
}

// inliner writes out the references of one schema.
type inliner struct {
	root any
	open []string // references that are being written out
	left int      // bytes that may still be written
}

func (n *inliner) walk(v any, kind int) (any, error) {
	if n.left -= 2; n.left < 0 {
		return nil, fmt.Errorf("with its references written out it is over %d kB", maxAction>>10)
	}
	switch v := v.(type) {
	case string:
		n.left -= len(v)
	case json.Number:
		n.left -= len(v)
	case []any:
		out := make([]any, 0, len(v))
		for _, one := range v {
			one, err := n.walk(one, kind)
			if err != nil {
				return nil, err
			}
			out = append(out, one)
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(v))
		ref, refers := v["$ref"].(string)
		refers = refers && kind == aSchema
		for name, one := range v {
			_, object := one.(map[string]any)
			if kind == aSchema && object && slices.Contains(definitions, name) || refers && name == "$ref" {
				continue
			}
			within := aValue
			if kind == byName {
				within = aSchema
			} else if kind == aSchema {
				within = holds[name]
			}
			n.left -= len(name) + 2
			var err error
			if out[name], err = n.walk(one, within); err != nil {
				return nil, err
			}
		}
		if refers {
			return n.put(ref, out)
		}
		return out, nil
	}
	return v, nil
}

// put is what a reference stands for, together with what stands beside it.
func (n *inliner) put(ref string, beside map[string]any) (any, error) {
	target, found := n.at(ref)
	switch {
	case slices.Contains(n.open, ref):
		return nil, fmt.Errorf("%s refers to itself, and a form for that has no end", ref)
	case !found:
		return nil, fmt.Errorf("%s isn't in it: only references within the schema are accepted", ref)
	}
	n.open = append(n.open, ref)
	stands, err := n.walk(target, aSchema)
	n.open = n.open[:len(n.open)-1]
	if err != nil {
		return nil, err
	}
	asks := func(name string) bool { return !slices.Contains(notes, name) }
	if object, ok := stands.(map[string]any); ok && !slices.ContainsFunc(slices.Collect(maps.Keys(beside)), asks) {
		object = maps.Clone(object)
		delete(object, "title") // a type's name says nothing of what is of that type
		maps.Copy(object, beside)
		return object, nil
	}
	if len(beside) == 0 { // true or false
		return stands, nil
	}
	all, _ := beside["allOf"].([]any)
	beside["allOf"] = append(all, stands)
	return beside, nil
}

// at is what a JSON pointer, as #/$defs/Address, leads to.
func (n *inliner) at(ref string) (v any, ok bool) {
	ref, ok = strings.CutPrefix(ref, "#")
	ref, err := url.PathUnescape(ref)
	if v = n.root; !ok || err != nil || ref != "" && ref[0] != '/' {
		return nil, false
	}
	for step := range strings.SplitSeq(strings.TrimPrefix(ref, "/"), "/") {
		if ref == "" {
			return v, true
		}
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		switch in := v.(type) {
		case map[string]any:
			v, ok = in[step]
		case []any:
			i, err := strconv.Atoi(step)
			if ok = err == nil && i >= 0 && i < len(in); ok {
				v = in[i]
			}
		default:
			ok = false
		}
		if !ok {
			return nil, false
		}
	}
	return v, true
}
