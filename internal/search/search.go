// Package search finds cases and rules by their words and by their meaning.
//
// It owns search_case and case_text, search_entry (what is found under which words), embedding (the vectors) and
// search_state, and two indexes made from them: entry_text (FTS5, active entries) and entry_vector (sqlite-vec's vec0,
// active entries with a vector of the embedder in use). It is the only package with SQL that one engine alone
// understands.
//
// What it promises. The indexes change in the transaction that changes the source. Check compares them with it, row by
// row and byte by byte, because SQLite's own integrity_check does not look into virtual tables; Rebuild makes them
// anew. Any text may be searched for: nothing a person types reaches FTS5's query syntax. A vector with a NaN, an
// infinity or no length is refused at the door, for sqlite-vec 0.1.9 would store it and answer wrongly from then on.
// Reviews have an index of their own (case.go), by words only.
//
// Index has two implementations, held to one suite of tests (searchtest), both exact. Tables asks vec0, which reads
// every vector for each question: 28 ms for 20,000 of length 384, 280 for 100,000. Memory, which the program uses,
// holds the vectors side by side and multiplies all of them: some 2 and 14 ms. The tables stay the truth: a change of a
// vector notes its entry in search_change, in the same transaction, and whoever asks reads first what is missing. What
// a person erased is overwritten in memory, too.
//
// A base of more than five thousand entries is asked for the rarer words of a question alone (memory_words.go).
//
// Decided against: HNSW and other graphs (deletion, seconds to build, approximate), and codes of a few bits to look
// through first (some twelve milliseconds quicker at 100,000 entries, for 600 lines). Known traps: vec0 has no working
// REPLACE, keeps the space of deleted rows until all 1,024 of a chunk are gone (Check says when a Rebuild is due),
// filters slowly by long texts (task and agent are 32-bit hashes, compared in full afterwards) and does not join its
// own updates.
package search

import (
	"context"
	"slices"

	"preceptor/internal/platform/db"
)

// Kinds of what is indexed.
const (
	KindCase = "case"
	KindRule = "rule"
)

// AnyAgent as Filter.AgentID lifts the scope.
const AnyAgent = "*"

// Entry is one item of the corpus as the indexes see it.
type Entry struct {
	Kind    string // KindCase or KindRule
	ID      string // the case's or rule's id
	AgentID string // "" is shared by all agents, SharedBy(pack) by those of a pack
	Task    string
	Active  bool // inactive entries are kept and never found
	Title   string
	Body    string
	Model   string    // the embedder's name; "" when there is no vector yet
	Vector  []float32 // length 1; nil when there is none yet
}

// Text is what an embedder is given of an entry.
func (e Entry) Text() string { return e.Title + "\n" + e.Body }

// Filter narrows a search. The zero value of Kind and Task does not.
type Filter struct {
	Kind    string
	Task    string
	AgentID string // own and shared entries; "" finds the shared ones only, AnyAgent all
	Pack    string // of the agent: what its agents share is found, too
}

// SharedBy is the AgentID of what the agents of a pack share; "" is of no pack.
func SharedBy(pack string) string {
	if pack == "" {
		return ""
	}
	return "pack:" + pack
}

// owners are the AgentIDs of what f finds, each once; AnyAgent alone stands for all.
func (f Filter) owners() []string {
	if f.AgentID == AnyAgent {
		return []string{AnyAgent}
	}
	list := []string{"", f.AgentID, SharedBy(f.Pack)}
	slices.Sort(list)
	return slices.Compact(list)
}

// Hit is one answer, best first.
type Hit struct {
	Kind  string
	ID    string
	Score float64 // Nearest: cosine, -1 to 1. Lexical: BM25 turned so that more is better, above 0
}

// Report is what Check found.
type Report struct {
	Entries  int      `json:"entries"` // rows of the source
	Active   int      `json:"active"`
	Vectors  int      `json:"vectors"` // rows of the vector index
	Texts    int      `json:"texts"`   // rows of the full-text index
	Missing  int      `json:"missing"` // active entries without a vector of the model in use
	Model    string   `json:"model"`
	Problems []string `json:"problems"` // empty when all is well; no text of the corpus in it
}

// Index finds entries by words and by meaning.
type Index interface {
	// UpsertTx puts the entry into both indexes, or replaces it. The vector may come later.
	UpsertTx(tx *db.Tx, e Entry) error
	// ActivateTx shows or hides an entry that is there; NotFound when it is not.
	ActivateTx(tx *db.Tx, kind, id string, active bool) error
	// EmbeddedTx reports whether the entry stands there with the same text and has a vector of model.
	EmbeddedTx(tx *db.Tx, e Entry, model string) (bool, error)
	// DeleteTx forgets an entry, its words and its vectors; none is fine.
	DeleteTx(tx *db.Tx, kind, id string) error
	// SetVectorTx adds a vector to an entry whose Text is still text; reports whether it was.
	SetVectorTx(tx *db.Tx, p Pending, model string, vector []float32) (bool, error)
	// Lexical ranks by BM25 over any text a person may type; never a syntax error.
	Lexical(ctx context.Context, text string, f Filter, n int) ([]Hit, error)
	// Nearest ranks by cosine among the vectors of model; nothing when another model's vectors are in use.
	Nearest(ctx context.Context, model string, vector []float32, f Filter, n int) ([]Hit, error)
	// Model is the embedder whose vectors are in use; "" before the first.
	Model(ctx context.Context) (string, error)
	// Pending lists up to n entries without a vector of model, in order, after the entry numbered after.
	Pending(ctx context.Context, model string, after int64, n int) ([]Pending, error)
	// Rebuild makes both indexes anew from the source, with the vectors of model ("" keeps the one in use).
	Rebuild(ctx context.Context, model string) error
	Check(ctx context.Context) (Report, error)
}

// Pending is an entry that waits for a vector.
type Pending struct {
	Row  int64
	Kind string
	ID   string
	Text string
}
