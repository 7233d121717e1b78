// Package home holds the pages of everybody: signing in and setting up, the account, the inbox, search, help, asking
// the advisor and talking to agents; and what keeps pages fresh. The faults that every room answers with are drawn
// here.
package home

import (
	"log/slog"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/approval"
	"preceptor/internal/comment"
	"preceptor/internal/feedback/chat"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/review"
	"preceptor/web/frame"
	"preceptor/web/hidden"
	"preceptor/web/session"
)

// Deps is what the handlers work with.
type Deps struct {
	Accounts     *account.Directory
	Sessions     *session.Keeper
	Interactions *interaction.Store
	Reviews      *review.Queue
	Knowledge    *knowledge.Base
	Comments     *comment.Store
	Approvals    *approval.Store
	Room         *chat.Room
	Address      func(path string) string // the whole address of a path
	// Subscribe is the feed of what changed ("reviews", "learning", ...) and the function that ends it.
	Subscribe func() (<-chan string, func())
	// Touched is when a topic last changed.
	Touched func(topic string) time.Time
	// Stopping is closed when the server stops; event streams end then.
	Stopping <-chan struct{}
	Demo     bool // one-click sign-in, on the loopback only
	Log      *slog.Logger
	Now      func() time.Time
}

// Pages are the handlers.
type Pages struct {
	Deps
	*frame.Maker
	*hidden.Guard
}

// New makes the handlers.
func New(d Deps, m *frame.Maker, g *hidden.Guard) *Pages {
	return &Pages{Deps: d, Maker: m, Guard: g}
}
