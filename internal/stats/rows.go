package stats

import (
	"context"
	"slices"
	"strings"

	"preceptor/internal/db"
	"preceptor/internal/db/keyset"
	"preceptor/internal/fault"
	"preceptor/internal/stats/tally"
)

// How far a page of rows walks.
const (
	rowLimit  = 50
	rowsMost  = 200
	walkPiece = 1_000
	walkMost  = 10_000 // rows looked at for a page; then the cursor is handed out, with fewer rows or none
)

// walk is a list of raw rows along an index of two columns, a time and an id, newest first.
type walk struct {
	query  string // SELECT ... FROM ... WHERE ..., without the range
	args   []any  // of query
	at, id string // the two columns, which scan reads first
	scan   func(rows db.Row) (r Row, keep bool, err error)
}

// sources are the walks behind the figures, by Figure.Key.
func sources(tx *db.Tx, f Filter, q RowQuery) (walk, error) {
	of := q.Of
	switch of {
	case "waited_p90":
		of = "waited"
	case "on_case_p90":
		of = "on_case"
	}
	switch {
	case slices.Contains(voteFigures, of):
		return voteWalk(f, of, q.Search), nil
	case slices.Contains(decisionFigures, of), strings.HasPrefix(of, "decision."):
		team, err := teamOf(tx, f)
		return decisionWalk(f, of, q.Person, team), err
	case of == "agreement", of == "hasty":
		team, err := teamOf(tx, f)
		return signedWalk(f, of, q.Person, team), err
	case of == "second":
		team, err := teamOf(tx, f)
		return secondWalk(f, q.Person, team), err
	case of == "outcomes", outcomeColumns[of] != "":
		return outcomeWalk(f, of), nil
	case of == "drafts", of == "compliance":
		return draftWalk(f), nil
	case of == "missed", of == "false_alarm":
		return foundWalk(f, of), nil
	case of == "borderline", strings.HasPrefix(of, "borderline.") && of != "borderline_open":
		return borderlineWalk(f, of), nil
	case of == "rulings", of == "panel", strings.HasPrefix(of, "ruling."):
		return rulingWalk(f, of), nil
	case of == "quality":
		team, err := teamOf(tx, f)
		return ratingWalk(f, team), err
	case of == "planted":
		team, err := teamOf(tx, f)
		return plantedWalk(f, q.Person, team), err
	case of == "lessons", of == "lessons_accepted", of == "lessons_kept":
		return lessonWalk(f, of), nil
	}
	return walk{}, fault.New(fault.Invalid, "There are no rows for %q.", q.Of)
}

func teamOf(tx *db.Tx, f Filter) ([]string, error) {
	if f.Team == "" {
		return nil, nil
	}
	return members(tx, f.Team)
}

// HasRows tells whether Rows knows the figure of a key.
func HasRows(key string) bool {
	switch key {
	case "queue", "late", "logged", "borderline_open", "consultations", "":
		return false
	}
	_, err := sources(nil, Filter{}, RowQuery{Of: key})
	return err == nil
}

// OwnRows tells whether the rows of a figure are one person's when a person is asked for: what everybody may see of themselves.
func OwnRows(key string) bool {
	switch key {
	case tally.Hasty, tally.Second, "planted", tally.OnCase, "decisions":
		return true
	}
	return slices.Contains(standing, key)
}

// Rows reads the rows behind a figure, newest first: of a share, its whole. A page may hold fewer rows than its limit, or none, and
// have a next one all the same. Invalid for a figure or a cursor that there isn't.
func (r *Reader) Rows(ctx context.Context, f Filter, q RowQuery) (p RowPage, err error) {
	f = r.zoned(f)
	if _, ok := f.subject(); !ok {
		return p, nil
	}
	err = r.read(ctx, func(tx *db.Tx) error {
		w, err := sources(tx, f, q)
		if err != nil {
			return err
		}
		p, err = w.page(tx, f, q)
		return err
	})
	return p, err
}

// Comments reads the votes with words of a range, newest first: q.Of is "", vote.positive, vote.negative or vote.neutral.
func (r *Reader) Comments(ctx context.Context, f Filter, q RowQuery) (p RowPage, err error) {
	f = r.zoned(f)
	if _, ok := f.subject(); !ok {
		return p, nil
	}
	if q.Of != "" && !slices.Contains(votes, q.Of) {
		return p, fault.New(fault.Invalid, "There are no comments for %q.", q.Of)
	}
	w := voteWalk(f, q.Of, q.Search)
	w.query += withWords
	err = r.read(ctx, func(tx *db.Tx) error {
		p, err = w.page(tx, f, q)
		return err
	})
	return p, err
}

// withWords narrows a walk of votes to those with words.
const withWords = ` AND text <> ''`

// piece is one piece of the walk: of what is since a time, in milliseconds, the rows behind a place.
func (w walk) piece(since int64, from keyset.Place) (query string, args []any) {
	args = append(slices.Clone(w.args), since)
	return keyset.Order{At: w.at, ID: w.id}.Page(w.query+` AND `+w.at+` >= `+db.In(len(args), 1), args, from, walkPiece)
}

// page walks until it has enough rows, or has looked at enough.
func (w walk) page(tx *db.Tx, f Filter, q RowQuery) (p RowPage, err error) {
	limit := min(q.Limit, rowsMost)
	if limit <= 0 {
		limit = rowLimit
	}
	at, err := fromPlace(f, q)
	if err != nil {
		return p, err
	}
	for seen := 0; seen < walkMost; {
		piece := 0
		query, args := w.piece(db.Ms(f.From), at)
		err := each(tx, query, args, func(rows db.Row) error {
			if len(p.Rows) == limit {
				return nil
			}
			row, keep, err := w.scan(rows)
			if err != nil {
				return err
			}
			at, piece = keyset.At(row.At, row.ID), piece+1
			if keep {
				p.Rows = append(p.Rows, row)
			}
			return nil
		})
		if err != nil {
			return p, err
		}
		if seen += piece; len(p.Rows) < limit && piece < walkPiece {
			return p, nil // the end
		}
		if len(p.Rows) == limit {
			break
		}
	}
	p.Next = at.Cursor()
	return p, nil
}

// fromPlace is where a page of rows begins: behind the cursor, or at the end of the range, which is not in it.
func fromPlace(f Filter, q RowQuery) (keyset.Place, error) {
	if q.After == "" {
		return keyset.At(f.To, ""), nil
	}
	return keyset.Parse(q.After)
}

// fits tells whether a row is within the filter's agent and topic.
func (f Filter) fits(agent, topic string) bool {
	want, ok := f.subject()
	return ok && (f.Agent == "" || f.Agent == agent) && (want == "" || topicOf(want) == topic)
}

// Choice is one value that a filter takes.
type Choice struct{ Value, Label string }

// Choices are the values that the filters take: the agents and topics that there was any figure of, by name, and the teams.
type Choices struct{ Agents, Topics, Teams []Choice }
