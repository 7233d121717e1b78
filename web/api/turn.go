package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"preceptor/internal/account"
	"preceptor/internal/lists"
	"preceptor/internal/signal"
	"preceptor/internal/signal/turn"
)

// turnBody is what an agent did and what came back: seeds 002 to 004.
type turnBody struct {
	ID        string     `json:"id,omitempty" doc:"Your own id of this turn. Sent again, it is not recorded twice."`
	Agent     string     `json:"agent,omitempty" doc:"Your agent's name; the token says it too."`
	SessionID string     `json:"session_id,omitempty" doc:"The session, as you name it. It ends by a call, or after 30 minutes without a turn."`
	UserID    string     `json:"user_id,omitempty" doc:"Whose session it is, as you name them. Send no name or address of a person."`
	Query     string     `json:"query,omitempty" doc:"What was asked, at most 100,000 bytes."`
	Response  string     `json:"response,omitempty" doc:"What was answered, at most 100,000 bytes."`
	Model     string     `json:"model,omitempty" doc:"Which model answered."`
	Task      string     `json:"task,omitempty" doc:"What kind of work it is, as spatial_qa. Notes go by it."`
	Action    string     `json:"action,omitempty" doc:"What the agent did, in a few words, as split_file:proxy.go:3. What is done often and approved is noticed."`
	Reaction  string     `json:"reaction,omitempty" doc:"What the user said to it."`
	Steps     freeList   `json:"steps,omitempty" doc:"The tools that were used: objects with tool, input, output and error. Evaluators read them."`
	Context   freeObject `json:"context,omitempty" doc:"file, language, project, and any other keys. Rules are scoped by the first three."`
}

type turnAnswer struct {
	ID string `json:"id" doc:"Of the turn."`
}

// sessionBody ends a session.
type sessionBody struct {
	SessionID string     `json:"session_id,omitempty" doc:"As in the turns; left out where they name none."`
	UserID    string     `json:"user_id,omitempty" doc:"As in the turns."`
	Codebase  freeObject `json:"codebase,omitempty" doc:"What preceptor scan --json wrote about the project, so that following its patterns is noticed."`
}

type sessionAnswer struct {
	ID        string `json:"id"`
	SessionID string `json:"session_id"`
	State     string `json:"state" enum:"open,ended,told" doc:"ended: its turns are being looked through; told: the summary stands."`
	Turns     int    `json:"turns"`
	signal.Told
	Text      string           `json:"text" doc:"The summary in a sentence."`
	Proposals []proposalAnswer `json:"proposals" doc:"They wait for a person, and change nothing until one approves them."`
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
	State      string   `json:"state" enum:"open,approved,rejected,kept"`
}

const turnTag = "Turns"

func (h *handlers) mountTurns(a huma.API) {
	take(h, a, huma.Operation{
		OperationID: "record-turn", Method: http.MethodPost, Path: "/api/turns", DefaultStatus: http.StatusCreated, Tags: []string{turnTag},
		Summary:     "Record a turn",
		Description: "What your agent did and what the user said to it. What is noticed waits for a person; evaluators' issues come back as notes.",
	}, account.Feedback, h.recordTurn)
	take(h, a, huma.Operation{
		OperationID: "end-session", Method: http.MethodPost, Path: "/api/sessions/end", DefaultStatus: http.StatusAccepted, Tags: []string{turnTag}, Errors: []int{http.StatusNotFound},
		Summary:     "End a session",
		Description: "Its turns are looked through, and what is proposed stands in its summary.",
	}, account.Feedback, h.endSession)
	give(h, a, huma.Operation{
		OperationID: "get-session", Method: http.MethodGet, Path: "/api/sessions/{id}", Tags: []string{turnTag}, Errors: []int{http.StatusNotFound},
		Summary:     "Read a session's summary",
		Description: "How many behaviours were corrected, how many patterns were noticed, and what is proposed.",
	}, account.Feedback, h.getSession)
	h.mountSignals(a)
}

func (h *handlers) recordTurn(ctx context.Context, c *call, _ *struct{}, body turnBody) (out turnAnswer, err error) {
	if err := c.ownAgent(body.Agent); err != nil {
		return out, err
	}
	t := turn.Turn{Ref: body.ID, AgentID: c.token.AgentID, Agent: c.token.AgentName, Session: body.SessionID, User: body.UserID, Query: body.Query, Response: body.Response, Model: body.Model,
		Task: body.Task, Action: body.Action, Reaction: body.Reaction, Steps: turn.StepsOf(body.Steps.raw), Source: doorOf(ctx)}
	if t.Context, err = body.Context.object(); err == nil {
		out.ID, err = h.Signals.Record(ctx, t)
	}
	return out, err
}

func (h *handlers) endSession(ctx context.Context, c *call, _ *struct{}, body sessionBody) (out sessionAnswer, err error) {
	if len(body.Codebase.raw) > 0 {
		if err := h.Signals.Scanned(ctx, c.token.AgentID, body.Codebase.raw); err != nil {
			return out, err
		}
	}
	id, err := h.Signals.End(ctx, c.token.AgentID, body.UserID, body.SessionID)
	if err != nil {
		return out, err
	}
	return h.sessionOf(ctx, id)
}

func (h *handlers) getSession(ctx context.Context, in *struct {
	ID string `path:"id"`
}) (sessionAnswer, error) {
	return h.sessionOf(ctx, in.ID)
}

func (h *handlers) sessionOf(ctx context.Context, id string) (sessionAnswer, error) {
	s, err := h.Signals.Summary(ctx, id, callOf(ctx).token.AgentID)
	return sessionAnswer{ID: s.ID, SessionID: s.Name, State: s.State, Turns: s.Turns, Told: s.Told, Text: s.Sentence(), Proposals: append([]proposalAnswer{}, lists.Map(s.Proposals(), proposalOf)...)}, err
}

func proposalOf(g signal.Signal) proposalAnswer {
	return proposalAnswer{ID: g.ID, Kind: g.Kind, Category: g.Category, Scope: g.Scope, Content: g.Content, Evidence: append([]string{}, g.Evidence...), Confidence: g.Confidence,
		Priority: g.Priority, State: g.State}
}
