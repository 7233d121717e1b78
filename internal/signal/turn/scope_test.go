package turn_test

import (
	"slices"
	"testing"

	"preceptor/internal/signal/turn"
)

// What holds for an agent at work: the key before the file, and nothing that nobody named.
func TestScopes(t *testing.T) {
	for _, tc := range []struct {
		agent, task string
		context     map[string]any
		want        []string
	}{
		{"coder", "", map[string]any{"file": `src\main.RS`}, []string{"agent:coder", "language:rust"}},
		{"coder", "fix", map[string]any{"file": "a.go", "language": " Python ", "project": "hydra"},
			[]string{"agent:coder", "task:fix", "language:python", "project:hydra"}},
		{"coder", "", map[string]any{"file": "notes.txt", "project": 7}, []string{"agent:coder"}},
		{"", "", nil, nil},
	} {
		if got := turn.Scopes(tc.agent, tc.task, tc.context); !slices.Equal(got, tc.want) {
			t.Errorf("%v: %v, want %v", tc.context, got, tc.want)
		}
	}
}
