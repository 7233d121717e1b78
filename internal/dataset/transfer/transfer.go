// Package transfer brings files into gold sets and gold sets into files.
//
// It owns no table. It reads those of dataset and dataset/version, and writes through dataset.Store.AddTx alone.
//
// Import promises.
//   - JSON Lines (ours, and the lines that `preceptor check` reads and writes), CSV and TSV, Label Studio's JSON
//     export, Argilla's records and Hugging Face's rows. What a file is, and which of its fields is what, is guessed
//     and can be said.
//   - A broken row is reported with its line, and the others go in. Broken are also a key that comes twice in an
//     object, deep nesting, bytes that are not UTF-8, NUL, a label that the set does not have, two labels where one is
//     needed, and a row of more than MaxRow bytes (of CSV 1 MB): nothing is repaired in silence, and what is left out
//     of a row is said.
//   - Any size: rows are read one at a time and written in transactions of batchRows, between which others write.
//   - Labels become what the caller says: nothing, final labels, known answers of check items, or labels of raters who
//     are not among us.
//
// Export promises.
//   - Any size, in the memory of a few batches; no transaction waits for a slow reader.
//   - JSON Lines, CSV and Parquet hold everything that was said: labels with times and notes, revisions, skips, flags,
//     rulings. Read in again, JSON Lines and CSV give the same items (the same hashes). A cell of CSV that a
//     spreadsheet would run as a formula gets an apostrophe, which reading takes off again where the header is ours.
//   - What nobody may see yet (dataset.UndoFor) is not in it, unless the operator asks; nor are check items for who
//     labels.
//   - Two audit rows, as for every export: who asked, and what went.
//
// Decided against: an import in one transaction (it would lock out the labellers for as long as it takes), repairing a
// quoted cell of CSV whose quotes are not doubled (a shifted column is worse than a missing row), and Parquet for
// import (whoever has it has a tool that writes JSON Lines).
package transfer

import (
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/platform/db"
)

// Format is how a file is written.
type Format string

// The formats. Parquet and HuggingFace are for export alone, LabelStudio and Records for import alone.
const (
	JSONL       Format = "jsonl"
	CSV         Format = "csv" // commas, semicolons or tabs
	Parquet     Format = "parquet"
	HuggingFace Format = "hf"           // a zip with README.md and data/
	LabelStudio Format = "label-studio" // its JSON export: tasks with annotations
	// a JSON array, or an object with one: Argilla's records, Hugging Face's rows, plain objects
	Records Format = "records"
)

// ExportFormats lists those that Export writes.
var ExportFormats = []Format{JSONL, CSV, Parquet, HuggingFace}

// ImportFormats lists those that Import reads.
var ImportFormats = []Format{JSONL, CSV, LabelStudio, Records}

// What labels of an import become.
const (
	Ignored = "ignore"
	AsFinal = "final" // the items' final labels, by who imports
	AsKnown = "known" // the known answers of hidden check items
	AsRater = "rater" // labels of external raters, who count in overlap and agreement
	AsBoth  = "both"  // final labels, and those of raters
)

// LabelUses lists them.
var LabelUses = []string{Ignored, AsFinal, AsKnown, AsRater, AsBoth}

const (
	// MaxRow bounds one row of a file, in bytes.
	MaxRow = 2 << 20
	// MaxProblems bounds how many problems a report lists; it counts all.
	MaxProblems = 200
	// batchRows is how many rows one write transaction takes.
	batchRows = 500
	// mostHere bounds how many rows that were there before a report names.
	mostHere = 20
	// mostUnused bounds how many names of fields a report lists: in some files they are data.
	mostUnused = 50
	// lookRows is how many rows that can be read are looked at to guess the mapping.
	lookRows = 20
)

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
