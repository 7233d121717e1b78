package app

import (
	"context"

	"preceptor/internal/knowledge/transfer"
	"preceptor/internal/pack"
)

// bases carries the knowledge from file to file, with agents by name.
func (a *App) bases() *transfer.Service {
	s := transfer.New(a.DB, a.Knowledge, transfer.Agents{
		Names: func(ctx context.Context) (map[string]string, error) {
			list, err := a.Accounts.Agents(ctx)
			names := make(map[string]string, len(list))
			for _, agent := range list {
				names[agent.ID] = agent.Name
			}
			return names, err
		},
		Ensure: func(ctx context.Context, name string) (string, error) {
			agent, err := a.Accounts.EnsureAgent(ctx, name, pack.Pension) // files don't say; those from before packs are of pensions
			return agent.ID, err
		},
	})
	s.Embed = func(ctx context.Context) error { return a.Knowledge.EnsureEmbedded(ctx, a.Jobs) }
	return s
}
