package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"preceptor/internal/terminal"
)

// build is what version prints.
type build struct {
	Version  string `json:"version"`  // of the release, or made of the commit; "dev" when it was not built from a repository
	Revision string `json:"revision"` // of the source; empty when it was not built from a repository
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

type versionCmd struct {
	JSON bool `name:"json" help:"As JSON."`
}

// Run prints one line, or JSON.
func (v *versionCmd) Run(t *terminal.Terminal) error {
	b := thisBuild()
	if v.JSON {
		return t.JSON(b)
	}
	if b.Revision == "" {
		b.Revision = "unknown revision"
	}
	_, err := fmt.Fprintf(t.Out, "preceptor %s (%s, %s, %s)\n", b.Version, b.Revision, b.Go, b.Platform)
	return err
}

// thisBuild is what the go command wrote into this program.
func thisBuild() build {
	b := build{Version: "dev", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	dirty := ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				dirty = "+changes"
			}
		}
	}
	if b.Revision != "" {
		b.Revision += dirty
	}
	return b
}
