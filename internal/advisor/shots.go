package advisor

import (
	"context"
	"strings"

	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/lists"
)

// Shots are answers to like questions that customers liked and that people released, as a draft is shown them.
type Shots struct {
	Block string           // all of them as one block for a prompt; "" for none
	Items []knowledge.Item // the same one by one: Text is the answer, Title the question
}

// IDs are those of the items.
func (s Shots) IDs() []string {
	return lists.Map(s.Items, func(it knowledge.Item) string { return it.ID })
}

// shots asks for them; a draft that goes without memory goes without these, too.
func (s *Service) shots(ctx context.Context, in *interaction.Interaction, without knowledge.Withhold) (Shots, error) {
	if without.Learned {
		return Shots{}, nil
	}
	return s.hooks.Shots(ctx, in)
}

// text is what stands in the prompt before the data: nothing, or the block with a blank line around it.
func (s Shots) text() string {
	if s.Block == "" {
		return ""
	}
	return "\n" + s.Block + "\n"
}

// within is a recall with the shots among its cases, for a drafter that writes from cases. One whose text is there
// already, as the case that was made of the same guidance, is left out.
func (s Shots) within(r *knowledge.Recall) *knowledge.Recall {
	if len(s.Items) == 0 {
		return r
	}
	had := map[string]bool{}
	for _, it := range r.Cases {
		had[strings.Join(strings.Fields(it.Text), " ")] = true
	}
	out := *r
	out.Cases = r.Cases[:len(r.Cases):len(r.Cases)]
	for _, it := range s.Items {
		if !had[strings.Join(strings.Fields(it.Text), " ")] {
			out.Cases = append(out.Cases, it)
		}
	}
	return &out
}
