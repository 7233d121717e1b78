package interaction

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/strict"
	"preceptor/internal/platform/text"
)

// The words that an agent may use for what a person has and understands.
var (
	PensionKinds = []string{"db", "dc", "state", "unknown"}
	Literacies   = []string{"low", "medium", "high"}
)

// The limits of what is kept of a customer.
const (
	MaxCustomerBytes = 64 << 10
	maxAge           = 120
	maxPensions      = 50
	maxFeatures      = 50
	maxWords         = 500 // bytes of name, literacy and one feature
	maxGoal          = 5_000
)

// Customer is who is asking. The known fields are typed and checked; whatever else came is kept in Extra.
type Customer struct {
	Age        *int // years; nil when not said
	Pensions   []Pension
	Literacy   string // low, medium, high or ""
	Vulnerable *bool  // nil when not said
	Goal       string
	Name       string
	Extra      map[string]any // numbers as json.Number
}

// Pension is one pension of a customer.
type Pension struct {
	Kind     string   `json:"kind"`                // one of PensionKinds
	ValueGBP *float64 `json:"value_gbp,omitempty"` // pounds; nil when not said
	Features []string `json:"features,omitempty"`
}

// UnmarshalJSON reads a customer. What is wrong comes back as an Invalid fault whose fields are JSON pointers relative
// to the customer, all of them at once.
func (c *Customer) UnmarshalJSON(b []byte) error {
	*c = Customer{}
	if bytes.Equal(bytes.TrimSpace(b), []byte("null")) {
		return nil
	}
	var all map[string]any
	if err := strict.Tree(b, &all); err != nil {
		return fault.Wrong("The customer can't be read.", "", "Send a JSON object, such as {\"age\": 58}.")
	}
	r := reader{all: all}
	c.Age = r.age()
	c.Pensions = r.pensions()
	c.Literacy = r.oneOf("literacy", Literacies)
	c.Vulnerable = r.yesNo("vulnerable")
	c.Goal = r.text("goal", maxGoal)
	c.Name = r.text("name", maxWords)
	if len(r.wrong) > 0 {
		*c = Customer{}
		return fault.WithFields("Some facts about the customer can't be read.", r.wrong...)
	}
	if len(all) > 0 {
		c.Extra = all
	}
	return nil
}

// MarshalJSON writes the known fields that were said, and Extra beside them.
func (c Customer) MarshalJSON() ([]byte, error) {
	all := map[string]any{}
	maps.Copy(all, c.Extra)
	set := func(said bool, name string, v any) {
		if said {
			all[name] = v
		}
	}
	set(c.Age != nil, "age", c.Age)
	set(len(c.Pensions) > 0, "pensions", c.Pensions)
	set(c.Literacy != "", "literacy", c.Literacy)
	set(c.Vulnerable != nil, "vulnerable", c.Vulnerable)
	set(c.Goal != "", "goal", c.Goal)
	set(c.Name != "", "name", c.Name)
	return json.Marshal(all)
}

// Check finds what is wrong with a customer that was made in Go and not read from JSON; fields as in UnmarshalJSON.
func (c Customer) Check() []fault.Field {
	b, err := json.Marshal(c)
	if err != nil {
		return []fault.Field{{Msg: "The customer can't be written as JSON."}}
	}
	if len(b) > MaxCustomerBytes {
		return []fault.Field{
			{Msg: "The customer's facts are too long: leave out what the advisor didn't need. " +
				text.TooBig(string(b), MaxCustomerBytes)}}
	}
	var again Customer
	return fault.Fields(again.UnmarshalJSON(b))
}

// reader takes the known fields out of a customer and notes what is wrong with them. A field that is null was not said.
type reader struct {
	all   map[string]any
	wrong []fault.Field
}

func (r *reader) take(name string) (any, bool) {
	v, ok := r.all[name]
	delete(r.all, name)
	return v, ok && v != nil
}

func (r *reader) fail(pointer, format string, args ...any) {
	r.wrong = append(r.wrong, fault.Field{Name: pointer, Msg: fmt.Sprintf(format, args...)})
}

func (r *reader) age() *int {
	v, ok := r.take("age")
	if !ok {
		return nil
	}
	n, isNumber := v.(json.Number)
	i, err := n.Int64()
	if !isNumber || err != nil || i < 0 || i > maxAge {
		r.fail("/age", "Send the age as a whole number of years from 0 to %d.", maxAge)
		return nil
	}
	age := int(i)
	return &age
}

func (r *reader) yesNo(name string) *bool {
	v, ok := r.take(name)
	if !ok {
		return nil
	}
	b, isBool := v.(bool)
	if !isBool {
		r.fail("/"+name, "Send true or false.")
		return nil
	}
	return &b
}

func (r *reader) text(name string, limit int) string {
	v, ok := r.take(name)
	if !ok {
		return ""
	}
	return r.words("/"+name, v, limit)
}

func (r *reader) words(pointer string, v any, limit int) string {
	s, isText := v.(string)
	switch {
	case !isText:
		r.fail(pointer, "Send text.")
	case len(s) > limit:
		r.fail(pointer, "%s", text.TooBig(s, limit))
	default:
		return s
	}
	return ""
}

func (r *reader) oneOf(name string, list []string) string {
	v, ok := r.take(name)
	if !ok {
		return ""
	}
	return r.choice("/"+name, v, list)
}

func (r *reader) choice(pointer string, v any, list []string) string {
	s, isText := v.(string)
	if !isText || !slices.Contains(list, s) {
		r.fail(pointer, "Send one of: %s.", strings.Join(list, ", "))
		return ""
	}
	return s
}

func (r *reader) pensions() []Pension {
	v, ok := r.take("pensions")
	if !ok {
		return nil
	}
	list, isList := v.([]any)
	if !isList || len(list) > maxPensions {
		r.fail("/pensions", "Send a list of at most %d pensions.", maxPensions)
		return nil
	}
	out := make([]Pension, 0, len(list))
	for i, item := range list {
		out = append(out, r.pension(fmt.Sprintf("/pensions/%d", i), item))
	}
	return out
}

func (r *reader) pension(at string, v any) (p Pension) {
	all, isObject := v.(map[string]any)
	if !isObject {
		r.fail(at, "Send an object, such as {\"kind\": \"dc\"}.")
		return p
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		switch value := all[name]; name {
		case "kind":
			p.Kind = r.choice(at+"/kind", value, PensionKinds)
		case "value_gbp":
			p.ValueGBP = r.pounds(at+"/value_gbp", value)
		case "features":
			p.Features = r.features(at+"/features", value)
		default:
			r.fail(at+"/"+strict.Step(name),
				"A pension has kind, value_gbp and features; anything else goes in the customer itself.")
		}
	}
	if _, said := all["kind"]; !said {
		r.fail(at+"/kind", "Say which kind: %s.", strings.Join(PensionKinds, ", "))
	}
	return p
}

func (r *reader) pounds(pointer string, v any) *float64 {
	if v == nil {
		return nil
	}
	n, isNumber := v.(json.Number)
	f, err := n.Float64()
	if !isNumber || err != nil || math.IsInf(f, 0) || f < 0 || f > 1e12 {
		r.fail(pointer, "Send the value in pounds as a number, for example 42000 or 310000.50.")
		return nil
	}
	return &f
}

func (r *reader) features(pointer string, v any) []string {
	if v == nil {
		return nil
	}
	list, isList := v.([]any)
	if !isList || len(list) > maxFeatures {
		r.fail(pointer, "Send a list of at most %d texts.", maxFeatures)
		return nil
	}
	var out []string
	for i, item := range list {
		out = append(out, r.words(fmt.Sprintf("%s/%d", pointer, i), item, maxWords))
	}
	return out
}
