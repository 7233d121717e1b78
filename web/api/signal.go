package api

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"preceptor/internal/account"
	"preceptor/internal/fault"
	"preceptor/internal/lists"
	"preceptor/internal/signal"
	"preceptor/internal/signal/evaluator"
	"preceptor/internal/signal/observe"
	"preceptor/internal/signal/turn"
)

// reportBody is what evaluators of an agent's own found: records of seed 003.
type reportBody struct {
	TurnID  string       `json:"turn_id,omitempty" doc:"The turn that they are about, as POST /api/turns answered."`
	Model   string       `json:"model,omitempty" doc:"The model that was evaluated."`
	Task    string       `json:"task,omitempty" doc:"As spatial_qa. Notes go by it and by the model."`
	Results []resultBody `json:"results" doc:"1 to 10,000, as the lines of resultdicttojsonl_{model}_{task}.jsonl."`
}

type resultBody struct {
	Evaluator string   `json:"evaluator_type" doc:"The evaluator's name."`
	QueryIdx  *int     `json:"query_idx,omitempty" doc:"Which query, as you count them."`
	Timestamp string   `json:"timestamp,omitempty" doc:"As 2025-12-05 17:30:27, UTC; now when left out."`
	ErrorType string   `json:"error_type,omitempty" doc:"Of a whole trajectory: the kind of error."`
	Issues    []string `json:"issues" doc:"What is wrong, a sentence each; empty where nothing is."`
	IsValid   *bool    `json:"is_valid,omitempty"`
	Score     *float64 `json:"score,omitempty" minimum:"0" maximum:"1" doc:"0 is the worst. Notes go by it."`
	SQLQuery  string   `json:"sql_query,omitempty" doc:"The query that it is about."`
}

type reportOutput struct{ Body reportAnswer }

type reportAnswer struct {
	Stored int `json:"stored"`
}

type notesAnswer struct {
	Prompt   string        `json:"prompt" doc:"The notes as a block for a prompt; empty without any."`
	Sections []noteSection `json:"sections"`
}

type noteSection struct {
	Evaluator string       `json:"evaluator"`
	Header    string       `json:"header"`
	Notes     []noteAnswer `json:"notes"`
}

type noteAnswer struct {
	Text  string    `json:"text"`
	Score *float64  `json:"score" doc:"The worst; null where nobody gave one."`
	Count int       `json:"count"`
	Last  time.Time `json:"last"`
}

type notesOutput struct{ Body notesAnswer }

// fileBody brings a file of observations: seed 002.
type fileBody struct {
	UserID string     `json:"user_id,omitempty" doc:"Whose session it was, as you name them."`
	File   freeObject `json:"file" doc:"agent_observations.json: session_id, observations and proposals. Proposals wait for a person."`
}

// learningsBody brings a LEARNINGS.md: seed 004.
type learningsBody struct {
	Markdown string `json:"markdown" doc:"The file. What is new in it waits for a person."`
}

type learningsAnswer struct {
	New  int `json:"new" doc:"Learnings that wait for a person."`
	Gone int `json:"gone" doc:"Those that waited, stood in the file before, and are gone: they count as rejected."`
}

type learningsOutput struct{ Body learningsAnswer }

// mostFile is how many bytes a file of observations may have; the body has a bound of its own.
const mostFile = 2 << 20

func (h *handlers) mountSignals(a huma.API) {
	register(h, a, huma.Operation{
		OperationID: "report-evaluations", Method: http.MethodPost, Path: "/api/evaluations", DefaultStatus: http.StatusCreated, Tags: []string{turnTag},
		Summary:     "Report evaluations",
		Description: "What evaluators of your own found. It comes back as notes.",
	}, account.Feedback, reportBody{}, h.report)
	register(h, a, huma.Operation{
		OperationID: "export-evaluations", Method: http.MethodGet, Path: "/api/evaluations", Tags: []string{turnTag},
		Summary:     "Export evaluations",
		Description: "Your agent's results as JSON Lines, in the order in which they came.",
	}, account.Feedback, nil, h.exportResults)
	register(h, a, huma.Operation{
		OperationID: "get-notes", Method: http.MethodGet, Path: "/api/notes", Tags: []string{turnTag},
		Summary:     "Fetch notes",
		Description: "What evaluators found in earlier turns of your agent: by evaluator, the worst first. Recall gives them, too.",
	}, account.Recall, nil, h.notes)
	register(h, a, huma.Operation{
		OperationID: "import-observations", Method: http.MethodPost, Path: "/api/observations", DefaultStatus: http.StatusCreated, Tags: []string{turnTag}, Errors: []int{http.StatusConflict},
		Summary:     "Import a session's observations",
		Description: "A file that another program kept becomes a session. What it proposes changes nothing until a person approves it.",
	}, account.Feedback, fileBody{}, h.importFile)
	register(h, a, huma.Operation{
		OperationID: "export-observations", Method: http.MethodGet, Path: "/api/observations/{id}", Tags: []string{turnTag}, Errors: []int{http.StatusNotFound},
		Summary:     "Export a session's observations",
		Description: "As agent_observations.json.",
	}, account.Feedback, nil, h.exportFile)
	register(h, a, huma.Operation{
		OperationID: "import-learnings", Method: http.MethodPost, Path: "/api/learnings", Tags: []string{turnTag},
		Summary:     "Import LEARNINGS.md",
		Description: "The file of your agent, edited by hand or not. What is new in it changes nothing until a person approves it.",
	}, account.Feedback, learningsBody{}, h.importLearnings)
	register(h, a, huma.Operation{
		OperationID: "export-learnings", Method: http.MethodGet, Path: "/api/learnings.md", Tags: []string{turnTag},
		Summary:     "Export LEARNINGS.md",
		Description: "The file that was imported last, as it was written, with what was approved since.",
	}, account.Feedback, nil, h.exportLearnings)
}

func (h *handlers) importLearnings(ctx context.Context, _ *struct{}) (*learningsOutput, error) {
	c := callOf(ctx)
	body, _, err := decode[learningsBody](h, c)
	if err != nil {
		return nil, h.fail(ctx, err)
	}
	fresh, gone, err := h.Signals.ImportLearnings(ctx, turn.Turn{AgentID: c.token.AgentID, Agent: c.token.AgentName}, body.Markdown)
	if err != nil {
		return nil, h.fail(ctx, err)
	}
	return &learningsOutput{Body: learningsAnswer{New: fresh, Gone: gone}}, nil
}

func (h *handlers) exportLearnings(ctx context.Context, _ *struct{}) (*huma.StreamResponse, error) {
	agent := callOf(ctx).token.AgentID
	return h.download(ctx, "text/markdown", "LEARNINGS.md", func(w io.Writer) error { return h.Signals.WriteLearnings(ctx, agent, w) })
}

func (h *handlers) report(ctx context.Context, _ *struct{}) (*reportOutput, error) {
	c := callOf(ctx)
	body, _, err := decode[reportBody](h, c)
	if err != nil {
		return nil, h.fail(ctx, err)
	}
	var wrong []fault.Field
	now := evaluator.Stamp(h.Signals.Now())
	list := make([]evaluator.Result, len(body.Results))
	for i, r := range body.Results {
		list[i] = evaluator.Result{Evaluator: r.Evaluator, QueryIdx: r.QueryIdx, Timestamp: r.Timestamp, ErrorType: r.ErrorType, Issues: r.Issues, IsValid: r.IsValid, Score: r.Score, SQLQuery: r.SQLQuery}
		if r.Timestamp == "" {
			list[i].Timestamp = now
		}
		if why := list[i].Check(); why != "" {
			wrong = append(wrong, fault.Field{Name: fmt.Sprintf("/results/%d", i), Msg: "It " + why + "."})
		}
	}
	if len(wrong) > 0 {
		return nil, h.fail(ctx, fault.WithFields(summary(wrong), wrong...))
	}
	t := turn.Turn{ID: body.TurnID, AgentID: c.token.AgentID, Agent: c.token.AgentName, Model: body.Model, Task: body.Task}
	if err := h.Signals.Report(ctx, t, list); err != nil {
		return nil, h.fail(ctx, err)
	}
	return &reportOutput{Body: reportAnswer{Stored: len(list)}}, nil
}

// forNotes picks results.
type forNotes struct {
	Task  string `query:"task" doc:"Only of this task."`
	Model string `query:"model" doc:"Only of this model."`
}

func (f forNotes) of(c *call) signal.Ask {
	return signal.Ask{AgentID: c.token.AgentID, Task: f.Task, Model: f.Model}
}

func (h *handlers) notes(ctx context.Context, in *forNotes) (*notesOutput, error) {
	sections, text, err := h.Signals.Notes(ctx, in.of(callOf(ctx)))
	if err != nil {
		return nil, h.fail(ctx, err)
	}
	return &notesOutput{Body: notesAnswer{Prompt: text, Sections: append([]noteSection{}, lists.Map(sections, func(s evaluator.Section) noteSection {
		return noteSection{Evaluator: s.Evaluator, Header: s.Header, Notes: lists.Map(s.Items, func(n evaluator.Note) noteAnswer {
			return noteAnswer{Text: n.Text, Score: n.Score, Count: n.Count, Last: n.Last}
		})}
	})...)}}, nil
}

func (h *handlers) exportResults(ctx context.Context, in *forNotes) (*huma.StreamResponse, error) {
	ask := in.of(callOf(ctx))
	return h.download(ctx, "application/jsonl", evaluator.FileName(in.Model, in.Task), func(w io.Writer) error { return h.Signals.WriteResults(ctx, ask, w) })
}

func (h *handlers) importFile(ctx context.Context, _ *struct{}) (*sessionOutput, error) {
	c := callOf(ctx)
	body, _, err := decode[fileBody](h, c)
	if err != nil {
		return nil, h.fail(ctx, err)
	}
	file, err := observe.ReadFile(bytes.NewReader(body.File.raw), mostFile)
	if err != nil {
		return nil, h.fail(ctx, err)
	}
	id, err := h.Signals.Import(ctx, turn.Turn{AgentID: c.token.AgentID, Agent: c.token.AgentName, User: body.UserID}, file)
	if err != nil {
		return nil, h.fail(ctx, err)
	}
	return h.sessionOf(ctx, id)
}

func (h *handlers) exportFile(ctx context.Context, in *struct {
	ID string `path:"id"`
}) (*huma.StreamResponse, error) {
	agent := callOf(ctx).token.AgentID
	return h.download(ctx, "application/json", "agent_observations.json", func(w io.Writer) error { return h.Signals.Export(ctx, in.ID, agent, w) })
}

// download answers with a file that is made whole before its first byte goes out, so that an error is one.
func (h *handlers) download(ctx context.Context, kind, name string, write func(w io.Writer) error) (*huma.StreamResponse, error) {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return nil, h.fail(ctx, err)
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", kind+"; charset=utf-8")
		hc.SetHeader("Content-Disposition", `attachment; filename="`+strings.ReplaceAll(name, `"`, "")+`"`)
		_, _ = hc.BodyWriter().Write(b.Bytes()) // whoever hung up gets no answer
	}}, nil
}
