package signal

import (
	"context"
	"fmt"

	"preceptor/internal/signal/turn"
)

// behind tells whether something is to be done about a turn that takes a while: what asks a model or a server, and the search for learnings.
func (s Settings) behind(t turn.Turn) bool {
	return !s.Silent && (s.Learn != LearnOff && t.Query != "" || len(t.Steps) > 0 && len(s.Prompts)+len(s.Servers) > 0)
}

// notice is what is seen in a turn at once.
func (s *Store) notice(_ context.Context, _ turn.Turn, _ Settings) []Signal { return nil }

// Sentence is a summary in words.
func (t Told) Sentence() string {
	return fmt.Sprintf("The user corrected %s, and the agent noticed %s.", count(t.Corrected, "behaviour"), count(t.Noticed, "pattern"))
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Ask is whom notes are for.
type Ask struct {
	AgentID string
	User    string // "" for nobody in particular
	Task    string // "" for any
	Model   string // "" for any
}

// Given is what an agent gets beside what it recalls: notes, and what this user alone asked for.
func (s *Store) Given(ctx context.Context, a Ask) (string, error) { return "", nil }

// Scanned keeps what preceptor scan wrote about a project of an agent's.
func (s *Store) Scanned(ctx context.Context, agentID string, raw []byte) error { return nil }

// Shipped are the evaluators that come with the program.
func Shipped() []string { return nil }
