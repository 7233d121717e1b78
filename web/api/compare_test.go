package api_test

import (
	"net/http"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/feedback/experiment"
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
	post("/api/preferences", strings.Replace(pair, `"y"`, `"z"`, 1), http.StatusConflict, "other texts")
	post("/api/preferences", strings.Replace(pair, `"y"`, `""`, 1), http.StatusUnprocessableEntity, "/second/text")
	post("/api/preferences", strings.Replace(pair, `"s1"`, `""`, 1), http.StatusUnprocessableEntity, "/source_id")
	post("/api/preferences", strings.Replace(pair, `"prompt"`, `"Prompt"`, 1), http.StatusUnprocessableEntity, "rompt")

	mia := experiment.Person{ID: "p-mia", Name: "Mia"}
	aim := experiment.DefaultAim
	e, err := s.Experiments.Create(t.Context(), experiment.Input{Name: "Prompt 4", Purpose: experiment.Prompt, Treatment: "prompt 4", Control: "prompt 3", Metric: experiment.Vote}, aim, mia)
	if err != nil {
		t.Fatal(err)
	}
	path := "/api/experiments/" + e.ID
	post(path+"/assignments", `{"user_id":"u1","subject_id":"s1"}`, http.StatusConflict, "not running")
	if err := s.Experiments.Start(t.Context(), e.ID, mia); err != nil {
		t.Fatal(err)
	}
	name := map[string]string{experiment.Treatment: "prompt 4", experiment.Control: "prompt 3"}[experiment.ArmOf(e.ID, "u1", 0.5)]
	post(path+"/assignments", `{"user_id":"u1","subject_id":"s1"}`, http.StatusOK, name)
	post(path+"/assignments", `{"user_id":"","subject_id":"s1"}`, http.StatusUnprocessableEntity, "/user_id")
	post(path+"/outcomes", `{"subject_id":"s2","success":true}`, http.StatusNotFound, "Ask for its arm first")
	post(path+"/outcomes", `{"subject_id":"s1","success":true}`, http.StatusOK, `"state":"running"`)
	post("/api/experiments/none/outcomes", `{"subject_id":"s1","success":true}`, http.StatusNotFound, "no such experiment")
	if got, err := s.Experiments.Get(t.Context(), e.ID); err != nil || got.Counts.Total() != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}
