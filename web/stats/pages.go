// Package stats holds the pages of managers: what users say, the figures and what they were counted from, seeded
// checks, experiments, comparisons, exports and packs of evidence.
package stats

import (
	"preceptor/web/frame"
	"preceptor/web/hidden"
)

// Pages are the handlers.
type Pages struct {
	*frame.Maker
	*hidden.Guard
}
