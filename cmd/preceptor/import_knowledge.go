package main

import (
	"errors"

	"preceptor/internal/app"
	"preceptor/internal/config"
	"preceptor/internal/knowledge/transfer"
	"preceptor/internal/table/imports"
)

type importKnowledgeCmd struct {
	config.Base
	File   string `arg:"" help:"A base as export knowledge wrote it; - for standard input."`
	Reason string `default:"Brought in from a file." help:"Why; new versions carry it."`
	JSON   bool   `name:"json" help:"The report as JSON."`
}

// Run brings the base in. With a bad line nothing comes in, and each is named.
func (c *importKnowledgeCmd) Run(t *terminal) (err error) {
	in, err := t.input(c.File)
	if err != nil {
		return err
	}
	defer in.Close()
	return t.with(c.With, "/knowledge/file", func(a *app.App) error {
		rep, err := a.Bases.Import(t.ctx, in, transfer.Options{Name: fileName(c.File), By: operator, Reason: c.Reason, Progress: t.progress("Importing")})
		if err != nil && rep.Bad == 0 {
			return err
		}
		if c.JSON {
			return errors.Join(err, t.printJSON(rep))
		}
		return errors.Join(err, t.printBase(rep))
	})
}

func (t *terminal) printBase(r transfer.Report) error {
	w := &errWriter{w: t.out}
	if r.Bad == 0 {
		w.printf("%d items: %d added, %d changed, %d known, %d left as they are, %d with another number\n", r.Items, r.Added, r.Changed, r.Known, r.Kept, r.Renumbered)
		if r.Waiting > 0 {
			w.printf("%d of the rules added wait for an expert, who finds them under Learning\n", r.Waiting)
		}
	}
	for _, list := range [][]imports.Problem{r.Problems, r.Notes} {
		for _, n := range list {
			w.printf("line %d: %s\n", n.Line, n.Why)
		}
	}
	if more := r.Bad + r.Noted - len(r.Problems) - len(r.Notes); more > 0 {
		w.printf("and %d more\n", more)
	}
	return w.err
}
