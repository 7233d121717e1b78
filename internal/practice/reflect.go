package practice

import (
	"cmp"
	"maps"
	"slices"

	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

// Thresholds of reflection. A lesson is begun for a need that enough different customers missed, where it can be told
// whom its sentence is meant for.
const (
	missedBy   = 3    // different customers
	surest     = 0.7  // share of those who fit that must have had the need
	better     = 0.1  // by how much a further lesson about the same need must tell its customers better
	conditions = 3    // at most
	simpler    = 0.02 // what a further condition, or value of one, must be worth
)

// reflector finds out for whom a sentence is meant, from the customers there were: who had which need, as it came out
// in the talk, and what their profiles say. It never sees the conditions of needs.
type reflector struct {
	pack  *pack.Pack
	seen  map[string]*observed // by Person.Key
	order []string
	last  map[string]float64 // how well the last lesson of a need told its customers
}

// observed is a customer as reflection sees them.
type observed struct {
	facts  map[string][]string // values by condition: "topic", "field pensions has"
	had    map[string]bool     // needs
	missed map[string]bool     // since the last lesson about each
}

func newReflector(packName string) *reflector {
	return &reflector{pack: pack.Of(packName), seen: map[string]*observed{}, last: map[string]float64{}}
}

// see notes a session.
func (r *reflector) see(s Session, at pack.Situation) {
	o := r.seen[s.Person]
	if o == nil {
		o = &observed{r.facts(at), map[string]bool{}, map[string]bool{}}
		r.seen[s.Person] = o
		r.order = append(r.order, s.Person)
	}
	for _, n := range s.Met {
		o.had[n] = true
		delete(o.missed, n)
	}
	for _, n := range s.Missed {
		o.had[n], o.missed[n] = true, true
	}
}

// topicFact is the kind of condition that a question's topic is.
const topicFact = "topic"

func (r *reflector) facts(s pack.Situation) map[string][]string {
	out := map[string][]string{}
	if s.Task != "" {
		out[topicFact] = []string{s.Task}
	}
	for _, f := range r.pack.Fields {
		values, known := s.Field(f.Name)
		if known && (f.Kind == "list" || f.Kind == "choice" || f.Kind == "flag") {
			out[f.Name] = values
		}
		for _, c := range f.Unusual {
			if f.Kind == "number" && known {
				out[f.Name+" "+c.Op+" "+c.Value] = []string{yes(compared(values, c))}
			}
		}
	}
	if _, ok := r.pack.Field("features"); !ok && len(s.Features) > 0 {
		out["features"] = s.Features
	}
	return out
}

func compared(values []string, c pack.Compare) bool {
	on := rule.Subject{Situation: pack.Situation{Fields: map[string][]string{"x": values}}}
	return rule.Match(
		rule.Statement{When: []rule.Condition{{Kind: rule.Field, Name: "x", Op: c.Op, Values: []string{c.Value}}}},
		on).State == rule.Met
}

// choice is a fact with the values for which a sentence is meant.
type choice struct {
	fact   string
	values []string
}

func (o *observed) fits(list []choice) bool {
	for _, c := range list {
		if !common(c.values, o.facts[c.fact]) {
			return false
		}
	}
	return true
}

// lessons are the statements that the sessions so far call for, in the order in which their needs were first missed.
func (r *reflector) lessons(needs []Need) (out []taught) {
	for i := range needs {
		n := &needs[i]
		missing := 0
		for _, key := range r.order {
			if r.seen[key].missed[n.ID] {
				missing++
			}
		}
		if missing < missedBy {
			continue
		}
		list, worth := r.meant(n.ID)
		if worth == 0 || worth < r.last[n.ID]+better && r.last[n.ID] > 0 {
			continue
		}
		for _, o := range r.seen {
			delete(o.missed, n.ID)
		}
		out = append(out, taught{n.ID, r.state(n, list)})
		r.last[n.ID] = worth
	}
	return out
}

// taught is a lesson of a need.
type taught struct {
	need string
	rule.Statement
}

// meant finds whom a need's sentence is meant for: conditions, one fact at a time, each with the values that speak for
// it, as long as they tell those who had the need from the others better. worth is the F½ of it, 0 where they can't be
// told apart.
func (r *reflector) meant(need string) (list []choice, worth float64) {
	worth = r.worth(need, nil)
	for range conditions {
		best, at := choice{}, worth
		for _, c := range r.choices(need, list) {
			w := r.worth(need, append(slices.Clone(list), c))
			if w > worth+simpler && w-simpler*float64(len(c.values)) > at-simpler*float64(len(best.values)) {
				best, at = c, w
			}
		}
		if best.fact == "" {
			break
		}
		list, worth = append(list, best), at
	}
	if precision, _, n := r.tells(need, list); precision < surest || n < missedBy {
		return nil, 0
	}
	return list, worth
}

// choices are the facts by which a list of conditions may go on, each with the values whose customers had the need more
// often than not.
func (r *reflector) choices(need string, list []choice) (out []choice) {
	had, all := map[[2]string]int{}, map[[2]string]int{}
	for _, key := range r.order {
		o := r.seen[key]
		if !o.fits(list) {
			continue
		}
		for fact, values := range o.facts {
			for _, v := range values {
				all[[2]string{fact, v}]++
				if o.had[need] {
					had[[2]string{fact, v}]++
				}
			}
		}
	}
	by := map[string][]string{}
	for key, n := range all {
		if 2*had[key] >= n && had[key] > 0 {
			by[key[0]] = append(by[key[0]], key[1])
		}
	}
	for _, fact := range slices.Sorted(maps.Keys(by)) {
		if slices.ContainsFunc(list, func(c choice) bool { return c.fact == fact }) {
			continue
		}
		slices.Sort(by[fact])
		out = append(out, choice{fact, by[fact]})
		if len(by[fact]) > 1 { // the surest alone may be better than all
			for _, v := range by[fact] {
				out = append(out, choice{fact, []string{v}})
			}
		}
	}
	return out
}

func (r *reflector) tells(need string, list []choice) (precision, recall float64, n int) {
	fit, right, all := 0, 0, 0
	for _, o := range r.seen {
		had := o.had[need]
		if had {
			all++
		}
		if !o.fits(list) {
			continue
		}
		fit++
		if had {
			right++
		}
	}
	return float64(right) / float64(max(1, fit)), float64(right) / float64(max(1, all)), right
}

// worth is F½, which minds a sentence said to the wrong person twice as much as one left out.
func (r *reflector) worth(need string, list []choice) float64 {
	p, q, _ := r.tells(need, list)
	if p+q == 0 {
		return 0
	}
	return 1.25 * p * q / (0.25*p + q)
}

// state puts a lesson in the pack's words.
func (r *reflector) state(n *Need, list []choice) rule.Statement {
	st := rule.Statement{Because: n.Because, Do: rule.Act{Kind: rule.Include, Text: n.Statement}}
	switch {
	case n.checksUnderstanding():
		st.Do.Kind = rule.Ask
	case n.Kind == NextStep:
		st.Do.Kind = rule.Point
	}
	for _, c := range list {
		st.When = append(st.When, r.condition(c))
	}
	if len(list) == 0 {
		st.When = []rule.Condition{{Kind: rule.Scope, Values: []string{rule.Universal}}}
	}
	return st
}

func (r *reflector) condition(c choice) rule.Condition {
	if c.fact == topicFact {
		return rule.Condition{Kind: rule.Topic, Values: c.values}
	}
	if f, ok := r.pack.Field(c.fact); ok || c.fact == "features" {
		op := rule.Is
		if f.Kind == "list" || c.fact == "features" {
			op = rule.Has
		}
		return rule.Condition{Kind: rule.Field, Name: c.fact, Op: op, Values: c.values}
	}
	for _, f := range r.pack.Fields { // "age below 55"
		for _, u := range f.Unusual {
			if c.fact == f.Name+" "+u.Op+" "+u.Value {
				return rule.Condition{Kind: rule.Field, Name: f.Name, Op: u.Op, Values: []string{u.Value},
					Not: c.values[0] == "no"}
			}
		}
	}
	return rule.Condition{Kind: rule.Scope, Values: []string{cmp.Or(c.fact, rule.Universal)}}
}
