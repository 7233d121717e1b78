// Package admin holds the pages of administrators: people, teams, agents, the review policy, webhooks, import, erasure,
// backup, jobs and the audit log.
package admin

import "preceptor/web/frame"

// Pages are the handlers.
type Pages struct {
	*frame.Maker
}
