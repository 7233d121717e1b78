// Package inproc asks an operation of the API without a socket, for the doors beside HTTP (mcp, proxy): an operation
// has one meaning, one check of who may use it, and one line in the log, by whatever door it is asked.
package inproc

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"preceptor/internal/signal/turn"
	"preceptor/web/render"
)

// Ask asks an operation. authorization is the header of whoever came; a nil body is none. What is not answered with a
// success is a *Refusal.
type Ask func(ctx context.Context, authorization, method, path string, body []byte) ([]byte, error)

// Refusal is an operation's answer that is no success.
type Refusal struct {
	Status  int
	Problem render.ProblemBody
}

func (r *Refusal) Error() string { return r.Problem.Text() }

type doorKey struct{}

// New asks the operations that h serves, by a door of package turn.
func New(h http.Handler, door string) Ask {
	return func(ctx context.Context, authorization, method, path string, body []byte) ([]byte, error) {
		r, err := http.NewRequestWithContext(context.WithValue(ctx, doorKey{}, door), method, path,
			bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		r.Header.Set("Authorization", authorization)
		if body != nil {
			r.Header.Set("Content-Type", "application/json")
		}
		w := NewKept()
		h.ServeHTTP(w, r)
		if w.Status < http.StatusMultipleChoices {
			return w.Bytes(), nil
		}
		refusal := &Refusal{Status: w.Status}
		if json.Unmarshal(w.Bytes(), &refusal.Problem) != nil || refusal.Problem.Detail == "" {
			refusal.Problem.Detail = http.StatusText(w.Status)
		}
		return nil, refusal
	}
}

// Into asks an operation with a body of question, unless that is nil, and reads the answer into answer.
func (ask Ask) Into(ctx context.Context, authorization, method, path string, question, answer any) error {
	var body []byte
	if question != nil {
		var err error
		if body, err = json.Marshal(question); err != nil {
			return err
		}
	}
	b, err := ask(ctx, authorization, method, path, body)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, answer)
}

// DoorOf is the door by which an operation is asked.
func DoorOf(ctx context.Context) string {
	if door, ok := ctx.Value(doorKey{}).(string); ok {
		return door
	}
	return turn.ByAPI
}

// Kept is an answer that is kept rather than sent.
type Kept struct {
	bytes.Buffer
	Status int
	header http.Header
}

// NewKept is an empty one.
func NewKept() *Kept { return &Kept{Status: http.StatusOK, header: http.Header{}} }

// Header has what the answer's head says.
func (k *Kept) Header() http.Header { return k.header }

// WriteHeader keeps the status.
func (k *Kept) WriteHeader(status int) { k.Status = status }
