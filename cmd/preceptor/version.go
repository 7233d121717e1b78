package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is the release, set by the linker (-X main.version=1.2.3); a build from the tree calls itself by its commit.
var version = "dev"

// build is what version prints.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"` // of the source; empty when it was not built from a repository
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

type versionCmd struct {
	JSON bool `name:"json" help:"As JSON."`
}

// Run prints one line, or JSON.
func (v *versionCmd) Run(t *terminal) error {
	b := build{Version: version, Revision: revision(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if v.JSON {
		return t.printJSON(b)
	}
	if b.Revision == "" {
		b.Revision = "unknown revision"
	}
	_, err := fmt.Fprintf(t.out, "preceptor %s (%s, %s, %s)\n", b.Version, b.Revision, b.Go, b.Platform)
	return err
}

func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	rev, dirty := "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			rev = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				dirty = "+changes"
			}
		}
	}
	if rev == "" {
		return ""
	}
	return rev + dirty
}
