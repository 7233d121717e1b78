package app_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/delivery"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/config"
	"preceptor/internal/review"
)

const goodText = "Usually a quarter of a defined contribution pot can be taken free of tax, and the rest is taxed as " +
	"income. MoneyHelper offers free, impartial guidance."

// hook is a receiver and the desk whose events it gets.
type hook struct {
	*apptest.Site
	agent  account.Agent
	api    *apptest.Client
	sue    account.Account
	secret string

	mu     sync.Mutex
	status int
	got    []event
}

type event struct {
	Type      string
	Timestamp time.Time
	Data      map[string]any
	raw       string
}

func openHook(t *testing.T, withText bool) *hook {
	t.Helper()
	h := &hook{status: http.StatusOK}
	h.Site = apptest.Open(t, func(c *config.Config) { c.Hold, c.WebhookAllow = 0, []string{"127.0.0.1"} })
	h.api = h.Nobody(t)
	h.api.Header.Set("Authorization", "Bearer "+h.Token(t, account.Submit))
	h.sue = h.Account(t, account.Supervisor)
	var err error
	if h.agent, err = h.Accounts.AgentByName(t.Context(), "pension-advisor"); err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(http.HandlerFunc(h.receive))
	t.Cleanup(srv.Close)
	if h.secret, err = h.Delivery.Save(t.Context(), h.agent.ID, srv.URL+"/hook", withText, audit.System("test"),
		""); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *hook) receive(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	h.mu.Lock()
	defer h.mu.Unlock()
	w.WriteHeader(h.status)
	wh, err := standardwebhooks.NewWebhook(h.secret)
	if err == nil {
		err = wh.VerifyIgnoringTimestamp(body, r.Header) // the test's clock is not the machine's
	}
	e := event{raw: string(body)}
	if err != nil || json.Unmarshal(body, &e) != nil {
		e.Type = "unverified"
	}
	h.got = append(h.got, e)
}

func (h *hook) answer(status int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.status = status
}

// last drains the jobs and is the newest event.
func (h *hook) last(t *testing.T, want string) event {
	t.Helper()
	h.Drain(t)
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.got) == 0 || h.got[len(h.got)-1].Type != want {
		t.Fatalf("want %s at the end of %+v", want, h.got)
	}
	return h.got[len(h.got)-1]
}

func (h *hook) submit(t *testing.T, text string) string {
	t.Helper()
	r, err := h.Interactions.Submit(t.Context(),
		interaction.Submission{AgentID: h.agent.ID, AgentName: h.agent.Name,
			By:           audit.Actor{Kind: audit.Agent, ID: h.agent.ID, Name: h.agent.Name},
			Consultation: interaction.Consultation{Question: "How much can I take tax free?"}, Guidance: text}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.ID
}

func (h *hook) decide(t *testing.T, id, kind, text string) *review.Decision {
	t.Helper()
	item, err := h.Reviews.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	in := review.Input{ID: id, By: review.Person{ID: h.sue.ID, Name: h.sue.Name}, Kind: kind, Version: item.Version,
		TextHash: item.TextHash, Text: text, Reason: "It leaves something out."}
	switch kind {
	case review.Approve:
		in.Reason = ""
	case review.Revise:
		in.Feedback = "Say more, because people ask."
	case review.Reject:
		in.ReasonCode = "does_not_answer"
	}
	d, err := h.Reviews.Decide(t.Context(), in)
	if err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	return d
}

// delivery is what the API says of how the news gets to the agent.
func (h *hook) delivery(t *testing.T, id string) (got struct {
	State, Event  string
	WebhookID     string     `json:"webhook_id"`
	NextAttemptAt *time.Time `json:"next_attempt_at"`
}) {
	t.Helper()
	r := h.api.Get(t, "/api/guidance/"+id)
	var body struct{ Delivery json.RawMessage }
	if err := json.Unmarshal([]byte(r.Body), &body); err != nil || r.Status != http.StatusOK {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	if body.Delivery != nil {
		if err := json.Unmarshal(body.Delivery, &got); err != nil {
			t.Fatal(err)
		}
	}
	return got
}

// From a decision to the receiver: each kind of news, in full, and what the API says of it.
func TestAgentsAreToldWhatBecameOfTheirGuidance(t *testing.T) {
	h := openHook(t, true)
	id := h.submit(t, goodText)
	if got := h.delivery(t, id); got.State != "" {
		t.Errorf("before a decision: %+v", got)
	}
	first := h.decide(t, id, review.Approve, "")
	e := h.last(t, "guidance.released")
	want := map[string]any{"id": id, "agent": "pension-advisor", "status": "released", "kind": "approve",
		"decided_at":  first.DecidedAt.Format(time.RFC3339Nano),
		"text_sha256": interaction.TextHash(goodText), "text": goodText, "url": "/api/guidance/" + id}
	for k, v := range want {
		if e.Data[k] != v {
			t.Errorf("%s is %v, want %v", k, e.Data[k], v)
		}
	}
	if len(e.Data) != len(want) || strings.Contains(e.raw, h.sue.Name) || strings.Contains(e.raw, h.sue.ID) ||
		!e.Timestamp.Equal(h.Clock.Now()) {
		t.Errorf("%s", e.raw)
	}
	if got := h.delivery(t, id); got.State != "delivered" || got.Event != "guidance.released" ||
		!strings.HasPrefix(got.WebhookID, "msg_") {
		t.Errorf("%+v", got)
	}

	// It is taken back and corrected.
	h.Clock.Advance(time.Minute)
	if _, err := h.Reviews.Recall(t.Context(), first.ID, review.Person{ID: h.sue.ID, Name: h.sue.Name},
		"A figure is wrong."); err != nil {
		t.Fatal(err)
	}
	if e = h.last(t, "guidance.recalled"); e.Data["status"] != "recalled" || e.Data["text"] != nil ||
		e.Data["superseded"] != nil || e.Data["text_sha256"] != interaction.TextHash(goodText) ||
		strings.Contains(e.raw, "figure") {
		t.Errorf("%s", e.raw)
	}
	better := goodText + " Do ask if anything is unclear."
	h.decide(t, id, review.Revise, better)
	if e = h.last(t, "guidance.corrected"); e.Data["status"] != "released" || e.Data["kind"] != "revise" ||
		e.Data["text"] != better {
		t.Errorf("%s", e.raw)
	}

	// The old recall, sent again, is not about the corrected text.
	list, err := h.Delivery.List(t.Context(), delivery.Filter{AgentID: h.agent.ID})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		if d.Type == "guidance.recalled" {
			if err := h.Delivery.Replay(t.Context(), d.ID, audit.System("test")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if e = h.last(t, "guidance.recalled"); e.Data["superseded"] != true {
		t.Errorf("%s", e.raw)
	}

	rejected := h.submit(t, goodText)
	h.decide(t, rejected, review.Reject, "")
	if e = h.last(t, "guidance.escalated"); e.Data["status"] != "escalated" || e.Data["text"] != nil ||
		e.Data["text_sha256"] != nil || strings.Contains(e.raw, "leaves something") {
		t.Errorf("%s", e.raw)
	}
	returned := h.submit(t, goodText)
	h.decide(t, returned, review.Return, "")
	if e = h.last(t, "guidance.returned"); e.Data["status"] != "returned" || e.Data["id"] != returned ||
		e.Data["text"] != nil {
		t.Errorf("%s", e.raw)
	}
}

// The news of a release that could not be told before it was recalled carries no text any more.
func TestALateReleaseCarriesNoRecalledText(t *testing.T) {
	h := openHook(t, true)
	h.answer(http.StatusInternalServerError)
	id := h.submit(t, goodText)
	d := h.decide(t, id, review.Approve, "")
	h.last(t, "guidance.released")
	if got := h.delivery(t, id); got.State != "retrying" || got.NextAttemptAt == nil {
		t.Errorf("%+v", got)
	}
	if _, err := h.Reviews.Recall(t.Context(), d.ID, review.Person{ID: h.sue.ID, Name: h.sue.Name},
		"A figure is wrong."); err != nil {
		t.Fatal(err)
	}
	h.Drain(t)
	if len(h.got) != 1 {
		t.Fatalf("the recall was told before the release: %+v", h.got)
	}
	h.answer(http.StatusOK)
	h.Clock.Advance(10 * time.Minute)
	h.last(t, "guidance.recalled")
	if e := h.got[1]; e.Type != "guidance.released" || e.Data["text"] != nil || e.Data["superseded"] != true {
		t.Errorf("%s", e.raw)
	}
}

func TestThinEvents(t *testing.T) {
	for name, c := range map[string]struct {
		withText bool
		text     string
	}{
		"not wanted": {false, goodText},
		"too long":   {true, goodText + strings.Repeat(" This is explained again.", 800)},
	} {
		t.Run(name, func(t *testing.T) {
			h := openHook(t, c.withText)
			id := h.submit(t, c.text)
			h.decide(t, id, review.Approve, "")
			if e := h.last(t, "guidance.released"); e.Data["text"] != nil ||
				e.Data["text_sha256"] != interaction.TextHash(c.text) || len(e.raw) > 20_000 {
				t.Errorf("%d bytes: %.300s", len(e.raw), e.raw)
			}
		})
	}
}

// Without a webhook the guidance is ready to collect, and nothing is queued.
func TestReadyToCollect(t *testing.T) {
	h := openHook(t, true)
	other := h.submit(t, goodText)
	h.answer(http.StatusGone)
	h.decide(t, other, review.Approve, "")
	h.last(t, "guidance.released")
	if got := h.delivery(t, other); got.State != "disabled" {
		t.Errorf("%+v", got)
	}
	plain := apptest.Open(t, func(c *config.Config) { c.Hold = 0 })
	p := &hook{Site: plain, sue: plain.Account(t, account.Supervisor), api: plain.Nobody(t)}
	p.api.Header.Set("Authorization", "Bearer "+plain.Token(t, account.Submit))
	p.agent, _ = plain.Accounts.AgentByName(t.Context(), "pension-advisor")
	id := p.submit(t, goodText)
	p.decide(t, id, review.Approve, "")
	p.Drain(t)
	if got := p.delivery(t, id); got.State != "ready_to_collect" {
		t.Errorf("%+v", got)
	}
	if list, err := plain.Delivery.List(t.Context(), delivery.Filter{AgentID: p.agent.ID}); err != nil ||
		len(list) != 0 {
		t.Errorf("%d events for nobody (%v)", len(list), err)
	}
}

// The outbox holds no text: a customer's words stand in the tables of the domain and nowhere in those of delivery.
func TestTheOutboxHoldsNoText(t *testing.T) {
	h := openHook(t, true)
	h.answer(http.StatusInternalServerError)
	id := h.submit(t, goodText)
	h.decide(t, id, review.Approve, "")
	h.last(t, "guidance.released")
	for _, table := range []string{"delivery", "delivery_attempt", "webhook_endpoint", "river_job"} {
		rows, err := h.DB.Reader().QueryContext(t.Context(), "SELECT * FROM "+table)
		if err != nil {
			t.Fatal(err)
		}
		for columns, _ := rows.Columns(); rows.Next(); {
			values := make([]any, len(columns))
			into := make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			for i, v := range values {
				if s, ok := v.(string); ok && strings.Contains(s, "quarter") {
					t.Errorf("%s.%s holds %q", table, columns[i], s)
				}
				if b, ok := v.([]byte); ok && strings.Contains(string(b), "quarter") {
					t.Errorf("%s.%s holds %q", table, columns[i], b)
				}
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
}
