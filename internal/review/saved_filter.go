package review

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

const (
	maxFilterName = 60
	maxFilters    = 50 // of one person
	maxQuery      = 1000
)

// SavedFilter is a filter of the queue with a name. It is no record of the desk, so it leaves no audit row.
type SavedFilter struct {
	ID    string
	Owner Person
	Team  string // key of the team that sees it too; "" for its owner alone
	Name  string
	Query string // the end of an address, as "agent=…&flag=…"; what it names may be gone
	// Pinned: the viewer's queue opens with it.
	Pinned bool
}

// SavedFilters lists what viewer may use: their own and those shared with their teams, by name.
func (q *Queue) SavedFilters(ctx context.Context, viewer string) (list []SavedFilter, err error) {
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		teams, err := q.teamsOf(tx, viewer)
		if err != nil {
			return err
		}
		b := &query{}
		b.Add(`SELECT f.id, f.owner_id, f.owner_name, f.team_id, f.name, f.query,
			EXISTS (SELECT 1 FROM review_filter_pin p WHERE p.account_id = ? AND p.filter_id = f.id)
				FROM review_filter f WHERE f.owner_id = $1`, viewer)
		if len(teams) > 0 {
			b.Add(` OR f.team_id <> '' AND `)
			b.where(in(`f.team_id`, teams))
		}
		b.Add(` ORDER BY f.name_key, f.id`)
		list, err = db.Rows(tx, "review: list saved filters", func(f *SavedFilter) []any {
			return []any{&f.ID, &f.Owner.ID, &f.Owner.Name, &f.Team, &f.Name, &f.Query, &f.Pinned}
		}, b.SQL, b.Args...)
		return err
	})
	return list, err
}

// SaveFilter keeps a filter under a name, for by alone or for a team of theirs too. One of by's own with that name is
// replaced.
func (q *Queue) SaveFilter(ctx context.Context, by Person, f SavedFilter) (saved SavedFilter, err error) {
	f.Name, f.Owner, f.ID = oneLine(f.Name), by, id.New()
	if err := f.check(); err != nil {
		return saved, err
	}
	err = q.db.Write(ctx, func(tx *db.Tx) error {
		if err := q.checkTeam(tx, by, f.Team); err != nil {
			return err
		}
		var n int
		if err := db.One(tx, "review: save a filter", `SELECT COUNT(*) FROM review_filter
			WHERE owner_id = $1 AND name_key <> $2`, by.ID, f.key()).Scan(&n); err != nil {
			return err
		}
		if n >= maxFilters {
			return fault.Wrong(fmt.Sprintf("You have %d filters. Delete one first.", n), "name",
				"Delete a filter first.")
		}
		saved = f
		return db.One(tx, "review: save a filter", `INSERT INTO review_filter (id, owner_id, owner_name, team_id, name,
				name_key, query, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
			ON CONFLICT (owner_id, name_key) DO UPDATE SET name = excluded.name, team_id = excluded.team_id,
				query = excluded.query, version = review_filter.version + 1
			RETURNING id`, f.ID, by.ID, by.Name, f.Team, f.Name, f.key(), f.Query, tx.NowMs()).Scan(&saved.ID)
	})
	return saved, err
}

func (f SavedFilter) key() string { return strings.ToLower(f.Name) }

func oneLine(s string) string { return strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ") }

func (f SavedFilter) check() error {
	switch {
	case f.Name == "":
		return fault.Wrong("Give the filter a name.", "name", "Give it a name.")
	case utf8.RuneCountInString(f.Name) > maxFilterName:
		return fault.Wrong("The name is too long.", "name", fmt.Sprintf("Use at most %d characters.", maxFilterName))
	case len(f.Query) > maxQuery:
		return fault.Wrong("This filter is too long to save.", "name", "Search for fewer words.")
	case f.Query == "":
		return fault.Wrong("There is no filter to save. Choose one first.", "name", "Choose a filter first.")
	}
	return nil
}

func (q *Queue) checkTeam(tx *db.Tx, by Person, team string) error {
	if team == "" {
		return nil
	}
	teams, err := q.teamsOf(tx, by.ID)
	if err != nil || slices.Contains(teams, team) {
		return err
	}
	return fault.Wrong("You are not in that team.", "team", "Choose one of your teams.")
}

// RenameFilter gives a filter of by's another name; NotFound when it is not theirs or gone.
func (q *Queue) RenameFilter(ctx context.Context, by Person, filterID, name string) error {
	f := SavedFilter{Name: oneLine(name), Query: "-"}
	if err := f.check(); err != nil {
		return err
	}
	return q.db.Write(ctx, func(tx *db.Tx) error {
		err := ownFilter(tx.Exec(`UPDATE review_filter SET name = $1, name_key = $2, version = version + 1
			WHERE id = $3 AND owner_id = $4`, f.Name, f.key(), filterID, by.ID))
		if db.IsUnique(err) {
			return fault.Wrong("You already have a filter with this name.", "name", "Choose another name.")
		}
		return err
	})
}

// ShareFilter shows a filter of by's to a team of theirs, or with "" to nobody else.
func (q *Queue) ShareFilter(ctx context.Context, by Person, filterID, team string) error {
	return q.db.Write(ctx, func(tx *db.Tx) error {
		if err := q.checkTeam(tx, by, team); err != nil {
			return err
		}
		return ownFilter(tx.Exec(`UPDATE review_filter SET team_id = $1, version = version + 1
			WHERE id = $2 AND owner_id = $3`, team, filterID, by.ID))
	})
}

func ownFilter(res sql.Result, err error) error {
	if err != nil {
		return fmt.Errorf("review: change a filter: %w", err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return noFilter()
}

func noFilter() error {
	return fault.New(fault.NotFound, "You have no such filter. The person who shared it may have deleted it.")
}

// DeleteFilter deletes a filter of by's. One that is gone already is fine; one of somebody else stays.
func (q *Queue) DeleteFilter(ctx context.Context, by Person, filterID string) error {
	return q.db.Write(ctx, func(tx *db.Tx) error {
		for _, sql := range []string{
			`DELETE FROM review_filter_pin
				WHERE filter_id = $1 AND EXISTS (SELECT 1 FROM review_filter f WHERE f.id = $1 AND f.owner_id = $2)`,
			`DELETE FROM review_filter WHERE id = $1 AND owner_id = $2`,
		} {
			if err := db.Exec(tx, "review: delete a filter", sql, filterID, by.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// PinFilter has by's queue open with a filter that they may use; "" with none.
func (q *Queue) PinFilter(ctx context.Context, by Person, filterID string) error {
	return q.db.Write(ctx, func(tx *db.Tx) error {
		if err := db.Exec(tx, "review: pin a filter", `DELETE FROM review_filter_pin
			WHERE account_id = $1`, by.ID); err != nil {
			return err
		}
		if filterID == "" {
			return nil
		}
		var owner, team string
		found, err := db.One(tx, "review: pin a filter", `SELECT owner_id, team_id FROM review_filter
			WHERE id = $1`, filterID).Find(&owner, &team)
		if err != nil || !found { // gone meanwhile: nothing to pin
			return err
		}
		if owner != by.ID {
			if err := q.checkTeam(tx, by, team); err != nil {
				return err
			}
			if team == "" {
				return noFilter()
			}
		}
		return db.Exec(tx, "review: pin a filter", `INSERT INTO review_filter_pin (account_id, filter_id)
			VALUES ($1, $2)`, by.ID, filterID)
	})
}
