package page_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/feedback"
)

// tutored has an agent report n answers and each liked or not by two users.
func tutored(t *testing.T, site *apptest.Site, n int, response string, value float64) {
	t.Helper()
	agent, err := site.Accounts.EnsureAgent(t.Context(), "tutor-agent", "pension")
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		id, err := site.Feedback.Log(t.Context(),
			feedback.Observation{AgentID: agent.ID, AgentName: agent.Name, AgentType: "tutor", Topic: "Cells",
				Query: fmt.Sprintf("What is cell %d made of %d?", i, i*31), Response: response})
		if err != nil {
			t.Fatal(err)
		}
		for _, user := range []string{"ann", "bob"} {
			if _, err := site.Feedback.Vote(t.Context(),
				feedback.Vote{SubjectID: id, UserID: user, Kind: feedback.Thumbs, Value: value,
					Channel: feedback.ChannelAPI}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Examples are read by those who learn, and retired by those who settle what is learned.
func TestExamplesAreReadAndRetired(t *testing.T) {
	site := apptest.Open(t)
	tutored(t, site, 1, "A cell is a small room. "+payload, 1)
	mia, edie := site.SignedIn(t, account.Manager), site.SignedIn(t, account.Expert)
	doc := page(t, mia.Get(t, "/feedback/examples"), http.StatusOK)
	has(t, doc, "#examples", "A cell is a small room.")
	has(t, doc, "#examples", payload)
	has(t, doc, "#examples", "+2 users")
	hasNot(t, doc, "#examples script, #examples img, #examples form")
	list, _, err := site.Feedback.Exemplars(t.Context(), feedback.ExemplarFilter{})
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	path := "/feedback/examples/" + list[0].ID + "/retire"
	if r := mia.Post(t, path, url.Values{"why": {"x"}}); r.Status != http.StatusForbidden {
		t.Errorf("a manager retires: %d", r.Status)
	}
	doc = page(t, edie.Post(t, path, url.Values{"why": {" "}}), http.StatusUnprocessableEntity)
	has(t, doc, "#examples details[open]", "Give a reason")
	if r := edie.Post(t, path, url.Values{"why": {"It is out of date."}}); r.Status != http.StatusSeeOther {
		t.Fatalf("%d %.300s", r.Status, r.Body)
	}
	has(t, page(t, edie.Get(t, "/feedback/examples?state=retired"), http.StatusOK), "#examples", "It is out of date.")
	hasNot(t, page(t, edie.Get(t, "/feedback/examples?state=active"), http.StatusOK), "#examples")
	page(t, edie.Post(t, path, url.Values{"why": {"again"}}), http.StatusConflict)
}

// A night shows its differences.
func TestNightsShowDifferences(t *testing.T) {
	site := apptest.Open(t)
	tutored(t, site, 22, "A cell is a small room. For example, a leaf is built of thousands.", 1)
	tutored(t, site, 22, "The cell constitutes the fundamental structural unit of organisms in general.", -1)
	site.Clock.Advance(24 * time.Hour)
	if err := site.Nightly.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	mia := site.SignedIn(t, account.Manager)
	doc := page(t, mia.Get(t, "/feedback/nightly"), http.StatusOK)
	has(t, doc, "tbody", "Liked answers more often give an example")
}
