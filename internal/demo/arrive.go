package demo

import (
	"context"
	"log/slog"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
)

// Arrivals sends a new consultation now and then, so that the desk is never quiet for long.
type Arrivals struct {
	s     Services
	agent account.Agent
	list  []asked
	next  int
}

// NewArrivals prepares the consultations that were not used by Seed.
func NewArrivals(ctx context.Context, s Services) (*Arrivals, error) {
	list, err := readConsultations()
	if err != nil {
		return nil, err
	}
	a := &Arrivals{s: s}
	if a.agent, err = s.Accounts.EnsureAgent(ctx, Agent, pack.Pension); err != nil {
		return nil, err
	}
	for _, c := range list {
		if c.Plan == later {
			a.list = append(a.list, c)
		}
	}
	return a, nil
}

// Next asks the next consultation and tells its id; empty when all were asked: the demo has no copies.
func (a *Arrivals) Next(ctx context.Context) (string, error) {
	if a.next == len(a.list) {
		return "", nil
	}
	c := a.list[a.next].Consultation
	a.next++
	by := audit.Actor{Kind: audit.Agent, ID: a.agent.ID, Name: a.agent.Name}
	return a.s.Interactions.Advise(ctx, c, a.agent.ID, a.agent.Name, interaction.OriginDemo, by, nil)
}

// Run asks one consultation every so often until there are no more.
func (a *Arrivals) Run(ctx context.Context, every time.Duration, log *slog.Logger) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			id, err := a.Next(ctx)
			if err != nil && ctx.Err() == nil {
				log.Warn("the demo's next consultation was not taken", "error", err)
			} else if id == "" {
				return
			}
		}
	}
}
