package app

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/compliance/embedded"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/db"
)

const (
	precedentsEvery = 10 * time.Minute
	precedentsMost  = 400 // of the newest rulings, and of each gold set's texts, that serve as precedents
)

// LearnPrecedents tells the judge of precedents what experts ruled, and what the newest version of each gold set says. Only the split
// train teaches, and a ruling that a gold set holds teaches through that set alone: judges are measured on the rest.
func (a *App) LearnPrecedents(ctx context.Context) error {
	list, err := a.ruledPrecedents(ctx)
	if err != nil {
		return err
	}
	sets, err := a.Datasets.List(ctx)
	if err != nil {
		return err
	}
	for _, d := range sets {
		gold, err := a.goldPrecedents(ctx, d)
		if err != nil {
			return err
		}
		list = append(list, gold...)
	}
	a.precedents.Learn(list)
	return nil
}

func (a *App) ruledPrecedents(ctx context.Context) (list []embedded.Ruled, err error) {
	ruled, err := a.Borderline.RuledSince(ctx, time.UnixMilli(0), precedentsMost)
	if err != nil {
		return nil, err
	}
	err = a.DB.Read(ctx, func(tx *db.Tx) error {
		for _, c := range ruled {
			held, err := a.Datasets.OfSource(tx, dataset.FromRuling, c.Ruling.ID)
			if err != nil {
				return err
			}
			if len(held) > 0 {
				continue
			}
			r := embedded.Ruled{Text: c.Text, Fine: string(c.Ruling.Label) == measure.Compliant, By: "ruled on " + c.Ruling.At.Format("2 January 2006")}
			for _, m := range c.Codes() {
				r.Marks = append(r.Marks, embedded.Mark{Code: m.Code, Start: m.Start, End: m.End})
			}
			list = append(list, r)
		}
		return nil
	})
	return list, err
}

func (a *App) goldPrecedents(ctx context.Context, d dataset.Dataset) (list []embedded.Ruled, err error) {
	versions, err := a.Versions.List(ctx, d.ID)
	if err != nil || len(versions) == 0 {
		return nil, err
	}
	newest := versions[0]
	err = a.Versions.Each(ctx, newest.ID, version.Train, func(row *version.Row) error {
		if row.Erased || len(list) == precedentsMost {
			return nil
		}
		r := embedded.Ruled{Text: row.Guidance, Fine: row.Answer.Label == measure.Compliant, By: fmt.Sprintf("%s, version %d", newest.Head.Dataset, newest.Number)}
		for _, i := range row.Answer.Issues {
			r.Marks = append(r.Marks, embedded.Mark{Code: i.Code, Start: i.Start, End: i.End})
		}
		list = append(list, r)
		return nil
	})
	return list, err
}
