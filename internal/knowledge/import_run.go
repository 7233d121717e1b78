package knowledge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/id"
)

// ImportRun is one import as it is remembered.
type ImportRun struct {
	ID         string
	Source     string // the folder, or the name of the uploaded file
	AgentID    string
	By         string // a name
	StartedAt  time.Time
	FinishedAt time.Time // zero while it runs, and for good when its process was stopped
	Failure    string    // why it stopped as a whole, for a person
	Report     ImportReport
}

// The most that is kept of what a report names one by one; the figures count all.
const keptOfReport = 1000

// ImportFrom is Import of what stands at source, which is remembered with its report however it ends.
func (b *Base) ImportFrom(ctx context.Context, source string, root fs.FS, o ImportOptions) (ImportReport, error) {
	run, err := b.BeginImport(ctx, source, o.AgentID, o.By)
	if err != nil {
		return ImportReport{}, err
	}
	r, err := b.Import(ctx, root, o)
	failure := ""
	switch {
	case errors.Is(err, context.Canceled):
		failure = "Preceptor was stopped. Import again; what is there already is not doubled."
	case err != nil:
		failure = fault.Message(err)
	}
	return r, errors.Join(err, b.EndImport(context.WithoutCancel(ctx), run.ID, r, failure))
}

// BeginImport remembers that an import was started.
func (b *Base) BeginImport(ctx context.Context, source, agentID string, by audit.Actor) (run ImportRun, err error) {
	err = b.db.Write(ctx, func(tx *db.Tx) error {
		if _, err := b.AutomaticStateTx(tx, "Before the import of "+source, by); err != nil {
			return err
		}
		run = ImportRun{ID: id.New(), Source: source, AgentID: agentID, By: by.Name, StartedAt: tx.Now}
		return db.Exec(tx, "knowledge: remember an import", `INSERT INTO import_run (id, source, agent_id, by_id, by_name, started_at) VALUES ($1, $2, $3, $4, $5, $6)`,
			run.ID, source, agentID, by.ID, by.Name, tx.NowMs())
	})
	return run, err
}

// EndImport remembers how it ended; failure is empty for one that went through.
func (b *Base) EndImport(ctx context.Context, runID string, r ImportReport, failure string) error {
	r.Skipped, r.Flagged, r.Duplicates = clip(r.Skipped), clip(r.Flagged), clip(r.Duplicates)
	report, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("knowledge: write an import's report: %w", err)
	}
	return b.db.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE import_run SET finished_at = $1, failure = $2, report = $3 WHERE id = $4 AND finished_at = 0`,
			tx.NowMs(), failure, string(report), runID)
		return err
	})
}

func clip[T any](list []T) []T {
	if len(list) > keptOfReport {
		return list[:keptOfReport]
	}
	return list
}

// Imports lists the newest imports.
func (b *Base) Imports(ctx context.Context, limit int) ([]ImportRun, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]ImportRun, error) {
		return db.List(tx, "knowledge: list imports", func(row db.Row) (run ImportRun, err error) {
			var report string
			if err := row.Scan(&run.ID, &run.Source, &run.AgentID, &run.By, db.At(&run.StartedAt), db.At(&run.FinishedAt), &run.Failure, &report); err != nil {
				return run, err
			}
			if report != "" {
				if err := json.Unmarshal([]byte(report), &run.Report); err != nil {
					return run, fmt.Errorf("knowledge: read an import's report: %w", err)
				}
			}
			return run, nil
		}, `SELECT id, source, agent_id, by_name, started_at, finished_at, failure, report
			FROM import_run ORDER BY started_at DESC, id DESC LIMIT $1`, limit)
	})
}
