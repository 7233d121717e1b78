// Package delivery tells agents what became of their guidance: webhooks, signed, retried, replayable, by the Standard
// Webhooks specification (github.com/standard-webhooks/standard-webhooks).
//
// It owns the tables webhook_endpoint, webhook_secret, delivery and delivery_attempt. It knows no domain: an event is a
// type, the agent it goes to, what it is about and what made it happen. What it says is built when it is sent, by the
// hook Data, and never stored: a customer's text stands in one place, and erasing it there is enough. Of what was sent
// the SHA-256 is kept with each attempt.
//
// What it promises.
//   - EnqueueTx writes the event and its job in the transaction of what it tells: a release without its event, or an
//     event without its release, can't be. An agent without an endpoint gets no events; it polls.
//   - Delivery is at least once, under the same webhook-id over retries, replays and crashes. A process that was killed
//     between the receiver's answer and the mark sends again.
//   - The schedule is the specification's: 10 attempts over three days (delays, in schedule.go), each 20 s at most. 2xx
//     is delivered; everything else failed, redirects too, which are never followed. 410 disables the endpoint, on
//     record. Retry-After of 429, 502, 503 and 504 is honoured up to a day and holds up the whole endpoint, because it
//     is about the receiver and not about one message. After the last attempt the event is dead: it stays, and a person
//     may replay it.
//   - Events of one object are sent in the order in which they happened: a later one waits until the earlier one was
//     delivered or is dead. Between objects there is no order.
//   - A receiver that stalls holds up nobody else: at most 4 attempts are under way at one endpoint, and 1 while its
//     last attempt failed; the workers of the queue are more than that.
//   - While an endpoint is disabled its events are kept; enabling sends them.
//   - No connection is made to an address that is not public (guard.go), unless the operator allowed it. What is judged
//     is the address that is dialled, at the moment of dialling, so a name that changes its mind gains nothing.
//
// How it works. The table is the truth about what is due, and a job only says "look at this endpoint": whoever gets it
// sends what is due, one after the other, until nothing is. A job that finds the endpoint busy ends; who is busy there
// looks again after each attempt. A sweep once a minute looks for what nobody looks after.
//
// What is kept of an answer is its status and a few printable words, fewer if it repeats what was sent. Secrets are
// kept as they are, since signing needs them; after a rotation both sign for 24 hours.
//
// What it decided against: a job per attempt with the job queue's own retries (its backoff is not the specification's,
// and a full endpoint would have its jobs wake up for nothing); keep-alive (a pooled connection was judged at another
// time); HTTP/2, compression and proxies from the environment; a choice of event types per endpoint (there are six, and
// a receiver that needs one may drop the rest); several endpoints per agent; asymmetric signatures (both ends belong to
// the same firm).
package delivery

import (
	"context"
	"crypto/x509"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/job"
)

const (
	// TestType is the event that an administrator sends to see whether it arrives. It is tried once.
	TestType = "endpoint.test"

	timeout     = 20 * time.Second // of one attempt, from the look-up to the last byte that is read
	perEndpoint = 4                // attempts under way at one endpoint
	perJob      = 30 * time.Second // after so long a job makes room for another endpoint's
	sweepEvery  = time.Minute

	// Topic is touched by every change, for pages that follow it.
	Topic = "webhooks"
)

// Event is what there is to tell.
type Event struct {
	Type     string
	AgentID  string
	ObjectID string // what it is about; empty for a test
	SourceID string // what made it happen
	At       time.Time
	WithText bool // the endpoint wants the text itself
}

// Options of New. The zero value is what serve uses without settings.
type Options struct {
	Allow    Allow
	Roots    *x509.CertPool // whom to trust; the machine's when nil
	Resolver *net.Resolver  // how names are looked up; the machine's when nil
	Timeout  time.Duration  // of one attempt; 20 s when 0
}

// Service sends events.
type Service struct {
	// Data builds what an event says, when it is sent. NotFound: what it was about is gone, and the event dies. Set it
	// before the jobs start.
	Data func(ctx context.Context, e Event) (any, error)

	db     *db.DB
	jobs   *job.Queue
	log    *slog.Logger
	guard  guard
	client *http.Client
	limit  time.Duration

	mu     sync.Mutex
	flight map[string]map[int64]string // agent -> seq -> object of what is being sent
	counts map[string]int64            // attempts since the start, by outcome
}

// New makes the service and registers its jobs with jobs, which must not have been started.
func New(d *db.DB, jobs *job.Queue, o Options, log *slog.Logger) *Service {
	if o.Timeout == 0 {
		o.Timeout = timeout
	}
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	g := guard{allow: o.Allow, resolver: o.Resolver}
	s := &Service{
		db: d, jobs: jobs, log: log, guard: g, limit: o.Timeout, client: newClient(g, o.Roots, timeout, false),
		flight: map[string]map[int64]string{}, counts: map[string]int64{},
	}
	job.Register(jobs, s.send)
	jobs.Periodic("delivery.sweep", sweepEvery, s.sweep)
	return s
}

// Outcomes is how many attempts there were since the start, by outcome.
func (s *Service) Outcomes() map[string]int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make(map[string]int64, len(outcomes))
	for _, name := range outcomes {
		out[name] = s.counts[name]
	}
	return out
}
