package db

import (
	"maps"
	"slices"
)

// Met are the texts of the statements that ran inside transactions since the database was opened, each once, in
// alphabetical order; the oldest that ran once are forgotten beyond some thousand. A test has them planned, to see
// which read a table whole.
func (d *DB) Met() []string {
	var all []string
	for _, p := range []*prepared{d.reads, d.writes} {
		if p == nil {
			continue
		}
		p.mu.Lock()
		all = slices.AppendSeq(all, maps.Keys(p.met))
		all = slices.AppendSeq(all, maps.Keys(p.kept))
		p.mu.Unlock()
	}
	slices.Sort(all)
	return slices.Compact(all)
}
