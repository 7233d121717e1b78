package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"preceptor/internal/platform/fault"
)

// CheckAnswer reports whether an answer fits the schema it was asked for, in the subset of JSON Schema that our schemas
// use: type, properties, required, additionalProperties: false, items, enum. Servers promise it; small local ones break
// it.
func CheckAnswer(name string, schema json.RawMessage, text string) error {
	if len(schema) == 0 {
		return nil
	}
	var s map[string]any
	if err := json.Unmarshal(schema, &s); err != nil {
		return fmt.Errorf("llm: our own schema is not JSON: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	var v any
	err := d.Decode(&v)
	if err == nil && d.More() {
		err = errors.New("text after the JSON")
	}
	if err == nil {
		err = fits(s, v, "answer", 0)
	}
	if err != nil {
		return fault.Wrap(fault.Unavailable, err,
			"The model %s did not answer in the form it was asked for. Try again; if it stays so, choose a model "+
				"that supports structured output.", name)
	}
	return nil
}

func fits(s map[string]any, v any, at string, depth int) error {
	if depth > 50 {
		return fmt.Errorf("%s is nested too deep", at)
	}
	if want, ok := s["type"].(string); ok && !isType(want, v) {
		return fmt.Errorf("%s is not %s", at, want)
	}
	if enum, ok := s["enum"].([]any); ok && !slices.ContainsFunc(enum, func(x any) bool {
		return reflect.DeepEqual(x, v)
	}) {
		return fmt.Errorf("%s is none of the allowed values", at)
	}
	switch v := v.(type) {
	case map[string]any:
		return fitsObject(s, v, at, depth)
	case []any:
		items, ok := s["items"].(map[string]any)
		for i, x := range v {
			if !ok {
				break
			}
			if err := fits(items, x, fmt.Sprintf("%s[%d]", at, i), depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func fitsObject(s, v map[string]any, at string, depth int) error {
	required, _ := s["required"].([]any)
	for _, name := range required {
		if n, _ := name.(string); v[n] == nil {
			return fmt.Errorf("%s lacks %s", at, n)
		}
	}
	properties, _ := s["properties"].(map[string]any)
	closed := s["additionalProperties"] == false
	for name, x := range v {
		p, known := properties[name].(map[string]any)
		if !known {
			if closed {
				return fmt.Errorf("%s has a field that was not asked for", at)
			}
			continue
		}
		if err := fits(p, x, at+"."+name, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func isType(want string, v any) bool {
	switch want {
	case "object":
		_, ok := v.(map[string]any)
		return ok
	case "array":
		_, ok := v.([]any)
		return ok
	case "string":
		_, ok := v.(string)
		return ok
	case "boolean":
		_, ok := v.(bool)
		return ok
	case "number":
		_, ok := v.(float64)
		return ok
	case "integer":
		f, ok := v.(float64)
		return ok && f == math.Trunc(f)
	case "null":
		return v == nil
	}
	return true
}

// CheckVectors reports whether an embedder's answer is usable: one vector a text, all of one length (dims, unless that
// is 0), finite, not zero; and scales each to length 1.
func CheckVectors(name string, vectors [][]float32, texts, dims int) error {
	bad := func(format string, args ...any) error {
		return fault.Wrap(fault.Unavailable, fmt.Errorf(format, args...),
			"The embedding model %s gave vectors that can't be used. Check PRECEPTOR_LLM_EMBED_MODEL and "+
				"PRECEPTOR_LLM_EMBED_DIMS.", name)
	}
	if len(vectors) != texts {
		return bad("%d vectors for %d texts", len(vectors), texts)
	}
	for i, v := range vectors {
		if dims == 0 {
			dims = len(v)
		}
		if len(v) != dims || dims == 0 {
			return bad("vector %d has length %d, not %d", i, len(v), dims)
		}
		var sum float64
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		n := math.Sqrt(sum)
		if math.IsNaN(n) || math.IsInf(n, 0) || n < 1e-9 {
			return bad("vector %d has no usable length", i)
		}
		for j := range v {
			v[j] = float32(float64(v[j]) / n)
		}
	}
	return nil
}
