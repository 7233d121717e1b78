package knowledge

import (
	"context"
	"time"

	"preceptor/internal/db"
)

// Used is one piece of knowledge that a draft was shown.
type Used struct {
	ID      string
	Version int // 0: the one that holds now
	Cited   bool
	Rank    int // 1 is best; 0 unknown
	Score   float64
	Why     []string
}

// UsedItem is a Used with what it said at that version.
type UsedItem struct {
	Kind    string
	ID      string
	Number  int
	Label   string
	Version int
	Current int // the version that holds now
	Status  string
	Title   string
	Text    string
	Source  string
	Domain  string
	Why     []string
	Score   float64
	Rank    int
	Cited   bool
	At      time.Time
}

// Shown turns a recall into ledger rows; cited holds the ids that the draft names.
func (r *Recall) Shown(cited map[string]bool) []Used {
	out := make([]Used, 0, len(r.Items))
	for i, it := range r.Items {
		out = append(out, Used{ID: it.ID, Version: it.Version, Cited: cited[it.ID], Rank: i + 1, Score: it.Score, Why: it.Why})
	}
	return out
}

// RecordUsageTx writes what an interaction was shown. Again for the same item adds to what is known (cited, why) and
// never takes away; ids that are unknown are left out, and the number that was written is returned.
func (b *Base) RecordUsageTx(tx *db.Tx, interactionID string, used []Used) (int, error) {
	return 0, nil
}

// Usage lists what an interaction was shown, cases first, best first, with the text at the version shown.
func (b *Base) Usage(ctx context.Context, interactionID string) ([]UsedItem, error) { return nil, nil }

// ItemUse is one interaction that was shown an item.
type ItemUse struct {
	InteractionID string
	Version       int
	Cited         bool
	At            time.Time
}

// UsesOf lists the interactions that were shown an item, newest first, up to n.
func (b *Base) UsesOf(ctx context.Context, itemID string, n int) ([]ItemUse, error) { return nil, nil }
