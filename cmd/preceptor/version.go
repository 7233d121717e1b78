package main

import (
	"fmt"

	"preceptor/internal/platform/terminal"
)

type versionCmd struct {
	JSON bool `name:"json" help:"As JSON."`
}

// Run prints one line, or JSON.
func (v *versionCmd) Run(t *terminal.Terminal) error {
	b := terminal.ThisBuild()
	if v.JSON {
		return t.JSON(b)
	}
	if b.Revision == "" {
		b.Revision = "unknown revision"
	}
	_, err := fmt.Fprintf(t.Out, "preceptor %s (%s, %s, %s)\n", b.Version, b.Revision, b.Go, b.Platform)
	return err
}
