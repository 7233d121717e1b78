package search

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"preceptor/internal/platform/db"
)

// maxNeighbours is sqlite-vec's own bound on k.
const maxNeighbours = 4096

// Nearest implements Index.
func (t *Tables) Nearest(ctx context.Context, model string, vector []float32, f Filter, n int) (hits []Hit, err error) {
	if err := checkVector(vector); err != nil {
		return nil, err
	}
	if n <= 0 {
		return nil, nil
	}
	err = t.db.Read(ctx, func(tx *db.Tx) error {
		inUse, dims, ok, err := state(tx)
		if err != nil || !ok || inUse != model || dims != len(vector) {
			return err
		}
		if tx.OnServer() {
			hits, err = nearestOf(tx, vector, f, min(n, maxNeighbours))
			return err
		}
		hits, err = nearest(tx, encode(vector), f, min(n, maxNeighbours))
		return err
	})
	return hits, err
}

// nearest asks once for each kind and scope, because vec0 filters by equality, and merges.
func nearest(tx *db.Tx, blob []byte, f Filter, n int) (hits []Hit, err error) {
	kinds := []string{KindCase, KindRule}
	if f.Kind != "" {
		kinds = []string{f.Kind}
	}
	for _, kind := range kinds {
		for _, agent := range f.owners() {
			part, err := nearestIn(tx, blob, kind, agent, f, n)
			if err != nil {
				return nil, err
			}
			hits = append(hits, part...)
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return hits[:min(n, len(hits))], nil
}

func nearestIn(tx *db.Tx, blob []byte, kind, agent string, f Filter, n int) ([]Hit, error) {
	args := []any{blob, n, kindCode(kind)}
	cond := ""
	add := func(column, value string) {
		args = append(args, code(value))
		cond += " AND " + column + " = $" + strconv.Itoa(len(args))
	}
	if agent != AnyAgent {
		add("agent", agent)
	}
	if f.Task != "" {
		add("task", f.Task)
	}
	full, more := f.where(len(args) + 1) // hashes may collide: compare in full
	hits, err := readHits(tx, "search: by meaning", `SELECT e.kind, e.item_id, coalesce(1 - v.distance, -2)
		FROM (SELECT entry_id, distance FROM entry_vector
		WHERE vector MATCH $1 AND k = $2 AND kind = $3`+cond+`) v CROSS JOIN search_entry e ON e.id = v.entry_id
		WHERE e.active = 1`+full+` ORDER BY v.distance, e.id`, append(args, more...)...)
	// A damaged vector has no distance; a condition on distance would be taken for one on the search itself.
	return slices.DeleteFunc(hits, func(h Hit) bool { return h.Score < -1.5 }), err
}
