package api

import (
	"context"

	"preceptor/internal/platform/lists"
	"preceptor/internal/signal"
	"preceptor/internal/signal/evaluator"
	"preceptor/internal/signal/observe"
	"preceptor/internal/signal/turn"
	"preceptor/web/api/inproc"
)

// turnBody is what an agent did and what came back: seeds 002 to 004.
type turnBody struct {
	ID        string     `json:"id,omitempty" doc:"Your own id for this turn. The same id is recorded only once."`
	Agent     string     `json:"agent,omitempty" doc:"Your agent's name; the token says it too."`
	SessionID string     `json:"session_id,omitempty" doc:"Your id for the session. It ends when you end it, or after 30 minutes without a turn."`
	UserID    string     `json:"user_id,omitempty" doc:"Your id for the session's user. Don't send names or addresses of people."`
	Query     string     `json:"query,omitempty" doc:"What was asked, at most 100,000 bytes."`
	Response  string     `json:"response,omitempty" doc:"What was answered, at most 100,000 bytes."`
	Model     string     `json:"model,omitempty" doc:"Which model answered."`
	Task      string     `json:"task,omitempty" doc:"The kind of work, such as spatial_qa. Notes depend on it."`
	Action    string     `json:"action,omitempty" doc:"What the agent did, in a few words, such as split_file:proxy.go:3. Frequent approved actions are detected."`
	Reaction  string     `json:"reaction,omitempty" doc:"The user's reply."`
	Type      string     `json:"type,omitempty" enum:"success,failure,pattern,reinforcement,neutral" doc:"What you take the reply for: your failure, pattern or reinforcement holds where the user's own words don't say."`
	QueryIdx  *int       `json:"query_idx,omitempty" doc:"Which query it is about, as you count them; the evaluators' results have it too."`
	Steps     freeList   `json:"steps,omitempty" doc:"The tools used: objects with tool, input, output and error. Evaluators read them."`
	Context   freeObject `json:"context,omitempty" doc:"file, language, project, and any other keys. Rules are scoped by the first three."`
}

type turnAnswer struct {
	ID string `json:"id" doc:"The turn's id."`
}

// sessionBody ends a session.
type sessionBody struct {
	SessionID string     `json:"session_id,omitempty" doc:"As in the turns; leave out if they have none."`
	UserID    string     `json:"user_id,omitempty" doc:"As in the turns."`
	Codebase  freeObject `json:"codebase,omitempty" doc:"The output of preceptor scan --json for the project, or an object of that form with patterns by name, each with a description and a confidence, so that we can tell when its patterns are followed."`
}

type sessionAnswer struct {
	ID        string `json:"id"`
	SessionID string `json:"session_id"`
	State     string `json:"state" enum:"open,ended,told" doc:"ended: its turns are being analysed; told: the summary is ready."`
	Turns     int    `json:"turns"`
	signal.Told
	Text      string           `json:"text" doc:"The summary in a sentence."`
	Proposals []proposalAnswer `json:"proposals" doc:"They change nothing until a person approves them."`
}

type proposalAnswer struct {
	ID         string   `json:"id"`
	Kind       string   `json:"kind" enum:"proposal,learning"`
	Category   string   `json:"category"`
	Scope      string   `json:"scope"`
	Content    string   `json:"content"`
	Evidence   []string `json:"evidence"`
	Confidence float64  `json:"confidence"`
	Priority   int      `json:"priority"`
	State      string   `json:"state" enum:"open,noted,approved,rejected,kept" doc:"noted: a correction for that time only; it waits for nobody."`
	Replaces   []string `json:"replaces,omitempty" doc:"Ids of the learnings that it sums up and stands in place of, once approved."`
	Effect     *effect  `json:"effect,omitempty" doc:"Of one that is approved or kept: what came of it."`
}

// effect is what came of a learning, counted in sessions.
type effect struct {
	Shown    int `json:"shown" doc:"Sessions in which recall gave it to the agent."`
	Followed int `json:"followed" doc:"Of those, in which the user didn't ask for it again."`
	Again    int `json:"corrected_again" doc:"Of those, in which the user did."`
}

type learningsAnswer struct {
	Items []proposalAnswer `json:"items" doc:"At most 100, the newest first."`
}

func (h *handlers) learnings(ctx context.Context, _ *struct{}) (out learningsAnswer, err error) {
	list, err := h.Signals.InUse(ctx, callOf(ctx).token.AgentID)
	return learningsAnswer{append([]proposalAnswer{}, lists.Map(list, proposalOf)...)}, err
}

func (h *handlers) recordTurn(ctx context.Context, c *call, _ *struct{}, body turnBody) (out turnAnswer, err error) {
	if err := c.ownAgent(body.Agent); err != nil {
		return out, err
	}
	t := turn.Turn{Ref: body.ID, AgentID: c.token.AgentID, Agent: c.token.AgentName, Session: body.SessionID,
		User: body.UserID, Query: body.Query, Response: body.Response, Model: body.Model,
		Task: body.Task, Action: body.Action, Reaction: body.Reaction, Steps: turn.StepsOf(body.Steps.raw),
		Source: inproc.DoorOf(ctx)}
	t.Context, err = body.Context.object()
	if t.Context == nil {
		t.Context = map[string]any{}
	}
	if body.Type != "" {
		t.Context[observe.KindKey] = body.Type
	}
	if body.QueryIdx != nil {
		t.Context[evaluator.QueryIdxKey] = *body.QueryIdx
	}
	if err == nil {
		out.ID, err = h.Signals.Record(ctx, t)
	}
	return out, err
}

func (h *handlers) endSession(ctx context.Context, c *call, _ *struct{},
	body sessionBody) (out sessionAnswer, err error) {
	id, err := h.Signals.End(ctx, c.token.AgentID, body.UserID, body.SessionID, body.Codebase.raw)
	if err != nil {
		return out, err
	}
	return h.sessionOf(ctx, id)
}

func (h *handlers) getSession(ctx context.Context, in *struct {
	ID string `path:"id" doc:"The session's id, or your own session_id."`
}) (sessionAnswer, error) {
	return h.sessionOf(ctx, in.ID)
}

func (h *handlers) sessionOf(ctx context.Context, id string) (sessionAnswer, error) {
	s, err := h.Signals.Summary(ctx, id, callOf(ctx).token.AgentID)
	return sessionAnswer{ID: s.ID, SessionID: s.Name, State: s.State, Turns: s.Turns, Told: s.Told, Text: s.Sentence(),
		Proposals: append([]proposalAnswer{}, lists.Map(s.Proposals(), proposalOf)...)}, err
}

func proposalOf(g signal.Signal) proposalAnswer {
	var came *effect
	if g.State == signal.Approved || g.State == signal.Kept {
		came = &effect{g.Shown, g.Followed(), g.Again}
	}
	return proposalAnswer{Effect: came, Replaces: g.Sums(), ID: g.ID, Kind: g.Kind, Category: g.Category,
		Scope: g.Scope, Content: g.Content, Evidence: append([]string{}, g.Evidence...), Confidence: g.Confidence,
		Priority: g.Priority, State: g.State}
}
