// Package client speaks to a Preceptor server's JSON API from Go, with nothing but the standard library.
//
// A Client is one agent: it sends the agent's token with every call. Each method is one operation of the API, and a
// test holds methods and types against the description that the server publishes (/api/openapi.json). Of answers it has
// what an agent acts on. An answer other than 2xx is an *Error with what the server said. Nothing is tried again: a
// caller that does looks at RetryAfter, and gives guidance an IdempotencyKey, so that a second try is the same
// submission.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Client asks one server as one agent. It may be used from several goroutines.
type Client struct {
	HTTP        *http.Client // New gives it a time limit of a minute; a call's context may set a shorter one
	base, token string
}

// New makes a client of the server at baseURL, such as https://preceptor.example, with an agent's token.
func New(baseURL, token string) *Client {
	return &Client{HTTP: &http.Client{Timeout: time.Minute}, base: strings.TrimSuffix(baseURL, "/"), token: token}
}

// SubmitGuidance puts a text into the supervisors' queue.
func (c *Client) SubmitGuidance(ctx context.Context, s Submission) (Receipt, error) {
	return send[Receipt](ctx, c, http.MethodPost, "/api/guidance", s.IdempotencyKey, s)
}

// Advise has Preceptor's own advisor draft an answer, which waits for review like any other.
func (c *Client) Advise(ctx context.Context, q AdviceQuery) (Receipt, error) {
	return send[Receipt](ctx, c, http.MethodPost, "/api/advise", q.IdempotencyKey, q)
}

// Guidance tells what became of guidance.
func (c *Client) Guidance(ctx context.Context, id string) (Guidance, error) {
	return send[Guidance](ctx, c, http.MethodGet, "/api/guidance/"+url.PathEscape(id), "", nil)
}

// Withdraw takes back guidance that nobody has decided, for a reason that people read.
func (c *Client) Withdraw(ctx context.Context, id, reason string) (Guidance, error) {
	return send[Guidance](ctx, c, http.MethodDelete, "/api/guidance/"+url.PathEscape(id)+"?reason="+
		url.QueryEscape(reason), "", nil)
}

// Recall gives what was learned that helps with a question.
func (c *Client) Recall(ctx context.Context, q RecallQuery) (Recall, error) {
	return send[Recall](ctx, c, http.MethodPost, "/api/recall", "", q)
}

// RecordTurn tells what the agent did and what its user said to it.
func (c *Client) RecordTurn(ctx context.Context, t Turn) (Receipt, error) {
	return send[Receipt](ctx, c, http.MethodPost, "/api/turns", "", t)
}

// EndSession has a session's turns looked through.
func (c *Client) EndSession(ctx context.Context, e SessionEnd) (Session, error) {
	return send[Session](ctx, c, http.MethodPost, "/api/sessions/end", "", e)
}

// Session is the summary of a session, by the id that EndSession gave.
func (c *Client) Session(ctx context.Context, id string) (Session, error) {
	return send[Session](ctx, c, http.MethodGet, "/api/sessions/"+url.PathEscape(id), "", nil)
}

// Vote sends what a user thinks of an answer.
func (c *Client) Vote(ctx context.Context, v Vote) (Receipt, error) {
	return send[Receipt](ctx, c, http.MethodPost, "/api/feedback/submit", "", v)
}

// Outcome sends how it went for the customer.
func (c *Client) Outcome(ctx context.Context, o Outcome) (Receipt, error) {
	return send[Receipt](ctx, c, http.MethodPost, "/api/feedback/outcomes", "", o)
}

func send[T any](ctx context.Context, c *Client, method, path, key string, body any) (answer T, err error) {
	sent := []byte{}
	if body != nil {
		if sent, err = json.Marshal(body); err != nil {
			return answer, fmt.Errorf("preceptor: write the body of %s: %w", path, err)
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(sent))
	if err != nil {
		return answer, fmt.Errorf("preceptor: %w", err)
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("Content-Type", "application/json")
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	res, err := c.HTTP.Do(r)
	if err != nil {
		return answer, fmt.Errorf("preceptor: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode/100 != 2 {
		return answer, refusal(res)
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return answer, fmt.Errorf("preceptor: read the answer of %s: %w", path, err)
	}
	return answer, nil
}

// Error is what the server said instead of an answer.
type Error struct {
	Status     int           `json:"status"`
	Title      string        `json:"title"`
	Detail     string        `json:"detail"` // what happened and what to do next
	Fields     []Field       `json:"errors"`
	RetryAfter time.Duration `json:"-"` // when to try again; zero where the server didn't say
}

// Field is one wrong field: a pointer into the body, or the name of a parameter or header.
type Field struct {
	Detail    string `json:"detail"`
	Pointer   string `json:"pointer"`
	Parameter string `json:"parameter"`
}

// Error says all of it on one line.
func (e *Error) Error() string {
	s := fmt.Sprintf("preceptor: %d %s", e.Status, strings.TrimSpace(e.Title+". "+e.Detail))
	for _, f := range e.Fields {
		s += fmt.Sprintf(" (%s%s: %s)", f.Pointer, f.Parameter, f.Detail)
	}
	return s
}

// refusal reads a problem. A proxy on the way may answer with something else: then the status is all we know.
func refusal(res *http.Response) *Error {
	var e Error
	if json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(&e) != nil || e.Title == "" {
		e = Error{Title: http.StatusText(res.StatusCode)}
	}
	e.Status = res.StatusCode
	if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	return &e
}
