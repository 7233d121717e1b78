//go:build !sqlite_cgo

package dbtest

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// template is the bytes of a migrated, empty database.
var template = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "dbtest")
	if err != nil {
		return nil, fmt.Errorf("dbtest: %w", err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "template.db")
	if err := Make(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})
