// Package home holds the pages of everybody: signing in and setting up, the account, the inbox, search, help, asking
// the advisor and talking to agents; and what keeps pages fresh. The faults that every room answers with are drawn
// here.
package home

import (
	"preceptor/web/frame"
	"preceptor/web/hidden"
)

// Pages are the handlers.
type Pages struct {
	*frame.Maker
	*hidden.Guard
}
