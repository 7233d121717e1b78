package knowledge

import (
	"context"

	"preceptor/internal/pension"
)

// Query asks for knowledge.
type Query struct {
	AgentID   string // own and shared knowledge; "" the shared alone, search.AnyAgent everything
	Text      string
	Situation pension.Situation // may be empty
	Task      string            // "" filters nothing
	// TokenBudget bounds Prompt, counted by Tokens; 0 is unbounded.
	TokenBudget int
	TopCases    int // 3 when 0
	TopRules    int // 4 when 0
}

// Item is one piece of recalled knowledge.
type Item struct {
	Kind       string   `json:"kind"` // case or rule
	ID         string   `json:"id"`
	Number     int      `json:"number"`
	Label      string   `json:"label"` // Case #127 or R-12
	Version    int      `json:"version"`
	Score      float64  `json:"score"`
	Why        []string `json:"why"`
	Title      string   `json:"title"`
	Text       string   `json:"text"`   // guidance of a case, principle of a rule
	Source     string   `json:"source"` // citation of a document case, else the source's name
	Domain     string   `json:"domain,omitempty"`
	Confidence float64  `json:"confidence,omitempty"`
	Legs       Legs     `json:"legs"`
	Case       *Case    `json:"-"`
	Rule       *Rule    `json:"-"`
	Block      string   `json:"-"` // as it stands in the prompt
}

// Legs says how an item was found.
type Legs struct {
	Lexical int     `json:"lexical,omitempty"` // rank by words, 1 is best; 0 not found
	Vector  int     `json:"vector,omitempty"`  // rank by meaning
	Cosine  float64 `json:"cosine,omitempty"`
	Fused   float64 `json:"fused"`             // 0 to 1, before the boosts
	Applies bool    `json:"applies,omitempty"` // a rule whose situation holds for this consultation
}

// Recall is what an agent is given.
type Recall struct {
	Cases  []Item
	Rules  []Item
	Items  []Item // cases, then rules
	Prompt string // both blocks in the seed's shape
	Tokens int    // of Prompt
}

// Recall answers a query: the best cases and rules, and the prompt made of them.
func (b *Base) Recall(ctx context.Context, q Query) (*Recall, error) { return &Recall{}, nil }

// Search ranks cases and rules together by relevance alone, up to n; for people and the command line.
func (b *Base) Search(ctx context.Context, q Query, n int) ([]Item, error) { return nil, nil }
