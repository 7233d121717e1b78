package api

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"preceptor/internal/feedback"
	"preceptor/internal/feedback/nightly"
	"preceptor/internal/platform/fault"
)

// examplesAnswer are an agent's examples, with the block to put into a prompt.
type examplesAnswer struct {
	AgentType string                     `json:"agent_type"`
	Topic     string                     `json:"topic"`
	Examples  []feedback.LearningExample `json:"examples"`
	FewShot   string                     `json:"few_shot" doc:"The examples as a block to put before the Instructions of a prompt; empty if there are none."`
}

// statsAnswer is how an agent did, in the shape of seed 001.
type statsAnswer struct {
	AgentType         string         `json:"agent_type"`
	PeriodDays        int            `json:"period_days" doc:"Days in the desk's time zone, today included, as on the Statistics pages."`
	From              time.Time      `json:"from" doc:"The midnight at the start of the first day."`
	To                time.Time      `json:"to" doc:"The current time."`
	TotalInteractions int            `json:"total_interactions"`
	Feedback          statsFeedback  `json:"feedback"`
	TopTopics         []topicFigures `json:"top_topics" doc:"Up to ten, those with the most interactions first."`
}

type statsFeedback struct {
	Positive         int      `json:"positive"`
	Negative         int      `json:"negative"`
	SatisfactionRate *float64 `json:"satisfaction_rate" doc:"positive / (positive + negative), to three places; null without votes."`
	Neutral          int      `json:"neutral"`
	Low              *float64 `json:"satisfaction_low" doc:"The lower end of its 95% interval (Wilson)."`
	High             *float64 `json:"satisfaction_high"`
}

type topicFigures struct {
	Topic       string   `json:"topic"`
	Count       int      `json:"count" doc:"Number of interactions."`
	AvgFeedback *float64 `json:"avg_feedback" doc:"The mean of the votes mapped to 0 to 1, to two places; null without votes."`
}

func (h *handlers) prompt(ctx context.Context, in *struct {
	Agent string `path:"agent" doc:"Your agent's name."`
}) (nightly.PromptFile, error) {
	c := callOf(ctx)
	if !c.token.Named(in.Agent) { // another's is not found
		return nightly.PromptFile{}, fault.New(fault.NotFound, "This token belongs to no agent of that name.")
	}
	return h.PromptFile(ctx, c.token.AgentID)
}

func (h *handlers) examples(ctx context.Context, in *struct {
	AgentType string `query:"agent_type" doc:"The agent whose examples to get; if left out, yours."`
	Topic     string `query:"topic" doc:"Only those of this topic."`
	Query     string `query:"query" doc:"The question at hand; the nearest examples come first."`
	Limit     int    `query:"limit" doc:"1 to 20; if left out, 3."`
}) (out examplesAnswer, err error) {
	c := callOf(ctx)
	in.AgentType = cmp.Or(in.AgentType, c.token.AgentName)
	list, err := h.Feedback.Examples(ctx,
		feedback.Ask{AgentID: c.token.AgentID, AgentType: in.AgentType, Topic: in.Topic, Query: in.Query,
			Limit: in.Limit})
	if err != nil {
		return out, err
	}
	out = examplesAnswer{AgentType: in.AgentType, Topic: in.Topic, Examples: []feedback.LearningExample{},
		FewShot: feedback.FewShot(list)}
	for _, e := range list {
		out.Examples = append(out.Examples, feedback.ExampleLine(e))
	}
	return out, nil
}

func (h *handlers) stats(ctx context.Context, in *struct {
	AgentType string `path:"agent_type" doc:"For example tutor."`
	Days      int    `query:"days" default:"7" doc:"Days in the desk's time zone, today included: 1 to 366."`
}) (out statsAnswer, err error) {
	c := callOf(ctx)
	f, err := h.Feedback.Figures(ctx, c.token.AgentID, c.token.AgentName, plainParam(c.Request(), in.AgentType),
		in.Days)
	if err != nil {
		return out, err
	}
	out = statsAnswer{AgentType: f.AgentType, PeriodDays: f.Days, From: f.From, To: f.To,
		TotalInteractions: f.Interactions, TopTopics: []topicFigures{},
		Feedback: statsFeedback{Positive: f.Positive, Negative: f.Negative, Neutral: f.Neutral}}
	if rate, ok := f.Satisfaction(); ok {
		low, high := f.Interval()
		out.Feedback.SatisfactionRate, out.Feedback.Low, out.Feedback.High = rounded(rate, 3), rounded(low, 3),
			rounded(high, 3)
	}
	for _, t := range f.Topics {
		line := topicFigures{Topic: t.Topic, Count: t.Count}
		if t.Votes > 0 {
			line.AvgFeedback = rounded(t.Mean, 2)
		}
		out.TopTopics = append(out.TopTopics, line)
	}
	return out, nil
}

// plainParam is a parameter of the path as it was meant. The router takes it from the path as it came where that has an
// escape that it would lose, such as a slash within a name, and from the plain path elsewhere.
func plainParam(r *http.Request, s string) string {
	if r.URL.RawPath == "" {
		return s
	}
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

func rounded(v float64, places int) *float64 {
	scale := math.Pow10(places)
	v = math.Round(v*scale) / scale
	return &v
}

// exportFeedback streams; a fault that comes after the first line ends the answer, which is then short of its last line
// break.
func (h *handlers) exportFeedback(ctx context.Context, in *struct {
	Kind string `path:"kind" enum:"interactions,examples,experiences" doc:"What to export."`
}) (*huma.StreamResponse, error) {
	c := callOf(ctx)
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", "application/jsonl; charset=utf-8")
		hc.SetHeader("Content-Disposition", `attachment; filename="`+in.Kind+`.jsonl"`)
		enc := json.NewEncoder(hc.BodyWriter())
		enc.SetEscapeHTML(false)
		if err := h.Feedback.Export(ctx, c.token.AgentID, in.Kind, func(line any) error {
			return enc.Encode(line)
		}); err != nil && ctx.Err() == nil {
			h.Log.Error("export feedback", "kind", in.Kind, "error", err.Error())
		}
	}}, nil
}
