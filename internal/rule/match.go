package rule

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/pack"
)

// State is whether a statement's conditions hold.
type State int

// Unknown is the zero value: nobody looked.
const (
	Unknown State = iota // at least one condition could not be decided, and none failed
	Met
	NotMet
)

// Subject is what conditions are held against.
type Subject struct {
	Pack      *pack.Pack // for the words that tell a field's value; nil knows none
	Situation pack.Situation
	Scopes    []string // as "agent:helpdesk", "language:go"; Universal always holds
	Draft     *string  // before rules; nil while there is none
	// Like is how alike the question and examples are, -1 to 1, the nearest of them or what they have in common, and
	// from which likeness on they count as near and as wide. Nil where nobody can tell.
	Like func(examples []string) (likeness, near, wide float64)

	when []Condition // of the statement, while it is matched
}

// Result is what came of Match.
type Result struct {
	State State
	Open  []Condition // could not be decided
	Held  []Condition // held, in their order
}

// OpenOnDraft reports whether only the draft is missing to decide.
func (r Result) OpenOnDraft() bool {
	return r.State == Unknown && !slices.ContainsFunc(r.Open, func(c Condition) bool {
		return c.Kind != Mentions || !c.Draft
	})
}

// Match holds a statement's conditions against a subject; see the package comment for how they add up.
func Match(s Statement, on Subject) Result {
	var r Result
	on.when = s.When
	for _, c := range s.When {
		switch on.one(c) {
		case Met:
			r.Held = append(r.Held, c)
		case Unknown:
			r.Open = append(r.Open, c)
		}
	}
	r.State = Met
	for _, g := range groups(s.When) {
		switch on.any(g) {
		case NotMet:
			return Result{State: NotMet}
		case Unknown:
			r.State = Unknown
		}
	}
	if r.State == Met || len(s.When) == 0 {
		r.Open = nil
	}
	if len(s.When) == 0 {
		r.State = NotMet // a rule for everybody says so
	}
	return r
}

// Bars are the conditions that keep a question out whatever it is like: on the customer, and on where one works.
func Bars(s Statement, on Subject) (out []Condition) {
	for _, g := range groups(s.When) {
		if g[0].Kind != Like && !g[0].Draft && !slices.ContainsFunc(g, Condition.asks) && on.any(g) != Met {
			out = append(out, g...)
		}
	}
	return out
}

func (on Subject) any(list []Condition) State {
	state := NotMet
	for _, c := range list {
		state = either(state, on.one(c))
	}
	return state
}

// groups are the conditions of which one each is enough, in their order. An example that is for the rule, too, is one
// more way to meet each group on the question, and a group of its own only where nothing else is on the question.
func groups(when []Condition) (out [][]Condition) {
	place := map[string]int{}
	for i, c := range when {
		if c.Also && slices.ContainsFunc(when, Condition.beside) {
			continue
		}
		n, seen := place[c.group(i)]
		if !seen {
			n = len(out)
			place[c.group(i)], out = n, append(out, nil)
		}
		out[n] = append(out[n], c)
	}
	for n, g := range out {
		for _, c := range when {
			if c.Also && slices.ContainsFunc(g, Condition.asks) {
				out[n] = append(out[n], c)
			}
		}
	}
	return out
}

// asks reports whether a condition is on the question, and no example beside.
func (c Condition) asks() bool {
	return !c.Not && !c.Also && (c.Kind == Topic || c.Kind == Like || c.Kind == Mentions && !c.Draft)
}

func (c Condition) beside() bool { return c.asks() || !c.Also && (c.Kind == Like || c.Kind == Scope) }

// group names the conditions of which one is enough. A negated one stands alone.
func (c Condition) group(i int) string {
	if c.Not {
		return "not " + strconv.Itoa(i)
	}
	if c.Kind == Field {
		return strings.Join([]string{Field, strings.ToLower(c.Name), c.Op}, " ")
	}
	return c.Kind
}

func either(a, b State) State {
	switch {
	case a == Met || b == Met:
		return Met
	case a == Unknown || b == Unknown:
		return Unknown
	}
	return NotMet
}

func (on Subject) one(c Condition) State {
	state := on.plain(c)
	if !c.Not {
		return state
	}
	switch state {
	case Met:
		return NotMet
	case NotMet:
		return Met
	}
	return Unknown
}

func (on Subject) plain(c Condition) State {
	switch c.Kind {
	case Topic:
		return truth(slices.Contains(c.Values, on.Situation.Task))
	case Field:
		return on.field(c)
	case Mentions:
		return on.mentions(c)
	case Like:
		return on.like(c)
	case Scope:
		return truth(slices.ContainsFunc(c.Values, func(v string) bool {
			return v == Universal || slices.ContainsFunc(on.Scopes, func(s string) bool {
				return strings.EqualFold(s, v)
			}) ||
				strings.EqualFold(v, "task:"+on.Situation.Task) || on.Pack != nil && v == "pack:"+on.Pack.Name
		}))
	}
	return Unknown
}

func truth(ok bool) State {
	if ok {
		return Met
	}
	return NotMet
}

func (on Subject) mentions(c Condition) State {
	text := on.Situation.InTalk()
	if c.Draft {
		if on.Draft == nil {
			return Unknown
		}
		text = sourceRE.ReplaceAllString(*on.Draft, sourceMark)
	}
	return truth(slices.ContainsFunc(c.Values, func(v string) bool { return pack.HasPhrase(text, v) }))
}

// sourceMark stands before the title of the source that a draft cites first, in conditions of earlier guesses and
// where they are matched.
const sourceMark = "Source: "

var sourceRE = regexp.MustCompile(`(?m)^\[1\]\s+`)

func (on Subject) like(c Condition) State {
	if on.Like == nil {
		return Unknown
	}
	likeness, near, wide := on.Like(c.Values)
	return truth((likeness >= near || c.Wide && likeness >= wide) &&
		!(c.Not && slices.ContainsFunc(on.when, func(other Condition) bool { // it is more like what the rule is for
			if other.Kind != Like || other.Not {
				return false
			}
			nearer, _, _ := on.Like(other.Values)
			return nearer > likeness
		})))
}

func (on Subject) field(c Condition) State {
	values, known := on.Situation.Field(c.Name)
	if on.Pack != nil {
		said := on.Pack.Said(c.Name, on.Situation.Said())
		values, known = append(slices.Clone(values), said...), known || len(said) > 0
	}
	if !known {
		return Unknown
	}
	switch c.Op {
	case Known:
		return Met
	case Below, Above:
		return compared(values, c)
	}
	return truth(slices.ContainsFunc(values, func(have string) bool {
		return slices.ContainsFunc(c.Values, func(want string) bool {
			return strings.EqualFold(have, want) || c.Op == Has && pack.HasPhrase(have, want)
		})
	}))
}

// compared holds numbers against bounds; a value that is no number is not known.
func compared(values []string, c Condition) State {
	state := Unknown
	for _, have := range values {
		n, err := strconv.ParseFloat(strings.NewReplacer(",", "", "£", "").Replace(strings.TrimSpace(have)), 64)
		if err != nil {
			continue
		}
		for _, want := range c.Values {
			bound, err := strconv.ParseFloat(want, 64)
			if err != nil {
				continue
			}
			if c.Op == Below && n < bound || c.Op == Above && n > bound {
				return Met
			}
			state = NotMet
		}
	}
	return state
}
