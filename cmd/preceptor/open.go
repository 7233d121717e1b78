package main

import (
	"errors"

	"preceptor/internal/app"
	"preceptor/internal/config"
	"preceptor/internal/fault"
)

// open opens the database for a command. When a server holds it, the refusal says where in the server the same is done.
func (t *terminal) open(cfg config.Config, elsewhere string) (*app.App, error) {
	a, err := app.Open(t.ctx, cfg, app.WithTerminal(t.err), app.WithLog(app.NewLog(cfg.Log, t.err)))
	if fault.Is(err, fault.Conflict) {
		return nil, fault.New(fault.Conflict, "%s\nWhile the server runs: %s.", fault.Message(err), elsewhere)
	}
	return a, err
}

// with opens the database, has f work with it, and closes it.
func (t *terminal) with(cfg config.Config, elsewhere string, f func(a *app.App) error) (err error) {
	a, err := t.open(cfg, elsewhere)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	return f(a)
}

// finding is what a check found wrong: no defect of this program, and not put right by another command line.
type finding string

func (f finding) Error() string { return string(f) }
