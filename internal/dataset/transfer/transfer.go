// Package transfer brings files into gold sets and gold sets into files.
package transfer

import (
	"context"
	"io"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/db"
	"preceptor/internal/fault"
)

var errPending = fault.New(fault.Unavailable, "This is not built yet.")

// Format is how a file is written.
type Format string

// The formats. Parquet and HuggingFace are for export alone, LabelStudio and Records for import alone.
const (
	JSONL       Format = "jsonl"
	CSV         Format = "csv"
	Parquet     Format = "parquet"
	HuggingFace Format = "hf"           // a zip with README.md and data/
	LabelStudio Format = "label-studio" // its JSON export: tasks with annotations
	Records     Format = "records"      // Argilla's or Hugging Face's JSON: records with fields and responses, or rows
)

// What labels of an import become.
const (
	AsFinal = "final" // the items' final labels, by who imports
	AsKnown = "known" // the known answers of hidden check items
	AsRater = "rater" // labels of external raters, who count in the agreement
	Ignored = "ignore"
)

// Mapping says which field of the file is which part of an item; "" is none. Customer may be a field that holds a JSON object,
// or a prefix such as "customer." of several fields.
type Mapping struct {
	ID, Group               string
	Customer, Question      string
	Guidance                string
	Label, Boundary, Codes  string
	Rationale, Notes, Rater string
	Labels                  map[string]string // a label in the file -> a label of the set
}

// ImportOptions of one import.
type ImportOptions struct {
	Format  Format   // guessed when empty
	Name    string   // of the file, for the audit row and the guess
	Mapping *Mapping // guessed when nil
	Labels  string   // AsFinal ...; Ignored when empty
	Rater   string   // the name of labels without one; "Import" when empty
	By      dataset.Person
	// Progress is told rows read so far, and the bytes read; may be nil. It is called between transactions.
	Progress func(rows int, bytes int64)
}

// Report is what became of a file.
type Report struct {
	Format     Format    `json:"format"`
	Mapping    Mapping   `json:"mapping"`
	Rows       int       `json:"rows"`
	Added      int       `json:"added"`
	Duplicates int       `json:"duplicates"`
	Broken     int       `json:"broken"`
	Problems   []Problem `json:"problems"` // the first MaxProblems
}

// Problem is a row that was not taken whole.
type Problem struct {
	Line int    `json:"line"` // of the file, from 1
	Why  string `json:"why"`
}

// MaxProblems bounds how many problems a report lists; it counts all.
const MaxProblems = 200

// Preview is what a file looks like, for a page to ask about the mapping.
type Preview struct {
	Format Format
	Fields []string
	Guess  Mapping
	Rows   []map[string]string // the first few, cut short
	Labels []string            // values of the guessed label field in those rows
}

// ExportOptions of one export.
type ExportOptions struct {
	Format  Format
	Version int            // number; 0: the live set
	Newest  bool           // the newest version
	By      dataset.Person // who asks; the zero Person is the operator, who sees all
	BOM     bool
	Wrote   func() error // after each piece that was written; may be nil
}

// Exported says what was written.
type Exported struct {
	Rows     int
	Complete bool
}

// Service imports and exports.
type Service struct {
	db       *db.DB
	sets     *dataset.Store
	versions *version.Store
}

// New joins the parts.
func New(d *db.DB, sets *dataset.Store, versions *version.Store) *Service {
	return &Service{db: d, sets: sets, versions: versions}
}

// Look reads the beginning of a file; at most a megabyte.
func (s *Service) Look(name string, r io.Reader) (Preview, error) { return Preview{}, errPending }

// Import reads a file into a set. Broken rows are reported, and the others go in. The error is of what stopped it; what went in
// before stays.
func (s *Service) Import(ctx context.Context, datasetID string, r io.Reader, o ImportOptions) (Report, error) {
	return Report{}, errPending
}

// Export writes a set or a version to w.
func (s *Service) Export(ctx context.Context, datasetID string, w io.Writer, o ExportOptions) (Exported, error) {
	return Exported{}, errPending
}
