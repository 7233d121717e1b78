package interaction

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/platform/strict"
)

// CustomerLoosely reads a customer in whatever shape they came, for callers who can't be asked to send it again:
// numbers as words or text, pensions as a list, an object or a line, names of fields that are only alike. It never
// fails: what it can't read stays in Extra, where the checks read it as free words.
func CustomerLoosely(b []byte) Customer {
	var c Customer
	if len(bytes.TrimSpace(b)) == 0 {
		return c
	}
	if err := json.Unmarshal(b, &c); err == nil {
		if len(c.Pensions) > 0 || !bytes.Contains(bytes.ToLower(b), []byte("pension")) {
			return c
		}
	}
	c = Customer{}
	var v any
	if strict.Tree(b, &v) != nil {
		return c
	}
	all, ok := v.(map[string]any)
	if !ok {
		if words := flatten(v); words != "" {
			c.Extra = map[string]any{"about": v}
		}
		return c
	}
	c.Extra = map[string]any{}
	for name, value := range all {
		if !c.loosely(plainName(name), value) {
			c.Extra[name] = value
		}
	}
	return c
}

// plainName is a field's name without case, blanks and marks.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, name)
}

// loosely takes in one field and reports whether it needs not stay in Extra.
func (c *Customer) loosely(name string, value any) bool {
	switch {
	case slices.Contains([]string{"age", "ageyears", "customerage"}, name):
		if n, ok := looseNumber(value); ok && n > 0 && n < 130 {
			age := int(n)
			c.Age = &age
			return true
		}
	case strings.Contains(name, "literacy"):
		c.Literacy = looseLiteracy(value)
		return c.Literacy != ""
	case strings.HasPrefix(name, "vulnerab") || name == "isvulnerable":
		if yes, known := looseYes(value); known {
			c.Vulnerable = &yes
			_, plain := value.(bool)
			return plain // words about it stay
		}
	case slices.Contains([]string{"goal", "goals", "objective", "objectives", "aim"}, name):
		c.Goal = flatten(value)
		return c.Goal != ""
	case name == "name":
		if s, ok := value.(string); ok {
			c.Name = s
			return true
		}
	case strings.Contains(name, "pension") || name == "pots" || name == "schemes" || name == "holdings":
		kept := c.loosePensions(name, value)
		return kept && name != "hasdbpension"
	case name == "hasdb" || name == "db":
		if yes, _ := looseYes(value); yes {
			c.Pensions = append(c.Pensions, Pension{Kind: "db"})
		}
	}
	return false
}

var amountRE = regexp.MustCompile(`(\d[\d,]*(?:\.\d+)?)\s*(k|m|thousand|million)?`)

func looseNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case json.Number:
		n, err := v.Float64()
		return n, err == nil && !math.IsInf(n, 0)
	case string:
		m := amountRE.FindStringSubmatch(strings.ToLower(v))
		if m == nil {
			return 0, false
		}
		n, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
		switch m[2] {
		case "k", "thousand":
			n *= 1e3
		case "m", "million":
			n *= 1e6
		}
		return n, err == nil
	}
	return 0, false
}

func looseYes(v any) (yes, known bool) {
	switch v := v.(type) {
	case bool:
		return v, true
	case json.Number:
		return v.String() != "0", true
	case []any:
		return len(v) > 0, true
	case string:
		w := strings.ToLower(strings.TrimSpace(v))
		if w == "" || w == "unknown" || w == "n/a" {
			return false, false
		}
		return !slices.Contains([]string{"no", "false", "none", "not vulnerable", "n", "0", "low", "nil"}, w), true
	}
	return false, false
}

func looseLiteracy(v any) string {
	w := strings.ToLower(flatten(v))
	for _, level := range [][2]string{{"low", "low"}, {"basic", "low"}, {"limited", "low"}, {"poor", "low"},
		{"beginner", "low"}, {"none", "low"}, {"high", "high"}, {"advanced", "high"}, {"expert", "high"},
		{"good", "high"}, {"medium", "medium"}, {"moderate", "medium"}, {"average", "medium"},
		{"intermediate", "medium"}} {
		if strings.Contains(w, level[0]) {
			return level[1]
		}
	}
	return ""
}

// loosePensions reads pensions from a list, an object of one pension, an object by kind, a line of words or a figure.
func (c *Customer) loosePensions(name string, v any) bool {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			c.loosePensions(name, one)
		}
		return true
	case map[string]any:
		if looksLikeOne(v) {
			c.Pensions = append(c.Pensions, loosePension(name, v))
			return true
		}
		for kind, one := range v {
			switch one := one.(type) {
			case map[string]any, []any:
				c.loosePensions(kind, one)
			default:
				p := Pension{Kind: kindOf(kind + " " + flatten(one)),
					Features: []string{strings.ReplaceAll(kind, "_", " ") + " " + flatten(one)}}
				if n, ok := looseNumber(one); ok {
					p.ValueGBP = &n
				} else if yes, known := looseYes(one); known && !yes {
					continue
				}
				c.Pensions = append(c.Pensions, p)
			}
		}
		return true
	case nil:
		return true
	case bool:
		kind := kindOf(name)
		if kind == "unknown" && strings.Contains(name, "db") {
			kind = "db"
		}
		if v && kind != "unknown" {
			c.Pensions = append(c.Pensions, Pension{Kind: kind})
		}
		return true
	}
	words := flatten(v)
	if words == "" || strings.EqualFold(words, "none") {
		return true
	}
	p := Pension{Kind: kindOf(words), Features: []string{words}}
	if p.Kind == "unknown" {
		p.Kind = kindOf(name)
	}
	if n, ok := looseNumber(v); ok {
		p.ValueGBP = &n
	}
	c.Pensions = append(c.Pensions, p)
	return true
}

func looksLikeOne(m map[string]any) bool {
	for name := range m {
		switch plainName(name) {
		case "kind", "type", "value", "valuegbp", "amount", "scheme", "schemetype", "transfervalue", "cetv", "balance",
			"fundvalue", "potvalue", "pensiontype", "features":
			return true
		}
	}
	return false
}

func loosePension(name string, m map[string]any) Pension {
	p := Pension{}
	words := []string{}
	for field, value := range m {
		switch f := plainName(field); {
		case f == "kind" || f == "type" || f == "pensiontype" || f == "schemetype":
			p.Kind = kindOf(flatten(value))
			words = append(words, flatten(value))
		case strings.Contains(f, "value") || f == "amount" || f == "balance" || f == "cetv" || f == "gbp":
			if n, ok := looseNumber(value); ok {
				p.ValueGBP = &n
			}
		case f == "features":
			if list, ok := value.([]any); ok {
				for _, one := range list {
					p.Features = append(p.Features, flatten(one))
				}
				continue
			}
			fallthrough
		default:
			if w := flatten(value); w != "" && w != "no" {
				words = append(words, strings.ReplaceAll(field, "_", " ")+" "+w)
			}
		}
	}
	slices.Sort(words)
	p.Features = append(p.Features, words...)
	if p.Kind == "" || p.Kind == "unknown" {
		p.Kind = kindOf(name + " " + strings.Join(p.Features, " "))
	}
	return p
}

var (
	dbKindRE = regexp.MustCompile(
		`(?i)\bdb\b|defined[- _]?benefit|final[- _]?salary|career[- _]?average|public sector|\b(?:nhs|teachers|police|army|lgps|civil service|local government)\b`)
	dcKindRE = regexp.MustCompile(
		`(?i)\bdc\b|defined[- _]?contribution|personal|sipp|workplace|stakeholder|money purchase|drawdown|pot\b|auto[- ]?enrol|nest\b|isa\b`)
	stateKindRE = regexp.MustCompile(`(?i)\bstate\b|national insurance`)
)

// kindOf reads a pension's kind from words.
func kindOf(words string) string {
	switch {
	case dbKindRE.MatchString(strings.ReplaceAll(words, "_", " ")):
		return "db"
	case stateKindRE.MatchString(strings.ReplaceAll(words, "_", " ")):
		return "state"
	case dcKindRE.MatchString(strings.ReplaceAll(words, "_", " ")):
		return "dc"
	}
	return "unknown"
}
