package knowledge

import (
	"context"
	"fmt"

	"preceptor/internal/rule"
)

// EditStatement is EditRule for what the rule says alone.
func (b *Base) EditStatement(ctx context.Context, ruleID string, st rule.Statement, version int, reason string,
	by Person) (Rule, error) {
	r, err := b.Rule(ctx, ruleID)
	if err != nil {
		return Rule{}, err
	}
	e := EditOf(r)
	e.Statement, e.Reason = st, reason
	return b.EditRule(ctx, ruleID, e, version, by)
}

// Unpacked is what is kept of a prompt, as one text.
func Unpacked(content []byte) (string, error) {
	k, err := unpack(content)
	return fmt.Sprint(k), err
}

// PromptWords must never change.
var PromptWords = usual
