package practice

import (
	"cmp"
	"slices"
	"strings"

	"preceptor/internal/pack"
)

// Kinds of needs.
const (
	Fact     = "fact"
	Warning  = "warning"
	NextStep = "next_step"
)

// Need is one thing that certain customers must come away with.
type Need struct {
	ID        string   `json:"id"`
	Topics    []string `json:"topics"` // the questions for which it is one; none: all
	When      When     `json:"when"`
	Kind      string   `json:"kind"`
	Risk      bool     `json:"risk"`   // a danger that they must know
	Weight    float64  `json:"weight"` // 1 to 3
	Plain     string   `json:"plain"`
	Statement string   `json:"statement"` // as an advisor would write it: the only words that reflection may use
	Because   string   `json:"because"`
	Ask       string   `json:"ask"`   // what the customer asks back when it was left out
	Recap     string   `json:"recap"` // how they say it back
	Point     string   `json:"point"`
	Source    string   `json:"source"`
}

// When is for whom a need is one; all that is given must hold.
type When struct {
	Pensions        []string `json:"pensions,omitempty"` // has one of them
	Without         []string `json:"without,omitempty"`  // has none of them
	MinAge          int      `json:"min_age,omitempty"`  // years
	MaxAge          int      `json:"max_age,omitempty"`
	Literacy        string   `json:"literacy,omitempty"`
	Vulnerable      bool     `json:"vulnerable,omitempty"`
	Features        []string `json:"features,omitempty"`         // has one of them
	WithoutFeatures []string `json:"without_features,omitempty"` // has none of them
}

// Life is a situation that somebody is in.
type Life struct {
	ID         string   `json:"id"`
	Topic      string   `json:"topic"` // what they ask about, as its author says; the advisor has to find out
	Age        int      `json:"age"`   // years; 0 where the domain has none
	Pensions   []string `json:"pensions"`
	DBValue    float64  `json:"db_value"` // pounds
	DCValue    float64  `json:"dc_value"`
	Literacy   string   `json:"literacy"`
	Vulnerable bool     `json:"vulnerable"`
	Features   []string `json:"features"`
	Goal       string   `json:"goal"`
	Persona    string   `json:"persona"`
	Facts      string   `json:"facts"`
	// the id of a situation much like it, with which it stays when the situations are parted
	Twin string `json:"twin,omitempty"`
}

// of reports whether a need is one of somebody's.
func (n *Need) of(l *Life) bool {
	w := n.When
	return (len(n.Topics) == 0 || slices.Contains(n.Topics, l.Topic)) &&
		(len(w.Pensions) == 0 || common(w.Pensions, l.Pensions)) && !common(w.Without, l.Pensions) &&
		(w.MinAge == 0 || l.Age >= w.MinAge) && (w.MaxAge == 0 || l.Age > 0 && l.Age <= w.MaxAge) &&
		(w.Literacy == "" || w.Literacy == l.Literacy) && (!w.Vulnerable || l.Vulnerable) &&
		(len(w.Features) == 0 || common(w.Features, l.Features)) && !common(w.WithoutFeatures, l.Features)
}

func common(a, b []string) bool {
	return slices.ContainsFunc(a, func(v string) bool { return slices.Contains(b, v) })
}

// checksUnderstanding reports whether a need is to be asked whether all is clear.
func (n *Need) checksUnderstanding() bool { return strings.HasSuffix(n.Statement, "?") }

// situation is what an advisor is told of somebody: the profile, not what its author noted of them.
func (l *Life) situation(p *People, question string) pack.Situation {
	s := pack.Situation{Pack: p.Pack, Question: question, Age: l.Age, Literacy: l.Literacy, Vulnerable: l.Vulnerable,
		Goal:    l.Goal,
		DBValue: l.DBValue, DCValue: l.DCValue, HasDB: slices.Contains(l.Pensions, "db"),
		HasDC: slices.Contains(l.Pensions, "dc"), HasState: slices.Contains(l.Pensions, "state")}
	for _, f := range l.Features {
		s.Features = append(s.Features, cmp.Or(p.plain[f], strings.ReplaceAll(f, "_", " ")))
	}
	if len(pack.Of(p.Pack).Topics) > 0 {
		s.Task = pack.Classify(question)
	}
	return s
}
