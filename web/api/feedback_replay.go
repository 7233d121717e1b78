package api

import (
	"context"

	"preceptor/internal/feedback"
)

// experienceBody is one entry of the replay: seed 001's add_experience.
type experienceBody struct {
	InteractionID string     `json:"interaction_id,omitempty" doc:"The interaction whose texts to use; or send your own query and response."`
	AgentType     string     `json:"agent_type,omitempty" doc:"Required with your own texts. Another agent's name is refused."`
	Topic         string     `json:"topic,omitempty"`
	Query         string     `json:"query,omitempty"`
	Response      string     `json:"response,omitempty"`
	Reward        float64    `json:"reward" minimum:"-1" maximum:"1" doc:"How good it was, -1 to 1."`
	Metadata      freeObject `json:"metadata,omitempty" doc:"Anything you like; it is stored and not used."`
}

type experienceAnswer struct {
	ID string `json:"id"`
}

type experienceList struct {
	Items      []feedback.ReplayLine `json:"items"`
	NextCursor string                `json:"next_cursor,omitempty" doc:"Left out on the last page."`
}

func (h *handlers) addExperience(ctx context.Context, c *call, _ *struct{},
	body experienceBody) (out experienceAnswer, err error) {
	id, err := h.Feedback.AddExperience(ctx,
		feedback.Experience{AgentID: c.token.AgentID, AgentType: body.AgentType, Topic: body.Topic,
			SubjectID: body.InteractionID,
			Query:     body.Query, Response: body.Response, Metadata: string(body.Metadata.raw), Reward: body.Reward})
	if err != nil {
		return out, err
	}
	return experienceAnswer{ID: id}, nil
}

func (h *handlers) experiences(ctx context.Context, in *struct {
	AgentType string  `query:"agent_type" doc:"Only those of this type."`
	MinReward float64 `query:"min_reward" default:"0" doc:"-1 to 1; if left out, 0."`
	Cursor    string  `query:"cursor" doc:"next_cursor of the page before."`
	Limit     int     `query:"limit" doc:"1 to 100; if left out, 25."`
}) (out experienceList, err error) {
	list, next, err := h.Feedback.PositiveExamples(ctx,
		feedback.Replay{AgentID: callOf(ctx).token.AgentID, AgentType: in.AgentType, MinReward: in.MinReward,
			Cursor: in.Cursor, Limit: in.Limit})
	if err != nil {
		return out, err
	}
	out = experienceList{Items: []feedback.ReplayLine{}, NextCursor: next}
	for _, e := range list {
		out.Items = append(out.Items, feedback.ExperienceLine(e))
	}
	return out, nil
}
