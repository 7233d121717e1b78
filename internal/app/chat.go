package app

import (
	"context"
	"fmt"

	"preceptor/internal/account"
	"preceptor/internal/advisor"
	"preceptor/internal/feedback/chat"
	"preceptor/internal/interaction"
	"preceptor/internal/llm"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
)

// chatRoom makes the place where people talk to observed agents. The model answers if there is one; else what people
// liked before, and the embedded advisor.
func (a *App) chatRoom(g llm.Generator, e llm.Embedder) *chat.Room {
	name, answer := advisor.EmbeddedName, chat.Liked(e, a.drafted)
	if g != nil {
		name, answer = g.Name(), chat.Prompted(g, a.Privacy)
	}
	return chat.New(a.DB, a.Interactions, a.Feedback, name, answer, chat.Hooks{Find: a.agentNamed, All: a.allAgents,
		Reviewed: a.underReview, Public: a.publicChat})
}

func (a *App) agentNamed(ctx context.Context, name string) (chat.Agent, error) {
	found, err := a.Accounts.AgentByName(ctx, name)
	if found.Away {
		err = fault.New(fault.NotFound, "%s is put away.", found.Name)
	}
	return chat.Agent{ID: found.ID, Name: found.Name}, err
}

func (a *App) allAgents(ctx context.Context) ([]chat.Agent, error) {
	list, err := a.Accounts.Agents(ctx)
	return lists.Map(list, func(one account.Agent) chat.Agent { return chat.Agent{ID: one.ID, Name: one.Name} }), err
}

// underReview reports whether people read what an agent writes before anybody gets it: it hands in guidance, ever did,
// or may. Who is meant to be talked to has no token that hands in.
func (a *App) underReview(ctx context.Context, agent chat.Agent) (bool, error) {
	return db.Read(ctx, a.DB, func(tx *db.Tx) (bool, error) { return a.underReviewTx(tx, agent.ID) })
}

func (a *App) underReviewTx(tx *db.Tx, agentID string) (bool, error) {
	if has, err := interaction.HandedInTx(tx, agentID); err != nil || has {
		return true, err
	}
	tokens, err := account.TokensTx(tx)
	if err != nil {
		return true, err
	}
	may, holds := false, false
	for _, t := range tokens {
		if t.AgentID == agentID {
			holds, may = true, may || t.Has(account.Submit)
		}
	}
	// An agent without any token was made by a page of the desk, where everything is reviewed.
	return may || !holds, nil
}

// publicChat reports whether somebody let customers without an account ask an agent.
func (a *App) publicChat(ctx context.Context, agent chat.Agent) (bool, error) {
	set, err := a.Signals.SettingsOf(ctx, agent.ID)
	return set.Chat, err
}

// drafted answers with what the embedded advisor makes of what is known.
func (a *App) drafted(ctx context.Context, q chat.Question) (chat.Answer, error) {
	agent, err := a.Accounts.Agent(ctx, q.Agent.ID)
	if err != nil {
		return chat.Answer{}, err
	}
	s := pack.Situation{Question: q.Text, Pack: agent.Pack, At: a.DB.Now()}
	s.Task = pack.Of(agent.Pack).TopicOf(q.Text)
	d, err := a.Advisor.Answer(ctx, agent.ID, s)
	if err != nil {
		return chat.Answer{}, fmt.Errorf("app: draft for a chat: %w", err)
	}
	return chat.Answer{Text: d.Text, By: advisor.EmbeddedName, Topic: s.Task}, nil
}

// address is the whole address of a page of ours, or its path alone while nobody knows where the server is.
func (a *App) address(path string) string {
	if a.cfg.PublicURL == "" && a.Addr() == "" {
		return path
	}
	return a.URL() + path
}
