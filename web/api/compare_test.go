package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/erase"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/interaction"
)

func TestPairsAndExperimentsOfAgents(t *testing.T) {
	s := apptest.Open(t)
	c := s.Nobody(t)
	c.Header.Set("Authorization", "Bearer "+s.Token(t, account.Feedback))
	post := func(path, body string, status int, says string) string {
		t.Helper()
		r := c.JSON(t, http.MethodPost, path, body)
		if r.Status != status || !strings.Contains(r.Body, says) {
			t.Errorf("%s %s: %d %s, want %d with %s", path, body, r.Status, r.Body, status, says)
		}
		return r.Body
	}
	const pair = `{"source_id":"s1","prompt":"q","first":{"text":"x","maker":"prompt 3"},"second":{"text":"y","maker":"prompt 4"}}`
	first := post("/api/preferences", pair, http.StatusCreated, `"answers":0`)
	if again := post("/api/preferences", pair, http.StatusCreated, `"answers":0`); again != first {
		t.Errorf("the same pair again: %s and %s", first, again)
	}
	post("/api/preferences", strings.Replace(pair, `"y"`, `"z"`, 1), http.StatusConflict, "different texts")
	post("/api/preferences", strings.Replace(pair, `"y"`, `""`, 1), http.StatusUnprocessableEntity, "/second/text")
	post("/api/preferences", strings.Replace(pair, `"s1"`, `""`, 1), http.StatusUnprocessableEntity, "/source_id")
	post("/api/preferences", strings.Replace(pair, `"prompt"`, `"Prompt"`, 1), http.StatusUnprocessableEntity, "rompt")

	mia := experiment.Person{ID: "p-mia", Name: "Mia"}
	aim := experiment.DefaultAim
	e, err := s.Experiments.Create(t.Context(),
		experiment.Input{Name: "Prompt 4", Purpose: experiment.Prompt, Treatment: "prompt 4", Control: "prompt 3",
			Metric: experiment.Vote}, aim, mia)
	if err != nil {
		t.Fatal(err)
	}
	path := "/api/experiments/" + e.ID
	post(path+"/assignments", `{"user_id":"u1","subject_id":"s1"}`, http.StatusConflict, "not running")
	if err := s.Experiments.Start(t.Context(), e.ID, mia); err != nil {
		t.Fatal(err)
	}
	name := map[string]string{experiment.Treatment: "prompt 4",
		experiment.Control: "prompt 3"}[experiment.ArmOf(e.ID, "u1", 0.5)]
	post(path+"/assignments", `{"user_id":"u1","subject_id":"s1"}`, http.StatusOK, name)
	post(path+"/assignments", `{"user_id":"","subject_id":"s1"}`, http.StatusUnprocessableEntity, "/user_id")
	post(path+"/outcomes", `{"subject_id":"s2","success":true}`, http.StatusNotFound, "Ask for its arm first")
	post(path+"/outcomes", `{"subject_id":"s1","success":true}`, http.StatusOK, `"state":"running"`)
	post("/api/experiments/none/outcomes", `{"subject_id":"s1","success":true}`, http.StatusNotFound,
		"no such experiment")
	if got, err := s.Experiments.Get(t.Context(), e.ID); err != nil || got.Counts.Total() != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A pair about an interaction names one of its agent's own: an erasure finds the texts by it. Any id was taken, "nope"
// and another agent's.
func TestAPairNamesAnInteractionOfItsAgent(t *testing.T) {
	s := apptest.Open(t)
	own, foreign := s.Nobody(t), s.Nobody(t)
	own.Header.Set("Authorization", "Bearer "+s.Token(t, account.Feedback))
	plain, _, err := s.Accounts.CreateToken(t.Context(), "other-bot", "pension", []account.Scope{account.Feedback},
		time.Time{}, audit.System("test"))
	if err != nil {
		t.Fatal(err)
	}
	foreign.Header.Set("Authorization", "Bearer "+plain)
	report := func(c *apptest.Client) string {
		t.Helper()
		r := c.JSON(t, http.MethodPost, "/api/feedback/interactions",
			`{"agent_type":"tutor","user_id":"member-77","query":"q","response":"r"}`)
		var got struct{ ID string }
		if err := json.Unmarshal([]byte(r.Body), &got); err != nil || r.Status != http.StatusCreated {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		return got.ID
	}
	mine, theirs := report(own), report(foreign)
	pair := func(source, about string) (int, string) {
		t.Helper()
		r := own.JSON(t, http.MethodPost, "/api/preferences",
			`{"source_id":"`+source+`","interaction_id":"`+about+
				`","prompt":"q","first":{"text":"x","maker":"a"},"second":{"text":"y","maker":"b"}}`)
		return r.Status, r.Body
	}
	for i, about := range []string{"nope", theirs, "01900000-0000-7000-8000-000000000000"} {
		if status, body := pair(fmt.Sprint("bad", i), about); status != http.StatusUnprocessableEntity ||
			!strings.Contains(body, "/interaction_id") ||
			!strings.Contains(body, "You have no interaction with this id") {
			t.Errorf("about %s: %d %s", about, status, body)
		}
	}
	for source, about := range map[string]string{"s1": mine, "s2": ""} {
		if status, body := pair(source, about); status != http.StatusCreated {
			t.Errorf("about %q: %d %s", about, status, body)
		}
	}
	// What the agent reported is erased by its user's id, and the pair about it with it.
	if _, err := s.Erase.Erase(t.Context(),
		erase.Request{How: interaction.ByReference, Subject: "member-77", Why: "asked",
			By: audit.Actor{Kind: audit.Person, ID: "p", Name: "Ada"}}); err != nil {
		t.Fatal(err)
	}
	page, err := s.Preferences.List(t.Context(), "")
	if err != nil || len(page.Items) != 2 {
		t.Fatalf("%+v, %v", page, err)
	}
	for _, p := range page.Items {
		if gone := p.State == preference.Erased && p.Prompt == ""; gone != (p.InteractionID == mine) {
			t.Errorf("about %q it is %s", p.InteractionID, p.State)
		}
	}
	if status, body := pair("s3", mine); status != http.StatusUnprocessableEntity ||
		!strings.Contains(body, "were erased") {
		t.Errorf("about what was erased: %d %s", status, body)
	}
}

// What an agent under review writes is compared by no user: neither by a new link, nor by one from before it was
// reviewed. What users chose of it makes no example that recall gives.
func TestAPairOfAReviewedAgentIsShownToNoUser(t *testing.T) {
	s := apptest.Open(t)
	token := func(scopes ...account.Scope) *apptest.Client {
		t.Helper()
		plain, _, err := s.Accounts.CreateToken(t.Context(), "shop-bot", "general", scopes, time.Time{},
			audit.System("test"))
		if err != nil {
			t.Fatal(err)
		}
		c := s.Nobody(t)
		c.Header.Set("Authorization", "Bearer "+plain)
		return c
	}
	c := token(account.Feedback, account.Recall)
	send := func(path, body string, status int) (got struct{ ID, URL string }) {
		t.Helper()
		r := c.JSON(t, http.MethodPost, path, body)
		if r.Status != status {
			t.Fatalf("%s: %d %s, want %d", path, r.Status, r.Body, status)
		}
		_ = json.Unmarshal([]byte(r.Body), &got)
		return got
	}
	pair := send("/api/preferences", `{"source_id":"s1","prompt":"How long is the sofa guaranteed?",
		"first":{"text":"The wombat guarantee is two years.","maker":"a"},
		"second":{"text":"The numbat guarantee is ten years.","maker":"b"}}`, http.StatusCreated)
	link := send("/api/feedback/links", `{"user_id":"u9","pair_id":"`+pair.ID+`"}`, http.StatusCreated)
	path := link.URL[strings.Index(link.URL, "/f/"):]
	if r := s.Nobody(t).Get(t, path); r.Status != http.StatusOK || !strings.Contains(r.Body, "wombat") {
		t.Fatalf("before review: %d %s", r.Status, r.Body)
	}
	token(account.Submit) // from now on people review it
	for _, p := range []string{path, strings.Replace(path, "/f/", "/widget/", 1)} {
		if r := s.Nobody(t).Get(t, p); strings.Contains(r.Body, "wombat") || strings.Contains(r.Body, "numbat") {
			t.Errorf("%s shows what nobody reviewed: %d", p, r.Status)
		}
	}
	if r := c.JSON(t, http.MethodPost, "/api/feedback/links", `{"user_id":"u9","pair_id":"`+pair.ID+`"}`); r.Status !=
		http.StatusConflict {
		t.Errorf("a new link: %d %s", r.Status, r.Body)
	}
	for i := range 4 {
		send("/api/preferences/"+pair.ID+"/choices", fmt.Sprintf(`{"user_id":"u%d","choice":"first"}`, i), http.StatusConflict)
	}
	s.Drain(t)
	if r := c.JSON(t, http.MethodPost, "/api/recall", `{"query":"How long is the sofa guaranteed?"}`); r.Status !=
		http.StatusOK || strings.Contains(r.Body, "wombat") {
		t.Errorf("recall: %d %s", r.Status, r.Body)
	}
}
