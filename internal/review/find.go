package review

import (
	"context"

	"preceptor/internal/db"
	"preceptor/internal/db/keyset"
	"preceptor/internal/search"
)

// Whose cases Find looks through; the zero value: everybody's, in any state.
type Whose struct {
	AskedBy string // what that person asked our own advisor
	Decided bool   // what is decided
}

// Find lists the newest cases that have every word of text and tells whether there are more. With w it finds those of w among the newest
// that have the words.
func (q *Queue) Find(ctx context.Context, text string, w Whose, n int) (list []Row, more bool, err error) {
	n = min(max(n, 1), keyset.Most)
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		look := n
		if w != (Whose{}) {
			look = keyset.Most
		}
		ids, others, err := search.FindCasesTx(tx, text, look)
		if err != nil {
			return err
		}
		found := make([]place, len(ids))
		for i, id := range ids {
			found[i].id = id
		}
		var page Page
		if err := page.read(tx, found, w.AskedBy); err != nil {
			return err
		}
		for _, r := range page.Items {
			if (w.AskedBy == "" || r.AskedBy == w.AskedBy) && (!w.Decided || r.State == "decided") {
				list = append(list, r)
			}
		}
		more = others || len(list) > n
		list = list[:min(n, len(list))]
		return nil
	})
	return list, more, err
}
