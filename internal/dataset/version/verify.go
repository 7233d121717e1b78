package version

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"preceptor/internal/dataset"
	"preceptor/internal/platform/db"
)

// Finding is what Verify found wrong.
type Finding struct {
	N    int // of the item; 0: the version as a whole
	What string
}

// maxFindings bounds how many findings are told.
const maxFindings = 100

// Verify hashes a version anew. No findings: it is as it was frozen, but for erasures, which it counts.
func (s *Store) Verify(ctx context.Context, versionID string) (found []Finding, erased int, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		v, err := byIDTx(tx, versionID)
		if err != nil {
			return err
		}
		var head string
		if err := db.One(tx, "version: verify", `SELECT head FROM dataset_version
			WHERE id = $1`, versionID).Scan(&head); err != nil {
			return err
		}
		c := &checking{m: newManifest(head, v.Card)}
		if err := c.itemsTx(tx, versionID); err != nil {
			return err
		}
		if c.n != v.Items {
			c.found = append(c.found,
				Finding{What: fmt.Sprintf("it has %d items and was frozen with %d", c.n, v.Items)})
		}
		if c.m.String() != v.Manifest {
			c.found = append(c.found, Finding{What: "the manifest does not fit"})
		}
		found, erased = c.found, c.erased
		return nil
	})
	return found, erased, err
}

type checking struct {
	m         manifest
	n, erased int
	found     []Finding
}

func (c *checking) bad(n int, what string) {
	if len(c.found) < maxFindings {
		c.found = append(c.found, Finding{n, what})
	}
}

func (c *checking) itemsTx(tx *db.Tx, versionID string) error {
	return db.Each(tx, "version: verify", func(row db.Row) error {
		var n int
		var itemID, hash, salt, content, split, cluster, label, answer, why, by, customer string
		var gone bool
		var t dataset.Text
		if err := row.Scan(&n, &itemID, &hash, &salt, &content, &split, &cluster, &label, &answer, &why, &by, &gone,
			&customer, &t.Question, db.JSON(&t.Messages), &t.Guidance); err != nil {
			return err
		}
		c.n++
		c.m.add(hash)
		if n != c.n {
			c.bad(n, "items are missing before it")
			c.n = n
		}
		switch t.Customer = json.RawMessage(customer); {
		case gone && salt == "":
			c.erased++
		case gone || salt == "":
			c.bad(n, "it is emptied without an erasure, or erased without having been emptied")
		case itemHash(salt, n, itemID, content, split, cluster, label, answer, why, by) != hash:
			c.bad(n, "its label, split or name changed")
		case !slices.Contains(t.Hashes(), content):
			c.bad(n, "its text changed")
		}
		return nil
	}, `SELECT v.n, v.item_id, v.hash, v.salt, v.content, v.split, v.cluster, v.label, v.answer, v.why, v.by_name,
		i.erased_at > 0, i.customer, i.question, i.messages, i.guidance
		FROM dataset_version_item v JOIN dataset_item i ON i.id = v.item_id WHERE v.version_id = $1
			ORDER BY v.n`, versionID)
}

// erasedTx empties an item in every version that has it; the hash stays.
func (s *Store) erasedTx(tx *db.Tx, itemID string) error {
	return db.Exec(tx, "version: erase", `UPDATE dataset_version_item SET salt = '', content = '', answer = ''
		WHERE item_id = $1`, itemID)
}
