package knowledge

import (
	"context"

	"preceptor/internal/audit"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// givenAtOnce is how many sections get a pack in one transaction.
const givenAtOnce = 20

// Shares are how many sections of documents are whose.
type Shares struct {
	Of    map[string]int // shared by the agents of a pack, by its name
	All   int            // every agent's, from before there were packs
	Owned int            // of one agent alone
}

// DocumentShares counts the sections in use by whose they are.
func (b *Base) DocumentShares(ctx context.Context) (s Shares, err error) {
	s.Of = map[string]int{}
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		list, err := sharedDocumentsTx(tx)
		if err != nil {
			return err
		}
		for _, c := range list {
			if c.Pack == "" {
				s.All++
			} else {
				s.Of[c.Pack]++
			}
		}
		s.Owned, err = db.Value[int](tx, "knowledge: count documents",
			`SELECT count(*) FROM knowledge_case WHERE source = 'document' AND agent_id <> '' AND status = 'active'`)
		return err
	})
	return s, err
}

func sharedDocumentsTx(tx *db.Tx) ([]Case, error) {
	return casesTx(tx, `WHERE c.source = 'document' AND c.agent_id = '' AND c.status = 'active' ORDER BY c.number`)
}

// GivePack makes the sections that are every agent's those of the agents of a pack. It may be cut short: the rest is
// given the next time.
func (b *Base) GivePack(ctx context.Context, packName string, by audit.Actor, progress func(done, total int),
) (r ImportReport, err error) {
	if err := pack.CheckName(packName); err != nil {
		return r, err
	}
	list, err := db.Read(ctx, b.db, sharedDocumentsTx)
	if err != nil {
		return r, err
	}
	var ids []string
	for _, c := range list {
		if c.Pack == "" {
			ids = append(ids, c.ID)
		}
	}
	for from := 0; from < len(ids); from += givenAtOnce {
		if ctx.Err() != nil {
			return r, fault.Wrap(fault.Unavailable, ctx.Err(), "This stopped before the last document. Start it again.")
		}
		err := b.db.Write(ctx, func(tx *db.Tx) error {
			for _, id := range ids[from:min(len(ids), from+givenAtOnce)] {
				c, err := b.CaseTx(tx, id)
				if err != nil {
					return err
				}
				if c.Pack != "" || c.Status != Active {
					continue // changed meanwhile
				}
				c.Pack, c.By, c.Reason = packName, by, "Given to the agents of "+pack.Of(packName).Title+"."
				if _, err := b.AddCaseTx(tx, *c); err != nil {
					return err
				}
				r.Updated++
			}
			return nil
		})
		if err != nil {
			return r, err
		}
		progress(min(len(ids), from+givenAtOnce), len(ids))
	}
	return r, nil
}
