package api

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"preceptor/internal/platform/fault"
	"preceptor/internal/signal"
	"preceptor/internal/signal/evaluator"
	"preceptor/internal/signal/learned"
	"preceptor/internal/signal/observe"
	"preceptor/internal/signal/turn"
)

// reportBody is what evaluators of an agent's own found: records of seed 003.
type reportBody struct {
	TurnID  string             `json:"turn_id,omitempty" doc:"The turn they are about, as returned by POST /api/turns."`
	Model   string             `json:"model,omitempty" doc:"The model that was evaluated."`
	Task    string             `json:"task,omitempty" doc:"For example spatial_qa. Notes depend on it and on the model."`
	Results []evaluator.Result `json:"results,omitempty" doc:"1 to 1,000 results."`
	File    string             `json:"file,omitempty" maxLength:"2097152" doc:"Or the unchanged text of resultdicttojsonl_{model}_{task}.jsonl."`
}

type reportAnswer struct {
	Stored int    `json:"stored"`
	TooOld int    `json:"too_old,omitempty" doc:"How many of them are stored as history alone: notes are made of the last 30 days."`
	Note   string `json:"note,omitempty" doc:"The same in words."`
}

type notesAnswer struct {
	Prompt   string              `json:"prompt" doc:"The notes as a block for a prompt; empty if there are none."`
	Sections []evaluator.Section `json:"sections"`
}

// fileBody brings a file of observations: seed 002.
type fileBody struct {
	UserID string     `json:"user_id,omitempty" doc:"Your id for the session's user."`
	File   freeObject `json:"file" doc:"agent_observations.json: session_id, observations and proposals, at most 1,000. Proposals wait for a person."`
}

// learningsBody brings a LEARNINGS.md: seed 004.
type learningsBody struct {
	Markdown string `json:"markdown" maxLength:"1048576" doc:"The file. New entries wait for a person."`
}

// reactionsBody is what a user did with reminders: seed 004.
type reactionsBody struct {
	UserID    string             `json:"user_id,omitempty" doc:"Your id for the user who got the reminders."`
	Reactions []learned.Reaction `json:"reactions" doc:"1 to 1,000."`
}

type remindersAnswer struct {
	Items []learned.Slice `json:"items" doc:"What works when, most reliable first within hours, parts of the day and triggers."`
}

// mostFile is how many bytes a file of observations may have; the body has a bound of its own.
const mostFile = 2 << 20

func (h *handlers) react(ctx context.Context, c *call, _ *struct{}, body reactionsBody) (reportAnswer, error) {
	return reportAnswer{Stored: len(body.Reactions)},
		h.Signals.React(ctx, c.token.AgentID, c.token.AgentName, body.UserID, body.Reactions)
}

func (h *handlers) reminders(ctx context.Context, in *struct {
	UserID string `query:"user_id" doc:"Only this user's."`
}) (remindersAnswer, error) {
	list, err := h.Signals.Reminders(ctx, callOf(ctx).token.AgentID, in.UserID)
	return remindersAnswer{append([]learned.Slice{}, list...)}, err
}

func (h *handlers) importLearnings(ctx context.Context, c *call, _ *struct{},
	body learningsBody) (signal.Imported, error) {
	return h.Signals.ImportLearnings(ctx,
		turn.Turn{AgentID: c.token.AgentID, Agent: c.token.AgentName}, body.Markdown)
}

func (h *handlers) exportLearnings(ctx context.Context, in *struct {
	Waiting bool `query:"waiting" doc:"With what waits for approval, for people to look through. Don't give that to the agent."`
}) (*huma.StreamResponse, error) {
	agent := callOf(ctx).token.AgentID
	return download("text/markdown", "LEARNINGS.md", func(w io.Writer) error {
		return h.Signals.WriteLearnings(ctx, agent, in.Waiting, w)
	})
}

func (h *handlers) report(ctx context.Context, c *call, _ *struct{}, body reportBody) (out reportAnswer, err error) {
	list := body.Results
	if body.File != "" {
		if list, err = evaluator.Read(strings.NewReader(body.File)); err != nil {
			return out, fault.Wrong(summary([]fault.Field{{}}), "/file", fault.Message(err))
		}
	}
	var wrong []fault.Field
	for i := range list {
		list[i].Timestamp = cmp.Or(list[i].Timestamp, evaluator.Stamp(h.Signals.Now()))
		if why := list[i].Check(); why != "" {
			wrong = append(wrong, fault.Field{Name: fmt.Sprintf("/results/%d", i), Msg: "It " + why + "."})
		}
	}
	if len(wrong) > 0 {
		return out, fault.WithFields(summary(wrong), wrong...)
	}
	t := turn.Turn{ID: body.TurnID, AgentID: c.token.AgentID, Agent: c.token.AgentName, Model: body.Model,
		Task: body.Task}
	old, err := h.Signals.Report(ctx, t, list)
	out = reportAnswer{Stored: len(list), TooOld: old}
	if old > 0 {
		out.Note = fmt.Sprintf("%d stored, %d too old to become notes: older than %d days.", out.Stored, old,
			int(evaluator.MaxAge.Hours()/24))
	}
	return out, err
}

// forNotes picks results.
type forNotes struct {
	Task  string `query:"task" doc:"Only for this task."`
	Model string `query:"model" doc:"Only for this model."`
}

func (f forNotes) of(c *call) signal.Ask {
	return signal.Ask{AgentID: c.token.AgentID, Task: f.Task, Model: f.Model}
}

func (h *handlers) notes(ctx context.Context, in *forNotes) (notesAnswer, error) {
	sections, text, err := h.Signals.Notes(ctx, in.of(callOf(ctx)))
	return notesAnswer{Prompt: text, Sections: append([]evaluator.Section{}, sections...)}, err
}

func (h *handlers) exportResults(ctx context.Context, in *forNotes) (*huma.StreamResponse, error) {
	ask := in.of(callOf(ctx))
	return download("application/jsonl", evaluator.FileName(in.Model, in.Task), func(w io.Writer) error {
		return h.Signals.WriteResults(ctx, ask, w)
	})
}

func (h *handlers) importFile(ctx context.Context, c *call, _ *struct{}, body fileBody) (out sessionAnswer, err error) {
	file, err := observe.ReadFile(bytes.NewReader(body.File.raw), mostFile)
	if err != nil {
		return out, err
	}
	id, err := h.Signals.Import(ctx, turn.Turn{AgentID: c.token.AgentID, Agent: c.token.AgentName, User: body.UserID},
		file)
	if err != nil {
		return out, err
	}
	return h.sessionOf(ctx, id)
}

func (h *handlers) exportFile(ctx context.Context, in *struct {
	ID string `path:"id" doc:"The session's id, or your own session_id."`
}) (*huma.StreamResponse, error) {
	agent := callOf(ctx).token.AgentID
	return download("application/json", "agent_observations.json", func(w io.Writer) error {
		return h.Signals.Export(ctx, in.ID, agent, w)
	})
}

// download answers with a file that is made whole before its first byte goes out, so that an error is one.
func download(kind, name string, write func(w io.Writer) error) (*huma.StreamResponse, error) {
	var b bytes.Buffer
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", kind+"; charset=utf-8")
		hc.SetHeader("Content-Disposition", `attachment; filename="`+strings.ReplaceAll(name, `"`, "")+`"`)
		_, _ = hc.BodyWriter().Write(b.Bytes()) // whoever hung up gets no answer
	}}, write(&b)
}
