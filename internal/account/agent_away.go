package account

import (
	"context"
	"fmt"

	"preceptor/internal/audit"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Work is what would be lost from sight, or judged by another domain's checks, were an agent put away or moved.
type Work struct {
	Waiting   bool // drafts that nobody decided
	Released  bool // guidance that went out
	Knowledge bool // rules or cases of its own
}

const waits = "drafts that wait or can still be undone. Decide them under Reviews, or try again in a few minutes"

// PutAway takes an agent out of use, or back into it: while it is away it is offered nowhere, and its domain doesn't
// count as one that the desk works in. What it did and was taught stays. One with drafts that wait, or with a token
// that works, can't be put away: nobody would find what comes.
func (dir *Directory) PutAway(ctx context.Context, agentID string, away bool, by audit.Actor) (Agent, error) {
	return dir.changeAgent(ctx, agentID, func(tx *db.Tx, a *Agent, w Work) error {
		if a.Away == away {
			return nil
		}
		if err := mayRest(tx, *a, w); away && err != nil {
			return err
		}
		a.Away = away
		if err := dir.hooks.OnAway(tx, a.ID, away); err != nil {
			return err
		}
		action := map[bool]string{true: "agent.put_away", false: "agent.taken_back"}[away]
		return record(tx, by, action, "agent", a.ID, map[string]any{"name": a.Name})
	})
}

func mayRest(tx *db.Tx, a Agent, w Work) error {
	if w.Waiting {
		return fault.New(fault.Conflict, "%s has %s.", a.Name, waits)
	}
	tokens, err := TokensTx(tx)
	for _, t := range tokens {
		if t.AgentID == a.ID && t.RevokedAt.IsZero() && (t.ExpiresAt.IsZero() || tx.Now.Before(t.ExpiresAt)) {
			return fault.New(fault.Conflict, "%s has a token that works. Revoke it first.", a.Name)
		}
	}
	return err
}

// ChangePack moves an agent to another domain, while nothing rests on the one that it has.
func (dir *Directory) ChangePack(ctx context.Context, agentID, packName string, by audit.Actor) (Agent, error) {
	if _, ok := pack.Named(packName); !ok || packName == "" {
		return Agent{}, fault.Wrong("Choose a domain.", "to", "Choose a domain.")
	}
	return dir.changeAgent(ctx, agentID, func(tx *db.Tx, a *Agent, w Work) error {
		before, why := a.Pack, ""
		switch {
		case before == packName:
			return nil
		case w.Waiting:
			why = waits
		case w.Released:
			why = "sent guidance, which was checked as that of its domain. Add another agent"
		case w.Knowledge:
			why = "rules or cases of its own, which are of its domain. Add another agent"
		}
		if why != "" {
			return fault.New(fault.Conflict, "%s has %s.", a.Name, why)
		}
		a.Pack = packName
		if err := db.Exec(tx, "account: change a domain", `UPDATE agent SET pack = $1 WHERE id = $2`, packName,
			a.ID); err != nil {
			return err
		}
		return record(tx, by, "agent.domain_changed", "agent", a.ID,
			map[string]any{"before": before, "after": packName})
	})
}

func (dir *Directory) changeAgent(ctx context.Context, agentID string,
	change func(tx *db.Tx, a *Agent, w Work) error) (Agent, error) {
	return db.Write(ctx, dir.db, func(tx *db.Tx) (a Agent, err error) {
		if a, err = agentByID(tx, agentID); err != nil {
			return a, err
		}
		w, err := dir.hooks.Work(tx, agentID)
		if err != nil {
			return a, fmt.Errorf("account: what %s did: %w", agentID, err)
		}
		return a, change(tx, &a, w)
	})
}
