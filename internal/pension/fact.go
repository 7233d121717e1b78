package pension

import "time"

// Fact is one dated figure. From and To bound the days on which it holds, To exclusive; zero means open.
type Fact struct {
	Key    string // as "mpaa"
	Name   string // as "money purchase annual allowance"
	Value  float64
	Unit   string // "GBP", "GBP/week", "percent", "age", "years"
	From   time.Time
	To     time.Time
	Source string // statute, rule or GOV.UK page
}

// FactTable is the facts that hold on one day.
type FactTable struct {
	At    time.Time
	facts []Fact
}

// Facts is the table for the day of at; the newest known when at is zero.
func Facts(at time.Time) FactTable { return FactTable{At: at} }

// All lists the facts, by key.
func (t FactTable) All() []Fact { return t.facts }

// Get finds a fact by key.
func (t FactTable) Get(key string) (Fact, bool) { return Fact{}, false }

// Figure is a number with a meaning found in a text.
type Figure struct {
	Kind       string // "money", "percent", "age", "date", "year"
	Text       string
	Value      float64
	Start, End int
}

// FindFigures lists the figures in text, in order.
func FindFigures(text string) []Figure { return nil }

// FactIssue is a figure or statement that the table contradicts.
type FactIssue struct {
	Key        string // of the fact
	Quote      string
	Start, End int
	Severity   string // "major" or "minor"
	Why        string // a sentence for a person
	Source     string
}

// Check compares the figures in text with the facts of a day.
func Check(text string, at time.Time) []FactIssue { return nil }
