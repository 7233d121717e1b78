//go:build !sqlite_cgo

package dbtest

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// template is the bytes of a migrated, empty database, which the first test program that wants it leaves to the others.
var template = sync.OnceValues(func() ([]byte, error) {
	schema, err := schemaHash()
	if err != nil {
		return nil, err
	}
	left := filepath.Join(os.TempDir(), fmt.Sprintf("preceptor-test-%d-%s.db", os.Getuid(), schema))
	if b, err := os.ReadFile(left); err == nil {
		return b, nil
	}
	dir, err := os.MkdirTemp("", "dbtest")
	if err != nil {
		return nil, fmt.Errorf("dbtest: %w", err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "template.db")
	if err := Make(path); err != nil {
		return nil, err
	}
	if err := os.Rename(path, left); err != nil { // whole or not at all
		return nil, fmt.Errorf("dbtest: %w", err)
	}
	return os.ReadFile(left)
})
