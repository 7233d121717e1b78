package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/pressly/goose/v3"

	"preceptor/internal/platform/fault"
	"preceptor/migrations"
)

// migrate brings the schema up to date, a transaction a file, and refuses a file that a newer program wrote.
func migrate(ctx context.Context, w *sql.DB) error {
	p, err := goose.NewProvider(goose.DialectSQLite3, w, migrations.Files, goose.WithDisableGlobalRegistry(true))
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
	if _, err := p.Up(ctx); err != nil {
		var part *goose.PartialError
		if errors.As(err, &part) {
			return fmt.Errorf("db: migration %s: %w", part.Failed.Source.Path, err)
		}
		return fmt.Errorf("db: migrate: %w", err)
	}
	return nil
}
