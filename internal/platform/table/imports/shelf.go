package imports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/table"
)

const (
	shelfFor  = time.Hour
	shelfPart = 1 << 20 // bytes
)

// Shelve keeps a file for its owner where any server of the database finds it, in place of what they kept before. Where
// there is one process it keeps nothing: that process has the file.
func (s *Service) Shelve(ctx context.Context, fileID, owner, name string, r io.Reader) error {
	if !s.db.OnServer() {
		return nil
	}
	part := make([]byte, shelfPart)
	for n := 0; ; n++ {
		size, err := io.ReadFull(r, part)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("imports: keep a file: %w", err)
		}
		if werr := s.db.Write(ctx, func(tx *db.Tx) error {
			if n == 0 {
				if err := db.Exec(tx, "imports: drop old files", `DELETE FROM server_file WHERE at < $1 OR owner = $2`,
					db.Ms(tx.Now.Add(-shelfFor)), owner); err != nil {
					return err
				}
			}
			return db.Exec(tx, "imports: keep a file", `INSERT INTO server_file (id, part, owner, name, at, bytes)
				VALUES ($1, $2, $3, $4, $5, $6)`, fileID, n, owner, name, tx.NowMs(), part[:size])
		}); werr != nil {
			return werr
		}
		if err != nil { // the last part
			return nil
		}
	}
}

// Fetch gives a file that its owner kept, at its beginning. NotFound when there is none.
func (s *Service) Fetch(ctx context.Context, fileID, owner string) (f *os.File, size int64, name string, err error) {
	gone := fault.New(fault.NotFound, "This file is no longer available. Upload it again.")
	if !s.db.OnServer() {
		return nil, 0, "", gone
	}
	parts := &shelved{get: func(n int) (part []byte, err error) {
		err = s.db.Read(ctx, func(tx *db.Tx) error {
			row := db.One(tx, "imports: fetch a file", `SELECT name, bytes FROM server_file
				WHERE id = $1 AND owner = $2 AND part = $3 AND at >= $4`, fileID, owner, n, db.Ms(tx.Now.Add(-shelfFor)))
			if n == 0 {
				row = row.Or(gone)
			}
			return row.Scan(&name, &part)
		})
		return part, err
	}}
	f, size, err = table.Spool(parts)
	if parts.err != nil {
		err = parts.err
	}
	return f, size, name, err
}

// shelved reads a file's parts, of which the last one is short.
type shelved struct {
	get  func(n int) ([]byte, error)
	n    int
	part bytes.Reader
	end  bool
	err  error
}

func (s *shelved) Read(b []byte) (int, error) {
	for s.part.Len() == 0 {
		if s.end {
			return 0, io.EOF
		}
		part, err := s.get(s.n)
		if err != nil {
			s.err = err
			return 0, err
		}
		s.part.Reset(part)
		s.n, s.end = s.n+1, len(part) < shelfPart
	}
	return s.part.Read(b)
}

// Unshelve forgets a file.
func (s *Service) Unshelve(ctx context.Context, fileID string) error {
	if !s.db.OnServer() {
		return nil
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		return db.Exec(tx, "imports: drop a file", `DELETE FROM server_file WHERE id = $1`, fileID)
	})
}
