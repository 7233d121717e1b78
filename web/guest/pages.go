// Package guest answers people without an account: customers who come by a signed link, to the page of its own or to
// the one inside the widget. Nothing here tells them whether there is more than what the link is about.
package guest

import (
	"sync"
	"time"

	"preceptor/internal/feedback"
	"preceptor/internal/feedback/link"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/platform/limiter"
)

// Deps is what the handlers work with.
type Deps struct {
	Feedback *feedback.Book
	Links    *link.Links
	Pairs    *preference.Store
	// WidgetOrigins are the sites that may show the feedback widget, besides our own.
	WidgetOrigins []string
	Now           func() time.Time
}

// Pages are the handlers.
type Pages struct {
	Deps
	limits *limiter.Limiter
	saying sync.Mutex // held while somebody says how it went, which counts once
}

// New makes the handlers.
func New(d Deps) *Pages { return &Pages{Deps: d, limits: limiter.New(d.Now)} }
