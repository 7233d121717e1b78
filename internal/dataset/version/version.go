// Package version freezes gold sets: numbered, hashed snapshots with splits that never change, so that a figure
// measured on one can be measured again.
//
// It owns the tables dataset_version and dataset_version_item, and reads those of package dataset.
//
// What it promises.
//   - A version holds what was final at one moment (one read transaction); it is written in batches, and is there only
//     once it is sealed. Nothing of it changes afterwards: triggers refuse it, and Verify hashes everything anew.
//   - The manifest is SHA-256 over what the version says of itself, its data card and the hash of every item in order.
//     An item's hash is salted; an erasure takes the text, the answer and the salt away, and leaves the hash: the
//     version still verifies, and nobody can find out the text by trying.
//   - Splits keep together what belongs together: items of one group, and items whose guidance is nearly the same
//     (MinHash over runs of three words, similarity 0.5 and more), and whatever hangs together through others. They are
//     balanced by label.
//   - What was in a version before keeps its split, so that a new version never moves a test item into training. If
//     things that were in different splits turn out to belong together, all of them go to the most guarded one: test,
//     then accept.
//   - The same set, seed and version before give the same splits.
//   - Check items, excluded items and items that are not final are left out.
//
// Decided against: copying texts into versions (an item's text never changes, and an erasure has one place to reach), a
// file as the version (a backup of the database would not hold it), and random splits by row (minimal pairs would
// straddle).
package version

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"preceptor/internal/dataset"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// The splits.
const (
	Train  = "train"
	Accept = "accept" // what thresholds are chosen and accepted on; "validation" in the Hugging Face layout
	Test   = "test"
)

// Splits lists them in order.
var Splits = []string{Train, Accept, Test}

// Version is a frozen set.
type Version struct {
	ID        string
	DatasetID string
	Number    int // 1, 2 ...
	Note      string
	Head      Head
	Card      string // Markdown
	Manifest  string // hex SHA-256
	Items     int
	At        time.Time
	By        dataset.Person
}

// Head is what a version says of itself; part of what is hashed.
type Head struct {
	Dataset    string                    `json:"dataset"` // its name then
	Number     int                       `json:"number"`
	Rubric     string                    `json:"rubric"`
	Guidelines string                    `json:"guidelines_sha256"`
	Licence    string                    `json:"licence"`
	Labels     []string                  `json:"labels"`
	Boundaries []string                  `json:"boundaries"`
	Codes      []string                  `json:"codes"`
	Shares     Shares                    `json:"shares"`
	Seed       string                    `json:"seed"`
	Clusters   int                       `json:"clusters"` // of items that stay together
	Largest    int                       `json:"largest"`  // items of the largest of them
	Splits     map[string]map[string]int `json:"splits"`   // split -> label -> items
	Why        map[string]int            `json:"why"`      // how the labels became final -> items
	Sources    map[string]int            `json:"sources"`
}

// Shares are the parts of the splits, in per cent; they add up to 100.
type Shares struct {
	Train  int `json:"train"`
	Accept int `json:"accept"`
	Test   int `json:"test"`
}

func (s Shares) of(split string) int {
	switch split {
	case Train:
		return s.Train
	case Accept:
		return s.Accept
	}
	return s.Test
}

// DefaultShares are used when Options say none.
var DefaultShares = Shares{60, 20, 20}

// Options of Freeze.
type Options struct {
	Note   string
	Shares Shares // DefaultShares when zero
	Seed   string // of the splits; that of the version before when empty
	By     dataset.Person
	// Progress is told how many items are written; may be nil.
	Progress func(done, total int)
}

// Row is an item of a version.
type Row struct {
	N      int // 1, 2 ... within the version
	ItemID string
	dataset.Text
	ExternalID string
	Group      string
	Source     string
	SourceID   string
	Content    string // the item's content hash; "" when erased
	Split      string
	Cluster    string
	Label      string // also of an erased item
	Answer     dataset.Answer
	Why        string
	By         string
	Erased     bool
}

// Store is the door to versions.
type Store struct {
	db   *db.DB
	sets *dataset.Store
	// Agreement describes how far a set's labellers agree, in Markdown, for the data card; may be nil.
	Agreement func(ctx context.Context, datasetID string) (string, error)

	freezing sync.Mutex
}

// New makes the store, and has erasures reach it.
func New(d *db.DB, sets *dataset.Store) *Store {
	s := &Store{db: d, sets: sets}
	sets.OnErased = append(sets.OnErased, s.erasedTx)
	return s
}

const columns = `SELECT id, dataset_id, number, note, head, card, manifest, items, at, by_id, by_name
	FROM dataset_version`

func scan(row db.Row) (*Version, error) {
	v := &Version{}
	if err := row.Scan(&v.ID, &v.DatasetID, &v.Number, &v.Note, db.JSON(&v.Head), &v.Card, &v.Manifest, &v.Items,
		db.At(&v.At), &v.By.ID, &v.By.Name); err != nil {
		return nil, fmt.Errorf("version: read: %w", err)
	}
	return v, nil
}

// List reads the versions of a set, newest first.
func (s *Store) List(ctx context.Context, datasetID string) (list []Version, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "version: list", func(row db.Row) error {
			v, err := scan(row)
			if err == nil {
				list = append(list, *v)
			}
			return err
		}, columns+` WHERE dataset_id = $1 AND sealed = 1 ORDER BY number DESC`, datasetID)
	})
	return list, err
}

// Get reads a version of a set by its number; 0 is the newest. NotFound when there is none.
func (s *Store) Get(ctx context.Context, datasetID string, number int) (*Version, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (*Version, error) { return getTx(tx, datasetID, number) })
}

func getTx(tx *db.Tx, datasetID string, number int) (*Version, error) {
	return scan(db.One(tx, "version: find", columns+`
		WHERE dataset_id = $1 AND sealed = 1 AND (number = $2 OR $2 = 0)
		ORDER BY number DESC LIMIT 1`, datasetID, number).
		Or(fault.New(fault.NotFound, "There is no such version of this dataset. Freeze one first.")))
}

// ByID reads a version.
func (s *Store) ByID(ctx context.Context, versionID string) (*Version, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (*Version, error) { return byIDTx(tx, versionID) })
}

func byIDTx(tx *db.Tx, versionID string) (*Version, error) {
	return scan(db.One(tx, "version: find", columns+` WHERE id = $1 AND sealed = 1`,
		versionID).Or(fault.New(fault.NotFound, "There is no such version.")))
}

// Importer is somebody who brought final labels of a version in with an import.
type Importer struct {
	ID     string // account
	Name   string
	Labels int
}

// Importers are those whose imports gave a version its final labels, most first: nobody here labelled those items.
func (s *Store) Importers(ctx context.Context, versionID string) ([]Importer, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Importer, error) {
		return db.Rows(tx, "version: find importers", func(i *Importer) []any {
			return []any{&i.ID, &i.Name, &i.Labels}
		},
			`SELECT coalesce(nullif(i.final_by_id, ''), i.by_id) AS who, max(i.by_name), count(*)
				FROM dataset_version_item v JOIN dataset_item i ON i.id = v.item_id
			WHERE v.version_id = $1 AND v.why = 'import' GROUP BY who ORDER BY count(*) DESC, who`, versionID)
	})
}

// batch is how many rows one read takes, and one write.
const batch = 1000

// Each hands the rows of a version to f, in order; split "" is all. They are read in batches, so that no slow reader
// holds a transaction. f may keep nothing of what it is given.
func (s *Store) Each(ctx context.Context, versionID, split string, f func(*Row) error) error {
	after := 0
	for {
		list, err := s.Page(ctx, versionID, split, after, batch)
		if err != nil {
			return err
		}
		for _, r := range list {
			if err := f(r); err != nil {
				return err
			}
		}
		if len(list) < batch {
			return nil
		}
		after = list[len(list)-1].N
	}
}

// Page is up to limit rows of a version behind the after-th.
func (s *Store) Page(ctx context.Context, versionID, split string, after, limit int) ([]*Row, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]*Row, error) { return Rows(tx, versionID, split, after, limit) })
}

// Rows is Page in a transaction.
func Rows(tx *db.Tx, versionID, split string, after, limit int) (list []*Row, err error) {
	query := `SELECT v.n, v.item_id, v.content, v.split, v.cluster, v.label, v.answer, v.why, v.by_name, v.salt = '',
		i.customer, i.question, i.messages, i.guidance,
		i.external_id, i.group_key, i.source, i.source_id
			FROM dataset_version_item v JOIN dataset_item i ON i.id = v.item_id WHERE v.version_id = $1 AND `
	args := []any{versionID, after, limit}
	if split == "" {
		query += `v.n > $2 ORDER BY v.n LIMIT $3`
	} else {
		query += `v.split = $2 AND v.n > $3 ORDER BY v.n LIMIT $4`
		args = []any{versionID, split, after, limit}
	}
	return db.List(tx, "version: read rows", func(from db.Row) (*Row, error) {
		r := &Row{}
		var answer, customer string
		if err := from.Scan(&r.N, &r.ItemID, &r.Content, &r.Split, &r.Cluster, &r.Label, &answer, &r.Why, &r.By,
			&r.Erased, &customer, &r.Question, db.JSON(&r.Messages), &r.Guidance,
			&r.ExternalID, &r.Group, &r.Source, &r.SourceID); err != nil {
			return nil, err
		}
		if customer != "" {
			r.Customer = json.RawMessage(customer)
		}
		if answer != "" {
			if err := json.Unmarshal([]byte(answer), &r.Answer); err != nil {
				return nil, fmt.Errorf("version: read row %d: %w", r.N, err)
			}
		}
		return r, nil
	}, query, args...)
}
