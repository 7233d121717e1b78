package api

import (
	"context"

	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/platform/fault"
)

// pairBody is two answers to one question, for people to judge.
type pairBody struct {
	SourceID      string     `json:"source_id" doc:"Your own id for this pair; the same id means the same pair."`
	Prompt        string     `json:"prompt" doc:"The question, at most 20,000 bytes. Don't send names or addresses of people."`
	First         answerBody `json:"first"`
	Second        answerBody `json:"second"`
	Topic         string     `json:"topic,omitempty"`
	InteractionID string     `json:"interaction_id,omitempty" doc:"If the pair is about your interaction or guidance: erasing that also erases the pair. Any other id is refused."`
}

type answerBody struct {
	Text  string `json:"text" doc:"At most 204,800 bytes."`
	Maker string `json:"maker" doc:"What to rank: an agent, a prompt or a model, such as prompt 4. Judges don't see it."`
}

type pairAnswer struct {
	ID      string `json:"id"`
	Answers int    `json:"answers" doc:"How many judges have answered."`
	Better  string `json:"better,omitempty" enum:"first,second" doc:"The choice of more than half of all judges; left out while there is no majority."`
}

// assignBody asks for an arm.
type assignBody struct {
	UserID    string `json:"user_id" doc:"Your id for the user; stored as a hash. The same user always gets the same arm."`
	SubjectID string `json:"subject_id" doc:"Your id for what is answered; send its outcome with the same id."`
}

type assignAnswer struct {
	Arm  string `json:"arm" enum:"treatment,control"`
	Name string `json:"name" doc:"The arm's description in the plan."`
}

// trialBody says how a subject turned out.
type trialBody struct {
	SubjectID string `json:"subject_id" doc:"The subject as it was assigned."`
	Success   bool   `json:"success" doc:"Whether the outcome was good, by the metric of the plan. Only the first one counts."`
}

type trialAnswer struct {
	State    string  `json:"state" enum:"planned,running,stopped"`
	Ended    string  `json:"ended,omitempty" enum:"better,worse,futile,full,person,barred" doc:"Why it ended."`
	Progress float64 `json:"progress" doc:"Share of the planned size, 0 to 1."`
}

type experimentPath struct {
	ID string `path:"id" doc:"The experiment's id."`
}

// placed has the names of wrong fields as pointers into the body.
func placed(err error, at map[string]string) error {
	if !fault.Is(err, fault.Invalid) {
		return err
	}
	var fields []fault.Field
	for _, f := range fault.Fields(err) {
		if to, ok := at[f.Name]; ok {
			f.Name = to
		}
		fields = append(fields, f)
	}
	return fault.WithFields(fault.Message(err), fields...)
}

var pairPlaces = map[string]string{"prompt": "/prompt", "first": "/first/text", "second": "/second/text",
	"first_maker": "/first/maker", "second_maker": "/second/maker",
	"task": "/topic", "source": "/source_id", "interaction": "/interaction_id"}

func (h *handlers) addPair(ctx context.Context, c *call, _ *struct{}, body pairBody) (out pairAnswer, err error) {
	if body.SourceID == "" {
		return out, fault.Wrong("This pair can't be saved yet.", "/source_id", "Give the pair your own id.")
	}
	p, err := h.Preferences.Add(ctx, preference.Input{Origin: preference.API, SourceID: body.SourceID,
		AgentID: c.token.AgentID, InteractionID: body.InteractionID, Task: body.Topic,
		Prompt: body.Prompt, First: preference.Response(body.First), Second: preference.Response(body.Second),
		By: preference.Person{ID: c.token.ID, Name: c.token.AgentName}})
	if err != nil {
		return out, placed(err, pairPlaces)
	}
	out = pairAnswer{ID: p.ID, Answers: p.Counter.Answers}
	out.Better = map[string]string{"left": "first", "right": "second"}[p.Better()]
	return out, nil
}

func (h *handlers) assign(ctx context.Context, c *call, in *experimentPath,
	body assignBody) (out assignAnswer, err error) {
	a, err := h.Experiments.Assign(ctx, in.ID,
		experiment.Ask{AgentID: c.token.AgentID, User: body.UserID, Subject: body.SubjectID})
	if err != nil {
		return out, placed(err, map[string]string{"user_id": "/user_id"})
	}
	e, err := h.Experiments.Get(ctx, a.ExperimentID)
	if err != nil {
		return out, err
	}
	out = assignAnswer{Arm: a.Arm, Name: e.Treatment}
	if a.Withholds() {
		out.Name = e.Control
	}
	return out, nil
}

func (h *handlers) trial(ctx context.Context, c *call, in *experimentPath,
	body trialBody) (out trialAnswer, err error) {
	e, err := h.Experiments.Outcome(ctx, in.ID, c.token.AgentID, body.SubjectID, body.Success)
	if err != nil {
		return out, err
	}
	return trialAnswer{State: e.State, Ended: e.Ended, Progress: e.Look().Progress}, nil
}
