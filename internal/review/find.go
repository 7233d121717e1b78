package review

import (
	"context"

	"preceptor/internal/db"
	"preceptor/internal/db/keyset"
	"preceptor/internal/search"
)

// Find lists the newest cases that have every word of text, in any state, and tells whether there are more. With askedBy
// it finds only what that person asked our own advisor, among the newest that have the words.
func (q *Queue) Find(ctx context.Context, text, askedBy string, n int) (list []Row, more bool, err error) {
	n = min(max(n, 1), keyset.Most)
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		look := n
		if askedBy != "" {
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
		if err := page.read(tx, found, askedBy); err != nil {
			return err
		}
		for _, r := range page.Items {
			if askedBy == "" || r.AskedBy == askedBy {
				list = append(list, r)
			}
		}
		more = others || len(list) > n
		list = list[:min(n, len(list))]
		return nil
	})
	return list, more, err
}
