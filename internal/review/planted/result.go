package planted

import (
	"context"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/review"
)

// Result is what came of one planted check for one person.
type Result struct {
	CheckID       string
	InteractionID string
	Decision      string
	Person        review.Person
	Second        bool // signed as the second supervisor
	Outcome       string
	Kind          string // of the decision
	Task          string
	Problem       string
	Expected      string
	Title         string
	What          string
	At            time.Time
}

// Page is a part of a list of results, newest first.
type Page struct {
	Items []Result
	Next  string // cursor; empty on the last page
}

const pageSize = keyset.Standard

const resultColumns = `SELECT c.id, c.interaction_id, c.decision_id, r.person_id, r.person_name, r.second, r.outcome,
	c.kind, c.task, c.problem, c.expected, c.title,
	c.what, r.at FROM planted_result r JOIN planted_check c ON c.id = r.check_id`

// Results lists what came of the checks, of one person or (personID "") of everybody.
func (s *Store) Results(ctx context.Context, personID, cursor string) (page Page, err error) {
	from, err := keyset.Parse(cursor)
	if err != nil {
		return page, err
	}
	query, args := resultColumns+` WHERE 1 = 1`, []any{}
	if personID != "" {
		query, args = resultColumns+` WHERE r.person_id = $1`, []any{personID}
	}
	query, args = keyset.Order{At: `r.at`, ID: `r.check_id`}.Page(query, args, from, pageSize+1)
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		page.Items, err = readResults(tx, query, args...)
		return err
	})
	page.Items, page.Next = keyset.Cut(page.Items, pageSize, func(r *Result) string {
		return keyset.At(r.At, r.CheckID).Cursor()
	})
	return page, err
}

// ForCase is what came of a closed case; nothing for a real one, and nothing before the end.
func (s *Store) ForCase(ctx context.Context, interactionID string) ([]Result, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Result, error) {
		return readResults(tx, resultColumns+` WHERE c.interaction_id = $1 ORDER BY r.second`, interactionID)
	})
}

func readResults(tx *db.Tx, query string, args ...any) (found []Result, err error) {
	return db.Rows(tx, "planted: read results", func(r *Result) []any {
		return []any{&r.CheckID, &r.InteractionID, &r.Decision, &r.Person.ID, &r.Person.Name, &r.Second, &r.Outcome,
			&r.Kind, &r.Task, &r.Problem, &r.Expected,
			&r.Title, &r.What, db.At(&r.At)}
	}, query, args...)
}
