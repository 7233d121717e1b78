package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/review"
)

// end decides a case and lets its hold pass.
func (k *desk) end(t *testing.T, id, kind string) *review.Decision {
	t.Helper()
	item, err := k.reviews.Get(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	dec, err := k.reviews.Decide(ctx,
		review.Input{ID: id, By: review.Person{ID: "ann", Name: "Ann"}, Kind: kind, Version: item.Version,
			TextHash: item.TextHash,
			Reason:   "Say what the limit is.", ReasonCode: "wrong_facts"})
	if err != nil {
		t.Fatal(err)
	}
	k.clock.Advance(time.Minute)
	if err := k.jobs.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	return dec
}

const newVersion = `{"agent":"pension-advisor","consultation":{"question":"How much?"},"guidance":"A quarter, up to a limit.","revises":"ID"}`

func TestWhatWasSentBackComesWithItsNoteAndTakesOneNewVersion(t *testing.T) {
	k := open(t)
	id := k.submit()
	body := strings.Replace(newVersion, "ID", id, 1)
	if a := k.post(body); a.Code != http.StatusUnprocessableEntity || !strings.Contains(a.Body.String(), "/revises") {
		t.Errorf("before it was sent back: %d %s", a.Code, a.Body)
	}
	k.end(t, id, review.Return)
	a := k.call(http.MethodGet, "/api/guidance/"+id, "")
	d := a.json["decision"].(map[string]any)
	if a.json["status"] != "returned" || d["kind"] != "return" || d["state"] != "returned" ||
		d["reason"] != "Say what the limit is." || a.json["final_text"] != nil || a.json["revised_by"] != nil {
		t.Errorf("%s", a.Body)
	}
	newer := k.post(body)
	if newer.Code != http.StatusAccepted {
		t.Fatalf("%d %s", newer.Code, newer.Body)
	}
	if a := k.call(http.MethodGet, "/api/guidance/"+id, ""); a.json["revised_by"] != newer.json["id"] {
		t.Errorf("%s", a.Body)
	}
	if a := k.call(http.MethodGet, "/api/guidance/"+newer.json["id"].(string), ""); a.json["revises"] != id ||
		a.json["status"] != "waiting" {
		t.Errorf("%s", a.Body)
	}
	if a := k.post(body); a.Code != http.StatusUnprocessableEntity ||
		!strings.Contains(a.Body.String(), newer.json["id"].(string)) {
		t.Errorf("twice: %d %s", a.Code, a.Body)
	}
	if a := k.call(http.MethodGet, "/api/guidance?status=returned", ""); len(a.json["items"].([]any)) != 1 {
		t.Errorf("the list: %s", a.Body)
	}
}

func TestARecalledTextIsNoLongerHandedOut(t *testing.T) {
	k := open(t)
	id := k.submit()
	dec := k.end(t, id, review.Approve)
	if a := k.call(http.MethodGet, "/api/guidance/"+id, ""); a.json["final_text"] == nil || a.json["recalled"] != nil {
		t.Fatalf("released: %s", a.Body)
	}
	if _, err := k.reviews.Recall(ctx, dec.ID, review.Person{ID: "ann", Name: "Ann"},
		"Out of date since April."); err != nil {
		t.Fatal(err)
	}
	a := k.call(http.MethodGet, "/api/guidance/"+id, "")
	if a.json["status"] != "waiting" || a.json["recalled"] != true || a.json["final_text"] != nil ||
		a.json["decision"] != nil {
		t.Errorf("recalled: %s", a.Body)
	}
	if body := a.Body.String(); strings.Contains(body, "Ann") || strings.Contains(body, "April") {
		t.Errorf("an agent is told who recalled it, or why: %s", body)
	}
	if a := k.call(http.MethodGet, "/api/guidance", ""); a.json["items"].([]any)[0].(map[string]any)["recalled"] != true {
		t.Errorf("the list: %s", a.Body)
	}
	k.end(t, id, review.Approve)
	if a := k.call(http.MethodGet, "/api/guidance/"+id, ""); a.json["status"] != "released" ||
		a.json["recalled"] != nil || a.json["final_text"] == nil {
		t.Errorf("released again: %s", a.Body)
	}
}

func TestAnAgentKnowsNothingOfPlantedChecks(t *testing.T) {
	k := open(t)
	in, err := k.in.Get(ctx, k.submit())
	if err != nil {
		t.Fatal(err)
	}
	var id string
	err = k.db.Write(ctx, func(tx *db.Tx) (err error) {
		id, err = k.in.PlantTx(tx, interaction.Submission{AgentID: in.AgentID, AgentName: in.AgentName,
			By: audit.System("test"), Guidance: "Bad.",
			Consultation: interaction.Consultation{Question: "Q?"}}, false)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if a := k.call(http.MethodGet, "/api/guidance/"+id, ""); a.Code != http.StatusNotFound {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	if a := k.call(http.MethodGet, "/api/guidance", ""); len(a.json["items"].([]any)) != 1 {
		t.Errorf("the list: %s", a.Body)
	}
	if a := k.post(strings.Replace(newVersion, "ID", id, 1)); a.Code != http.StatusUnprocessableEntity ||
		strings.Contains(a.Body.String(), "waiting") {
		t.Errorf("a new version of it: %d %s", a.Code, a.Body)
	}
}
