package page_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/platform/db"
)

// An experiment from the plan to its end, on its pages.
func TestAnExperimentIsPlannedAndEnded(t *testing.T) {
	s := apptest.Open(t)
	boss := s.SignedIn(t, account.Manager)
	want(t, "none", boss.Get(t, "/experiments"), http.StatusOK, "No experiment yet")
	r := boss.Get(t, "/experiments/new")
	want(t, "the form", r, http.StatusOK, "One look at the end needs 1,094 outcomes per arm",
		"Compliance rules are not in the list")
	doc := parsed(t, r.Body)
	form := url.Values{"name": {""}, "purpose": {"memory"}, "metric": {"approved"}}
	for _, name := range []string{"baseline", "effect", "alpha", "power", "split"} {
		form.Set(name, value(doc, "input[name="+name+"]"))
	}
	want(t, "no name", boss.Post(t, "/experiments", form), http.StatusUnprocessableEntity, "Use a few words.")
	form.Set("name", "Does <i>memory</i> help?")
	form.Set("effect", "ten")
	want(t, "no number", boss.Post(t, "/experiments", form), http.StatusUnprocessableEntity,
		"Enter a number, for example 75 or 7.5.", `value="ten"`)
	for typed, says := range map[string]string{"0x1p3": "Enter a number, for example 75 or 7.5.",
		"1_0": "Enter a number", "inf": "Enter a number", "7,5": "Enter decimals with a point, for example 7.5."} {
		form.Set("effect", typed)
		want(t, typed, boss.Post(t, "/experiments", form), http.StatusUnprocessableEntity, says, `value="`+typed+`"`)
	}
	form.Set("effect", "10")
	only := url.Values{}
	for k, v := range form {
		only[k] = v
	}
	only.Set("only", "size")
	want(t, "the size alone", boss.Post(t, "/experiments", only), http.StatusOK, "needs 250 outcomes per arm")
	form.Set("agent", "none of ours")
	want(t, "no agent", boss.Post(t, "/experiments", form), http.StatusUnprocessableEntity, "Choose one from the list.")
	form.Del("agent")
	r = boss.Post(t, "/experiments", form)
	want(t, "plan", r, http.StatusSeeOther)
	path := r.Header.Get("Location")
	r = boss.Get(t, path)
	want(t, "the plan", r, http.StatusOK, "Does &lt;i&gt;memory&lt;/i&gt; help?", "Not started.",
		"With memory against without memory", "There are no looks after that.",
		"This experiment may get no outcomes")
	if strings.Contains(r.Body, "NaN") {
		t.Error("a figure is no number")
	}
	want(t, "start", boss.Post(t, path+"/start", nil), http.StatusSeeOther)
	want(t, "twice", boss.Post(t, path+"/start", nil), http.StatusConflict, "has already been started")
	want(t, "running", boss.Get(t, path), http.StatusOK, "No outcomes in both arms yet.", "Stop it early")
	want(t, "stop without why", boss.Post(t, path+"/stop", nil), http.StatusUnprocessableEntity, "Say why")
	want(t, "stop", boss.Post(t, path+"/stop", url.Values{"note": {"Short of people."}}), http.StatusSeeOther)
	want(t, "stopped", boss.Get(t, path), http.StatusOK, "Stopped because: <bdi>Short of people.</bdi>",
		"stopped by a person")
	want(t, "its file", boss.Get(t, path+"?format=csv"), http.StatusOK, "Progress (%),Outcomes,Difference,From,To,When")
	want(t, "the list", boss.Get(t, "/experiments"), http.StatusOK, "stopped by a person", "no data")
	// beside the name: a telephone cut its own column off
	has(t, parsed(t, boss.Get(t, "/experiments").Body), "tbody th", "stopped by a person")
	want(t, "nothing there", boss.Get(t, "/experiments/none"), http.StatusNotFound)
}

// Who planned an experiment hears in the inbox that it ended by its rules, and how.
func TestAnExperimentThatDoesHarmTellsWhoPlannedIt(t *testing.T) {
	s := apptest.Open(t)
	boss, other := s.SignedIn(t, account.Manager), s.SignedIn(t, account.Manager)
	by := experiment.Person{ID: boss.Account.ID, Name: boss.Account.Name}
	e, err := s.Experiments.Create(t.Context(), experiment.Input{Name: "Shorter answers", Purpose: experiment.Memory,
		Metric: experiment.Approved}, experiment.DefaultAim, by)
	if err == nil {
		err = s.Experiments.Start(t.Context(), e.ID, by)
	}
	for i := 0; err == nil && e.State != experiment.Stopped && i < 2000; i++ {
		subject := fmt.Sprint("s", i)
		var arm experiment.Assignment
		arm, err = s.Experiments.Arm(t.Context(), experiment.Ask{AgentID: "g", User: subject, Subject: subject})
		if err == nil {
			err = s.DB.Write(t.Context(), func(tx *db.Tx) error {
				return s.Experiments.OutcomeTx(tx, "g", subject, experiment.Approved, arm.Arm == experiment.Control)
			})
		}
		if err == nil {
			e, err = s.Experiments.Get(t.Context(), e.ID)
		}
	}
	if err != nil || e.Ended != experiment.Worse {
		t.Fatalf("%+v, %v", e, err)
	}
	want(t, "the inbox", boss.Get(t, "/inbox"), http.StatusOK, "An experiment ended: the change does harm: Shorter answers")
	if r := other.Get(t, "/inbox"); strings.Contains(r.Body, "Shorter answers") {
		t.Error("another manager is told too")
	}
}
