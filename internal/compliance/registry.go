package compliance

import (
	_ "embed"
	"fmt"
	"slices"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/strict"
)

// CheckInfo describes one deterministic check for people: what it is for, and an example of each kind.
type CheckInfo struct {
	Code        string   `json:"code"`
	Title       string   `json:"title"`
	Severity    string   `json:"severity"`  // the hardest that it reports
	Reference   string   `json:"reference"` // to what it rests on
	Description string   `json:"description"`
	Suspicion   string   `json:"suspicion"` // why, from a judge that reads for it
	Finds       []string `json:"finds"`     // texts in which it finds something
	Leaves      []string `json:"leaves"`    // texts that look alike and are fine
	Read        bool     `json:"read"`      // only a judge that reads for issues finds it: there is no rule
	Pack        string   `json:"pack"`      // whose texts it is for; "" is pensions
	// For says to whom the examples are written, where what is found depends on that; "" where a text alone is enough.
	For      string `json:"for"`
	Question string `json:"question"` // that they ask
	Literacy string `json:"literacy"`
}

// ExampleFor is whom a check's examples are written to: what For says in words.
func (c CheckInfo) ExampleFor() interaction.Consultation {
	out := interaction.Consultation{Pack: c.Pack, Question: c.Question,
		Customer: interaction.Customer{Literacy: c.Literacy}}
	if c.For != "" {
		out.Customer.Pensions = []interaction.Pension{{Kind: "dc"}}
	}
	return out
}

// Registry lists the deterministic checks, in the order in which they run.
func Registry() []CheckInfo { return slices.Clone(registry) }

// InfoOf is the description of a code; false for one that no check has.
func InfoOf(code string) (CheckInfo, bool) {
	i := slices.IndexFunc(registry, func(c CheckInfo) bool { return c.Code == code })
	if i < 0 {
		return CheckInfo{}, false
	}
	return registry[i], true
}

//go:embed registry.json
var registryJSON []byte

var registry = func() (list []CheckInfo) {
	if err := strict.Into(registryJSON, &list); err != nil {
		panic(fmt.Sprintf("compliance: registry.json: %v", err))
	}
	return list
}()

func referenceOf(code string) string {
	info, _ := InfoOf(code)
	return info.Reference
}
