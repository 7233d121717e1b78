package llm_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"preceptor/internal/llm"
	"preceptor/internal/llm/llmtest"
	"preceptor/internal/platform/fault"
)

type said struct{ Text string }

// post asks a server that does as it is told, as a provider does.
func post(t *testing.T, address string, c llm.Config) (said, error) {
	t.Helper()
	c.Backoff = time.Millisecond
	return llm.Do(t.Context(), llm.NewCaller("m", c), func(ctx context.Context) (a said, err error) {
		return a, llm.Post(ctx, "m", address, "v1/ask", http.Header{"X-Key": {"KEY-123"}}, []byte(`"SECRET-PROMPT"`),
			&a)
	})
}

func TestPost(t *testing.T) {
	text := func(n int) string { // an answer of n bytes
		return `{"text":"` + strings.Repeat("a", n-len(`{"text":""}`)) + `"}`
	}
	good := llmtest.Body(`{"text":"fine"}`)
	for _, c := range []struct {
		name     string
		steps    []http.HandlerFunc
		requests int
		kind     fault.Kind
		message  string // of the failure
	}{
		{"429 with Retry-After, then good", []http.HandlerFunc{llmtest.Status(429, "Retry-After: 0.2"), good}, 2, 0,
			""},
		{"500, then good", []http.HandlerFunc{llmtest.Status(500), good}, 2, 0, ""},
		{"a cut body, then good", []http.HandlerFunc{llmtest.Cut(text(100)), good}, 2, 0, ""},
		{"cut bodies", []http.HandlerFunc{llmtest.Cut(text(100))}, 2, fault.Unavailable,
			"can't be reached or answered with nonsense"},
		{"as long as may be", []http.HandlerFunc{llmtest.Body(text(llm.MaxBody))}, 1, 0, ""},
		{"a byte too long", []http.HandlerFunc{llmtest.Body(text(llm.MaxBody + 1))}, 2, fault.Unavailable,
			"sent more than 8 MB"},
		{"a stall", []http.HandlerFunc{llmtest.Stall()}, 2, fault.Unavailable, "did not answer within"},
		{"two answers", []http.HandlerFunc{llmtest.Body(`{"text":"a"}{"text":"b"}`)}, 2, fault.Unavailable,
			"answered with nonsense"},
		{"the wrong JSON", []http.HandlerFunc{llmtest.Body(`{"text":["a"]}`)}, 2, fault.Unavailable,
			"answered with nonsense"},
		{"a refused key", []http.HandlerFunc{llmtest.Status(401)}, 1, fault.Invalid, "refuses the key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := llmtest.Serve(t, c.steps...)
			began := time.Now()
			a, err := post(t, s.URL+"/?token=KEY-456", llm.Config{Attempts: 2, Timeout: 500 * time.Millisecond})
			if s.Requests() != c.requests {
				t.Errorf("%d requests, want %d", s.Requests(), c.requests)
			}
			if strings.HasPrefix(c.name, "429") && time.Since(began) < 200*time.Millisecond {
				t.Error("it did not wait as long as it was asked to")
			}
			if c.message == "" {
				if err != nil || a.Text == "" {
					t.Errorf("got %q, %v", a.Text, err)
				}
				return
			}
			if !fault.Is(err, c.kind) || !strings.Contains(fault.Message(err), c.message) {
				t.Errorf("got %v", err)
			}
			tellsNothing(t, err)
		})
	}
}

// An address may hold a key, and a question is nobody's to log.
func tellsNothing(t *testing.T, err error) {
	t.Helper()
	for e := err; e != nil; e = errors.Unwrap(e) {
		if strings.Contains(e.Error(), "KEY-") || strings.Contains(e.Error(), "SECRET") {
			t.Errorf("the error gives away a key or the prompt: %v", e)
		}
	}
}

func TestPostTellsNoAddress(t *testing.T) {
	for address, kind := range map[string]fault.Kind{
		"http://127.0.0.1:1/?token=KEY-456": fault.Unavailable,
		"http://ann:KEY-456@[::1":           fault.Invalid,
		"KEY-456":                           fault.Unavailable,
		"http://KEY-456\x7f.example":        fault.Invalid,
	} {
		_, err := post(t, address, llm.Config{Attempts: 1, Timeout: time.Second})
		if !fault.Is(err, kind) {
			t.Errorf("%q: %v", address, err)
		}
		tellsNothing(t, err)
	}
}
