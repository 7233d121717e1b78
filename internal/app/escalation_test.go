package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/review"
	"preceptor/internal/stats"
)

// Whom a rejection hands to a person is in a queue of its own until somebody closes it, and the agent is told.
func TestEscalatedIsWithAPerson(t *testing.T) {
	h := openHook(t, true)
	a, b := h.Account(t, account.Supervisor), h.Account(t, account.Supervisor)
	ann, ben, eve, mo := h.Enter(t, a), h.Enter(t, b), h.SignedIn(t, account.Expert), h.SignedIn(t, account.Manager)
	if r := ann.Get(t, "/reviews"); strings.Contains(r.Body, "/reviews/escalated") {
		t.Error("the queue leads to a list that nobody was ever in")
	}
	ids := make([]string, 3)
	for i := range ids {
		ids[i] = h.submit(t, goodText)
		h.Clock.Advance(time.Minute)
		h.decide(t, ids[i], review.Reject, "")
		h.last(t, "guidance.escalated")
	}
	escalation := func(o map[string]any) map[string]any { e, _ := o["escalation"].(map[string]any); return e }
	if e := h.last(t, "guidance.escalated"); escalation(e.Data)["state"] != "open" {
		t.Errorf("%s", e.raw)
	}
	if r := ann.Get(t, "/reviews"); !strings.Contains(r.Body, `href="/reviews/escalated"`) {
		t.Error("the queue doesn't lead to those who wait for a person")
	}
	move := func(c *apptest.Client, id, act, form string, want int) {
		t.Helper()
		v, _ := url.ParseQuery(form)
		if r := c.Post(t, "/reviews/"+id+"/"+act, v); r.Status != want {
			t.Errorf("%s %s: %d, want %d: %s", act, form, r.Status, want, notices(r.Body))
		}
	}
	const done, no, taken = http.StatusSeeOther, http.StatusForbidden, http.StatusConflict
	move(eve, ids[0], "take", "seen=", no)
	move(mo, ids[0], "take", "seen=", no)
	move(ann, h.submit(t, goodText), "take", "seen=", http.StatusNotFound) // it waits for a decision
	move(ann, ids[0], "close", "outcome=answered", taken)                  // nobody has it
	move(ann, ids[0], "take", "seen=", done)
	if e := h.last(t, "guidance.taken"); e.Data["status"] != "escalated" || escalation(e.Data)["state"] != "taken" ||
		escalation(e.Data)["taken_at"] == nil || strings.Contains(e.raw, a.Name) {
		t.Errorf("%s", e.raw)
	}
	move(ben, ids[0], "take", "seen=", taken) // the page was older
	move(ben, ids[0], "close", "outcome=answered", taken)
	move(ben, ids[0], "take", "seen="+a.ID, done) // takes over, knowing from whom
	move(ann, ids[0], "close", "outcome=answered", taken)
	move(ben, ids[0], "close", "outcome=", http.StatusUnprocessableEntity)
	move(ben, ids[0], "close", "outcome=gone", http.StatusUnprocessableEntity)
	refused := ben.Post(t, "/reviews/"+ids[0]+"/close", url.Values{"note": {"Rang twice."}})
	for _, says := range []string{"This isn&#39;t closed.", "Choose how it ended.", "Rang twice.", "What you typed is still here"} {
		if !strings.Contains(refused.Body, says) || strings.Contains(refused.Body, "Say here how it ended") {
			t.Errorf("a close that is refused doesn't say %q: %s", says, notices(refused.Body))
		}
	}
	h.Clock.Advance(37 * time.Minute)
	move(ben, ids[0], "close", "outcome=answered&note=Rang+Mrs+Hale.", done)
	e := h.last(t, "guidance.closed")
	if x := escalation(e.Data); x["state"] != "closed" || x["outcome"] != "answered" || x["waited_seconds"] != 2400.0 ||
		strings.Contains(e.raw, "Hale") {
		t.Errorf("%s", e.raw)
	}
	move(ben, ids[0], "close", "outcome=answered&note=Rang+Mrs+Hale.", done) // a second click
	move(ben, ids[0], "close", "outcome=answered", taken)                    // another note
	move(ben, ids[0], "close", "outcome=not_needed&note=Rang+Mrs+Hale.", taken)
	move(ben, ids[0], "take", "seen="+b.ID, taken)
	move(ben, ids[0], "release", "", taken)
	move(ann, ids[1], "take", "seen=", done)
	move(ann, ids[1], "take", "seen=", done) // a second click
	move(ben, ids[1], "take", "seen=", taken)
	move(ann, ids[1], "release", "", done)
	move(ann, ids[1], "release", "", done)
	move(ben, ids[1], "take", "seen=", done)
	h.Clock.Advance(40 * time.Minute)
	move(ben, ids[1], "close", "outcome=not_reached", done)

	var got map[string]any
	if r := h.api.Get(t, "/api/guidance/"+ids[0]); json.Unmarshal([]byte(r.Body), &got) != nil ||
		escalation(got)["outcome"] != "answered" || strings.Contains(r.Body, "Hale") || strings.Contains(r.Body, b.Name) {
		t.Errorf("%s", r.Body)
	}
	list := ann.Get(t, "/reviews/escalated").Body
	for _, want := range []string{"Unassigned", "Take", b.Name, "A person answered the customer",
		"The customer couldn&#39;t be reached", "40 min"} {
		if !strings.Contains(list, want) {
			t.Errorf("the list lacks %q", want)
		}
	}
	mo = h.SignedIn(t, account.Manager)
	if r := mo.Get(t, "/reviews/escalated"); r.Status != http.StatusOK || strings.Contains(r.Body, "/take") {
		t.Errorf("a manager reads the list, and takes nobody: %d", r.Status)
	}
	if r := ann.Get(t, "/reviews/"+ids[0]); !strings.Contains(r.Body, "Rang Mrs Hale.") {
		t.Error("the note isn't in the history")
	}
	p, err := h.Stats.Review(t.Context(), stats.Filter{Range: stats.Days(h.DB.Now(), 7, time.UTC)})
	if err != nil || p.Person.N != 2 || p.Answered.Value != (40+79)*30 || p.Answered.About {
		t.Errorf("%+v %+v, %v", p.Person, p.Answered, err)
	}
	if rows := mo.Get(t, "/stats/rows?of=escalation_wait"); strings.Count(rows.Body, "Not reached") != 1 {
		t.Errorf("the rows of the median: %d", rows.Status)
	}
}

// What was erased gets no new text: the note of whoever closes it is refused, and the close without one stands.
func TestAnErasedCaseIsClosedWithoutANote(t *testing.T) {
	h := openHook(t, true)
	ann := h.SignedIn(t, account.Supervisor)
	id := h.submit(t, goodText)
	h.Clock.Advance(time.Minute)
	h.decide(t, id, review.Reject, "")
	h.last(t, "guidance.escalated")
	if r := ann.Post(t, "/reviews/"+id+"/take", url.Values{"seen": {""}}); r.Status != http.StatusSeeOther {
		t.Fatalf("take: %d", r.Status)
	}
	if err := h.DB.Write(t.Context(), func(tx *db.Tx) error {
		_, err := h.Interactions.EraseTx(tx, id, audit.System("test"))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, move := range []struct {
		note string
		want int
	}{{"Rang Mrs Hale.", http.StatusUnprocessableEntity}, {"x", http.StatusUnprocessableEntity},
		{" ", http.StatusSeeOther}} {
		if r := ann.Post(t, "/reviews/"+id+"/close", url.Values{"outcome": {"answered"},
			"note": {move.note}}); r.Status != move.want {
			t.Errorf("%q: %d, want %d", move.note, r.Status, move.want)
		}
	}
	list, err := h.Interactions.History(t.Context(), id)
	if err != nil || strings.Contains(fmt.Sprint(list), "Hale") {
		t.Errorf("%+v %v", list, err)
	}
}
