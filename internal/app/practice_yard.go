package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/practice"
)

// practiceDay is the date of the figures that drafts go by, and of all that happens in a yard's schools: the same seed
// gives the same result.
var practiceDay = time.Date(2026, time.September, 1, 9, 0, 0, 0, time.UTC)

const practiceAgent = "Practice"

// Yard makes schools: copies of one file that has documents alone. It asks no model.
type Yard struct {
	Progress func(done int) // how many customers its trainings have had; nil for nobody

	dir, pack  string
	made, done int
}

// NewYard makes a yard in a folder.
func NewYard(ctx context.Context, dir, packName string, documents fs.FS) (y *Yard, err error) {
	y = &Yard{dir: dir, pack: packName}
	a, err := y.app(ctx, "documents.db")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	agent, err := a.Accounts.EnsureAgent(ctx, practiceAgent, y.pack)
	if err != nil {
		return nil, err
	}
	report, err := a.Knowledge.Import(ctx, documents,
		knowledge.ImportOptions{Source: "documents", AgentID: agent.ID, Pack: agent.Pack, By: audit.System("practice")})
	if err == nil && report.Imported == 0 {
		err = fault.New(fault.Invalid, "None of the documents could be imported.")
	}
	if err != nil {
		return nil, err
	}
	_, err = a.DB.Backup(ctx, filepath.Join(dir, "blank.db"))
	return y, err
}

func (y *Yard) app(ctx context.Context, name string) (*App, error) {
	return OpenAlone(ctx, filepath.Join(y.dir, name), os.Stderr, WithClock(func() time.Time { return practiceDay }))
}

// OpenAlone opens a file by the settings that hold where nobody sets any, to ask no model and to say nothing but
// errors, to log.
func OpenAlone(ctx context.Context, file string, log io.Writer, opts ...Option) (*App, error) {
	cfg, err := config.Default()
	if err != nil {
		return nil, err
	}
	cfg.LLM = config.LLM{Provider: "embedded", Timeout: cfg.LLM.Timeout}
	cfg.DB, cfg.Log.Level = file, "error"
	return Open(ctx, cfg, append(opts, WithTerminal(io.Discard), WithLog(NewLog(cfg.Log, log)))...)
}

// Open is a practice.OpenSchool.
func (y *Yard) Open(ctx context.Context) (*practice.School, func() error, error) {
	y.made++
	name := fmt.Sprintf("school-%d.db", y.made)
	file := filepath.Join(y.dir, name)
	blank, err := os.ReadFile(filepath.Join(y.dir, "blank.db"))
	if err == nil {
		err = os.WriteFile(file, blank, 0o600)
	}
	if err != nil {
		return nil, nil, err
	}
	a, err := y.app(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	agent, err := a.Accounts.EnsureAgent(ctx, practiceAgent, y.pack)
	if err != nil {
		return nil, nil, errors.Join(err, a.Close())
	}
	s, err := a.School(agent)
	if err != nil {
		return nil, nil, errors.Join(err, a.Close())
	}
	s.Progress = func(n int) {
		if y.done += n; y.Progress != nil {
			y.Progress(y.done)
		}
	}
	return s, func() error { return errors.Join(a.Close(), db.Remove(file)) }, nil
}
