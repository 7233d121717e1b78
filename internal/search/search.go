// Package search will be described here.
package search

import (
	"context"

	"preceptor/internal/db"
)

// Kinds of what is indexed.
const (
	KindCase = "case"
	KindRule = "rule"
)

// Entry is one item of the corpus as the indexes see it.
type Entry struct {
	Kind    string // KindCase or KindRule
	ID      string // the case's or rule's id
	AgentID string // "" is shared by all agents
	Task    string
	Active  bool // inactive entries are kept and never found
	Title   string
	Body    string
	Model   string    // the embedder's name; "" when there is no vector yet
	Vector  []float32 // length 1; nil when there is none yet
}

// Filter narrows a search. The zero value of a field does not.
type Filter struct {
	Kind    string
	Task    string
	AgentID string // own and shared entries; "" finds the shared ones only, AnyAgent all
	IDs     []string
}

// AnyAgent as Filter.AgentID lifts the scope.
const AnyAgent = "*"

// Hit is one answer, best first.
type Hit struct {
	Kind  string
	ID    string
	Score float64 // Nearest: cosine, -1 to 1. Lexical: BM25 turned so that more is better, above 0
}

// Report is what Check found.
type Report struct {
	Entries  int // rows of the source
	Active   int
	Vectors  int // rows of the vector index
	Texts    int // rows of the full-text index
	Missing  int // active entries without a vector of the model in use
	Model    string
	Problems []string // empty when all is well; no text of the corpus in it
}

// Index finds entries by words and by meaning.
type Index interface {
	// UpsertTx puts the entry into both indexes, or replaces it. The vector may come later.
	UpsertTx(tx *db.Tx, e Entry) error
	// ActivateTx shows or hides an entry that is there.
	ActivateTx(tx *db.Tx, kind, id string, active bool) error
	DeleteTx(tx *db.Tx, kind, id string) error
	// Lexical ranks by BM25 over any text a person may type; never a syntax error.
	Lexical(ctx context.Context, text string, f Filter, n int) ([]Hit, error)
	// Nearest ranks by cosine. model must be the one in use, else there is nothing to compare with.
	Nearest(ctx context.Context, model string, vector []float32, f Filter, n int) ([]Hit, error)
	// Model is the embedder whose vectors are in use; "" before the first.
	Model(ctx context.Context) (string, error)
	// Rebuild makes both indexes anew from the source, with the vectors of model ("" keeps the one in use).
	Rebuild(ctx context.Context, model string) error
	Check(ctx context.Context) (Report, error)
}
