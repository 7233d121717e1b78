package dataset

import (
	"context"
	"slices"
	"strings"

	"preceptor/internal/db"
)

// What a rating tells of an answer.
const (
	OfLabel    = "label"
	OfBoundary = "boundary"
	OfCode     = "code" // whether the answer names RatingQuery.Code: "yes" or "no"
)

// RatingQuery chooses the ratings of one set.
type RatingQuery struct {
	DatasetID  string
	Of         string // OfLabel when empty
	Code       string // for OfCode
	PeopleOnly bool   // without raters of imports
}

// Rating is the first label of one rater on one item.
type Rating struct {
	ItemID string
	N      int // of the item
	Rater  Person
	Value  string // "" when the answer does not say
	At     int64  // ms
}

// Ratings is a table for the agreement figures: a row per item with at least one first label, a column per rater; "" is missing.
type Ratings struct {
	Items  []string // ids, in the order of the set
	Raters []Person
	Cells  [][]string
	Order  []string // the categories in order, for the weighted figures
}

// EachRating hands the first, pre-adjudication labels of a set to f, by item and rater. Items that are open or settling,
// excluded, erased or checks are not among them: figures over what is still being labelled would tell of single answers.
func (s *Store) EachRating(ctx context.Context, q RatingQuery, f func(Rating) error) error {
	after := 0
	for {
		var list []Rating
		last := after
		err := s.db.Read(ctx, func(tx *db.Tx) error {
			var err error
			list, last, err = ratingsTx(tx, q, after)
			return err
		})
		if err != nil {
			return err
		}
		for _, r := range list {
			if err := f(r); err != nil {
				return err
			}
		}
		if last == after {
			return nil
		}
		after = last
	}
}

// ratingBatch is how many items one read takes.
const ratingBatch = 1000

func ratingsTx(tx *db.Tx, q RatingQuery, after int) (list []Rating, last int, err error) {
	last = after
	err = db.Each(tx, "dataset: read ratings", func(row db.Row) error {
		var r Rating
		var by, name, answer *string
		var at *int64
		if err := row.Scan(&r.ItemID, &r.N, &by, &name, &answer, &at); err != nil {
			return err
		}
		last = r.N
		if by == nil || q.PeopleOnly && strings.HasPrefix(*by, outsideID) {
			return nil
		}
		a, err := parseAnswer(*answer)
		if err != nil {
			return err
		}
		if strings.HasPrefix(*by, outsideID) {
			*name = outside(*name)
		}
		r.Rater, r.At, r.Value = Person{ID: *by, Name: *name}, *at, q.value(a)
		list = append(list, r)
		return nil
	}, `SELECT i.id, i.n, l.by_id, l.by_name, l.answer, l.at FROM (
			SELECT id, n FROM dataset_item WHERE dataset_id = $1 AND n > $2 AND closed_at > 0 AND (revealed_at > 0 OR closed_at <= $3) AND planted = 0
			AND state IN ('labelled', 'disputed', 'adjudicated') ORDER BY n LIMIT $4) i
		LEFT JOIN dataset_label l ON l.item_id = i.id AND l.first = 1 AND l.undone_at = 0 ORDER BY i.n, l.by_id`,
		q.DatasetID, after, tx.NowMs()-UndoFor.Milliseconds(), ratingBatch)
	return list, last, err
}

func (q RatingQuery) value(a Answer) string {
	switch {
	case q.Of == OfBoundary:
		return a.Boundary
	case q.Of == OfCode && slices.Contains(a.Codes(), q.Code):
		return "yes"
	case q.Of == OfCode:
		return "no"
	}
	return a.Label
}

// Ratings gathers EachRating into a table.
func (s *Store) Ratings(ctx context.Context, q RatingQuery) (t Ratings, err error) {
	d, err := s.Get(ctx, q.DatasetID)
	if err != nil {
		return t, err
	}
	switch q.Of {
	case OfBoundary:
		t.Order = d.Boundaries
	case OfCode:
		t.Order = []string{"no", "yes"}
	default:
		t.Order = d.Labels
	}
	column := map[string]int{}
	type cell struct {
		column int
		value  string
	}
	var cells [][]cell
	err = s.EachRating(ctx, q, func(r Rating) error {
		if n := len(t.Items); n == 0 || t.Items[n-1] != r.ItemID {
			t.Items, cells = append(t.Items, r.ItemID), append(cells, nil)
		}
		at, ok := column[r.Rater.ID]
		if !ok {
			at = len(t.Raters)
			column[r.Rater.ID] = at
			t.Raters = append(t.Raters, r.Rater)
		}
		cells[len(cells)-1] = append(cells[len(cells)-1], cell{at, r.Value})
		return nil
	})
	t.Cells = make([][]string, len(cells))
	for i, list := range cells {
		t.Cells[i] = make([]string, len(t.Raters))
		for _, c := range list {
			t.Cells[i][c.column] = c.value
		}
	}
	return t, err
}
