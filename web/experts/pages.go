// Package experts holds the pages of compliance experts: what they have to do, borderline cases, the line that they
// rule by, ratings of what went out, and checks.
package experts

import (
	"preceptor/web/frame"
	"preceptor/web/teach"
)

// Pages are the handlers.
type Pages struct {
	*frame.Maker
	*teach.Teacher
}
