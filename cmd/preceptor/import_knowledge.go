package main

import (
	"bufio"
	"errors"
	"fmt"

	"preceptor/internal/app"
	"preceptor/internal/knowledge/transfer"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/table/imports"
	"preceptor/internal/platform/terminal"
)

type importKnowledgeCmd struct {
	config.Base
	File   string `arg:"" help:"A file written by export knowledge; - for standard input."`
	Reason string `default:"Imported from a file." help:"The reason, shown on new versions."`
	JSON   bool   `name:"json" help:"Print the report as JSON."`
}

// Run brings the base in. With a bad line nothing comes in, and each is named.
func (c *importKnowledgeCmd) Run(t *terminal.Terminal) (err error) {
	in, err := t.Input(c.File)
	if err != nil {
		return err
	}
	defer in.Close()
	return with(t, c.With, "/knowledge/file", func(a *app.App) error {
		rep, err := a.Bases.Import(t.Ctx, in,
			transfer.Options{Name: terminal.FileName(c.File), By: terminal.Operator, Reason: c.Reason,
				Progress: t.Progress("Importing")})
		if err != nil && rep.Bad == 0 {
			return err
		}
		if c.JSON {
			return errors.Join(err, t.JSON(rep))
		}
		return errors.Join(err, printBase(t, rep))
	})
}

func printBase(t *terminal.Terminal, r transfer.Report) error {
	w := bufio.NewWriter(t.Out)
	if r.Bad == 0 {
		fmt.Fprintf(w, "%d items: %d added, %d changed, %d known, %d left unchanged, %d renumbered\n", r.Items, r.Added,
			r.Changed, r.Known, r.Kept, r.Renumbered)
		if r.Waiting > 0 {
			fmt.Fprintf(w, "%d of the added rules wait for an expert, under Learning\n", r.Waiting)
		}
	}
	for _, list := range [][]imports.Problem{r.Problems, r.Notes} {
		for _, n := range list {
			fmt.Fprintf(w, "line %d: %s\n", n.Line, n.Why)
		}
	}
	if more := r.Bad + r.Noted - len(r.Problems) - len(r.Notes); more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	return w.Flush()
}
