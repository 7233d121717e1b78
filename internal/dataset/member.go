package dataset

import (
	"context"
	"fmt"

	"preceptor/internal/audit"
	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Members lists who was invited or took part, by name.
func (s *Store) Members(ctx context.Context, datasetID string) (list []Member, err error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Member, error) {
		return db.Rows(tx, "dataset: list members", func(m *Member) []any {
			return []any{&m.ID, &m.Name, &m.Invited, &m.Done, &m.Skipped, db.At(&m.LastAt)}
		},
			`SELECT person_id, name, invited, done, skipped, last_at FROM dataset_person
				WHERE dataset_id = $1 ORDER BY name, person_id`, datasetID)
	})
}

// Invite lets people label; with Settings.Invited only they may.
func (s *Store) Invite(ctx context.Context, datasetID string, people []Person, by Person) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if err := may(s.MayManage, tx, by); err != nil {
			return err
		}
		if _, err := getTx(tx, datasetID); err != nil {
			return err
		}
		ids := []string{}
		for _, p := range people {
			if err := may(s.MayLabel, tx, p); err != nil {
				return fault.Wrong(fmt.Sprintf("%s can't label: %s", p.Name, fault.Message(err)), "people",
					"Choose experts.")
			}
			if err := ensurePersonTx(tx, datasetID, p); err != nil {
				return err
			}
			if err := db.Exec(tx, "dataset: invite",
				`UPDATE dataset_person SET invited = 1 WHERE dataset_id = $1 AND person_id = $2`, datasetID,
				p.ID); err != nil {
				return err
			}
			ids = append(ids, p.ID)
		}
		tx.Touch(topic)
		return audit.Note(tx, by.Actor(), "dataset.invited", "dataset", datasetID, map[string]any{"people": ids})
	})
}

// Uninvite takes an invitation back, and gives what the person had before them to others. Their answers stay.
func (s *Store) Uninvite(ctx context.Context, datasetID, personID string, by Person) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if err := may(s.MayManage, tx, by); err != nil {
			return err
		}
		if err := db.Exec(tx, "dataset: uninvite",
			`UPDATE dataset_person SET invited = 0 WHERE dataset_id = $1 AND person_id = $2`, datasetID,
			personID); err != nil {
			return err
		}
		open, err := db.Column[string](tx, "dataset: uninvite",
			`SELECT item_id FROM labelling_turn WHERE set_id = $1 AND person_id = $2 AND state = 'open'`, datasetID,
			personID)
		if err != nil {
			return err
		}
		for _, itemID := range open {
			if err := dropTx(tx, datasetID, personID, itemID); err != nil {
				return err
			}
		}
		tx.Touch(topic)
		return audit.Note(tx, by.Actor(), "dataset.uninvited", "dataset", datasetID, map[string]any{"person": personID})
	})
}

// MaxAssign bounds people times items of one Assign.
const MaxAssign = 5_000

// Assign puts open items on the lists of people, before what they would find by themselves but behind what is on their
// lists already, whoever else has the items. What somebody has or had is passed over; it returns how many turns were
// made.
func (s *Store) Assign(ctx context.Context, datasetID string, people []Person, itemIDs []string,
	by Person) (n int, err error) {
	if len(people)*len(itemIDs) > MaxAssign {
		return 0, fault.New(fault.Invalid,
			"At most %d items can be assigned at once, counted for each person. Choose fewer.", MaxAssign)
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if err := may(s.MayManage, tx, by); err != nil {
			return err
		}
		for _, p := range people {
			if err := may(s.MayLabel, tx, p); err != nil {
				return fault.Wrong(fmt.Sprintf("%s can't label: %s", p.Name, fault.Message(err)), "people",
					"Choose experts.")
			}
			k, err := assignTx(tx, datasetID, p, itemIDs)
			if err != nil {
				return err
			}
			n += k
		}
		tx.Touch(topic)
		return audit.Note(tx, by.Actor(), "dataset.assigned", "dataset", datasetID,
			map[string]any{"people": len(people), "items": len(itemIDs), "turns": n})
	})
	return n, err
}

func assignTx(tx *db.Tx, datasetID string, p Person, itemIDs []string) (n int, err error) {
	if err := ensurePersonTx(tx, datasetID, p); err != nil {
		return 0, err
	}
	var seq int64
	if err := db.One(tx, "dataset: assign", `SELECT turns FROM dataset_person
		WHERE dataset_id = $1 AND person_id = $2`, datasetID, p.ID).Scan(&seq); err != nil {
		return 0, err
	}
	for _, itemID := range itemIDs {
		free, err := db.Value[bool](tx, "dataset: assign", `SELECT
			EXISTS (SELECT 1 FROM dataset_item WHERE id = $1 AND dataset_id = $2 AND state = 'open')
			AND NOT EXISTS (SELECT 1 FROM labelling_turn
				WHERE item_id = $1 AND person_id = $3 AND state <> 'dropped')`, itemID, datasetID, p.ID)
		if err != nil {
			return n, err
		}
		if !free {
			continue
		}
		seq++
		if err := labelling.At(datasetID, itemID, p).Put(tx,
			labelling.Turn{Seq: seq, State: labelling.Open, Origin: "given"}); err != nil {
			return n, err
		}
		if err := takeTx(tx, datasetID, itemID, 1); err != nil {
			return n, err
		}
		n++
	}
	if err := db.Exec(tx, "dataset: assign",
		`UPDATE dataset_person SET turns = $1 WHERE dataset_id = $2 AND person_id = $3`, seq, datasetID,
		p.ID); err != nil {
		return n, err
	}
	return n, nil
}
