package interaction

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/pack"
	"preceptor/internal/platform/lists"
)

// Consultation is what a customer asked, and what was known about them.
type Consultation struct {
	Customer Customer `json:"customer"`
	Question string   `json:"question"`
	TaskType string   `json:"task_type,omitempty"`
	Pack     string   `json:"pack,omitempty"` // of the agent that was asked; "" is pension
	// the conversation, oldest first, with the question as the customer's last message; nil where nothing else is known
	Messages []Message `json:"messages,omitempty"`
	Thread   string    `json:"thread,omitempty"` // the agent's own id of the conversation
	// what a submission's steps and metadata tell of what was said before. Not stored by itself
	Beside string `json:"-"`
	// what the agent would do beside its text, in words: judged with the text. Not stored by itself
	Acts string `json:"-"`
	// the text only says what the agent would do, and is for no customer to read. Not stored by itself
	NoText bool `json:"-"`
}

// Situation is the consultation as rules, checks and the advisor read it.
func (c Consultation) Situation() pack.Situation {
	about := c.Customer.Facts()
	s := pack.Situation{
		Pack:     c.Pack,
		Question: c.Question,
		Task:     c.TaskType,
		Literacy: c.Customer.Literacy,
		Goal:     c.Customer.Goal,
		Text:     about.Words(),
		Thread:   c.earlier(),
		Before:   c.Before(),
	}
	if c.Customer.Age != nil {
		s.Age = *c.Customer.Age
	}
	s.Fields = about.fields()
	if c.Customer.Vulnerable != nil {
		s.Vulnerable = *c.Customer.Vulnerable
	}
	for _, p := range c.Customer.Pensions {
		var pounds float64
		if p.ValueGBP != nil {
			pounds = *p.ValueGBP
		}
		switch p.Kind {
		case "db":
			s.HasDB = true
			s.DBValue += pounds
		case "dc":
			s.HasDC = true
			s.DCValue += pounds
		case "state":
			s.HasState = true
		default:
			s.Unclear = true
		}
		s.Features = append(s.Features, p.Features...)
	}
	return s
}

// fields are what the profile says beside the typed fields, flattened: a list gives a value for each item. What was
// said to be untrue is kept as "no", so that it is known.
func (c Customer) fields() map[string][]string {
	out := map[string][]string{}
	if c.Vulnerable != nil && !*c.Vulnerable {
		out["vulnerable"] = []string{"no"}
	}
	for name, v := range c.Extra {
		list, many := v.([]any)
		if !many {
			list = []any{v}
		}
		for _, item := range list {
			if words := strings.TrimSpace(flatten(item)); words != "" {
				out[name] = append(out[name], words)
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// Words are the goal and everything in the free fields, as "name: value" lines in the order of the names. What is
// said not to be ("has_db": false) is left out: its name would be read as if it were.
func (c Customer) Words() string {
	var b strings.Builder
	b.WriteString(c.Goal)
	for _, name := range slices.Sorted(maps.Keys(c.Extra)) {
		if words := flatten(c.Extra[name]); words != "" && !isNo(words) {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "%s: %s", strings.ReplaceAll(name, "_", " "), words)
		}
	}
	return b.String()
}

// isNo reports whether a field's whole value denies it.
func isNo(words string) bool {
	return slices.Contains([]string{"false", "no", "none", "n", "not", "never", "n/a"},
		strings.ToLower(strings.TrimSpace(words)))
}

func flatten(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []any:
		return strings.Join(lists.Map(v, flatten), ", ")
	case map[string]any:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, strings.ReplaceAll(name, "_", " ")+" "+flatten(v[name]))
		}
		return strings.Join(parts, ", ")
	case json.Number:
		return v.String()
	}
	return fmt.Sprint(v)
}

// mostFacts is how many facts beyond the typed ones stand for a customer of whom no typed one is known.
const mostFacts = 3

// Who describes the customer in a few words, as "58, DB £310k + DC £42k, literacy low" or "os Windows 11"; "" when
// nothing was said.
func (c Customer) Who() string {
	var parts []string
	if c.Age != nil {
		parts = append(parts, fmt.Sprint(*c.Age))
	}
	var pots []string
	for _, p := range c.Pensions {
		pot := map[string]string{"db": "DB", "dc": "DC", "state": "State Pension", "unknown": "unknown pension"}[p.Kind]
		if p.ValueGBP != nil {
			pot += " " + shortPounds(*p.ValueGBP)
		}
		pots = append(pots, pot)
	}
	if len(pots) > 4 {
		pots = append(pots[:3], fmt.Sprintf("%d more", len(pots)-3))
	}
	if len(pots) > 0 {
		parts = append(parts, strings.Join(pots, " + "))
	}
	if c.Literacy != "" {
		parts = append(parts, "literacy "+c.Literacy)
	}
	if c.Vulnerable != nil && *c.Vulnerable {
		parts = append(parts, "vulnerable")
	}
	if len(parts) == 0 {
		parts = c.someFacts()
	}
	return strings.Join(parts, ", ")
}

// someFacts are the first short facts that an agent sent beside the typed ones, but for references, which say who and
// not how one is.
func (c Customer) someFacts() (facts []string) {
	for _, name := range slices.Sorted(maps.Keys(c.Extra)) {
		words := strings.Join(strings.Fields(flatten(c.Extra[name])), " ")
		if words == "" || len(words) > 40 || refers(name) || len(facts) == mostFacts {
			continue
		}
		facts = append(facts, strings.ReplaceAll(name, "_", " ")+" "+words)
	}
	return facts
}

// shortPounds is an amount for a narrow place: £310k, £1.2m, £800.
func shortPounds(v float64) string {
	trim := func(f float64, unit string) string {
		return "£" + strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0") + unit
	}
	switch {
	case v >= 999_950:
		return trim(v/1e6, "m")
	case v >= 1000:
		return trim(v/1e3, "k")
	}
	return fmt.Sprintf("£%.0f", v)
}
