// Package desk holds the pages of supervisors: the queue, a case with its forms, decisions and what is taken back of
// them, comments, and how far one is.
package desk

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
