package dataset

import (
	"context"
	"slices"
	"strings"
	"time"

	"preceptor/internal/platform/db"
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

// Ratings is a table for the agreement figures: a row per item with at least one first label, a column per rater; "" is
// missing.
type Ratings struct {
	Items  []string    // ids, in the order of the set
	At     []time.Time // when each item got its last first label
	Raters []Person
	Cells  [][]string
	Order  []string // the categories in order, for the weighted figures
}

// Ratings are the first, pre-adjudication labels of a set. Items that are open or settling, excluded, erased or checks
// are not among them: figures over what is still being labelled would tell of single answers.
func (s *Store) Ratings(ctx context.Context, q RatingQuery) (t Ratings, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		d, err := getTx(tx, q.DatasetID)
		if err != nil {
			return err
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
		return db.Each(tx, "dataset: read ratings", func(row db.Row) error {
			var itemID, answer string
			var rater Person
			var at time.Time
			if err := row.Scan(&itemID, &rater.ID, &rater.Name, &answer, db.At(&at)); err != nil {
				return err
			}
			external := strings.HasPrefix(rater.ID, outsideID)
			if external && q.PeopleOnly {
				return nil
			}
			a, err := parseAnswer(answer)
			if err != nil {
				return err
			}
			if external {
				rater.Name = outside(rater.Name)
			}
			t.add(itemID, rater, at, q.value(a), column)
			return nil
		}, ratingsSQL, q.DatasetID, tx.NowMs()-UndoFor.Milliseconds())
	})
	for i, cells := range t.Cells { // who first labelled a later item has a column here too
		t.Cells[i] = append(cells, make([]string, len(t.Raters)-len(cells))...)
	}
	return t, err
}

const ratingsSQL = `SELECT i.id, l.by_id, l.by_name, l.answer, l.at
	FROM dataset_item i JOIN labelling_answer l ON l.item_id = i.id AND l.first = 1 AND l.undone_at = 0
	WHERE i.dataset_id = $1 AND i.closed_at > 0 AND (i.revealed_at > 0 OR i.closed_at <= $2) AND i.planted = 0
		AND i.state IN ('labelled', 'disputed', 'adjudicated')
	ORDER BY i.n, l.by_id`

// add puts a label into the row of its item, which is the last, or one more.
func (t *Ratings) add(itemID string, rater Person, at time.Time, value string, column map[string]int) {
	col, ok := column[rater.ID]
	if !ok {
		col = len(t.Raters)
		column[rater.ID] = col
		t.Raters = append(t.Raters, rater)
	}
	last := len(t.Items) - 1
	if last < 0 || t.Items[last] != itemID {
		t.Items, t.At, t.Cells = append(t.Items, itemID), append(t.At, at), append(t.Cells, nil)
		last++
	}
	if cells := t.Cells[last]; len(cells) <= col {
		t.Cells[last] = append(cells, make([]string, col+1-len(cells))...)
	}
	t.Cells[last][col] = value
	if at.After(t.At[last]) {
		t.At[last] = at
	}
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
