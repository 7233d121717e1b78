package main

import (
	"errors"
	"io/fs"
	"os"

	"preceptor/internal/app"
	"preceptor/internal/config"
	"preceptor/internal/fault"
	"preceptor/internal/terminal"
)

// use opens the database, has f work with it, and closes it. When a server holds it, the refusal says where in the
// server the same is done.
func use(t *terminal.Terminal, cfg config.Config, elsewhere string, f func(a *app.App) error) (err error) {
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
	if _, err := os.Stat(cfg.DB); errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.NotFound, "There is no file %s.", cfg.DB)
	}
	return use(t, cfg, elsewhere, f)
}
