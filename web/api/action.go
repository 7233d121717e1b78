package api

import (
	"preceptor/internal/interaction"
	"preceptor/internal/platform/lists"
	"preceptor/internal/review"
)

// actionBody is what an agent wants to do.
type actionBody struct {
	Name        string     `json:"name" doc:"The tool's name."`
	Arguments   freeObject `json:"arguments,omitempty" doc:"Its arguments, an object."`
	Schema      freeObject `json:"schema,omitempty" doc:"JSON Schema of the arguments. Reviewers edit them in a form made from it."`
	Description string     `json:"description,omitempty" doc:"What it does, in words that a reviewer understands."`
}

// approvedAction is what the agent may do.
type approvedAction struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
	Edited    bool           `json:"edited" doc:"A reviewer changed the arguments."`
	Index     int            `json:"index" doc:"Its place among the actions that you sent, from 0."`
}

// refusedAction is what the agent may not do, though the rest was released.
type refusedAction struct {
	Name   string `json:"name"`
	Index  int    `json:"index" doc:"Its place among the actions that you sent, from 0."`
	Reason string `json:"reason" doc:"Why a reviewer refused it."`
}

func actionsOf(list []actionBody) interaction.Actions {
	return lists.Map(list, func(b actionBody) interaction.Action {
		return interaction.Action{Name: b.Name, Arguments: b.Arguments.raw, Schema: b.Schema.raw, Does: b.Description}
	})
}

// approved are the actions that were released, and those that were refused beside them; none until then.
func approved(it *interaction.Interaction, d *review.Decision) (out []approvedAction, refused []refusedAction) {
	if it.Status != interaction.Released || d.State != review.Released {
		return nil, nil
	}
	for i, a := range d.Actions {
		if a.Refused != "" {
			refused = append(refused, refusedAction{a.Name, i, a.Refused})
			continue
		}
		out = append(out, approvedAction{a.Name, a.Object(), !d.Actions[i : i+1].Same(it.Actions[i : i+1]), i})
	}
	return out, refused
}
