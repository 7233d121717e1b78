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

// Next asks the next consultation and tells its id. When all were asked it begins again, with people some years older.
func (a *Arrivals) Next(ctx context.Context) (string, error) {
	c := a.list[a.next%len(a.list)].Consultation
	round := a.next / len(a.list)
	a.next++
	if c.Customer.Age != nil && round > 0 {
		age := min(*c.Customer.Age+round, 90)
		c.Customer.Age = &age
	}
	by := audit.Actor{Kind: audit.Agent, ID: a.agent.ID, Name: a.agent.Name}
	return a.s.Interactions.Advise(ctx, c, a.agent.ID, a.agent.Name, interaction.OriginDemo, by, nil)
}

// Run asks one consultation every so often until ctx ends.
func (a *Arrivals) Run(ctx context.Context, every time.Duration, log *slog.Logger) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if _, err := a.Next(ctx); err != nil && ctx.Err() == nil {
				log.Warn("the demo's next consultation was not taken", "error", err)
			}
		}
	}
}
