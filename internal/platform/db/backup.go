package db

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"preceptor/internal/platform/fault"
)

// sumExt is the end of the name of the checksum file that lies beside a backup; `sha256sum -c` reads it.
const sumExt = ".sha256"

// Copy says what a backup wrote or a restore read.
type Copy struct {
	Path  string
	Bytes int64
	Sum   string // hex SHA-256 of the file
}

// Backup writes a consistent copy of the database to the new file out, and its checksum to out.sha256, while the
// program goes on working. It uses VACUUM INTO, which reads one snapshot: copying in small steps starts anew at every
// foreign write, and copying the file from within this process would drop SQLite's locks. Erased text is not in the
// copy. The copy is read back and checked before this returns.
func (d *DB) Backup(ctx context.Context, out string) (Copy, error) {
	if err := d.MayCopy(); err != nil {
		return Copy{}, err
	}
	return fresh(out, func(out string) (Copy, error) { return d.backup(ctx, out) })
}

// MayCopy says why Backup makes no copy, and how one is made; nil where it makes one.
func (d *DB) MayCopy() error {
	if !d.OnServer() {
		return nil
	}
	return fault.New(fault.Unavailable, "The database is on a PostgreSQL server. Back it up there, with pg_dump or "+
		"the server's own backups. Then check a copy with preceptor audit verify and preceptor doctor.")
}

// Remove takes a copy away, with its checksum.
func (c Copy) Remove() error { return errors.Join(os.Remove(c.Path), os.Remove(c.Path+sumExt)) }

// Receive writes the copy that ask has a running server send, of a checksum, to the new file out, and the checksum
// beside it, once it is whole and checked. It doesn't ask where out can't be made.
func Receive(ctx context.Context, out string, ask func() (io.Reader, string, error)) (Copy, error) {
	return fresh(out, func(out string) (c Copy, err error) {
		r, sum, err := ask()
		if err != nil {
			return c, err
		}
		if err := writeSynced(out, r); err != nil {
			return c, fault.Wrap(fault.Unavailable, err, "The copy didn't arrive, or %s can't be written.", out)
		}
		if c, err = finish(ctx, out); err == nil && c.Sum != sum {
			err = fault.New(fault.Unavailable, "The copy didn't arrive whole: its checksum differs. Try again.")
		}
		return c, err
	})
}

// fresh has write make the new file out, and leaves nothing of one that failed.
func fresh(out string, write func(out string) (Copy, error)) (Copy, error) {
	name := out
	out, err := filepath.Abs(name)
	if err != nil {
		return Copy{}, fault.Wrap(fault.Invalid, err, "%q is not a usable file name.", name)
	}
	for _, name := range []string{out, out + sumExt} {
		if _, err := os.Lstat(name); err == nil {
			return Copy{}, fault.New(fault.Conflict,
				"%s already exists. A backup never overwrites; choose another name.", name)
		}
	}
	if st, err := os.Stat(filepath.Dir(out)); err != nil || !st.IsDir() {
		return Copy{}, fault.New(fault.Invalid, "The folder %s does not exist; make it first.", filepath.Dir(out))
	}
	c, err := write(out)
	if err != nil {
		os.Remove(out)
		os.Remove(out + sumExt)
		return Copy{}, err
	}
	return c, nil
}

func (d *DB) backup(ctx context.Context, out string) (Copy, error) {
	// Made here, and made ours alone, before any content is in it.
	f, err := os.OpenFile(out, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return Copy{}, fault.Wrap(fault.Invalid, err, "%s can't be written; the folder must be writable.", out)
	}
	if err := f.Close(); err != nil {
		return Copy{}, fmt.Errorf("db: backup: %w", err)
	}
	if err := d.vacuumInto(ctx, out); err != nil {
		return Copy{}, err
	}
	return finish(ctx, out)
}

// finish checks a copy and writes its checksum beside it.
func finish(ctx context.Context, out string) (Copy, error) {
	if err := checkFile(ctx, out); err != nil {
		return Copy{}, fault.Wrap(fault.Unavailable, err,
			"The copy could not be verified, so no backup was made. Run preceptor doctor, and check the disk.")
	}
	c, err := sumFile(out, io.Discard)
	if err != nil {
		return Copy{}, err
	}
	line := fmt.Sprintf("%s  %s\n", c.Sum, filepath.Base(out))
	if err := writeSynced(out+sumExt, strings.NewReader(line)); err != nil {
		return Copy{}, err
	}
	return c, syncPath(out, filepath.Dir(out))
}

// vacuumInto works on a connection of its own: the writer stays free, and neither may make tables, not even elsewhere.
func (d *DB) vacuumInto(ctx context.Context, out string) error {
	pool, err := sql.Open(schemaDriver, writerDSN(d.path))
	if err != nil {
		return fmt.Errorf("db: open for backup: %w", err)
	}
	defer pool.Close()
	pool.SetMaxOpenConns(1)
	if _, err := pool.ExecContext(ctx, "VACUUM INTO $1", out); err != nil {
		return Classify(fmt.Errorf("db: backup: %w", err))
	}
	return nil
}

// IsBackup reports whether a checksum lies beside a file that nobody works in.
func IsBackup(file string) bool {
	_, sum := os.Stat(file + sumExt)
	_, open := os.Lstat(file + "-wal")
	return sum == nil && open != nil
}

// Restore makes the database file to from the backup in. It refuses a backup without its checksum file, one that does
// not match it, one that is damaged or no Preceptor database, and a file that exists already.
func Restore(ctx context.Context, in, to string) (Copy, error) {
	name := to
	to, err := filepath.Abs(name)
	if err != nil {
		return Copy{}, fault.Wrap(fault.Invalid, err, "%q is not a usable file name.", name)
	}
	want, err := readSum(in)
	if err != nil {
		return Copy{}, err
	}
	if st, err := os.Stat(filepath.Dir(to)); err != nil || !st.IsDir() {
		return Copy{}, fault.New(fault.Invalid, "The folder %s does not exist; make it first.", filepath.Dir(to))
	}
	lock, err := acquire(to, "restore")
	if err != nil {
		return Copy{}, err
	}
	defer release(lock)
	// A log of pages that was left behind would be played into the restored file.
	for _, name := range []string{to, to + "-wal", to + "-shm", to + "-journal"} {
		if _, err := os.Lstat(name); err == nil {
			return Copy{}, fault.New(fault.Conflict,
				"%s already exists. Restoring never overwrites; move it away or give --db another name.", name)
		}
	}
	return restore(ctx, in, to, want)
}

func restore(ctx context.Context, in, to, want string) (c Copy, err error) {
	part := to + ".restoring"
	defer func() {
		if err != nil {
			os.Remove(part)
		}
	}()
	f, err := os.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return Copy{}, fault.Wrap(fault.Invalid, err, "%s can't be written; the folder must be writable.", part)
	}
	c, err = sumFile(in, f)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return Copy{}, fmt.Errorf("db: restore: %w", err)
	}
	if c.Sum != want {
		return Copy{}, fault.New(fault.Invalid,
			"%s is not the file that was backed up: its checksum differs from %s. Nothing was restored; use another "+
				"backup.", in, filepath.Base(in)+sumExt)
	}
	if err := checkFile(ctx, part); err != nil {
		return Copy{}, err
	}
	if err := os.Rename(part, to); err != nil {
		return Copy{}, fmt.Errorf("db: restore: %w", err)
	}
	c.Path = to
	return c, syncPath(filepath.Dir(to))
}

func readSum(in string) (string, error) {
	if _, err := os.Stat(in); err != nil {
		return "", fault.Wrap(fault.NotFound, err, "There is no backup at %s.", in)
	}
	b, err := os.ReadFile(in + sumExt)
	if err != nil {
		return "", fault.Wrap(fault.Invalid, err,
			"%s is missing, so we can't tell whether the backup is complete. If you trust the file, create one: "+
				"sha256sum %s > %s", in+sumExt, in, in+sumExt)
	}
	// other programs write it in UTF-16, or behind its name
	sums := sumRE.FindAllString(strings.ToLower(strings.ReplaceAll(string(b), "\x00", "")), 2)
	if len(sums) != 1 {
		return "", fault.New(fault.Invalid, "%s doesn't hold one SHA-256 checksum. Nothing was restored. If you trust "+
			"the backup, write it again: sha256sum %s > %[1]s", in+sumExt, in)
	}
	return sums[0], nil
}

var sumRE = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

// checkFile opens a copy read-only and asks SQLite whether it is whole and ours.
func checkFile(ctx context.Context, path string) error {
	pool, err := sql.Open(driverName, frozenDSN(path))
	if err != nil {
		return fmt.Errorf("db: open the copy: %w", err)
	}
	defer pool.Close()
	pool.SetMaxOpenConns(1)
	damaged := func(err error) error {
		return fault.Wrap(fault.Invalid, err,
			"%s is damaged or not a database. Nothing was restored; use another backup.", path)
	}
	problems, err := pragmaLines(ctx, pool, "PRAGMA integrity_check(1)")
	if err != nil {
		return damaged(err)
	}
	if len(problems) > 0 {
		return damaged(errors.New(problems[0]))
	}
	var ours bool
	err = pool.QueryRowContext(ctx, `
		SELECT count(*) = 2 FROM sqlite_master WHERE type = 'table'
			AND name IN ('goose_db_version', 'audit')`).Scan(&ours)
	if err != nil {
		return damaged(err)
	}
	if !ours {
		return fault.New(fault.Invalid, "%s is a database, but not Preceptor's. Nothing was restored.", path)
	}
	return nil
}

func sumFile(path string, w io.Writer) (Copy, error) {
	f, err := os.Open(path)
	if err != nil {
		return Copy{}, fmt.Errorf("db: read the copy: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(h, w), f)
	if err != nil {
		return Copy{}, fmt.Errorf("db: read the copy: %w", err)
	}
	return Copy{Path: path, Bytes: n, Sum: hex.EncodeToString(h.Sum(nil))}, nil
}

func writeSynced(path string, r io.Reader) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("db: write %s: %w", path, err)
	}
	_, err = io.Copy(f, r)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("db: write %s: %w", path, err)
	}
	return nil
}

// syncPath has files and folders reach the disk.
func syncPath(paths ...string) error {
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			return fmt.Errorf("db: sync %s: %w", p, err)
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return fmt.Errorf("db: sync %s: %w", p, err)
		}
	}
	return nil
}
