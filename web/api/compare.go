package api

import (
	"cmp"
	"context"

	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/interaction"
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
	SubjectID string `json:"subject_id,omitempty" doc:"Your id for what is answered; send its outcome with the same id. If left out, the user is the subject."`
}

type assignAnswer struct {
	Arm     string `json:"arm" enum:"treatment,control"`
	Name    string `json:"name" doc:"The arm's description in the plan."`
	Variant string `json:"variant" doc:"The same under its other name."`
}

// experimentBody is seed 001's AgentABTest.create_experiment: a is what there is, b is what is tried.
type experimentBody struct {
	Name    string  `json:"name,omitempty" doc:"If left out, the two variants."`
	A       string  `json:"variant_a" doc:"The present prompt or model, such as prompt 3."`
	B       string  `json:"variant_b" doc:"The one to try."`
	Split   float64 `json:"traffic_split,omitempty" minimum:"0" maximum:"0.9" doc:"Share of users who get variant_a, 0.1 to 0.9; left out: 0.5."`
	Purpose string  `json:"purpose,omitempty" enum:"prompt,model" doc:"What differs; if left out, the prompt."`
	Metric  string  `json:"metric,omitempty" enum:"approved,vote,satisfaction" doc:"A good outcome; if left out, a vote."`
}

type experimentAnswer struct {
	ID       string `json:"id"`
	State    string `json:"state" enum:"running"`
	Outcomes int    `json:"outcomes" doc:"How many are planned in both variants together; it may end earlier."`
}

var experimentPlaces = map[string]string{"name": "/name", "treatment": "/variant_b", "control": "/variant_a",
	"split": "/traffic_split", "purpose": "/purpose", "metric": "/metric"}

func (h *handlers) experiment(ctx context.Context, c *call, _ *struct{},
	body experimentBody) (out experimentAnswer, err error) {
	aim := experiment.DefaultAim
	if body.Split != 0 {
		aim.Split = 1 - body.Split
	}
	e, err := h.Experiments.Begin(ctx, experiment.Input{Name: cmp.Or(body.Name, body.A+" / "+body.B),
		Purpose: cmp.Or(body.Purpose, experiment.Prompt), AgentID: c.token.AgentID, AgentName: c.token.AgentName,
		Treatment: body.B, Control: body.A, Metric: cmp.Or(body.Metric, experiment.Vote)}, aim, c.token.Actor())
	if err != nil {
		return out, placed(err, experimentPlaces)
	}
	return experimentAnswer{ID: e.ID, State: e.State, Outcomes: e.Total()}, nil
}

// variant is assign under seed 001's name, for a user.
func (h *handlers) variant(ctx context.Context, in *struct {
	ID     string `path:"id" doc:"The experiment's id."`
	UserID string `query:"user_id" doc:"Your id for the user."`
}) (assignAnswer, error) {
	return h.assign(ctx, callOf(ctx), &experimentPath{in.ID}, assignBody{UserID: in.UserID})
}

// trialBody says how a subject turned out.
type trialBody struct {
	SubjectID string `json:"subject_id,omitempty" doc:"The subject as it was assigned."`
	UserID    string `json:"user_id,omitempty" doc:"Or the user, where no subject was named."`
	Variant   string `json:"variant,omitempty" doc:"a, b or the variant's name. Without a subject and a user, the outcome counts as that of another person each time."`
	Success   bool   `json:"success" doc:"Whether the outcome was good, by the metric of the plan. Only the first one counts."`
}

type trialAnswer struct {
	State    string  `json:"state" enum:"planned,running,stopped"`
	Ended    string  `json:"ended,omitempty" enum:"better,worse,futile,full,person,barred" doc:"Why it ended."`
	Progress float64 `json:"progress" doc:"Share of the planned size, 0 to 1."`
}

type experimentPath struct {
	ID string `path:"id" doc:"The id of the experiment or pair."`
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
	return pairOf(p), nil
}

func pairOf(p *preference.Pair) pairAnswer {
	return pairAnswer{ID: p.ID, Answers: p.Counter.Answers,
		Better: map[string]string{"left": "first", "right": "second"}[p.Better()]}
}

// choiceBody is what one user thinks of a pair that the agent showed.
type choiceBody struct {
	UserID string `json:"user_id" doc:"Your id for the user; stored as a hash. A new choice replaces their earlier one."`
	Choice string `json:"choice" enum:"first,second,tie,bad,none" doc:"The better of the two as you sent them; tie: no difference; bad: both are; none takes the choice back."`
}

func (h *handlers) choose(ctx context.Context, c *call, in *experimentPath, body choiceBody) (pairAnswer, error) {
	p, err := h.Preferences.Choose(ctx, in.ID, c.token.AgentID, body.Choice, body.UserID)
	if err != nil {
		return pairAnswer{}, placed(err, map[string]string{"choice": "/choice"})
	}
	return pairOf(p), nil
}

// referenceOf is a user as an erasure knows them.
func referenceOf(userID string) string {
	return interaction.SubjectOf(interaction.ByReference, userID).Value
}

func (h *handlers) assign(ctx context.Context, c *call, in *experimentPath,
	body assignBody) (out assignAnswer, err error) {
	a, err := h.Experiments.Assign(ctx, in.ID,
		experiment.Ask{AgentID: c.token.AgentID, User: body.UserID, Subject: body.SubjectID,
			Known: referenceOf(body.UserID)})
	if err != nil {
		return out, placed(err, map[string]string{"user_id": "/user_id"})
	}
	e, err := h.Experiments.Get(ctx, a.ExperimentID)
	if err != nil {
		return out, err
	}
	out = assignAnswer{a.Arm, e.Treatment, e.Treatment}
	if a.Withholds() {
		out.Name, out.Variant = e.Control, e.Control
	}
	return out, nil
}

func (h *handlers) trial(ctx context.Context, c *call, in *experimentPath,
	body trialBody) (out trialAnswer, err error) {
	e, err := h.Experiments.Outcome(ctx, in.ID, c.token.AgentID,
		experiment.Result{Subject: body.SubjectID, User: referenceOf(body.UserID), Variant: body.Variant,
			Good: body.Success})
	if err != nil {
		return out, placed(err, map[string]string{"variant": "/variant", "subject_id": "/subject_id"})
	}
	return trialAnswer{State: e.State, Ended: e.Ended, Progress: e.Look().Progress}, nil
}
