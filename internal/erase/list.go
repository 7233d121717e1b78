package erase

import (
	"context"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

const recordColumns = `SELECT id, how, subject_hash, why, state, problem, interactions, counts, clean, by_kind, by_id,
	by_name, started_at, ended_at
	FROM erasure`

func scan(row db.Row) (r Record, err error) {
	t := counter{}
	err = row.Scan(&r.ID, &r.How, &r.hash, &r.Why, &r.State, &r.Problem, &r.Interactions, db.JSON(&t), &r.Clean,
		&r.By.Kind, &r.By.ID, &r.By.Name, db.At(&r.StartedAt), db.At(&r.EndedAt))
	r.Counts = t.list()
	return r, err
}

func one(tx *db.Tx, where string, args ...any) (*Record, error) {
	r, err := scan(db.One(tx, "erase: read a record", recordColumns+where,
		args...).Or(fault.New(fault.NotFound, "There is no such erasure.")))
	if err != nil {
		return nil, err
	}
	return &r, nil
}

func several(tx *db.Tx, where string, args ...any) (list []Record, err error) {
	return db.List(tx, "erase: read records", scan, recordColumns+where, args...)
}

// List are the newest erasures, newest first, at most n before the one of id before ("" is the first page).
func (s *Service) List(ctx context.Context, before string, n int) (list []Record, err error) {
	err = s.d.Read(ctx, func(tx *db.Tx) error {
		list, err = several(tx, `
			WHERE $1 = '' OR (started_at, id) < (SELECT started_at, id FROM erasure WHERE id = $1)
			ORDER BY started_at DESC, id DESC LIMIT $2`, before, n)
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
