// Package guest answers people without an account: customers who come by a signed link, to the page of its own or to
// the one inside the widget, and those who ask an agent and come back by a private link. Nothing here tells them
// whether there is more than what the link is about.
package guest

import (
	"sync"
	"time"

	"preceptor/internal/feedback"
	"preceptor/internal/feedback/chat"
	"preceptor/internal/feedback/link"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/platform/limiter"
)

// Deps is what the handlers work with.
type Deps struct {
	Feedback *feedback.Book
	Links    *link.Links
	Room     *chat.Room
	Pairs    *preference.Store
	// WidgetOrigins are the sites that may show the feedback widget, besides our own.
	WidgetOrigins []string
	Secure        bool // people come over TLS
	// Address is the whole address of a path.
	Address func(path string) string
	// Subscribe is the feed of what changed; Stopping is closed when the server stops.
	Subscribe func() (<-chan string, func())
	Stopping  <-chan struct{}
	Now       func() time.Time
}

// Pages are the handlers.
type Pages struct {
	Deps
	limits  *limiter.Limiter
	streams streams    // of news to customers
	saying  sync.Mutex // held while somebody says how it went, which counts once
}

// New makes the handlers.
func New(d Deps) *Pages { return &Pages{Deps: d, limits: limiter.New(d.Now)} }
