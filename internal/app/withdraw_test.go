package app_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"preceptor/internal/app/apptest"
)

// hand submits by the API as an agent does, with more fields.
func (h *hook) hand(t *testing.T, more string) (id string) {
	t.Helper()
	r := h.api.JSON(t, http.MethodPost, "/api/guidance",
		`{"consultation":{"question":"How much can I take tax free?"},"guidance":"`+goodText+`"`+more+`}`)
	var receipt struct{ ID string }
	if err := json.Unmarshal([]byte(r.Body), &receipt); err != nil || r.Status != http.StatusAccepted {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	return receipt.ID
}

func said(t *testing.T, r apptest.Response, status int, words ...string) {
	t.Helper()
	if r.Status != status {
		t.Fatalf("%d, want %d: %s", r.Status, status, r.Body)
	}
	for _, w := range words {
		if !strings.Contains(r.Body, w) {
			t.Errorf("nothing says %q in %s", w, r.Body)
		}
	}
}

// Whoever has a draft open is told that its agent withdrew it, and why; a deadline that passes is an event.
func TestAWithdrawnAndAnExpiredDraftAreSeenEverywhere(t *testing.T) {
	h := openHook(t, true)
	sue := h.SignIn(t, h.sue)
	id := h.hand(t, `,"urgency":"high","channel":"chat"`)
	said(t, sue.Get(t, "/reviews"), 200, "Customer waiting", "Urgent", "Live chat")
	said(t, sue.Get(t, "/reviews/"+id), 200, "Live chat")
	gone := "/api/guidance/" + id + "?reason=" + url.QueryEscape("The customer left the chat")
	said(t, h.api.JSON(t, http.MethodDelete, "/api/guidance/"+id, ""), 422, "reason")
	said(t, h.api.JSON(t, http.MethodDelete, gone, ""), 200, `"status":"withdrawn"`, `"channel":"chat"`)
	said(t, h.api.JSON(t, http.MethodDelete, gone, ""), 200, `"status":"withdrawn"`)
	open := sue.Do(t, http.MethodGet, "/reviews/"+id+"/claim?standing=open.1..", "", "", "HX-Request", "true")
	said(t, open, 200, "The agent withdrew this", "The customer left the chat")
	said(t, sue.Post(t, "/reviews/"+id+"/approve", url.Values{"version": {"1"}, "text_hash": {"x"}}), 409,
		"The customer left the chat")
	said(t, h.api.JSON(t, http.MethodGet, "/api/guidance?status=withdrawn", ""), 200, id)

	late := h.hand(t, `,"expires_at":"`+h.Clock.Now().Add(10*time.Minute).Format(time.RFC3339)+`"`)
	said(t, sue.Get(t, "/reviews/"+late), 200, "Expires in")
	h.Clock.Advance(10*time.Minute + time.Second)
	if err := h.Reviews.Expire(t.Context()); err != nil {
		t.Fatal(err)
	}
	if e := h.last(t, "guidance.expired"); e.Data["status"] != "expired" || e.Data["id"] != late ||
		e.Data["text"] != nil {
		t.Errorf("%+v", e)
	}
	said(t, sue.Get(t, "/reviews/"+late), 200, "This expired before a decision")
	said(t, sue.Get(t, "/reviews?state=ended"), 200, "withdrawn by the agent", "expired before a decision")
	said(t, h.SignedIn(t, "manager").Get(t, "/stats/review"), 200, "Expired before a decision", "Withdrawn by the agent")
	h.CountsHold(t)
}
