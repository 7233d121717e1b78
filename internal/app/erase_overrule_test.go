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

// One draft of a conversation takes along the later ones, which repeat what was said in it, and none before it.
func TestErasingADraftReachesWhatRepeatsIt(t *testing.T) {
	s := openSpine(t)
	var ids []string
	said := `{"role":"user","text":"What is the wombats question?"}`
	for _, next := range []string{"And the numbats one?", "And the quokkas one?"} {
		ids = append(ids, s.id(t, s.agent.JSON(t, "POST", "/api/guidance", `{"agent":"pension-advisor","consultation":{
			"thread":"t-1","messages":[`+said+`]},"guidance":"You could compare the charges of both."}`)))
		said += `,{"role":"assistant","text":"You could compare the charges of both."},{"role":"user","text":"` + next + `"}`
	}
	ids = append(ids, s.id(t, s.agent.JSON(t, "POST", "/api/guidance", `{"agent":"pension-advisor","consultation":{
		"thread":"t-1","messages":[`+said+`]},"guidance":"It is free of charge."}`)))
	other := s.id(t, s.agent.JSON(t, "POST", "/api/guidance", `{"agent":"pension-advisor","consultation":{
		"thread":"t-1","question":"Another person's potoroos?"},"guidance":"It is free of charge."}`))
	s.Drain(t)
	p, err := s.Erase.Preview(t.Context(), interaction.ByID, ids[1])
	if err != nil || len(p.Interactions) != 2 || p.Interactions[0].ID != ids[1] {
		t.Fatalf("%+v, %v", p, err)
	}
	rec, err := s.Erase.Erase(t.Context(), erase.Request{How: interaction.ByID, Subject: ids[1], Why: "Request 13",
		By: audit.Actor{Kind: audit.Person, ID: "boss", Name: "Bo Boss"}})
	if err != nil || rec.State != erase.Done {
		t.Fatalf("%+v, %v", rec, err)
	}
	for word, want := range map[string]bool{"numbats": false, "quokkas": false, "wombats": true,
		"potoroos": true} {
		if where := s.standsIn(t, word); (where != "") != want {
			t.Errorf("%s stands in %q", word, where)
		}
	}
	for i, want := range []bool{false, true, true, false} {
		in, err := s.Interactions.Get(t.Context(), append(ids, other)[i])
		if err != nil || in.ErasedAt.IsZero() == want {
			t.Errorf("draft %d: erased %v, %v", i+1, in.ErasedAt, err)
		}
	}
}
