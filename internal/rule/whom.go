package rule

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/pack"
)

// Chip is a condition that a person may choose under "When does it apply?".
type Chip struct {
	Condition
	On    bool // preselected
	Label string
}

// general is the topic of a question that shows no other.
const general = "general"

// Chips are the conditions that a customer offers: the topic, or questions like this one where there is none; what the
// profile says, of which the one that fewest of the others share is preselected, where most don't; and everybody, which
// never is. Nor is a flag: that a customer is vulnerable is seldom why a text was wrong.
func Chips(p *pack.Pack, s pack.Situation, others ...pack.Situation) (out []Chip) {
	add := func(c Condition, on bool) {
		if !slices.ContainsFunc(out, func(have Chip) bool { return keyOf(have.Condition) == keyOf(c) }) {
			out = append(out, Chip{c, on, c.Words(p)})
		}
	}
	topic := topicOf(p, s)
	if topic != "" {
		add(Condition{Kind: Topic, Values: []string{topic}}, true)
	}
	if question := oneLine(s.Question); question != "" {
		add(Condition{Kind: Like, Values: []string{question}}, topic == "")
	}
	rarest, least := -1, (len(others)+1)/2
	for _, f := range p.Fields {
		offered := len(out)
		for _, u := range f.Unusual {
			c := Condition{Kind: Field, Name: f.Name, Op: u.Op, Values: []string{u.Value}}
			met := func(s pack.Situation) bool {
				return Match(Statement{When: []Condition{c}}, Subject{Pack: p, Situation: s}).State == Met
			}
			if !met(s) {
				continue
			}
			n := len(slices.DeleteFunc(slices.Clone(others), func(o pack.Situation) bool { return !met(o) }))
			if f.Kind != "flag" && (n < least || rarest < 0 && len(others) == 0) {
				rarest, least = len(out), n
			}
			add(c, false)
		}
		if bound := above(s, f); bound != "" && len(out) == offered {
			add(Condition{Kind: Field, Name: f.Name, Op: Below, Values: []string{bound}}, false)
		}
	}
	if rarest >= 0 {
		out[rarest].On = true
	}
	for _, name := range slices.Sorted(maps.Keys(s.Fields)) {
		if values := s.Fields[name]; !private(name) && len(values) > 0 {
			op := Is
			if len(values) > 1 {
				op = Has
			}
			add(Condition{Kind: Field, Name: name, Op: op, Values: values[:1]}, false)
		}
	}
	add(Condition{Kind: Scope, Values: []string{Universal}}, false)
	return out
}

// above is the next round number above a customer's, to be changed by whoever chooses it; "" where there is none.
func above(s pack.Situation, f pack.Field) string {
	values, known := s.Field(f.Name)
	if !known || f.Kind != "number" {
		return ""
	}
	n, err := strconv.ParseFloat(values[0], 64)
	if err != nil || n <= 0 {
		return ""
	}
	unit := math.Pow(10, math.Floor(math.Log10(n)))
	return strconv.FormatFloat(unit*(math.Floor(n/unit)+1), 'f', -1, 64)
}

// topicOf is the question's topic, "" where the pack has none for it.
func topicOf(p *pack.Pack, s pack.Situation) string {
	if len(p.Topics) == 0 {
		return ""
	}
	topic := s.Task
	if topic == "" {
		topic = pack.Classify(s.Question)
	}
	if _, ok := p.Topic(topic); !ok || topic == general {
		return ""
	}
	return topic
}

// private reports whether a field of the profile is who the customer is, and not how they are.
func private(name string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r == '_' || r == ' ' || r == '-'
	}), func(w string) bool {
		return slices.Contains(identity, w)
	})
}

var identity = strings.Fields("name names surname firstname id email mail phone telephone mobile address postcode " +
	"card account number nino birth dob")
