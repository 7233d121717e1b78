//go:build !sqlite_cgo || sqlite_fts5 || fts5

package dbtest

import "testing"

// Main runs a package's tests; call it from TestMain. In the sqlite_cgo build without full-text search it runs them
// again with it.
func Main(m *testing.M) int { return m.Run() }
