package main

import (
	"errors"
	"fmt"
	"io"

	"preceptor/internal/app"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/terminal"
)

type exportKnowledgeCmd struct {
	config.File
	Out string `placeholder:"FILE" help:"The file to write; by default standard output. An existing file is never overwritten."`
}

// Run writes the whole base, and to standard error how much that was.
func (c *exportKnowledgeCmd) Run(t *terminal.Terminal) error {
	return reading(t, c.With, "/knowledge/file", func(a *app.App) (err error) {
		file, err := a.Bases.Export(t.Ctx, terminal.Operator)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		return writeFile(t, c.Out, func(w io.Writer) (string, error) {
			_, err := file.WriteTo(w)
			h := file.Header
			return fmt.Sprintf("%d cases with %d versions, %d rules with %d.", h.Cases, h.CaseVersions, h.Rules,
				h.RuleVersions), err
		})
	})
}
