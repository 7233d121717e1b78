package main

import (
	"fmt"

	"preceptor/internal/app"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/terminal"
)

type backupCmd struct {
	config.File
	Out  string `arg:"" name:"out" help:"The new file; its checksum goes next to it, in OUT.sha256."`
	JSON bool   `name:"json" help:"As JSON."`
}

// Run writes a consistent, checked copy; a server that holds the file makes it. It makes no file where there was no
// database to copy.
func (c *backupCmd) Run(t *terminal.Terminal) error {
	if copied, running, err := app.BackupFromServer(t.Ctx, c.DB, c.Out); running && err == nil {
		return printCopy(t, copied, c.JSON)
	} else if err != nil {
		return err
	}
	return existing(t, c.With, "/admin/backup", func(a *app.App) error {
		copied, err := a.Backup(t.Ctx, terminal.Operator, c.Out)
		if err != nil {
			return err
		}
		return printCopy(t, copied, c.JSON)
	})
}

type restoreCmd struct {
	In   string `arg:"" name:"in" help:"The backup; its checksum must be next to it, in IN.sha256."`
	DB   string `name:"db" env:"PRECEPTOR_DB" required:"" placeholder:"FILE" help:"The database file to create; an existing file is never overwritten."`
	JSON bool   `name:"json" help:"As JSON."`
}

// Run makes the database anew from a backup that is whole, and says what a backup can't know.
func (c *restoreCmd) Run(t *terminal.Terminal) error {
	copied, err := app.Restore(t.Ctx, terminal.Operator, c.In, c.DB)
	if err != nil {
		return err
	}
	fmt.Fprintln(t.Err, "Everything is as it was when the backup was made: tokens you revoked and people you blocked "+
		"since then are active again. "+
		"Check Agents and tokens, and People, under Administration. Everyone has to sign in again.")
	return printCopy(t, copied, c.JSON)
}

func printCopy(t *terminal.Terminal, c db.Copy, asJSON bool) error {
	if asJSON {
		return t.JSON(map[string]any{"path": c.Path, "bytes": c.Bytes, "sha256": c.Sum})
	}
	_, err := fmt.Fprintf(t.Out, "%s  %s\n", c.Sum, c.Path)
	return err
}
