package conflict_test

import (
	"strings"
	"testing"

	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/llm/llmtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/privacy"
)

func TestPromptedReadsFieldsAndRefusesNonsense(t *testing.T) {
	left, right := conflict.Text{Principle: mentionText}, conflict.Text{Principle: silentText}
	for _, tt := range []struct {
		name, answer string
		kind, side   string
		bad          bool
	}{
		{"a contradiction",
			`{"reasoning":"Both hold.","customers":"same","relation":"contradiction","why":"Left warns, right does not.","confidence":0.9}`, conflict.FoundContradiction, "", false},
		{"one that adds nothing",
			`{"reasoning":"Right is wider.","customers":"left_narrower","relation":"left_adds_nothing","why":"Right asks for it already.","confidence":0.7}`, conflict.FoundNarrower, conflict.Left, false},
		{"neither",
			`{"reasoning":"Both can be followed; this is no contradiction.","customers":"some_fit_both","relation":"neither","why":"","confidence":0.8}`, conflict.FoundNothing, "", false},
		{"a contradiction that nobody can meet",
			`{"reasoning":"x","customers":"none_fits_both","relation":"contradiction","why":"x","confidence":1}`, "",
			"", true},
		{"without a why", `{"reasoning":"x","customers":"same","relation":"duplicate","why":"","confidence":1}`, "", "",
			true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			model := llmtest.New(tt.answer)
			p := conflict.NewPrompted(model, privacy.New())
			f, err := p.Compare(ctx, left, right)
			if tt.bad {
				if !fault.Is(err, fault.Unavailable) {
					t.Errorf("%+v %v", f, err)
				}
				return
			}
			if err != nil || f.Kind != tt.kind || f.Narrower != tt.side || !strings.Contains(f.By, "compare.v1") {
				t.Errorf("%+v %v", f, err)
			}
		})
	}
}

const (
	mentionText = "When the topic is Drawdown, include “The money may run out before you do.”"
	silentText  = "When the topic is Drawdown, never say “run out”"
)
