package learning

import (
	"context"

	"preceptor/internal/pack"
)

// plainDrafter is an advisor that knows nothing but its rules: the same words for everybody, and what the rules ask for.
func plainDrafter(_ context.Context, d DraftFor) (string, error) {
	text := "There are several things to weigh up, and there is no hurry."
	for _, r := range d.Rules {
		pr, err := pack.ParsePrinciple(r)
		if err != nil {
			return "", err
		}
		if ok, _ := pr.Applies(d.Situation); ok {
			text += " " + pr.Missing(d.Situation, text)
		}
	}
	return text, nil
}
