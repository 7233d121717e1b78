package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/platform/db"
)

// A manager trains an advisor with virtual customers, an expert proposes what it learned, and nothing else changes.
func TestPractice(t *testing.T) {
	if testing.Short() {
		t.Skip("holds some sixty consultations; make check runs it")
	}
	s := apptest.Open(t)
	agent, err := s.Accounts.EnsureAgent(t.Context(), "Advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	boss, ed := s.SignedIn(t, account.Manager), s.SignedIn(t, account.Expert)
	want(t, "none", boss.Get(t, "/practice"), http.StatusOK, "No runs yet", "Start training", "Statistics")
	has(t, parsed(t, ed.Get(t, "/knowledge/more").Body), `a[href="/practice"]`, "Practice")
	plan := url.Values{"agent": {agent.ID}, "customers": {"many"}, "split": {"1"}, "seed": {"1"}, "kind": {"train"}}
	want(t, "no number", boss.Post(t, "/practice", plan), http.StatusUnprocessableEntity,
		"Enter a whole number from 1 to 50,000.", `value="many"`)
	plan.Set("customers", "60")
	plan.Set("agent", "none")
	want(t, "no agent", boss.Post(t, "/practice", plan), http.StatusUnprocessableEntity,
		"Choose an agent from the list.")
	plan.Set("agent", agent.ID)
	r := boss.Post(t, "/practice", plan)
	want(t, "begun", r, http.StatusSeeOther)
	path := r.Header.Get("Location")
	want(t, "waiting", boss.Get(t, path), http.StatusOK, "0 of 60 customers", "Running")
	want(t, "not stopped", boss.Post(t, path+"/resume", nil), http.StatusConflict,
		"This run is already running or done.")
	if err := s.Jobs.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	r = ed.Get(t, path)
	want(t, "done", r, http.StatusOK, "Done", "95% CI", "DB warning given", "What changes for test customers",
		"Never counted with real people")
	if strings.Contains(r.Body, "NaN") {
		t.Error("a figure is no number")
	}
	want(t, "the list", boss.Get(t, "/practice"), http.StatusOK, "Needs met:")
	want(t, "a manager proposes nothing", boss.Post(t, path+"/propose", url.Values{"rule": {"0"}}),
		http.StatusForbidden)
	want(t, "none selected", ed.Post(t, path+"/propose", nil), http.StatusUnprocessableEntity,
		"Select the rules to propose first.")
	want(t, "none of these", ed.Post(t, path+"/propose", url.Values{"rule": {"9999"}}), http.StatusUnprocessableEntity,
		"Select the rules from the list.")
	want(t, "a manager compares nothing", boss.Post(t, path+"/compare", url.Values{"rule": {"0"}}),
		http.StatusForbidden)
	want(t, "none to compare", ed.Post(t, path+"/compare", nil), http.StatusUnprocessableEntity,
		"Select the rules to compare first.")
	box := parsed(t, r.Body)
	if n := box.Find("input[name=rule][checked], input[name=person][checked]").Length(); n > 0 {
		t.Errorf("%d of what an expert is to tick is ticked", n)
	}
	if rule := value(box, "input[name=rule]"); rule == "" {
		t.Error("no rule can be proposed")
	} else {
		want(t, "proposed", ed.Post(t, path+"/propose", url.Values{"rule": {rule}}), http.StatusSeeOther)
		want(t, "said", ed.Get(t, path), http.StatusOK, "1 rule was proposed. They wait for you under Learning.")
		want(t, "twice", ed.Post(t, path+"/propose", url.Values{"rule": {rule}}), http.StatusSeeOther)
		want(t, "said", ed.Get(t, path), http.StatusOK, "These rules were proposed before.")
		r = ed.Post(t, path+"/compare", url.Values{"rule": {rule}})
		want(t, "compared", r, http.StatusSeeOther)
		compared := r.Header.Get("Location")
		want(t, "comparing", ed.Get(t, compared), http.StatusOK, "Asking test customers")
		if err := s.Jobs.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		want(t, "the part", ed.Get(t, compared), http.StatusOK, "Comparison of", "Rules: 1 of 1 accepted in practice",
			"95% CI", "Propose selected rules")
	}
	plan.Set("kind", "evaluate")
	r = boss.Post(t, "/practice", plan)
	want(t, "an evaluation", r, http.StatusSeeOther)
	if err := s.Jobs.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, "evaluated", boss.Get(t, r.Header.Get("Location")), http.StatusOK, "Evaluation of", "Now",
		"Risks identified")
	want(t, "history", boss.Get(t, "/practice/history"), http.StatusOK, "Real people, last 30 days",
		"Approved unchanged", "History by state of the knowledge", "embedded customer")
	want(t, "an expert's history", ed.Get(t, "/practice/history?agent="+agent.ID), http.StatusOK,
		"Managers see these figures")
	want(t, "nobody's history", boss.Get(t, "/practice/history?agent=none"), http.StatusNotFound)
	plan.Set("kind", "ablate")
	want(t, "too many",
		boss.Post(t, "/practice", url.Values{"agent": {agent.ID}, "customers": {"3,001"}, "split": {"1"}, "seed": {"1"},
			"kind": {"ablate"}}), http.StatusUnprocessableEntity, "Enter a whole number from 1 to 3,000.")
	r = boss.Post(t, "/practice", plan)
	want(t, "an ablation", r, http.StatusSeeOther)
	want(t, "waits", boss.Get(t, r.Header.Get("Location")), http.StatusOK, "Ablation of", "0 of 900 customers")
	plan.Set("kind", "ablate own")
	r = boss.Post(t, "/practice", plan)
	want(t, "an ablation of its own memory", r, http.StatusSeeOther)
	own := r.Header.Get("Location")
	want(t, "waits too", boss.Get(t, own), http.StatusOK, "Ablation of its own memory of", "Asking test customers")
	plan.Set("kind", "train")
	trained := boss.Post(t, "/practice", plan).Header.Get("Location")
	for _, path := range []string{own, trained} {
		want(t, "stopped", boss.Post(t, path+"/stop", nil), http.StatusSeeOther)
	}
	if err := s.DB.Write(t.Context(), func(tx *db.Tx) error {
		return db.Exec(tx, "knowledge changes meanwhile", `UPDATE practice_run SET base_seq = base_seq - 1,
			done = 20`)
	}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{own, trained} {
		want(t, "other knowledge", boss.Post(t, path+"/resume", nil), http.StatusConflict, "Start a new run.")
		want(t, "stopped still", boss.Get(t, path), http.StatusOK, "stopped this run", "Stopped")
	}
}
