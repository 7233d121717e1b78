package terminal

import (
	"runtime"
	"runtime/debug"
)

// Build is which build of a program this is.
type Build struct {
	// of the release, or made of the commit; "dev" when it was not built from a repository
	Version  string `json:"version"`
	Revision string `json:"revision"` // of the source; empty when it was not built from a repository
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// ThisBuild is what the go command wrote into this program.
func ThisBuild() Build {
	b := Build{Version: "dev", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
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
