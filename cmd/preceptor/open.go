package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"preceptor/internal/app"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
)

// use opens the database, has f work with it, and closes it. When a server holds it, the refusal says where in the
// server the same is done. A backup is not worked in: it couldn't be restored afterwards.
func use(t *terminal.Terminal, cfg config.Config, elsewhere string, f func(a *app.App) error) (err error) {
	if db.IsBackup(cfg.DB) {
		return fault.New(fault.Invalid, "%s is a backup, and stays as it is. Restore it to a file of its own first: "+
			"preceptor restore %s --db FILE", cfg.DB, cfg.DB)
	}
	a, err := app.Open(t.Ctx, cfg, app.WithTerminal(t.Err), app.WithLog(app.NewLog(cfg.Log, t.Err)))
	if fault.Is(err, fault.Conflict) {
		return fault.New(fault.Conflict, "%s\nWhile the server runs: %s.", fault.Message(err), elsewhere)
	}
	if err != nil {
		return err
	}
	keepZone(a.Zone)
	defer func() { err = errors.Join(err, a.Close()) }()
	return f(a)
}

// with is use with a command's settings.
func with(t *terminal.Terminal, settings func() (config.Config, error), elsewhere string,
	f func(a *app.App) error) error {
	cfg, err := settings()
	if err != nil {
		return err
	}
	return use(t, cfg, elsewhere, f)
}

// existing is with for a command that has nothing to do in an empty database: it makes no file of a mistyped name.
func existing(t *terminal.Terminal, settings func() (config.Config, error), elsewhere string,
	f func(a *app.App) error) error {
	cfg, err := settings()
	if err != nil {
		return err
	}
	if _, err := os.Stat(cfg.DB); errors.Is(err, fs.ErrNotExist) && !db.IsServer(cfg.DB) {
		return fault.New(fault.NotFound, "There is no file %s.", cfg.DB)
	}
	return use(t, cfg, elsewhere, f)
}

// reading is existing for a command that only reads. A backup is looked at in a copy: opening a database writes to it,
// and a backup whose checksum differs can't be restored.
func reading(t *terminal.Terminal, settings func() (config.Config, error), elsewhere string,
	f func(a *app.App) error) (err error) {
	cfg, err := settings()
	if err != nil || !db.IsBackup(cfg.DB) {
		return existing(t, settings, elsewhere, f)
	}
	dir, err := os.MkdirTemp("", "preceptor-backup-*") // readable by this user only
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	in := cfg.DB
	cfg.DB = filepath.Join(dir, "copy.db")
	if _, err := db.Restore(t.Ctx, in, cfg.DB); err != nil {
		return err
	}
	t.Say("%s is a backup. A copy is read, and it stays as it is.", in)
	return use(t, cfg, elsewhere, f)
}
