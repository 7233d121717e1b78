package app_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/erase"
	"preceptor/internal/interaction"
	"preceptor/internal/review"
)

// Why a check was overruled is about a customer: it goes with them, from every table and from the file, and that it was
// overruled stays.
func TestErasureReachesWhyACheckWasOverruled(t *testing.T) {
	s := openSpine(t)
	const word = "quokkas"
	body := `{"agent":"pension-advisor","consultation":{"question":"What can I take?","customer":{"age":58,"customer_id":"CRM-9","pensions":[{"kind":"dc","value_gbp":42000}]}},
		"guidance":"You could compare charges. You have to act this week, before it is too late."}`
	id := s.id(t, s.agent.JSON(t, "POST", "/api/guidance", body))
	for i := range 2 {
		a := s.Account(t, account.Supervisor)
		item, err := s.Reviews.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		in := review.Input{ID: id, By: review.Person{ID: a.ID, Name: a.Name}, Kind: review.Approve,
			Version: item.Version, TextHash: item.TextHash}
		for _, code := range item.Assessment.Stopping() {
			if i == 0 {
				in.Overrule = append(in.Overrule, review.Overruling{Code: code, Reason: "She keeps " + word + "."})
			}
		}
		if _, err := s.Reviews.Decide(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	s.Clock.Advance(31 * time.Second)
	s.Drain(t)
	if status, _ := s.status(t, id); status != interaction.Released ||
		!strings.Contains(s.standsIn(t, word), "overruling.reason") {
		t.Fatalf("%s, in %s", status, s.standsIn(t, word))
	}
	rec, err := s.Erase.Erase(t.Context(),
		erase.Request{How: interaction.ByReference, Subject: "CRM-9", Why: "Request 12",
			By: audit.Actor{Kind: audit.Person, ID: "boss", Name: "Bo Boss"}})
	if err != nil || rec.State != erase.Done || !rec.Clean {
		t.Fatalf("%+v, %v", rec, err)
	}
	raw, err := os.ReadFile(s.DB.Path())
	if err != nil || strings.Contains(string(raw), word) || s.standsIn(t, word) != "" {
		t.Errorf("left in %s, %v", s.standsIn(t, word), err)
	}
	if d, err := s.Reviews.Disagreement(t.Context(), "PRESSURE", time.Time{}); err != nil || d.Overruled != 1 {
		t.Errorf("%+v, %v", d, err)
	}
}
