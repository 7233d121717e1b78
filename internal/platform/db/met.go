package db

import "slices"

// mostMet bounds the texts that are noted.
const mostMet = 2048

// Met are the texts of the statements that ran inside transactions since the database was opened, each once, in
// alphabetical order; some thousand at most. A test has them planned, to see which read a table whole.
func (d *DB) Met() (all []string) {
	d.met.Range(func(text, _ any) bool {
		all = append(all, text.(string))
		return true
	})
	slices.Sort(all)
	return all
}
