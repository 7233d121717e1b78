package review

import (
	"context"
	"slices"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/lists"
	"preceptor/internal/search"
)

// Whose cases Find looks through; the zero value: everybody's, in any state.
type Whose struct {
	AskedBy string // what that person asked our own advisor
	Decided bool   // what is decided
}

// mostLooked bounds among how many cases with the words those of somebody are looked for.
const mostLooked = 10_000

// Find lists the newest cases that have every word of text and reports whether there are more, or may be.
func (q *Queue) Find(ctx context.Context, text string, w Whose, n int) (list []Row, more bool, err error) {
	n = min(max(n, 1), keyset.Most)
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		look := n
		if w != (Whose{}) {
			look = mostLooked
		}
		ids, others, err := search.FindCasesTx(tx, text, look)
		if err != nil {
			return err
		}
		for batch := range slices.Chunk(ids, keyset.Most) {
			var page Page
			if err := page.read(tx, lists.Map(batch, func(id string) place { return place{id: id} }),
				w.AskedBy); err != nil {
				return err
			}
			for _, r := range page.Items {
				if (w.AskedBy == "" || r.AskedBy == w.AskedBy) && (!w.Decided || r.State == "decided") {
					list = append(list, r)
				}
			}
			if len(list) > n {
				break
			}
		}
		more = others || len(list) > n
		list = list[:min(n, len(list))]
		return nil
	})
	return list, more, err
}
