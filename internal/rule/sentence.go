package rule

import (
	"slices"
	"strings"

	"preceptor/internal/pack"
)

// Parts is a statement in words, for people, prompts and embeddings; nothing reads it back.
type Parts struct {
	Situation string // "the question is about annuities and age is below 55"
	Action    string // `include "…"`
	Because   string
}

// Words renders a statement with the labels of a pack; nil uses the raw names.
func Words(s Statement, p *pack.Pack) Parts {
	return Parts{Situation: situation(s.When, p), Action: s.Do.Words(), Because: strings.TrimRight(s.Because, ". ")}
}

// Sentence is the seed's form, "When [situation], [action] because [reason]" (seed 000, "Step 3: Refinement"); without
// a reason it ends after the action. An instruction for everybody is as it was given, one for some behind a colon.
func Sentence(s Statement, p *pack.Pack) string {
	w := Words(s, p)
	if w.Because != "" {
		w.Action = strings.TrimRight(w.Action, ". ")
		if first, _, _ := strings.Cut(w.Because, " "); pack.IsStop(strings.ToLower(first)) {
			w.Because = pack.Lower(w.Because)
		}
		w.Because = " because " + w.Because
	}
	switch {
	case s.Anywhere():
		return w.Action + w.Because
	case s.Do.Kind == Other && len(s.When) == 1 && s.When[0].Kind == Scope && !s.When[0].Not:
		return pack.Upper(s.When[0].places()) + ": " + w.Action + w.Because
	}
	return "When " + w.Situation + ", " + pack.Lower(w.Action) + w.Because
}

// Words is the act in words.
func (a Act) Words() string {
	switch a.Kind {
	case Include:
		switch a.Place {
		case AtStart:
			return "start with “" + a.Text + "”"
		case AtEnd:
			return "end with “" + a.Text + "”"
		}
		return "include “" + a.Text + "”"
	case Never:
		return "never say " + quoted(a.Phrases, " or ")
	case Replace:
		parts := make([]string, len(a.Swaps))
		for i, w := range a.Swaps {
			parts[i] = "“" + w.Say + "” rather than “" + w.Avoid + "”"
		}
		return "say " + strings.Join(parts, ", and ")
	case Ask:
		return "ask “" + a.Text + "”"
	case Point:
		return "point the customer on: “" + a.Text + "”"
	case Other:
		return a.Text
	}
	return ""
}

func quoted(list []string, between string) string {
	q := make([]string, len(list))
	for i, v := range list {
		q[i] = "“" + v + "”"
	}
	return strings.Join(q, between)
}

// situation joins conditions as Match adds them up: "or" within a group, "and" between groups.
func situation(when []Condition, p *pack.Pack) string {
	var parts []string
	for _, g := range groups(when) {
		ways := make([]string, len(g))
		for i, c := range g {
			ways[i] = c.Words(p)
		}
		part := strings.Join(ways, " or ")
		if g[0].Kind == Like && g[0].Not && !slices.ContainsFunc(when, Condition.asks) {
			var also []string // it outweighs what the rule isn't for, and nothing else
			for _, c := range when {
				if c.Also {
					also = append(also, c.Values...)
				}
			}
			if len(also) > 0 {
				part += ", unless it is like " + quoted(also, " or ") + ","
			}
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return "giving guidance"
	}
	return strings.TrimSuffix(strings.Join(parts, " and "), ",")
}

// Words is the condition in words, as "the topic is Annuity" or "age is not known".
func (c Condition) Words(p *pack.Pack) string {
	not := ""
	if c.Not {
		not = "not "
	}
	switch c.Kind {
	case Topic:
		labels := make([]string, len(c.Values))
		for i, v := range c.Values {
			labels[i] = pack.Label(v)
		}
		return "the topic is " + not + strings.Join(labels, " or ")
	case Field:
		return c.fieldWords(p, not)
	case Mentions:
		what, verb := "the question", " mentions "
		if c.Draft {
			what = "the draft"
		}
		if c.Not {
			verb = " does not mention "
		}
		return what + verb + quoted(c.Values, " or ")
	case Like:
		how := "is " + not + "like "
		if c.Wide {
			how = "is " + not + "broadly like "
		}
		return "the question " + how + quoted(c.Values, " or ")
	case Scope:
		if c.universal() {
			return "giving guidance to anybody"
		}
		return "working " + not + c.places()
	}
	return ""
}

// places are the scopes of a condition in words.
func (c Condition) places() string {
	words := make([]string, len(c.Values))
	for i, v := range c.Values {
		words[i] = ScopeWords(v)
	}
	return strings.Join(words, " or ")
}

// ScopeWords is a scope in words: "for the project hydra", "in go".
func ScopeWords(scope string) string {
	switch kind, name, _ := strings.Cut(scope, ":"); kind {
	case Universal:
		return "everywhere"
	case "language":
		return "in " + name
	case "pack":
		return "for " + name + " agents"
	default:
		return "for the " + kind + " " + name
	}
}

// Anywhere reports whether it is an instruction for any work at all.
func (s Statement) Anywhere() bool {
	return s.Do.Kind == Other && len(s.When) == 1 && s.When[0].universal()
}

func (c Condition) universal() bool {
	return c.Kind == Scope && !c.Not && len(c.Values) == 1 && c.Values[0] == Universal
}

func (c Condition) fieldWords(p *pack.Pack, not string) string {
	label := p.FieldLabel(c.Name)
	values := make([]string, len(c.Values))
	for i, v := range c.Values {
		values[i] = p.ValueLabel(c.Name, v)
	}
	list := strings.Join(values, " or ")
	switch c.Op {
	case Below:
		return label + " is " + not + "below " + list
	case Above:
		return label + " is " + not + "above " + list
	case Known:
		return label + " is " + not + "known"
	case Has:
		if c.Not {
			return label + " does not include " + list
		}
		return label + " includes " + list
	}
	return label + " is " + not + list
}
