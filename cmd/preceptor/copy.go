package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"preceptor/internal/app"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
)

type copyCmd struct {
	From string `required:"" placeholder:"DB" help:"The file or PostgreSQL address to copy. No server may be using a file."`
	To   string `required:"" placeholder:"DB" help:"An empty PostgreSQL database, or a new file."`
	JSON bool   `name:"json" help:"As JSON, with the rows and a checksum of each table."`
}

// Run copies everything between the engines and compares each table.
func (c *copyCmd) Run(t *terminal.Terminal) error {
	if _, err := os.Stat(c.From); errors.Is(err, fs.ErrNotExist) && !db.IsServer(c.From) {
		return fault.New(fault.NotFound, "There is no file %s.", c.From)
	}
	copied, err := app.Copy(t.Ctx, terminal.Operator, c.From, c.To)
	if err != nil {
		return err
	}
	if c.JSON {
		return t.JSON(copied)
	}
	_, err = fmt.Fprintf(t.Out, "tables %d\nrows %d\njobs %d\nhead %d %s\n", len(copied.Tables),
		copied.Rows, copied.Jobs, copied.Audit.Seq, copied.Audit.Hash)
	return err
}
