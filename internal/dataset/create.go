package dataset

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// topic is what subscribers hear of a change.
const topic = "datasets"

// Create makes an empty set. Invalid with the fields to mend; Conflict when the name is taken.
func (s *Store) Create(ctx context.Context, set Settings, by Person) (d *Dataset, err error) {
	if err := set.check(); err != nil {
		return nil, err
	}
	return db.Write(ctx, s.db, func(tx *db.Tx) (*Dataset, error) {
		if err := may(s.MayManage, tx, by); err != nil {
			return nil, err
		}
		d := &Dataset{ID: id.New(), Settings: set, State: Open, Version: 1, CreatedAt: tx.Now, By: by}
		settings, err := json.Marshal(set)
		if err != nil {
			return nil, fmt.Errorf("dataset: encode settings: %w", err)
		}
		_, err = tx.Exec(`INSERT INTO dataset (id, name, name_key, settings, overlap, max_labels, check_share, secret,
				state, version, created_at, by_id, by_name)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
			d.ID, set.Name, nameKey(set.Name), string(settings), set.Overlap, set.MaxLabels, set.CheckShare,
			id.Secret(16), d.State, d.Version, tx.NowMs(), by.ID, by.Name)
		if err != nil {
			return nil, taken(err, set.Name)
		}
		tx.Touch(topic)
		return d, audit.Note(tx, by.Actor(), "dataset.created", "dataset", d.ID, settingsRecord(set))
	})
}

// Update changes the settings; Conflict when version is not the present one. With a higher overlap
// what was complete with fewer labels is opened again. What decides who sees an answer when, or what becomes final, is
// changed by nobody who labels in the set: lowering the overlap for a moment would show a colleague's answer. The label
// set can grow, and lose only what no answer uses.
func (s *Store) Update(ctx context.Context, datasetID string, version int, set Settings,
	by Person) (d *Dataset, err error) {
	if err := set.check(); err != nil {
		return nil, err
	}
	return db.Write(ctx, s.db, func(tx *db.Tx) (*Dataset, error) {
		d, err := s.changeTx(tx, datasetID, version, by)
		if err != nil {
			return nil, err
		}
		if err := unusedTx(tx, d, set); err != nil {
			return nil, err
		}
		if set.decides() != d.Settings.decides() {
			labels, err := labelsHereTx(tx, d.ID, by.ID)
			if err != nil {
				return nil, err
			}
			if labels {
				return nil, fault.New(fault.Denied,
					"You label in this dataset, so you can't change how many labels an item gets, what is final or "+
						"who sees answers. Ask a manager or an administrator who doesn't label. You can still change "+
						"the texts.")
			}
		}
		settings, err := json.Marshal(set)
		if err != nil {
			return nil, fmt.Errorf("dataset: encode settings: %w", err)
		}
		before := d.Settings
		d.Settings = set
		d.Version++
		if _, err := tx.Exec(`UPDATE dataset SET name = $1, name_key = $2, settings = $3, overlap = $4, max_labels = $5,
			check_share = $6, version = $7
			WHERE id = $8`,
			set.Name, nameKey(set.Name), string(settings), set.Overlap, set.MaxLabels, set.CheckShare, d.Version,
			d.ID); err != nil {
			return nil, taken(err, set.Name)
		}
		if set.Overlap != before.Overlap {
			if err := s.rescaleTx(tx, d); err != nil {
				return nil, err
			}
		}
		tx.Touch(topic)
		return d, audit.Note(tx, by.Actor(), "dataset.changed", "dataset", d.ID, settingsRecord(set))
	})
}

// SetState opens or closes a set.
func (s *Store) SetState(ctx context.Context, datasetID string, version int, state string,
	by Person) (d *Dataset, err error) {
	if state != Open && state != Closed {
		return nil, fault.Wrong("The state can't be used.", "state", "Choose open or closed.")
	}
	return db.Write(ctx, s.db, func(tx *db.Tx) (*Dataset, error) {
		d, err := s.changeTx(tx, datasetID, version, by)
		if err != nil || d.State == state {
			return d, err
		}
		d.State = state
		d.Version++
		if err := db.Exec(tx, "dataset: set the state of "+d.ID,
			`UPDATE dataset SET state = $1, version = $2 WHERE id = $3`, state, d.Version, d.ID); err != nil {
			return nil, err
		}
		tx.Touch(topic)
		return d, audit.Note(tx, by.Actor(), "dataset."+map[string]string{Open: "opened", Closed: "closed"}[state],
			"dataset", d.ID, nil)
	})
}

// changeTx reads a set that by may change, at the version that was on the screen.
func (s *Store) changeTx(tx *db.Tx, datasetID string, version int, by Person) (*Dataset, error) {
	if err := may(s.MayManage, tx, by); err != nil {
		return nil, err
	}
	d, err := getTx(tx, datasetID)
	if err != nil {
		return nil, err
	}
	if d.Version != version {
		return nil, fault.New(fault.Conflict,
			"This dataset has changed since you opened it. Reload to see it as it is now.")
	}
	return d, nil
}

// rescaleTx has the open items of a set need another number of labels. What has enough already is settled by the next
// answer or ruling on it; nobody is given it any more.
func (s *Store) rescaleTx(tx *db.Tx, d *Dataset) error {
	if err := db.Exec(tx, "dataset: change the overlap of "+d.ID,
		`UPDATE dataset_item SET needs = $1, version = version + 1
			WHERE dataset_id = $2 AND state = 'open' AND planted = 0 AND has < $3`,
		d.Overlap, d.ID, d.Overlap); err != nil {
		return err
	}
	if err := s.settleFullTx(tx, d); err != nil {
		return err
	}
	if err := s.reopenTx(tx, d); err != nil {
		return err
	}
	// What nobody could be given on its level may be wanted again, behind everybody's marks.
	if err := db.Exec(tx, "dataset: change the overlap of "+d.ID, `DELETE FROM dataset_mark WHERE dataset_id = $1`,
		d.ID); err != nil {
		return err
	}
	err := db.Exec(tx, "dataset: count what "+d.ID+" needs",
		`UPDATE dataset SET wanted = (SELECT coalesce(sum(needs - has), 0) FROM dataset_item
				WHERE dataset_id = $1 AND state = 'open' AND planted = 0)
			WHERE id = $2`, d.ID, d.ID)
	if err != nil {
		return err
	}
	fresh, err := getTx(tx, d.ID)
	if err == nil {
		d.Counts = fresh.Counts
	}
	return err
}

// unusedTx refuses a label set that lost a label that answers use.
func unusedTx(tx *db.Tx, d *Dataset, set Settings) error {
	return db.Each(tx, "dataset: read the labels in use", func(row db.Row) error {
		var used string
		if err := row.Scan(&used); err != nil {
			return err
		}
		if !slices.Contains(set.Labels, used) {
			return fault.Wrong("You can't remove a label that is in use.", "labels",
				fmt.Sprintf("Answers use %s. Keep it, or start another dataset.", used))
		}
		return nil
	}, `SELECT DISTINCT label FROM labelling_answer WHERE set_id = $1
		UNION SELECT DISTINCT final_label FROM dataset_item WHERE dataset_id = $1 AND final_label <> ''`, d.ID)
}

// Get reads a set with its counters; NotFound when there is none.
func (s *Store) Get(ctx context.Context, datasetID string) (*Dataset, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (*Dataset, error) { return getTx(tx, datasetID) })
}

// ByName finds a set by its name, whatever the case.
func (s *Store) ByName(ctx context.Context, name string) (d *Dataset, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		d, err = scanDataset(db.One(tx, "dataset: find", columns+` WHERE name_key = $1`,
			nameKey(name)).Or(fault.New(fault.NotFound, "There is no dataset called %q.", name)))
		return err
	})
	return d, err
}

// List reads all sets, by name.
func (s *Store) List(ctx context.Context) (list []Dataset, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "dataset: list", func(row db.Row) error {
			d, err := scanDataset(row)
			if err != nil {
				return err
			}
			list = append(list, *d)
			return nil
		}, columns+` ORDER BY name_key`)
	})
	return list, err
}

const columns = `SELECT id, name, settings, overlap, max_labels, check_share, state, version, items, open, labelled,
	disputed, adjudicated, excluded,
	checks, final, labels, wanted, created_at, by_id, by_name FROM dataset`

func scanDataset(row db.Row) (*Dataset, error) {
	d := &Dataset{}
	c := &d.Counts
	if err := row.Scan(&d.ID, &d.Name, db.JSON(&d.Settings), &d.Overlap, &d.MaxLabels, &d.CheckShare, &d.State,
		&d.Version, &c.Items, &c.Open, &c.Labelled, &c.Disputed,
		&c.Adjudicated, &c.Excluded, &c.Checks, &c.Final, &c.Labels, &c.Wanted, db.At(&d.CreatedAt), &d.By.ID,
		&d.By.Name); err != nil {
		return nil, fmt.Errorf("dataset: read: %w", err)
	}
	return d, nil
}

func getTx(tx *db.Tx, datasetID string) (*Dataset, error) {
	return scanDataset(db.One(tx, "dataset: find", columns+` WHERE id = $1`,
		datasetID).Or(fault.New(fault.NotFound, "There is no such dataset.")))
}

func nameKey(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }

func taken(err error, name string) error {
	if db.IsUnique(err) {
		return fault.Wrap(fault.Conflict, err, "There is a dataset called %q already. Choose another name.", name)
	}
	return fmt.Errorf("dataset: store %q: %w", name, err)
}

// settingsRecord is what the audit log keeps of settings: texts by their hash.
func settingsRecord(s Settings) map[string]any {
	sum := sha256.Sum256([]byte(s.Guidelines))
	return map[string]any{"name": s.Name, "rubric": s.Rubric, "labels": s.Labels, "overlap": s.Overlap,
		"max_labels":  s.MaxLabels,
		"check_share": s.CheckShare, "agree_on": s.AgreeOn, "invited": s.Invited, "reveal": s.Reveal,
		"adjudicate":        s.Adjudicate,
		"guidelines_sha256": hex.EncodeToString(sum[:])}
}
