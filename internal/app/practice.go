package app

import (
	"context"

	"preceptor/internal/account"
	"preceptor/internal/practice"
)

// School is a school for an agent on this program's base, which learns what is practised: for a file of its own.
func (a *App) School(agent account.Agent) (*practice.School, error) {
	p, err := practice.Of(agent.Pack)
	if err != nil {
		return nil, err
	}
	return &practice.School{
		Room:   practice.Room{AgentID: agent.ID, Advise: a.Advisor.Practise, Check: a.Validator.Checks().Check, Customer: practice.NewEmbedded(p)},
		People: p, DB: a.DB, Knowledge: a.Knowledge, Learning: a.Learning, Drain: func(ctx context.Context) error { return a.Jobs.Drain(ctx) },
	}, nil
}
