package app

import (
	"context"
	"slices"

	"preceptor/internal/evidence"
	"preceptor/internal/evidence/duty"
	"preceptor/internal/evidence/history"
)

// teller makes the evidence packs of interactions.
func (a *App) teller() *history.Teller {
	return &history.Teller{DB: a.DB, Maker: evidence.New(a.DB), Interactions: a.Interactions, Compliance: a.Compliance,
		Borderline: a.Borderline, Reviews: a.Reviews,
		Knowledge: a.Knowledge, Learning: a.Learning, Comments: a.Comments, Delivery: a.Delivery, Feedback: a.Feedback}
}

// reporter makes reports on periods.
func (a *App) reporter() *duty.Reporter {
	return &duty.Reporter{DB: a.DB, Maker: evidence.New(a.DB), Stats: a.Stats, Reviews: a.Reviews,
		Interactions: a.Interactions, Feedback: a.Feedback, Zone: a.Zone,
		Agents: func(ctx context.Context) (names, packs []string, err error) {
			list, err := a.Accounts.Agents(ctx)
			if err != nil {
				return nil, nil, err
			}
			for _, g := range list {
				names, packs = append(names, g.Name), append(packs, g.Pack)
			}
			c, err := a.Stats.Choices(ctx) // some whose votes are counted were never made here
			for _, one := range c.Agents {
				names = append(names, one.Label)
			}
			slices.Sort(names)
			return slices.Compact(names), packs, err
		}}
}

// checkPack holds a pack against its seal and against this desk's log.
func (a *App) checkPack(ctx context.Context, file []byte) (evidence.Report, error) {
	rep, err := evidence.Verify(file, nil)
	if err != nil {
		return rep, err
	}
	return rep, rep.Against(ctx, a.DB, nil)
}
