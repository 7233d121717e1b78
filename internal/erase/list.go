package erase

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/interaction"
)

const recordColumns = `SELECT id, how, subject_hash, why, state, problem, interactions, counts, clean, by_kind, by_id, by_name, started_at, ended_at FROM erasure`

func scan(row db.Row) (r Record, err error) {
	var counts string
	var started, ended int64
	if err = row.Scan(&r.ID, &r.How, &r.hash, &r.Why, &r.State, &r.Problem, &r.Interactions, &counts, &r.Clean, &r.By.Kind, &r.By.ID, &r.By.Name, &started, &ended); err != nil {
		return r, err
	}
	t := tally{}
	if err := json.Unmarshal([]byte(counts), &t); err != nil {
		return r, fmt.Errorf("erase: read the counts of %s: %w", r.ID, err)
	}
	r.Counts, r.StartedAt, r.EndedAt = t.list(), db.Time(started), db.Time(ended)
	return r, nil
}

func one(tx *db.Tx, where string, args ...any) (*Record, error) {
	r, err := scan(tx.QueryRow(recordColumns+where, args...))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fault.New(fault.NotFound, "There is no such erasure.")
	}
	if err != nil {
		return nil, fmt.Errorf("erase: read a record: %w", err)
	}
	return &r, nil
}

func several(tx *db.Tx, where string, args ...any) (list []Record, err error) {
	return db.List(tx, "erase: read records", scan, recordColumns+where, args...)
}

// List are the newest erasures, newest first, at most n before the one of id before ("" is the first page).
func (s *Service) List(ctx context.Context, before string, n int) (list []Record, err error) {
	err = s.d.Read(ctx, func(tx *db.Tx) error {
		if before == "" {
			list, err = several(tx, ` ORDER BY started_at DESC, id DESC LIMIT $1`, n)
			return err
		}
		list, err = several(tx, ` WHERE (started_at, id) < (SELECT started_at, id FROM erasure WHERE id = $1) ORDER BY started_at DESC, id DESC LIMIT $2`, before, n)
		return err
	})
	return list, err
}

// HowLabel is how a subject was named, for people.
func HowLabel(how string) string {
	switch how {
	case interaction.ByReference:
		return "by reference"
	case interaction.ByName:
		return "by name"
	}
	return "one piece of guidance"
}
