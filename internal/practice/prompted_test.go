package practice

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"preceptor/internal/compliance"
	"preceptor/internal/knowledge"
	"preceptor/internal/llm"
	"preceptor/internal/llm/llmtest"
	"preceptor/internal/pack"
)

// A customer of a model talks more than one turn, is never told what they need, and a need counts only with the
// advisor's own words.
func TestPromptedCustomer(t *testing.T) {
	who := pensioners(t).All(Test, 0)[0]
	n := who.Needs[0]
	model := llmtest.New().
		On("practice_reply", map[string]any{"said": "And what does that cost?", "done": false},
			map[string]any{"said": "Thank you.", "done": true}).
		On("practice_judge", func(r llm.Request) (string, error) {
			if !strings.Contains(r.Prompt, n.ID) {
				return "", errors.New("the judge isn't told the needs")
			}
			b, err := json.Marshal(
				map[string]any{"told": []map[string]string{{"id": n.ID, "quote": "First  this"},
					{"id": who.Needs[1].ID, "quote": "never said"}, {"id": "no need", "quote": "then that"}}})
			return string(b), err
		})
	asked := []string{}
	room := Room{AgentID: "a", Customer: NewPrompted(model),
		Advise: func(_ context.Context, _ string, s pack.Situation, _ knowledge.Withhold) (string, error) {
			asked = append(asked, s.Question)
			return []string{"First this.", "Then that."}[len(asked)-1], nil
		},
		Check: func(string, pack.Situation) compliance.Verdict { return compliance.Verdict{} },
	}
	s, err := room.consult(t.Context(), 4, who, knowledge.Withhold{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Dialogue) != 5 || len(asked) != 2 || asked[0] != who.Question || asked[1] != "And what does that cost?" ||
		s.N != 4 {
		t.Errorf("talk %+v, asked %q", s.Dialogue, asked)
	}
	if len(s.Met) != 1 || s.Met[0] != n.ID {
		t.Errorf("met %v, want %s alone", s.Met, n.ID)
	}
	for _, r := range model.Asked() {
		if r.SchemaName == "practice_reply" && strings.Contains(r.Prompt, n.Plain) {
			t.Error("the customer is told what they need")
		}
	}
	room.Customer, asked = NewPrompted(llmtest.New(errors.New("down"))), nil
	if _, err := room.consult(t.Context(), 0, who, knowledge.Withhold{}); err == nil {
		t.Error("a model that fails gives an outcome")
	}
}
