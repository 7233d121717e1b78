package api

import (
	"cmp"
	"context"
	"fmt"

	"preceptor/internal/feedback"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/fault"
)

// interactionBody reports one interaction of any agent: seed 001's AgentInteraction.
type interactionBody struct {
	AgentType      string     `json:"agent_type" doc:"The agent's name for itself, such as tutor; at most 200 bytes. Another agent's name is refused."`
	SessionID      string     `json:"session_id,omitempty" doc:"Your id for the conversation."`
	UserID         string     `json:"user_id,omitempty" doc:"Your id for the user who asked. Don't send names or addresses of people."`
	Query          string     `json:"query" doc:"What was asked, at most 100,000 bytes."`
	Response       string     `json:"response" doc:"What was answered, at most 100,000 bytes."`
	Metadata       freeObject `json:"response_metadata,omitempty" doc:"Anything you like; it is stored and not used."`
	Topic          string     `json:"topic,omitempty" doc:"What it is about, such as Photosynthesis. Examples and statistics are grouped by it."`
	ResponseTimeMs int64      `json:"response_time_ms,omitempty" minimum:"0" doc:"How long the answer took, in milliseconds."`
	Variant        string     `json:"variant,omitempty" doc:"The arm of an experiment that the user was in."`
	KnowledgeUsed  []string   `json:"knowledge_used,omitempty" doc:"Ids of the rules and cases from recall, so a manager can see what the answer was based on."`
	ExamplesUsed   []string   `json:"examples_used,omitempty" doc:"Ids of the examples in the prompt; their use_count goes up."`
}

type logged struct {
	ID string `json:"id" doc:"Send it as interaction_id with votes and outcomes."`
}

type loggedOutput struct {
	Replayed string `header:"Idempotency-Replayed" doc:"true when this is the answer to an earlier call with the same key."`
	Body     logged
}

// voteBody is one user's opinion: seed 001's InteractionFeedback.
type voteBody struct {
	InteractionID string   `json:"interaction_id" doc:"The id returned when you reported it, or the id of released guidance."`
	UserID        string   `json:"user_id,omitempty" doc:"Your id for the user; if left out, the interaction's user, or else its session. One user has one vote; a new one replaces it."`
	Type          string   `json:"feedback_type,omitempty" enum:"thumbs,thumbs_up,thumbs_down,rating" doc:"If left out, thumbs."`
	Value         *float64 `json:"feedback_value,omitempty" minimum:"-1" maximum:"10" doc:"For thumbs: -1, 0 (neutral, or withdraws an earlier vote) or 1; thumbs_up and thumbs_down need none. For a rating: 0 to 10."`
	Text          string   `json:"feedback_text,omitempty" doc:"What they said, at most 2,000 bytes."`
}

type voteAnswer struct {
	ID            string  `json:"id" doc:"The vote's id, the same for all its versions."`
	InteractionID string  `json:"interaction_id"`
	Value         float64 `json:"value" doc:"Mapped to 0 to 1: above 0.5 is positive, below negative."`
	Version       int     `json:"version"`
	Replaced      bool    `json:"replaced" doc:"Whether it replaced an earlier vote by this user."`
	Promoted      bool    `json:"promoted" doc:"Whether this vote made an answer an example."`
	ExampleID     string  `json:"example_id,omitempty" doc:"The current example for this query."`
}

// outcomeBody is how it went: seed 000's OutcomeResult.
type outcomeBody struct {
	InteractionID        string   `json:"interaction_id" doc:"The id returned when you reported it, or the id of released guidance."`
	Satisfaction         float64  `json:"satisfaction" minimum:"0" maximum:"10" doc:"0 to 10, like the next two."`
	Comprehension        float64  `json:"comprehension" minimum:"0" maximum:"10"`
	GoalAlignment        float64  `json:"goal_alignment" minimum:"0" maximum:"10"`
	Issues               []string `json:"issues,omitempty" doc:"What went wrong, each at most 2,000 bytes."`
	GoalsMet             *bool    `json:"goals_met,omitempty" doc:"Leave out if unknown, as with the next three."`
	UnderstandingChecked *bool    `json:"understanding_checked,omitempty"`
	Signposted           *bool    `json:"signposted,omitempty"`
	DBWarningGiven       *bool    `json:"db_warning_given,omitempty"`
	UserID               string   `json:"user_id,omitempty" doc:"Your id for the user. One user has one outcome per interaction; a new one replaces it. Leaving it out counts as one unnamed user."`
}

type outcomeAnswer struct {
	ID         string `json:"id"`
	Successful bool   `json:"successful" doc:"Whether every score is above 5, there are no issues, and nothing asked about was missed."`
}

func (h *handlers) logInteraction(ctx context.Context, c *call, key *interaction.Idempotency,
	body interactionBody) (*loggedOutput, error) {
	id, replayed, err := h.Feedback.LogOnce(ctx,
		feedback.Observation{AgentID: c.token.AgentID, AgentName: c.token.AgentName, AgentType: body.AgentType,
			SessionID: body.SessionID, UserID: body.UserID, Query: body.Query, Response: body.Response,
			Metadata: string(body.Metadata.raw), Topic: body.Topic,
			ResponseMs: body.ResponseTimeMs, Variant: body.Variant, Examples: body.ExamplesUsed,
			Knowledge: body.KnowledgeUsed}, key)
	if err != nil {
		return nil, err
	}
	out := &loggedOutput{Body: logged{ID: id}}
	if replayed {
		out.Replayed = "true"
	}
	return out, nil
}

func (h *handlers) vote(ctx context.Context, c *call, _ *struct{}, body voteBody) (out voteAnswer, err error) {
	kind, value, err := body.opinion()
	if err != nil {
		return out, err
	}
	st, err := h.Feedback.Vote(ctx, feedback.Vote{SubjectID: body.InteractionID, UserID: body.UserID, Kind: kind,
		Value: value, Text: body.Text,
		Channel: feedback.ChannelAPI, AgentID: c.token.AgentID})
	if err != nil {
		return out, err
	}
	out = voteAnswer{ID: st.Vote.ID, InteractionID: st.Vote.SubjectID, Value: st.Vote.Norm, Version: st.Vote.Version,
		Replaced: st.Replaced, Promoted: st.Promoted}
	if st.Exemplar != nil {
		out.ExampleID = st.Exemplar.ID
	}
	return out, nil
}

// opinion is the kind and value of a vote: a thumb that says which way it points has its value in its name.
func (b voteBody) opinion() (kind string, value float64, err error) {
	says, named := map[string]float64{"thumbs_up": 1, "thumbs_down": -1}[b.Type]
	switch {
	case !named && b.Value == nil:
		return "", 0, fault.Wrong("One field needs your attention.", "/feedback_value",
			"Send -1, 0 or 1 for thumbs, or 0 to 10 for a rating.")
	case !named:
		return cmp.Or(b.Type, feedback.Thumbs), *b.Value, nil
	case b.Value != nil && *b.Value != says:
		return "", 0, fault.Wrong("One field needs your attention.", "/feedback_value",
			fmt.Sprintf("%s means %.0f. Leave the value out, or send the same.", b.Type, says))
	}
	return feedback.Thumbs, says, nil
}

func (h *handlers) outcome(ctx context.Context, c *call, _ *struct{}, body outcomeBody) (out outcomeAnswer, err error) {
	o := feedback.Outcome{SubjectID: body.InteractionID, Satisfaction: body.Satisfaction,
		Comprehension: body.Comprehension, GoalAlignment: body.GoalAlignment,
		Issues: body.Issues, GoalsMet: body.GoalsMet, UnderstandingChecked: body.UnderstandingChecked,
		Signposted: body.Signposted, DBWarningGiven: body.DBWarningGiven,
		By: body.UserID, Channel: feedback.ChannelAPI, AgentID: c.token.AgentID}
	id, err := h.Feedback.AddOutcome(ctx, o)
	if err != nil {
		return out, err
	}
	return outcomeAnswer{ID: id, Successful: o.Successful()}, nil
}
