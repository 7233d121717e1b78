package app

import (
	"cmp"
	"context"

	"preceptor/internal/knowledge/transfer"
	"preceptor/internal/pack"
)

// bases carries the knowledge from file to file, with agents by name.
func (a *App) bases() *transfer.Service {
	s := transfer.New(a.DB, a.Knowledge, transfer.Agents{
		Names: func(ctx context.Context) (map[string]transfer.Agent, error) {
			list, err := a.Accounts.AllAgents(ctx)
			names := make(map[string]transfer.Agent, len(list))
			for _, agent := range list {
				names[agent.ID] = transfer.Agent{Name: agent.Name, Pack: agent.Pack}
			}
			return names, err
		},
		Ensure: func(ctx context.Context, named transfer.Agent) (string, error) {
			agent, err := a.Accounts.EnsureAgent(ctx, named.Name, cmp.Or(named.Pack, pack.Pension))
			return agent.ID, err
		},
	})
	s.Embed = func(ctx context.Context) error { return a.Knowledge.EnsureEmbedded(ctx, a.Jobs) }
	return s
}
