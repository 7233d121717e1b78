package main

import (
	"fmt"

	"preceptor/internal/platform/config"
	"preceptor/internal/platform/terminal"
)

// configCmd prints the settings that serve would run on with the same flags and environment.
type configCmd struct {
	config.Config
	JSON bool `name:"json" help:"As a JSON list."`
}

// Run prints even what is wrong, and then says what is wrong: that is when one looks.
func (c *configCmd) Run(t *terminal.Terminal) error {
	secrets := c.LoadSecrets()
	list := c.Redacted()
	if c.JSON {
		if err := t.JSON(list); err != nil {
			return err
		}
	} else {
		w := t.Columns(0)
		for _, s := range list {
			fmt.Fprintf(w, "%s\t%s\t%s\n", s.Name, s.Value, s.Env)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	if secrets != nil {
		return secrets
	}
	return c.Check()
}
