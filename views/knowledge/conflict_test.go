package knowledge

import (
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
)

// A telephone shows one rule below the other, so that neither is on the right.
func TestAConflictNamesItsRules(t *testing.T) {
	c := conflict.Conflict{Left: conflict.Item{Rule: &knowledge.Rule{Number: 5}},
		Right: conflict.Item{Rule: &knowledge.Rule{Number: 7}}}
	for why, want := range map[string]string{
		"The rule on the right applies wherever the one on the left does. The rest.": "R-7 applies wherever R-5 " +
			"does. The rest.",
		"The rule on the left asks for everything the one on the right does.": "R-5 asks for everything " +
			"R-7 does.",
		"One says “turn on the left tap” and the other never does.": "One says “turn on the left " +
			"tap” and the other never does.",
	} {
		if c.Why = why; ConflictWhy(c) != want {
			t.Errorf("%q reads %q, want %q", why, ConflictWhy(c), want)
		}
	}
	if c.Right.Rule = nil; ConflictWhy(c) != c.Why {
		t.Errorf("with one rule alone it reads %q", ConflictWhy(c))
	}
}
