package learning

import (
	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

// TODO(merge rules): rule.Suggest and rule.Whom take their place.
var (
	suggest = func(before, after string) []rule.Act { return nil }
	whom    = func(p *pack.Pack, s pack.Situation) []rule.Condition { return nil }
)
