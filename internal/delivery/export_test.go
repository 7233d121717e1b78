package delivery

import (
	"context"
	"net/netip"
	"time"
)

// Delays are the waits between attempts.
var Delays = delays

// Sweep is the periodic task.
func (s *Service) Sweep(ctx context.Context) error { return s.sweep(ctx) }

// NotPublic says what an address is.
func NotPublic(ip netip.Addr) string { return notPublic(ip) }

// Excerpt is what is kept of an answer.
func Excerpt(answer, sent string) string { return excerpt([]byte(answer), []byte(sent)) }

// RetryAfter reads the header.
func RetryAfter(h string, now time.Time) time.Duration { return retryAfter(h, now) }
