package app

import (
	"context"

	"preceptor/internal/account"
	"preceptor/internal/evidence"
	"preceptor/internal/evidence/duty"
	"preceptor/internal/evidence/history"
	"preceptor/internal/platform/lists"
)

// teller makes the evidence packs of interactions.
func (a *App) teller() *history.Teller {
	return &history.Teller{DB: a.DB, Maker: evidence.New(a.DB), Interactions: a.Interactions, Compliance: a.Compliance,
		Borderline: a.Borderline, Reviews: a.Reviews,
		Knowledge: a.Knowledge, Learning: a.Learning, Comments: a.Comments, Delivery: a.Delivery, Feedback: a.Feedback}
}

// reporter makes Consumer Duty packs.
func (a *App) reporter() *duty.Reporter {
	return &duty.Reporter{DB: a.DB, Maker: evidence.New(a.DB), Stats: a.Stats, Reviews: a.Reviews,
		Interactions: a.Interactions, Feedback: a.Feedback, Zone: a.Zone,
		Agents: func(ctx context.Context) ([]string, error) {
			list, err := a.Accounts.Agents(ctx)
			return lists.Map(list, func(g account.Agent) string { return g.Name }), err
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
