package app

import (
	"context"
	"errors"
	"fmt"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
	"preceptor/internal/search"
)

// Copied says what a copy has.
type Copied struct {
	Tables []db.Tally `json:"tables"`
	Rows   int        `json:"rows"`
	Jobs   int        `json:"jobs"` // that are not done
	Audit  audit.Head `json:"audit"`
}

// Copy copies everything from a file to an empty database of a PostgreSQL server, or back to a new file, makes the
// indexes there, checks the audit log, and writes on record in it that this was done.
func Copy(ctx context.Context, by audit.Actor, from, to string) (c Copied, err error) {
	d, err := db.Open(ctx, from, db.Options{Holder: "copy"})
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if c.Tables, err = d.CopyTo(ctx, to); err != nil {
		return c, err
	}
	for _, t := range c.Tables {
		c.Rows += t.Rows
	}
	out, err := db.Open(ctx, to, db.Options{Holder: "copy"})
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if err := errors.Join(job.Migrate(ctx, d), job.Migrate(ctx, out), search.New(out).Rebuild(ctx, "")); err != nil {
		return c, err
	}
	if c.Jobs, err = job.Copy(ctx, d, out); err != nil {
		return c, err
	}
	r, err := audit.Verify(ctx, out, nil)
	if err != nil {
		return c, err
	}
	if r.Bad != nil {
		return c, fault.Wrap(fault.Internal, fmt.Errorf("row %d: %s", r.Bad.Seq, r.Bad.Why),
			"The copy's audit log is broken at row %d. Don't use the copy.", r.Bad.Seq)
	}
	c.Audit = r.Head
	return c, out.Write(ctx, func(tx *db.Tx) error {
		return audit.Note(tx, by, "copy.done", "database", "main",
			map[string]any{"rows": c.Rows, "jobs": c.Jobs, "head": r.Head.Hash})
	})
}
