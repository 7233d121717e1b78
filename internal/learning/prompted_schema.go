package learning

import (
	"crypto/sha256"
	"encoding/json"

	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

// The schemas are strict: every field is required and no other is allowed, as the providers' structured output wants
// it.
var (
	conditionSchema = object(
		field{"kind", oneOf(rule.Topic, rule.Field, rule.Mentions, rule.Like, rule.Scope)},
		field{"name", kind("string")},
		field{"op", oneOf("", rule.Is, rule.Below, rule.Above, rule.Has, rule.Known)},
		field{"values", listOf(kind("string"))}, field{"not", kind("boolean")})
	swapSchema = object(field{"say", kind("string")}, field{"avoid", kind("string")})
	actSchema  = object(
		field{"kind", oneOf(rule.Include, rule.Never, rule.Replace, rule.Ask, rule.Point, rule.Other)},
		field{"text", kind("string")},
		field{"place", oneOf(rule.AtTopic, rule.AtStart, rule.AtEnd)}, field{"phrases", listOf(kind("string"))},
		field{"swaps", listOf(swapSchema)})
	statementSchema = object(field{"when", listOf(conditionSchema)}, field{"do", actSchema},
		field{"because", kind("string")})
	validateSchema = object(field{"reasoning", kind("string")}, field{"text_a", kind("boolean")},
		field{"text_b", kind("boolean")})
	headSchema  = object(field{"pass", kind("boolean")}, field{"why", kind("string")})
	judgeSchema = object(
		field{"reasoning", kind("string")}, field{"boundary", headSchema}, field{HeadActionable, headSchema},
		field{HeadGeneral, headSchema},
		field{HeadValue, headSchema}, field{"regulation", listOf(kind("string"))}, field{"same_as", kind("string")},
		field{"decision", oneOf("ACCEPT", "REJECT")})
)

// reflectSchema is the form, with the domains of a pack.
func reflectSchema(p *pack.Pack) json.RawMessage {
	var domains []string
	for _, d := range p.Domains {
		domains = append(domains, d.Name)
	}
	return object(field{"nothing", kind("boolean")}, field{"why", kind("string")}, field{"root_cause", kind("string")},
		field{"domain", oneOf(domains...)},
		field{"statements", listOf(statementSchema)})
}

// stated is a statement as a model writes it.
type stated struct {
	When []struct {
		Kind   string   `json:"kind"`
		Name   string   `json:"name"`
		Op     string   `json:"op"`
		Values []string `json:"values"`
		Not    bool     `json:"not"`
	} `json:"when"`
	Do      rule.Act `json:"do"`
	Because string   `json:"because"`
}

func (s stated) statement() rule.Statement {
	st := rule.Statement{Do: s.Do, Because: noTokens(s.Because)}
	for _, c := range s.When {
		made := rule.Condition{Kind: c.Kind, Values: c.Values, Not: c.Not}
		if c.Kind == rule.Field {
			made.Name, made.Op = c.Name, c.Op
		}
		st.When = append(st.When, made)
	}
	return st.Tidy()
}

// drawn is one of two, by the texts of a trial alone.
func drawn(t Trial) bool {
	sum := sha256.Sum256([]byte(t.Statement.Key() + "\x00" + t.Approved))
	return sum[0]&1 == 0
}

// field is a property; the order of fields is the order in which a model writes them, so reasoning comes first.
type field struct {
	name   string
	schema json.RawMessage
}

func object(fields ...field) json.RawMessage {
	props, required := []byte("{"), []string{}
	for i, f := range fields {
		if i > 0 {
			props = append(props, ',')
		}
		props = append(append(append(props, jsonOf(f.name)...), ':'), f.schema...)
		required = append(required, f.name)
	}
	props = append(props, '}')
	return json.RawMessage(`{"type":"object","properties":` + string(props) + `,"required":` +
		string(jsonOf(required)) + `,"additionalProperties":false}`)
}

func kind(name string) json.RawMessage { return jsonOf(map[string]string{"type": name}) }

func oneOf(values ...string) json.RawMessage {
	return jsonOf(map[string]any{"type": "string", "enum": values})
}

func listOf(item json.RawMessage) json.RawMessage {
	return jsonOf(map[string]any{"type": "array", "items": item})
}
