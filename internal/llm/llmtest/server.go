package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"preceptor/internal/llm"
	"preceptor/internal/platform/fault"
)

// Server is a model server that does as it is told, one step a request; the last step is repeated.
type Server struct {
	URL string

	mu    sync.Mutex
	steps []http.HandlerFunc
	n     int
	last  []byte
	path  string
	head  http.Header
}

// Serve starts a server for the test.
func Serve(t testing.TB, steps ...http.HandlerFunc) *Server {
	t.Helper()
	s := &Server{steps: steps}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		step := s.steps[min(s.n, len(s.steps)-1)]
		s.n++
		s.last, s.path, s.head = body, r.URL.Path, r.Header
		s.mu.Unlock()
		step(w, r)
	}))
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
	})
	s.URL = h.URL
	return s
}

// Requests is how many there were.
func (s *Server) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}

// Last is the last request: its path, its headers and its body.
func (s *Server) Last() (path string, head http.Header, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.path, s.head, string(s.last)
}

// Status answers with a status and headers ("Name: value").
func Status(code int, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			w.Header().Set(name, value)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		fmt.Fprint(w, `{"error":{"message":"the prompt was: SECRET-PROMPT","type":"x"}}`)
	}
}

// Body answers 200 with JSON text.
func Body(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, text)
	}
}

// Stall answers nothing until the client gives up.
func Stall() http.HandlerFunc {
	return func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(10 * time.Second):
		}
	}
}

// Cut promises more than it sends and drops the connection.
func Cut(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", fmt.Sprint(len(text)))
		io.WriteString(w, text[:len(text)/2])
		panic(http.ErrAbortHandler)
	}
}

// Flood sends JSON without end.
func Flood() http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"id":"`)
		chunk := strings.Repeat("a", 1<<16)
		for range 10 << 4 * 2 { // 20 MB
			if _, err := io.WriteString(w, chunk); err != nil {
				return
			}
		}
	}
}

// Schema asks for {"verdict": "yes" or "no", "score": a number}.
var Schema = json.RawMessage(
	`{"type":"object","properties":{"verdict":{"type":"string","enum":["yes","no"]},"score":{"type":"number"}},"required":["verdict","score"],"additionalProperties":false}`)

// Good fits Schema.
const Good = `{"verdict":"yes","score":0.5}`

// Contract holds a provider's generator to what package llm promises. reply wraps a model's text in the provider's
// answer, with 11 tokens in and 7 out and the model "m-1".
func Contract(t *testing.T, open func(llm.Config) (llm.Generator, error), reply func(text string) string) {
	request := llm.Request{System: "You judge.", Prompt: "SECRET-PROMPT", SchemaName: "verdict", Schema: Schema}
	good := Body(reply(Good))
	for _, c := range []struct {
		name     string
		steps    []http.HandlerFunc
		kind     fault.Kind // of the failure
		fails    bool
		requests int
	}{
		{"good at once", []http.HandlerFunc{good}, 0, false, 1},
		{"500, then good", []http.HandlerFunc{Status(500), good}, 0, false, 2},
		{"500 for ever", []http.HandlerFunc{Status(500)}, fault.Unavailable, true, 3},
		{"429 that asks for a moment, then good", []http.HandlerFunc{Status(429, "Retry-After: 0.05"), good}, 0, false,
			2},
		{"429 that asks for an hour is not waited for", []http.HandlerFunc{Status(429, "Retry-After: 3600")},
			fault.Limited, true, 1},
		{"a refused key is not tried again", []http.HandlerFunc{Status(401)}, fault.Invalid, true, 1},
		{"an unknown model is not tried again", []http.HandlerFunc{Status(404)}, fault.Invalid, true, 1},
		{"a refused request is not tried again", []http.HandlerFunc{Status(400)}, fault.Invalid, true, 1},
		{"a redirect is not followed", []http.HandlerFunc{Status(302, "Location: http://127.0.0.1:1/elsewhere")},
			fault.Invalid, true, 1},
		{"a stall, then good", []http.HandlerFunc{Stall(), good}, 0, false, 2},
		{"stalls", []http.HandlerFunc{Stall()}, fault.Unavailable, true, 3},
		{"a cut answer, then good", []http.HandlerFunc{Cut(reply(Good)), good}, 0, false, 2},
		{"not JSON at all", []http.HandlerFunc{Body("<html>proxy error</html>")}, fault.Unavailable, true, 3},
		{"null", []http.HandlerFunc{Body("null")}, fault.Unavailable, true, 3},
		{"an empty object", []http.HandlerFunc{Body("{}")}, fault.Unavailable, true, 3},
		{"the wrong form, then good", []http.HandlerFunc{Body(reply(`{"verdict":"maybe","score":1}`)), good}, 0, false,
			2},
		{"a field too few", []http.HandlerFunc{Body(reply(`{"verdict":"yes"}`))}, fault.Unavailable, true, 3},
		{"prose round the JSON", []http.HandlerFunc{Body(reply("Sure! " + Good))}, fault.Unavailable, true, 3},
		{"two answers in one", []http.HandlerFunc{Body(reply(Good + Good))}, fault.Unavailable, true, 3},
		{"an answer without end", []http.HandlerFunc{Flood()}, fault.Unavailable, true, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Serve(t, c.steps...)
			g, err := open(llm.Config{BaseURL: s.URL, Model: "m-1", APIKey: "KEY-123", Timeout: 400 * time.Millisecond,
				Attempts: 3, Backoff: time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := g.Generate(t.Context(), request)
			runtime.ReadMemStats(&after)
			if grown := after.TotalAlloc - before.TotalAlloc; grown > 200<<20 {
				t.Errorf("%d MB were allocated for one answer", grown>>20)
			}
			if s.Requests() != c.requests {
				t.Errorf("%d requests, want %d", s.Requests(), c.requests)
			}
			if !c.fails {
				if err != nil || r.Text != Good || r.Model != "m-1" || r.InTokens != 11 || r.OutTokens != 7 {
					t.Errorf("got %+v, %v", r, err)
				}
				return
			}
			if err == nil || fault.KindOf(err) != c.kind {
				t.Fatalf("got %v, want %v", err, c.kind)
			}
			if all := err.Error() + fault.Message(err); strings.Contains(all, "SECRET-PROMPT") ||
				strings.Contains(all, "KEY-123") {
				t.Errorf("the error gives away the prompt or the key: %v", err)
			}
		})
	}
	t.Run("the breaker opens, and says when to come back", func(t *testing.T) {
		s := Serve(t, Status(503))
		g, err := open(llm.Config{BaseURL: s.URL, Model: "m-1", APIKey: "k", Timeout: time.Second, Attempts: 1,
			Backoff: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			_, err = g.Generate(t.Context(), request)
		}
		if n := s.Requests(); n != 5 {
			t.Errorf("the failing server was asked %d times, want 5", n)
		}
		if !fault.Is(err, fault.Unavailable) || fault.RetryAfter(err) == 0 {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a caller who leaves is not the server's fault", func(t *testing.T) {
		s := Serve(t, Stall())
		g, err := open(llm.Config{BaseURL: s.URL, Model: "m-1", APIKey: "k", Timeout: 5 * time.Second, Attempts: 3,
			Backoff: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := contextAfter(t, 50*time.Millisecond)
		defer cancel()
		if _, err := g.Generate(ctx, request); err == nil || s.Requests() != 1 {
			t.Errorf("%d requests, %v", s.Requests(), err)
		}
	})
	t.Run("nobody listens", func(t *testing.T) {
		g, err := open(llm.Config{BaseURL: "http://127.0.0.1:1", Model: "m-1", APIKey: "k", Timeout: time.Second,
			Attempts: 2, Backoff: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Generate(t.Context(), request); !fault.Is(err, fault.Unavailable) ||
			errors.Is(err, llm.ErrTooLong) {
			t.Errorf("got %v", err)
		}
	})
}

func contextAfter(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(t.Context(), d)
}
