package main

import (
	"errors"

	"preceptor/internal/app"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/terminal"
)

type serveCmd struct {
	config.Config
}

// Run serves until it is told to stop.
func (c *serveCmd) Run(t *terminal.Terminal) (err error) {
	cfg := c.Config
	if err := cfg.LoadSecrets(); err != nil {
		return err
	}
	if err := cfg.Check(); err != nil {
		return err
	}
	a, err := app.Open(t.Ctx, cfg, app.WithTerminal(t.Err), app.WithLog(app.NewLog(cfg.Log, t.Err)),
		app.WithHolder("serve on "+cfg.Addr))
	if err != nil {
		return err
	}
	keepZone(a.Zone)
	defer func() { err = errors.Join(err, a.Close()) }()
	return a.Run(t.Ctx)
}
