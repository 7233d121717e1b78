package db

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// Check is one thing that was looked at. Detail says what was found, in words for an administrator.
type Check struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
}

// Doctor looks at the file itself: whether its pages are whole, whether every reference leads somewhere, and whether
// the connections are as safe as they should be. The error is about reading; a sick file is a Check that is not OK.
func (d *DB) Doctor(ctx context.Context) ([]Check, error) {
	if d.OnServer() {
		return d.doctorOnServer(ctx)
	}
	var out []Check
	for _, look := range []struct {
		name string
		run  func(context.Context) (Check, error)
	}{{"pages", d.checkPages}, {"references", d.checkReferences}, {"durability", d.checkDurability}} {
		c, err := look.run(ctx)
		if isCorrupt(err) { // too badly damaged for the check itself
			c, err = Check{Detail: "Restore a backup; the file is damaged: " + err.Error()}, nil
		}
		if err != nil {
			return out, Classify(fmt.Errorf("db: doctor: %w", err))
		}
		c.Name = look.name
		out = append(out, c)
	}
	return out, nil
}

func (d *DB) checkPages(ctx context.Context) (Check, error) {
	problems, err := pragmaLines(ctx, d.reader, "PRAGMA integrity_check(20)")
	if err != nil {
		return Check{}, err
	}
	c := Check{OK: len(problems) == 0, Detail: "Every page, row and index agrees (integrity_check)."}
	if !c.OK {
		c.Detail = "Restore a backup; the file is damaged: " + strings.Join(problems, "; ")
	}
	return c, nil
}

func (d *DB) checkReferences(ctx context.Context) (Check, error) {
	rows, err := d.reader.QueryContext(ctx, "PRAGMA foreign_key_check")
	if err != nil {
		return Check{}, err
	}
	defer rows.Close()
	broken := map[string]int{}
	var first []string
	for rows.Next() {
		var table, parent string
		var rowid, key sql.NullInt64
		if err := rows.Scan(&table, &rowid, &parent, &key); err != nil {
			return Check{}, err
		}
		name := table + " to " + parent
		if broken[name]++; broken[name] == 1 {
			first = append(first, fmt.Sprintf("%s (first in row %d)", name, rowid.Int64))
		}
	}
	c := Check{OK: len(first) == 0, Detail: "Every row that names another finds it (foreign_key_check)."}
	if !c.OK {
		c.Detail = "References lead nowhere: " + strings.Join(first, ", ")
	}
	return c, rows.Err()
}

func (d *DB) checkDurability(ctx context.Context) (Check, error) {
	var mode string
	var sync, secure int
	for query, into := range map[string]any{"PRAGMA journal_mode": &mode, "PRAGMA synchronous": &sync,
		"PRAGMA secure_delete": &secure} {
		if err := d.writer.QueryRowContext(ctx, query).Scan(into); err != nil {
			return Check{}, err
		}
	}
	c := Check{OK: mode == "wal" && sync == 2 && secure == 1}
	c.Detail = fmt.Sprintf("journal_mode %s, synchronous %d, secure_delete %d; wanted wal, 2 and 1.", mode, sync,
		secure)
	return c, nil
}

// pragmaLines runs a check that answers "ok" or a line per problem.
func pragmaLines(ctx context.Context, pool asked, query string) ([]string, error) {
	rows, err := pool.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return nil, err
		}
		if line != "ok" {
			out = append(out, line)
		}
	}
	return out, rows.Err()
}
