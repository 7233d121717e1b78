// Package version freezes gold sets: numbered, hashed snapshots with splits that never change, so that a figure measured on
// one can be measured again.
//
// It owns the tables dataset_version and dataset_version_item.
package version

import (
	"context"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/dataset"
	"preceptor/internal/db"
	"preceptor/internal/fault"
)

var errPending = fault.New(fault.Unavailable, "This is not built yet.")

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
	Clusters   int                       `json:"clusters"`
	Splits     map[string]map[string]int `json:"splits"` // split -> label -> items
	Why        map[string]int            `json:"why"`    // how the labels became final -> items
}

// Shares are the parts of the splits, in per cent; they add up to 100.
type Shares struct {
	Train  int `json:"train"`
	Accept int `json:"accept"`
	Test   int `json:"test"`
}

// Options of Freeze; the zero value splits 60/20/20.
type Options struct {
	Note   string
	Shares Shares
	Seed   string // of the splits; that of the version before when empty
	By     dataset.Person
	// Progress is told how many items are written; may be nil.
	Progress func(done, total int)
}

// Row is an item of a version.
type Row struct {
	N      int
	ItemID string
	dataset.Text
	ExternalID string
	Group      string
	Source     string
	SourceID   string
	Content    string // the item's content hash; "" when erased
	Split      string
	Cluster    string
	Answer     dataset.Answer
	Why        string
	By         string
	Erased     bool
}

// Diff is what changed from one version to another.
type Diff struct {
	Added, Removed, Relabelled, Moved []Change // Moved: to another split
	Same                              int
}

// Change is one item of a Diff; at most MaxChanges of each kind are listed, the counts are whole.
type Change struct {
	ItemID   string
	Opening  string // of the guidance
	From, To string // label, or split in Moved
}

// Finding is what Verify found wrong.
type Finding struct {
	N    int // of the item; 0: the version as a whole
	What string
}

// Store is the door to versions.
type Store struct {
	db   *db.DB
	sets *dataset.Store
	// Agreement describes the agreement of a set's labels, in Markdown, for the data card; may be nil.
	Agreement func(ctx context.Context, datasetID string) (string, error)
}

// New makes the store and has erasures reach it.
func New(d *db.DB, sets *dataset.Store) *Store { return &Store{db: d, sets: sets} }

// Freeze makes the next version of what is final in a set.
func (s *Store) Freeze(ctx context.Context, datasetID string, o Options) (*Version, error) {
	return nil, errPending
}

// List reads the versions of a set, newest first.
func (s *Store) List(ctx context.Context, datasetID string) ([]Version, error) {
	return nil, errPending
}

// Get reads a version of a set by its number; 0 is the newest.
func (s *Store) Get(ctx context.Context, datasetID string, number int) (*Version, error) {
	return nil, errPending
}

// Each hands the rows of a version to f, in order; split "" is all.
func (s *Store) Each(ctx context.Context, versionID, split string, f func(*Row) error) error {
	return errPending
}

// Diff compares two versions of one set.
func (s *Store) Diff(ctx context.Context, fromID, toID string) (*Diff, error) { return nil, errPending }

// Verify hashes a version anew. No findings: it is as it was frozen, but for erasures.
func (s *Store) Verify(ctx context.Context, versionID string) ([]Finding, error) {
	return nil, errPending
}

// EraseTx is for dataset.Store.OnErased.
func (s *Store) eraseTx(tx *db.Tx, itemID string) error { return errPending }

var _ = audit.Person
