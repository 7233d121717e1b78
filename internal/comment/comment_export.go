package comment

import (
	"context"

	"preceptor/internal/platform/db"
)

// ForCases finds what was said about each of some cases, oldest first, for an export of those. Withdrawn and erased
// comments are among them, without their text.
func (s *Store) ForCases(ctx context.Context, caseIDs []string) (map[string][]Comment, error) {
	found := map[string][]Comment{}
	err := s.db.Read(ctx, func(tx *db.Tx) error {
		for _, ids := range db.Batches(caseIDs) {
			args := db.Anys(ids)
			list, err := readTx(tx, columns+` WHERE c.review_id IN (`+db.In(1, len(ids))+`) ORDER BY c.at, c.id`,
				args...)
			if err != nil {
				return err
			}
			for _, c := range list {
				if !c.WithdrawnAt.IsZero() {
					c.Text = ""
				}
				found[c.Case.ID] = append(found[c.Case.ID], c)
			}
		}
		return nil
	})
	return found, err
}
