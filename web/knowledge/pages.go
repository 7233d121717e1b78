// Package knowledge holds the pages of what the advisor knows and learns: rules and cases with their life, conflicts,
// quarantine, the history of the whole base, lessons on their way, and what agents remember.
package knowledge

import (
	"preceptor/web/frame"
	"preceptor/web/hidden"
	"preceptor/web/teach"
)

// Pages are the handlers.
type Pages struct {
	*frame.Maker
	*hidden.Guard
	*teach.Teacher
}
