package strict

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/mail"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
)

// formats are those of JSON Schema that can be told, with what to type.
var formats = map[string]struct {
	is   func(s string) bool
	says string
}{
	"date":      {dated("2006-01-02"), "a date such as 2026-11-29"},
	"time":      {dated("15:04:05Z07:00", "15:04:05", "15:04"), "a time such as 14:30:00"},
	"date-time": {dated(time.RFC3339, "2006-01-02T15:04:05"), "a date and time such as 2026-11-29T14:30:00Z"},
	"email": {func(s string) bool {
		a, err := mail.ParseAddress(s)
		return err == nil && a.Address == s
	}, "an e-mail address such as ann@example.com"},
	"uri": {func(s string) bool {
		u, err := url.Parse(s)
		return err == nil && u.Scheme != "" && !strings.ContainsAny(s, " \n")
	}, "a whole address such as https://example.com/page"},
	"uuid": {regexp.MustCompile(`(?i)^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$`).MatchString,
		"an id such as 123e4567-e89b-12d3-a456-426614174000"},
	"ipv4": {func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is4() },
		"an IPv4 address such as 192.0.2.1"},
	"ipv6": {func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is6() },
		"an IPv6 address such as 2001:db8::1"},
}

func dated(layouts ...string) func(s string) bool {
	return func(s string) bool {
		return slices.ContainsFunc(layouts, func(l string) bool { _, err := time.Parse(l, s); return err == nil })
	}
}

// shape is what formats need of a schema.
type shape struct {
	Type       any               `json:"type"`
	Format     string            `json:"format"`
	Properties map[string]*shape `json:"properties"`
	Items      *shape            `json:"items"`
	AllOf      []*shape          `json:"allOf"`
	AnyOf      []*shape          `json:"anyOf"`
	OneOf      []*shape          `json:"oneOf"`
}

// Misformed says which text of an object has not the format that a schema asks for, and what to enter; "" for none.
// JSON Schema lets a reader pass over formats, and ours does, so this is for what a person typed in place of was: a
// text that stays, or whose like wasn't of the format before, isn't asked of them.
func Misformed(schema []byte, object, was map[string]any) string {
	var s shape
	if len(schema) == 0 || json.Unmarshal(schema, &s) != nil {
		return "" // in a form that ours doesn't have it says nothing of formats
	}
	return s.wrong("", object, was)
}

// wrong is that of a value at a place; was is the one there before, nil for none.
func (s *shape) wrong(at string, value, was any) string {
	if s == nil || reflect.DeepEqual(value, was) {
		return ""
	}
	for _, all := range s.AllOf {
		if said := all.wrong(at, value, was); said != "" {
			return said
		}
	}
	for _, any := range [][]*shape{s.AnyOf, s.OneOf} {
		if said := either(any, at, value, was); said != "" {
			return said
		}
	}
	switch v := value.(type) {
	case string:
		f, known := formats[s.Format]
		before, had := was.(string)
		if known && !f.is(v) && (!had || f.is(before)) {
			return fmt.Sprintf("%s: Enter %s.", strings.TrimPrefix(at, "/"), f.says)
		}
	case map[string]any:
		before, _ := was.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if said := s.Properties[name].wrong(at+"/"+name, v[name], before[name]); said != "" {
				return said
			}
		}
	case []any:
		before, _ := was.([]any)
		for i, one := range v {
			var old any
			if i < len(before) {
				old = before[i]
			}
			if said := s.Items.wrong(fmt.Sprintf("%s/%d", at, i+1), one, old); said != "" {
				return said
			}
		}
	}
	return ""
}

// either is what is wrong where one of several shapes is enough: none takes the value as it is.
func either(list []*shape, at string, value, was any) (said string) {
	for _, one := range list {
		if one == nil || !one.takes(value) {
			continue
		}
		if said = one.wrong(at, value, was); said == "" {
			return ""
		}
	}
	return said
}

// takes reports whether a shape's type can be that of a value; only texts, objects and lists matter.
func (s *shape) takes(value any) bool {
	kind := map[reflect.Kind]string{reflect.String: "string", reflect.Map: "object",
		reflect.Slice: "array"}[reflect.ValueOf(value).Kind()]
	switch t := s.Type.(type) {
	case string:
		return t == kind
	case []any:
		return slices.Contains(t, any(kind))
	}
	return true
}
