// Package guest answers people without an account: customers who come by a signed link, to the page of its own or to
// the one inside the widget, and those who ask an agent and come back by a private link. Nothing here tells them
// whether there is more than what the link is about.
package guest

import (
	"preceptor/internal/platform/limiter"
	"preceptor/web/parts"
)

// Pages are the handlers.
type Pages struct {
	*parts.Parts
	limits  *limiter.Limiter
	streams streams // of news to customers
}

// New makes the handlers.
func New(p *parts.Parts) *Pages { return &Pages{Parts: p, limits: limiter.New(p.Now, p.Pace)} }
