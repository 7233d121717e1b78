package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"

	"github.com/pressly/goose/v3"

	"preceptor/internal/platform/fault"
	"preceptor/migrations"
)

// current reports whether a file has this program's migrations, these and no others: most starts have nothing to make.
func current(ctx context.Context, w *sql.DB) bool {
	names, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		return false
	}
	rows, err := w.QueryContext(ctx, `SELECT version_id FROM goose_db_version WHERE is_applied AND version_id > 0
		ORDER BY version_id`)
	if err != nil {
		return false
	}
	defer rows.Close()
	for rows.Next() {
		var version int
		if rows.Scan(&version) != nil || len(names) == 0 ||
			!strings.HasPrefix(names[0], fmt.Sprintf("%05d_", version)) {
			return false
		}
		names = names[1:]
	}
	return rows.Err() == nil && len(names) == 0
}

// migrate brings a file's schema up to date.
func migrate(ctx context.Context, w *sql.DB) error {
	return migrateTo(ctx, w, goose.DialectSQLite3, math.MaxInt64)
}

// migrateTo brings the schema up to a number, a transaction a migration, and refuses what a newer program wrote.
func migrateTo(ctx context.Context, w *sql.DB, of goose.Dialect, number int64) error {
	p, err := goose.NewProvider(of, w, migrations.Files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("db: read migrations: %w", err)
	}
	sources := p.ListSources()
	newest := sources[len(sources)-1].Version
	have, err := p.GetDBVersion(ctx)
	if err != nil {
		return fault.Wrap(fault.Unavailable, err,
			"The file is not a readable Preceptor database. Give --db another name, or restore a backup.")
	}
	if have > newest {
		return fault.New(fault.Conflict,
			"The database has schema %d and this program knows only %d. Run the newer program that wrote it.", have,
			newest)
	}
	if _, err := p.UpTo(ctx, number); err != nil {
		var part *goose.PartialError
		if errors.As(err, &part) {
			return fmt.Errorf("db: migration %s: %w", part.Failed.Source.Path, err)
		}
		return fmt.Errorf("db: migrate: %w", err)
	}
	return nil
}
