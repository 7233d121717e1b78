// Package export writes what was decided and what was skipped as files: CSV for spreadsheets, JSON Lines for programs.
//
// It owns no table. It reads those of review and interaction, and asks package comment through a hook.
//
// What it promises.
//   - Streaming: rows are read in batches of at most a thousand rows or four megabytes, each in a short read
//     transaction of its own, so that an export of any size takes the memory of one batch, holds up no writer, and lets
//     the write-ahead log be emptied between batches. A client that reads slowly is waited for outside any transaction.
//   - One upper bound: what is decided after the export began is not in it. The rows are in the order of their decision
//     and each comes once (keyset by time and id). What changes meanwhile, such as a hold that ends, is told as it is
//     when its batch is read.
//   - Nothing is cut: JSON Lines carries every text as it was stored. The difference between draft and final text comes
//     as operations that turn one into the other, and in CSV as a text in the manner of "git diff --word-diff".
//   - A cell of CSV that a spreadsheet would run as a formula gets an apostrophe in front (=, +, -, @, tab, carriage
//     return, their full-width forms too). Take it off again, or use JSON Lines, where every byte has to count.
//   - Planted checks are left out unless asked for, and marked.
//   - Two audit rows: who asked for what, before the first byte; and at the end how many rows went, and whether it was
//     all.
//   - The work stops when the reader goes.
//
// What it decided against: an export job with a link (streaming needs none, and a file left on the server is one more
// place that holds customers' words), one long read transaction (the log could not be emptied while a slow client
// reads), and a column per comment.
package export

import (
	"context"
	"errors"
	"io"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Format is how rows are written.
type Format string

// The formats.
const (
	CSV   Format = "csv"
	JSONL Format = "jsonl"
)

// Formats lists them.
var Formats = []Format{CSV, JSONL}

// Set is what is exported.
type Set string

// The sets.
const (
	Decisions Set = "decisions"
	Skips     Set = "skips"
)

// Whether planted checks are among the rows.
const (
	WithoutPlanted = "no"
	WithPlanted    = "yes"
	OnlyPlanted    = "only"
)

// Filter chooses rows; the zero value chooses all but planted checks.
type Filter struct {
	From, To time.Time // when it was decided or skipped; To is exclusive; zero means open
	AgentID  string
	PersonID string // who decided, as first or second; who skipped
	Kind     string // of the decision
	Planted  string // WithoutPlanted when empty
	// Settled leaves out what is held or waits for a second signature. Exports of one's own decisions, and of who is no
	// supervisor, have it: a planted check can't be told by its absence before it is closed.
	Settled bool
}

func (f *Filter) check(set Set, format Format) error {
	var wrong []fault.Field
	if format != CSV && format != JSONL {
		wrong = append(wrong, fault.Field{Name: "format", Msg: "Choose csv or jsonl."})
	}
	if set != Decisions && set != Skips {
		wrong = append(wrong, fault.Field{Name: "set", Msg: "Choose decisions or skips."})
	}
	switch f.Planted {
	case "":
		f.Planted = WithoutPlanted
	case WithoutPlanted, WithPlanted, OnlyPlanted:
	default:
		wrong = append(wrong, fault.Field{Name: "planted", Msg: "Choose no, yes or only."})
	}
	switch f.Kind {
	case "", "approve", "revise", "reject", "return", "sampled":
	default:
		wrong = append(wrong, fault.Field{Name: "kind", Msg: "Choose approve, revise, reject, return or sampled."})
	}
	if !f.From.IsZero() && !f.To.IsZero() && !f.From.Before(f.To) {
		wrong = append(wrong, fault.Field{Name: "to", Msg: "The end must be after the start."})
	}
	if len(wrong) > 0 {
		return fault.WithFields("This can't be exported: "+wrong[0].Msg, wrong...)
	}
	return nil
}

// Comment is one remark about a case.
type Comment struct {
	ID   string    `json:"id"`
	At   time.Time `json:"at"`
	By   string    `json:"by"`
	ByID string    `json:"by_id"`
	Text string    `json:"text"` // empty when it was withdrawn or erased
}

// Service writes exports.
type Service struct {
	db *db.DB
	// Comments finds the remarks about some cases, oldest first, by case. It is asked for at most batchRows cases at
	// once. Nil: there are none.
	Comments func(ctx context.Context, caseIDs []string) (map[string][]Comment, error)
}

// New reads from d.
func New(d *db.DB) *Service { return &Service{db: d} }

// Options of one export.
type Options struct {
	Set    Set
	Format Format
	Filter Filter
	By     audit.Actor
	BOM    bool // begin CSV with a byte order mark, without which Excel takes £ for two other letters
	// Wrote is called after each piece that was written, to push it on and to extend a time limit. May be nil.
	Wrote func() error
}

// Report says what was written.
type Report struct {
	Rows     int
	Complete bool // false when the reader went away or something failed
}

// Check says whether the options can be met, so that a page can answer before the first byte.
func (o *Options) Check() error { return o.Filter.check(o.Set, o.Format) }

// Write writes the rows to w. It returns what was written so far also with an error.
func (s *Service) Write(ctx context.Context, w io.Writer, o Options) (rep Report, err error) {
	if err := o.Check(); err != nil {
		return rep, err
	}
	until := s.db.Now()
	if err := s.record(ctx, "export.started", o, nil); err != nil {
		return rep, err
	}
	if o.Set == Skips {
		rep.Rows, err = s.skips(until).write(ctx, w, o)
	} else {
		rep.Rows, err = s.decisions(until).write(ctx, w, o)
	}
	rep.Complete = err == nil
	return rep, errors.Join(err, s.record(context.WithoutCancel(ctx), "export.finished", o, &rep))
}

func (s *Service) record(ctx context.Context, action string, o Options, rep *Report) error {
	content := map[string]any{"set": o.Set, "format": o.Format, "planted": o.Filter.Planted}
	for name, v := range map[string]string{"agent": o.Filter.AgentID, "person": o.Filter.PersonID,
		"kind": o.Filter.Kind} {
		if v != "" {
			content[name] = v
		}
	}
	for name, t := range map[string]time.Time{"from": o.Filter.From, "to": o.Filter.To} {
		if !t.IsZero() {
			content[name] = t
		}
	}
	if rep != nil {
		content["rows"], content["complete"] = rep.Rows, rep.Complete
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		return audit.Note(tx, o.By, action, "export", string(o.Set), content)
	})
}
