package dataset

import (
	"context"
	"fmt"
	"slices"

	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/decimal"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// recent is how many answers the median is taken of.
const recent = 200

// Progress is how far the set is, for one person.
func (s *Store) Progress(ctx context.Context, datasetID string, who Person) (p Progress, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		d, err := getTx(tx, datasetID)
		if err != nil {
			return err
		}
		c := d.Counts
		p.All = Overall{Items: c.Items, Complete: c.Labelled + c.Disputed + c.Adjudicated, Labels: c.Labels,
			Wanted: c.Wanted}
		p.Percent = decimal.PercentOf(p.All.Complete, c.Items)
		if p.All.Complete > 0 {
			if err := db.One(tx, "dataset: count how items became complete", `SELECT
				count(*) FILTER (WHERE final_why = 'import' AND final_by_id <> ''), -- raters who agree are nobody's id
				count(*) FILTER (WHERE revealed_at = 0 AND closed_at > $1)
				FROM dataset_item WHERE dataset_id = $2 AND state IN ('labelled', 'disputed', 'adjudicated')
				AND planted = 0`, tx.NowMs()-UndoFor.Milliseconds(), datasetID).
				Scan(&p.All.Imported, &p.All.Settling); err != nil {
				return err
			}
		}
		f, err := personFigure(tx, datasetID, who.ID)
		p.Mine = Mine{Done: f.Done, Skipped: f.Skipped, MeanMs: f.MeanMs}
		if err != nil || d.State != Open || who.ID == "" {
			return err
		}
		if _, err = s.labellerTx(tx, datasetID, who); fault.Is(err, fault.Denied) {
			return nil
		}
		// Checks count on both sides, so that the number falls by one with each answer, until only they are left.
		var checks, had, hadChecks int
		err = db.One(tx, "dataset: count what is left", `SELECT
			(SELECT count(*) FROM dataset_item WHERE dataset_id = $1 AND state = 'open' AND planted = 1),
			count(*), coalesce(sum(i.planted), 0) FROM labelling_turn t JOIN dataset_item i ON i.id = t.item_id
			WHERE t.set_id = $1 AND t.person_id = $2 AND t.state IN ('done', 'seen') AND i.state = 'open'`,
			datasetID, who.ID).Scan(&checks, &had, &hadChecks)
		if left := c.Open - (had - hadChecks); left > 0 {
			p.Left = left + checks - hadChecks
		}
		return err
	})
	return p, err
}

const figureColumns = `SELECT person_id, name, done, skipped, flagged, spent_ms, checks, correct, last_at
	FROM dataset_person`

func scanFigure(s db.Row) (f Figure, err error) {
	var spent, last int64
	if err := s.Scan(&f.ID, &f.Name, &f.Done, &f.Skipped, &f.Flagged, &spent, &f.Checks, &f.Right, &last); err != nil {
		return f, fmt.Errorf("dataset: read a figure: %w", err)
	}
	if f.LastAt = db.Time(last); f.Done > 0 {
		f.MeanMs = spent / int64(f.Done)
	}
	return f, nil
}

func personFigure(tx *db.Tx, datasetID, personID string) (Figure, error) {
	f, _, err := db.First(tx, "dataset: read a figure", scanFigure,
		figureColumns+` WHERE dataset_id = $1 AND person_id = $2`, datasetID, personID)
	f.Person.ID = personID
	return f, err
}

// Figures are those of everybody who took part, by name, for those who manage the set; one's own move in steps here,
// too.
func (s *Store) Figures(ctx context.Context, datasetID string, who Person) (list []Figure, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) (err error) {
		if err := may(s.MayManage, tx, who); err != nil {
			return err
		}
		list, err = db.List(tx, "dataset: read figures", scanFigure, figureColumns+`
			WHERE dataset_id = $1 AND (done > 0 OR skipped > 0)
			ORDER BY name, person_id`, datasetID)
		if err != nil {
			return err
		}
		for i := range list {
			if list[i].MedianMs, err = medianTx(tx, datasetID, list[i].ID); err != nil {
				return err
			}
			if list[i].ID == who.ID {
				if err := stepTx(tx, datasetID, &list[i]); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return list, err
}

// OwnFigure is one's own. Checks and Right are those of the first answers to check items, cut to whole steps of
// FigureStep: a figure that moved with each answer would tell which items are checks.
func (s *Store) OwnFigure(ctx context.Context, datasetID string, who Person) (f Figure, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		if f, err = personFigure(tx, datasetID, who.ID); err != nil {
			return err
		}
		if err := stepTx(tx, datasetID, &f); err != nil {
			return err
		}
		f.MedianMs, err = medianTx(tx, datasetID, who.ID)
		return err
	})
	return f, err
}

// stepTx cuts what a person knows of their checks to whole steps.
func stepTx(tx *db.Tx, datasetID string, f *Figure) error {
	f.Checks -= f.Checks % FigureStep
	return db.One(tx, "dataset: read a figure", `SELECT count(*) FILTER (WHERE outcome = 1)
		FROM (SELECT outcome FROM labelling_answer
		WHERE set_id = $1 AND by_id = $2 AND outcome <> 0 AND standing = 1
		ORDER BY at, id LIMIT $3) AS first`, datasetID, f.ID, f.Checks).Scan(&f.Right)
}

// medianTx is the median time of the last answers.
func medianTx(tx *db.Tx, datasetID, personID string) (int64, error) {
	all, err := db.Column[int64](tx, "dataset: read times", `SELECT spent_ms FROM labelling_answer
		WHERE set_id = $1 AND by_id = $2 ORDER BY at DESC, id DESC LIMIT $3`, datasetID, personID, recent)
	slices.Sort(all)
	return int64(estimate.Quantile(all, 0.5)), err
}

// MyLabel is an answer of mine, or an item that I passed over, for the rail of the last ones.
type MyLabel struct {
	Label
	Skipped string // the reason; then there is no answer, only an item and a time
	Opening string // the first words of the guidance
	CanUndo bool
}

// Mine lists my standing answers and what I passed over in a set, newest first, at most limit of them (25 when 0).
func (s *Store) Mine(ctx context.Context, datasetID string, who Person, limit int) (list []MyLabel, err error) {
	if limit, err = keyset.Limit(limit); err != nil {
		return nil, err
	}
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		said, err := labelling.Mine(tx, datasetID, who.ID, limit)
		if err != nil {
			return err
		}
		for _, a := range said {
			m := MyLabel{Label: Label{ItemID: a.Item, At: a.At}}
			if a.ID != "" {
				m.Label, err = labelOf(a)
			} else {
				m.Skipped, err = db.Value[string](tx, "dataset: read why it was skipped",
					`SELECT reason FROM dataset_skip
					WHERE item_id = $1 AND by_id = $2 ORDER BY at DESC, id DESC LIMIT 1`, a.Item, who.ID)
			}
			if err != nil {
				return err
			}
			list = append(list, m)
		}
		for i := range list {
			m := &list[i]
			r, err := itemTx(tx, m.ItemID)
			if err != nil {
				return err
			}
			m.Opening, m.CanUndo = text.Opening(r.Guidance, 90), r.undoable(tx.Now)
			if m.Skipped != "" {
				m.CanUndo = r.State == ItemOpen
			}
		}
		return nil
	})
	return list, err
}
