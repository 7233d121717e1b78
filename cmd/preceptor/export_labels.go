package main

import (
	"encoding/json"
	"fmt"
	"io"

	"preceptor/internal/app"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/terminal"
)

type exportLabelsCmd struct {
	config.File
	Out string `placeholder:"FILE" help:"The file to write; by default standard output. An existing file is never overwritten."`
}

// Run writes the labels, and to standard error how many they were.
func (c *exportLabelsCmd) Run(t *terminal.Terminal) error {
	return reading(t, c.With, "/knowledge", func(a *app.App) error {
		return writeFile(t, c.Out, func(w io.Writer) (string, error) {
			n, to := 0, json.NewEncoder(w)
			err := a.Knowledge.EachLabel(t.Ctx, func(l knowledge.Label) error {
				n++
				return to.Encode(l)
			})
			return fmt.Sprintf("%d labels.", n), err
		})
	})
}
