package pack

import (
	"encoding/json"
	"slices"
	"sort"
	"sync/atomic"
	"time"

	"preceptor/internal/phrase"
)

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

// day is midnight UTC of a date.
func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

// taxYear is the first day of the tax year that begins in y.
func taxYear(y int) time.Time { return day(y, time.April, 6) }

// newest is a day of the newest tax year that the table was checked for.
var newest = day(2026, time.November, 1)

// history is every figure that the product knows with the time for which it holds. Older values stay, because that is
// how a stale figure in an old document is told from one that is merely different. From 6 May 2026 the State Pension
// age is 66 and some months for people born from 6 April 1960, and 67 for those born from 6 March 1961.
var history = func() (list []Fact) {
	b, err := data.ReadFile("data/pension/facts.json")
	if err == nil {
		err = json.Unmarshal(b, &list)
	}
	if err != nil {
		panic(err) // the file is part of the program
	}
	return list
}()

// Facts is the table for the day of at; the newest known when at is zero. Weekly rates that are set year by year keep
// their last known value after it.
func Facts(at time.Time) FactTable {
	if at.IsZero() {
		at = newest
	}
	if t := lastTable.Load(); t != nil && t.At.Equal(at) {
		return *t
	}
	byKey := map[string]Fact{}
	for _, f := range history {
		open := f.To.IsZero() || at.Before(f.To) || (f.Unit == "GBP/week" && f.To.Equal(taxYear(2027)))
		if open && !at.Before(f.From) {
			byKey[f.Key] = f
		}
	}
	t := FactTable{At: at}
	for _, f := range byKey {
		t.facts = append(t.facts, f)
	}
	sort.Slice(t.facts, func(i, j int) bool { return t.facts[i].Key < t.facts[j].Key })
	lastTable.Store(&t)
	return t
}

// lastTable is the one asked for last: a day's texts all ask for the same.
var lastTable atomic.Pointer[FactTable]

// All lists the facts, by key.
func (t FactTable) All() []Fact { return t.facts }

// Get finds a fact by key.
func (t FactTable) Get(key string) (Fact, bool) {
	for _, f := range t.facts {
		if f.Key == key {
			return f, true
		}
	}
	return Fact{}, false
}

// Figure is the fact's value and what it was before, as rules compare figures (phrase.Figures).
func (t FactTable) Figure(key string) (now float64, before []float64, ok bool) {
	f, ok := t.Get(key)
	for _, old := range history {
		if old.Key == key && old.From.Before(f.From) {
			before = append(before, old.Value)
		}
	}
	return f.Value, before, ok || len(before) > 0
}

// wrongFact is the code of the rules that find figures and claims that are wrong.
const wrongFact = "INACCURATE_FACT"

// WrongFacts is what the pack's rules find wrong in the figures and claims of a text, on the day of at.
func (p *Pack) WrongFacts(text string, at time.Time) []phrase.Finding {
	l := p.Phrases()
	return slices.DeleteFunc(l.Findings(l.ReadText(text, Facts(at).Figure)), func(f phrase.Finding) bool {
		return f.Of.Code != wrongFact
	})
}
