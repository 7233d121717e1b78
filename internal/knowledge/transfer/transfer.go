// Package transfer carries the whole base from one file to another: every case and rule with all versions, their
// status, provenance and evidence, as JSON Lines.
//
// It owns no table; what it reads and writes goes through knowledge.Base (stored.go there).
//
// The file. The first line is a header: format, its version, how many cases, rules and versions follow, and the SHA-256
// of everything after the header. Then one line for each case by number, then one for each rule: cases first, because
// rules name them as evidence. Vectors are not in it; they are made anew. Agents stand in it by name. Nothing else of
// the base is in it. What drafts were shown, and credit, are measured against the approvals of one desk and would weigh
// wrongly at another; named states are places in the one history that this file's versions have, and an import into a
// desk keeps its own. So a fresh desk begins with what is known, and its status, and counts from nothing.
//
// Export promises: one consistent view, whatever is written meanwhile; no transaction waits for a slow reader (the file
// is written to disk first); the same base gives the same bytes.
//
// Import promises.
//   - Nothing comes in from a file with a bad line, a wrong count or a wrong hash: the whole file is read and checked
//     before the first write, and every bad line is named by its number.
//   - Then it is written in batches, each one transaction, in the order of the file. A process that dies between two
//     leaves whole items, and importing the file again completes it: what is here already is found by its id, or a case
//     by what it was made from, and passed over. One transaction for all was decided against: it would keep supervisors
//     from deciding for as long as it takes.
//   - Cases come in as they were, with authors, reasons and times of the file; who brought them in, and the file's
//     hash, stand in the audit log, because a file can claim anything. Rules come in with their life and one version
//     more, of the importer: what was in use there waits here for a person, with its evidence cleared, and what would
//     not pass the gate (knowledge.Vet) is named by its line.
//   - Into another base it merges. What says the same as any version here is passed over. A case that is different
//     becomes a new version, with the importer as author; a rule that is here stays as it is. A number that is taken is
//     replaced by the next free one.
//   - It puts nothing back into use: what is not in use here (in quarantine, rejected, withdrawn, retired, waiting,
//     erased) stays as it is, and is named in the report. What was erased there arrives without text.
package transfer

import (
	"context"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/table/imports"
)

const (
	// Format and FormatVersion stand in the header.
	Format        = "preceptor.knowledge"
	FormatVersion = 1

	// MaxFile bounds a file and MaxLine one of its lines, in bytes.
	MaxFile = 1 << 30
	MaxLine = 8 << 20
	// MaxItems bounds how many cases and rules a file may hold.
	MaxItems = 500_000
	// MaxProblems bounds how many problems or notes a report lists; it counts all.
	MaxProblems = 200

	batchItems = 200 // in one transaction
)

// Header is the first line of a file.
type Header struct {
	Format       string `json:"format"`
	Version      int    `json:"version"`
	Cases        int    `json:"cases"`
	CaseVersions int    `json:"case_versions"`
	Rules        int    `json:"rules"`
	RuleVersions int    `json:"rule_versions"`
	SHA256       string `json:"sha256"` // of everything after this line, hexadecimal
	// Packs are those of the agents that the file names; from before packs there are none, and all are of pensions.
	Packs map[string]string `json:"packs,omitempty"`
}

// Agents translates between the ids of agents here and their names. A nil part takes one for the other.
type Agents struct {
	Names  func(ctx context.Context) (byID map[string]Agent, err error)
	Ensure func(ctx context.Context, a Agent) (id string, err error)
}

// Agent is an agent as a file names it.
type Agent struct{ Name, Pack string }

// Service exports and imports.
type Service struct {
	db     *db.DB
	kb     *knowledge.Base
	agents Agents
	// Embed is called after an import, to have vectors made where the embedder is elsewhere; may be nil.
	Embed func(ctx context.Context) error
}

// New joins the parts.
func New(d *db.DB, kb *knowledge.Base, agents Agents) *Service {
	return &Service{db: d, kb: kb, agents: agents}
}

// Options of Import.
type Options struct {
	Name   string // of the file
	By     audit.Actor
	Reason string // why; new versions carry it
	// Progress is told how many items of how many are done; may be nil.
	Progress func(done, total int)
}

// Report is what became of a file.
type Report struct {
	Header     Header `json:"header"`
	Items      int    `json:"items"`      // lines with an item that were dealt with
	Added      int    `json:"added"`      // were not here
	Changed    int    `json:"changed"`    // got a new version
	Known      int    `json:"known"`      // say what is here, or was
	Kept       int    `json:"kept"`       // are not in use here and stay as they are; each is among Notes
	Renumbered int    `json:"renumbered"` // of Added: their number was taken; each is among Notes
	Waiting    int    `json:"waiting"`    // of Added: rules, which wait for a person
	// of Added: rules that can't be accepted as they are; each is among Notes
	Refused  int               `json:"refused"`
	Problems []imports.Problem `json:"problems"` // bad lines; with any of them nothing came in
	Bad      int               `json:"bad"`      // how many problems there were
	Notes    []imports.Problem `json:"notes"`
	Noted    int               `json:"noted"`
	Reason   string            `json:"reason,omitempty"` // of an import that was refused, as it was typed
}

func (r *Report) problem(line int, why string) {
	r.Bad++
	if len(r.Problems) < MaxProblems {
		r.Problems = append(r.Problems, imports.Problem{Line: line, Why: why})
	}
}

func (r *Report) note(line int, why string) {
	r.Noted++
	if len(r.Notes) < MaxProblems {
		r.Notes = append(r.Notes, imports.Problem{Line: line, Why: why})
	}
}
