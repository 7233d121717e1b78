package signals

import (
	"fmt"
	"strconv"

	"preceptor/internal/signal"
)

// Agent is what is noticed in one agent's turns.
type Agent struct {
	ID, Name   string
	Set        signal.Settings
	Evaluators []string // that ship with the program
	Notes      string   // as the agent would be given them now
	Weeks      []signal.Week
	Effects    []signal.Effect
	MayChange  bool
	New        NewEvaluator
	Message    string
	Errors     map[string]string
}

// NewEvaluator is one that a person adds: an instruction or an address.
type NewEvaluator struct {
	Name   string   `form:"name"`
	Prompt string   `form:"prompt"`
	URL    string   `form:"url"`
	Drop   []string `form:"drop"` // names of those that go
}

func itoa(n int) string { return strconv.Itoa(n) }

// effectWords is an effect in a sentence.
func effectWords(e signal.Effect) string {
	share := func(s signal.Share) string {
		if s.N == 0 {
			return "no step yet"
		}
		return fmt.Sprintf("%d of %d steps had an issue (%s to %s)", s.K, s.N, percent(s.Low), percent(s.High))
	}
	return e.Evaluator + ": with notes on, " + share(e.With) + "; with notes off, " + share(e.Without) + "."
}
