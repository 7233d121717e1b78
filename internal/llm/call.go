package llm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"

	"preceptor/internal/platform/fault"
)

const (
	// MaxBody bounds an answer in bytes; a draft is a few kB, 64 vectors of 3,072 numbers some 3 MB.
	MaxBody = 8 << 20
	// maxWait is the longest pause between two tries; who asks for more is asked again by the job that failed.
	maxWait = 20 * time.Second
	// trips is after how many failures in a row the breaker opens, and rests how long it stays so.
	trips = 5
	rests = 30 * time.Second
)

// Caller makes calls to one server: each try timed, tried again with growing pauses, behind a breaker.
type Caller struct {
	name    string
	cfg     Config
	breaker *gobreaker.CircuitBreaker[struct{}]
	last    atomic.Pointer[string] // why a call failed last, in words for people
}

// ErrContent marks an answer that came and does not do, as an empty one: the server is up, so the breaker does not
// count it.
var ErrContent = errors.New("llm: the answer does not do")

// NewCaller is a caller for the server called name in messages.
func NewCaller(name string, c Config) *Caller {
	return &Caller{name: name, cfg: c.withDefaults(), breaker: gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		Name: name, Timeout: rests,
		ReadyToTrip: func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= trips },
		// Only a server that is down counts: a refused request is an answer, and a caller who left is no failure.
		IsSuccessful: func(err error) bool { return !fault.Is(err, fault.Unavailable) || errors.Is(err, ErrContent) },
	})}
}

// used counts what the models of this process were asked.
var used struct{ calls, errors, in, out atomic.Int64 }

// Used is what the models of this process were asked since it started.
func Used() map[string]int64 {
	return map[string]int64{"calls": used.calls.Load(), "errors": used.errors.Load(), "input_tokens": used.in.Load(),
		"output_tokens": used.out.Load()}
}

// Do calls try until it succeeds, fails for good, or the tries run out.
func Do[T any](ctx context.Context, c *Caller, try func(ctx context.Context) (T, error)) (out T, err error) {
	wait := c.cfg.Backoff
	for n := 1; ; n++ {
		_, err = c.breaker.Execute(func() (struct{}, error) {
			out, err = once(ctx, c, try)
			return struct{}{}, err
		})
		if err == nil {
			return out, nil
		}
		if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
			why := ""
			if last := c.last.Load(); last != nil {
				why = " The last time: " + *last
			}
			e := fault.Wrap(fault.Unavailable, err,
				"The model server %s keeps failing and is left alone for a while. Try again in a minute.%s", c.name,
				why)
			e.RetryAfter = rests
			return out, e
		}
		said := fault.Message(err)
		c.last.Store(&said)
		pause := max(fault.RetryAfter(err), wait/2+rand.N(wait)) // jittered, so that many do not come back at once
		if n >= c.cfg.Attempts || !fault.KindOf(err).Retriable() || pause > maxWait || ctx.Err() != nil {
			return out, err
		}
		select {
		case <-ctx.Done():
			return out, fault.Wrap(fault.Unavailable, ctx.Err(), "The call to the model was given up.")
		case <-time.After(pause):
		}
		wait *= 2
	}
}

// once is one try; what it did not classify is a connection that failed.
func once[T any](ctx context.Context, c *Caller, try func(ctx context.Context) (T, error)) (T, error) {
	each, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	out, err := try(each)
	if err == nil {
		used.calls.Add(1)
		if r, ok := any(out).(Response); ok {
			used.in.Add(int64(r.InTokens))
			used.out.Add(int64(r.OutTokens))
		}
		return out, nil
	}
	if ctx.Err() == nil {
		used.errors.Add(1)
	}
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return out, f // without what the transport wrapped round it: an address may hold a key
	}
	switch {
	case ctx.Err() != nil:
		// by us, no fault of the server
		return out, fault.Wrap(fault.Internal, ctx.Err(), "The call to the model was given up.")
	case errors.Is(err, ErrTooLong):
		return out, fault.Wrap(fault.Unavailable, ErrTooLong, "The model server %s sent more than %d MB. Try again.",
			c.name, MaxBody>>20)
	case errors.Is(each.Err(), context.DeadlineExceeded):
		return out, fault.Wrap(fault.Unavailable, context.DeadlineExceeded,
			"The model server %s did not answer within %s. Try again.", c.name, c.cfg.Timeout)
	}
	return out, fault.Wrap(fault.Unavailable, err,
		"The model server %s can't be reached or answered with nonsense. Check PRECEPTOR_LLM_BASE_URL, or try again.",
		c.name)
}

// StatusFault classifies an HTTP status. The server's own words may quote the prompt, so they are neither kept nor
// shown.
func StatusFault(name string, status int, h http.Header) error {
	cause := fmt.Errorf("%s answered with status %d", name, status)
	switch {
	case status == http.StatusTooManyRequests:
		e := fault.Wrap(fault.Limited, cause, "The model server %s has had too many requests. Try again in a while.",
			name)
		e.RetryAfter = retryAfter(h)
		return e
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return fault.Wrap(fault.Invalid, cause, "The model server %s refuses the key. Check PRECEPTOR_LLM_API_KEY.",
			name)
	case status == http.StatusNotFound:
		return fault.Wrap(fault.Invalid, cause,
			"The model server %s does not know the model or the address. Check PRECEPTOR_LLM_MODEL and "+
				"PRECEPTOR_LLM_BASE_URL.", name)
	case status >= 500 || status == http.StatusRequestTimeout || status == http.StatusConflict:
		e := fault.Wrap(fault.Unavailable, cause, "The model server %s failed. Try again in a while.", name)
		e.RetryAfter = retryAfter(h)
		return e
	}
	return fault.Wrap(fault.Invalid, cause,
		"The model server %s refused the request (status %d). It may not support what was asked for, or the text is "+
			"too long for it.", name, status)
}

// retryAfter reads the seconds or the date that a server asks to wait; 0 when it says nothing readable.
func retryAfter(h http.Header) time.Duration {
	v := h.Get("Retry-After")
	if n, err := strconv.ParseFloat(v, 64); err == nil && n >= 0 && n < 1e6 {
		return time.Duration(n * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
