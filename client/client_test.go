package client_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"preceptor/client"
	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// One agent's day against the whole program.
func TestAgainstAServer(t *testing.T) {
	site := apptest.Open(t)
	ctx, p := t.Context(), client.New(site.URL, site.Token(t, account.Scopes...))

	known, err := p.Recall(ctx, client.RecallQuery{Query: "How much can I take tax free?",
		Customer: map[string]any{"age": 58}, Context: map[string]any{"file": "a.go"}, TokenBudget: 900})
	if err != nil || known.Items == nil {
		t.Fatalf("recall: %+v, %v", known, err)
	}
	sub := client.Submission{Agent: "pension-advisor",
		Consultation: client.Consultation{Question: "How much is tax free?", Customer: map[string]any{"age": 58},
			TaskType: "tax_free_cash"},
		Guidance: "Usually a quarter.", Steps: []any{map[string]any{"tool": "recall"}},
		Metadata: map[string]any{"run": 7}, IdempotencyKey: "4711"}
	sent, err := p.SubmitGuidance(ctx, sub)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := p.SubmitGuidance(ctx, sub); err != nil || again != sent {
		t.Errorf("the same key made %v of %v, %v", again, sent, err)
	}
	site.Drain(t)
	if g, err := p.Guidance(ctx, sent.ID); err != nil || g.ID != sent.ID || g.Status != "waiting" ||
		g.FinalText != nil {
		t.Errorf("guidance: %+v, %v", g, err)
	}
	drafted, err := p.Advise(ctx, client.AdviceQuery{Consultation: client.Consultation{Question: "What is drawdown?"}})
	if err != nil || drafted.ID == "" || drafted.ID == sent.ID {
		t.Errorf("advise: %v, %v", drafted, err)
	}

	turn := client.Turn{ID: "t-1", SessionID: "s-1", UserID: "u-7", Query: "Split it", Response: "Done",
		Action: "split_file:proxy.go:3", Reaction: "perfect",
		Steps:   []any{map[string]any{"tool": "edit", "input": "proxy.go"}},
		Context: map[string]any{"file": "proxy.go", "project": "hydra"}}
	first, err := p.RecordTurn(ctx, turn)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := p.RecordTurn(ctx, turn); err != nil || again != first {
		t.Errorf("the same turn again: %v, not %v, %v", again, first, err)
	}
	ended, err := p.EndSession(ctx, client.SessionEnd{SessionID: "s-1", UserID: "u-7"})
	if err != nil || ended.ID == "" || ended.Proposals == nil {
		t.Fatalf("end: %+v, %v", ended, err)
	}
	site.Drain(t)
	if s, err := p.Session(ctx, ended.ID); err != nil || s.ID != ended.ID {
		t.Errorf("session: %+v, %v", s, err)
	}
}

// What goes wrong comes back as what the server said.
func TestErrors(t *testing.T) {
	site := apptest.Open(t)
	p := client.New(site.URL, site.Token(t, account.Submit, account.Feedback))
	var e *client.Error
	_, err := p.SubmitGuidance(t.Context(),
		client.Submission{Agent: "pension-advisor", Guidance: "g", IdempotencyKey: "ü"})
	if !errors.As(err, &e) || e.Status != http.StatusUnprocessableEntity || e.Title == "" || len(e.Fields) == 0 ||
		!strings.Contains(err.Error(), e.Fields[0].Detail) {
		t.Errorf("nothing asked: %v", err)
	}
	_, err = p.Recall(t.Context(), client.RecallQuery{Query: "q"})
	if !errors.As(err, &e) || e.Status != http.StatusForbidden || e.Detail == "" {
		t.Errorf("no scope: %v", err)
	}
	_, err = client.New(site.URL, "pcp_wrong").Guidance(t.Context(), "x")
	if !errors.As(err, &e) || e.Status != http.StatusUnauthorized {
		t.Errorf("a wrong token: %v", err)
	}
	for _, id := range []string{"none", "../policy", ""} {
		if _, err := p.Session(t.Context(), id); !errors.As(err, &e) || e.Status != http.StatusNotFound {
			t.Errorf("session %q: %v", id, err)
		}
	}
	for what, err := range map[string]error{
		"vote": second(p.Vote(t.Context(), client.Vote{InteractionID: "none", UserID: "u", Value: 1})),
		"outcome": second(p.Outcome(t.Context(),
			client.Outcome{InteractionID: "none", Satisfaction: 9, Comprehension: 9, GoalAlignment: 9})),
	} {
		if !errors.As(err, &e) || e.Status != http.StatusNotFound {
			t.Errorf("%s on nothing: %v", what, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Guidance(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	if _, err := client.New("no address", "t").Guidance(t.Context(), "x"); err == nil {
		t.Error("asked no address")
	}
}

func second[T any](_ T, err error) error { return err }

// What is not ours is told by its status, and a wait that is asked for is handed on.
func TestAnswersOfOthers(t *testing.T) {
	for _, c := range []struct {
		status      int
		retry, body string
		want        client.Error
	}{
		{http.StatusTooManyRequests, "12", `{"title":"Slow down","status":429,"detail":"Wait."}`,
			client.Error{Status: 429, Title: "Slow down", Detail: "Wait.", RetryAfter: 12 * time.Second}},
		{http.StatusBadGateway, "", "<html>Bad gateway</html>", client.Error{Status: 502, Title: "Bad Gateway"}},
		{http.StatusServiceUnavailable, "soon", `{"error":"x"}`,
			client.Error{Status: 503, Title: "Service Unavailable"}},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", c.retry)
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(c.body))
		}))
		var e *client.Error
		_, err := client.New(server.URL, "t").Guidance(t.Context(), "x")
		if !errors.As(err, &e) || e.Status != c.want.Status || e.Title != c.want.Title || e.Detail != c.want.Detail ||
			e.RetryAfter != c.want.RetryAfter {
			t.Errorf("%d: %v", c.status, err)
		}
		server.Close()
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<html>"))
	}))
	defer server.Close()
	if _, err := client.New(server.URL, "t").Guidance(t.Context(), "x"); err == nil ||
		!strings.Contains(err.Error(), "/api/guidance/x") {
		t.Errorf("a page for an answer: %v", err)
	}
}

func Example() {
	ctx, question := context.Background(), "How much can I take tax free?"
	p := client.New("https://preceptor.example", os.Getenv("PRECEPTOR_TOKEN"))
	known, err := p.Recall(ctx, client.RecallQuery{Query: question})
	if err != nil {
		return
	}
	draft := ask(known.Prompt + "\n\n" + question) // your model
	sent, err := p.SubmitGuidance(ctx,
		client.Submission{Agent: "pension-advisor", Consultation: client.Consultation{Question: question},
			Guidance: draft})
	if err != nil {
		return
	}
	g, err := p.Guidance(ctx, sent.ID) // later, or when a webhook tells
	if err == nil && g.FinalText != nil {
		reply(*g.FinalText) // the only text that may go to the customer
	}
}

func ask(prompt string) string { return prompt }

func reply(string) {}
