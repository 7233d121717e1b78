package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
)

// A new price in a document: the review of a draft from before says so, with both prices, and who didn't see that is
// refused once; the answer that was sent with the old price is withheld and listed for an expert, as is the rule.
func TestANewPriceInADocument(t *testing.T) {
	s := apptest.Open(t)
	ann, edie := s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Expert)
	document := func(price string) {
		t.Helper()
		if _, err := s.Knowledge.Import(t.Context(), fstest.MapFS{"fees.md": {Data: []byte(
			"# Our fees\n\nA review of your pension costs " + price + ". You pay it once.\n")}},
			knowledge.ImportOptions{Pack: "pension", By: audit.System("test")}); err != nil {
			t.Fatal(err)
		}
	}
	document("£899")
	list, _, err := s.Knowledge.Cases(t.Context(), knowledge.Filter{})
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	agent, err := s.Accounts.EnsureAgent(t.Context(), "pension-advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	submit := func() string {
		t.Helper()
		rec, err := s.Interactions.Submit(t.Context(), interaction.Submission{AgentID: agent.ID, AgentName: agent.Name,
			By:            audit.Actor{Kind: audit.Agent, ID: agent.ID, Name: agent.Name},
			Consultation:  interaction.Consultation{Question: "What does a review of my pension cost?"},
			Guidance:      "A review of your pension costs £899. You pay it once.",
			KnowledgeUsed: []interaction.Used{{ID: list[0].ID}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return rec.ID
	}
	approve := func(id, from string, status int) {
		t.Helper()
		want(t, "approve", ann.Post(t, "/reviews/"+id+"/approve",
			seen(t, show(t, ann, from, ""), `form[action$="/approve"]`)), status)
	}
	sent, waits := submit(), submit()
	ann.Post(t, "/reviews/"+sent+"/claim", nil)
	approve(sent, sent, http.StatusSeeOther)
	s.Clock.Advance(s.Reviews.Policy().Hold * 2)
	s.Drain(t)
	if n := len(ofSource(t, s, knowledge.FromReview)); n != 1 {
		t.Fatalf("%d cases of drafts", n)
	}
	rule := bringRule(t, s, knowledge.Active, "When the customer asks what a review costs, say £899")
	bringRule(t, s, knowledge.Active, "When the customer asks what a review costs, never say that it costs £899")
	desk := s.Nobody(t)
	desk.Header.Set("Authorization", "Bearer "+s.Token(t, account.Recall, account.Feedback))
	for _, user := range []string{"u1", "u2"} {
		if r := desk.JSON(t, http.MethodPost, "/api/feedback/submit", `{"interaction_id":"`+sent+`","user_id":"`+user+
			`","feedback_type":"thumbs","feedback_value":1}`); r.Status != http.StatusOK {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
	}
	if err := s.Nightly.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	ada := s.SignedIn(t, account.Admin)
	files, err := s.Approvals.Waiting(t.Context(), ada.Account.ID)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d prompt files wait, %v", len(files), err)
	}
	if _, err := s.Approvals.Agree(t.Context(), files[0].ID, ada.Account.Actor()); err != nil {
		t.Fatal(err)
	}
	given := func(want bool) {
		t.Helper()
		file, err := s.Nightly.PromptOf(t.Context(), agent.ID)
		if err != nil || strings.Contains(file.Text, "A review of your pension costs £899") != want {
			t.Errorf("the prompt file says %q, %v", file.Text, err)
		}
		r := desk.Get(t, "/api/feedback/examples?agent_type=pension-advisor")
		if strings.Contains(r.Body, "£899") != want {
			t.Errorf("the examples are %s", r.Body)
		}
		r = desk.JSON(t, http.MethodPost, "/api/recall", `{"query":"What does a review of my pension cost?"}`)
		if strings.Contains(r.Body, "an answer that customers liked") != want {
			t.Errorf("recall gives %s", r.Body)
		}
	}
	given(true)
	ann.Post(t, "/reviews/"+waits+"/claim", nil)
	open := show(t, ann, waits, "")
	hasNot(t, open, `#case-notices .notice:contains("source")`)
	document("£949")
	doc := page(t, ann.Post(t, "/reviews/"+waits+"/approve", seen(t, open, `form[action$="/approve"]`)),
		http.StatusConflict)
	has(t, doc, ".notices", "A source of this draft changed since you opened it. Nothing was decided.")
	has(t, doc, "#case-notices", "A source of this draft changed since it was written")
	has(t, doc, "#case-notices del", "£899")
	has(t, doc, "#case-notices ins", "£949")

	given(false)
	has(t, page(t, edie.Get(t, "/feedback/examples"), http.StatusOK), "#examples", "rests on an older wording of fees.md")
	if n, err := s.Knowledge.Sizes(t.Context()); err != nil || n.Flagged != 0 {
		t.Errorf("%d sections to check, %v", n.Flagged, err)
	}
	c := ofSource(t, s, knowledge.FromReview)[0]
	has(t, page(t, edie.Get(t, "/knowledge/cases/"+c.ID), http.StatusOK), "main", "rests on an older wording of fees.md")
	listed := page(t, edie.Get(t, "/knowledge/conflicts"), http.StatusOK)
	has(t, listed, "#conflicts", c.Label()+" and "+list[0].Label())
	has(t, listed, "#conflicts", rule.Label()+" and "+list[0].Label())
	k, _, err := s.Conflicts.List(t.Context(), conflict.Filter{})
	if err != nil || len(k) != 2 {
		t.Fatalf("%+v, %v", k, err)
	}
	for i := range k {
		one := &k[i]
		at := page(t, edie.Get(t, "/knowledge/conflicts/"+one.ID), http.StatusOK)
		choice := conflict.Keep
		if one.ItemKind == conflict.OfBoth {
			choice = conflict.Retire
			has(t, at, `a[href="/knowledge/rules/`+rule.ID+`/edit"]`, "Edit "+rule.Label())
		}
		want(t, "settle", edie.Post(t, "/knowledge/conflicts/"+one.ID, with(hiddenOf(t, at, "form.form"),
			"note", "The price is new.", "choice", choice)), http.StatusSeeOther)
	}
	if r, err := s.Knowledge.Rule(t.Context(), rule.ID); err != nil || r.Status != knowledge.Retired {
		t.Errorf("the rule is %s, %v", r.Status, err)
	}
	if kept := ofSource(t, s, knowledge.FromReview)[0]; kept.RestsOn("") || kept.Status != knowledge.Active {
		t.Errorf("what an expert kept is %s, marked %v", kept.Status, kept.RestsOn(""))
	}
	for _, id := range []string{c.ID, list[0].ID} {
		life := page(t, edie.Get(t, "/knowledge/cases/"+id), http.StatusOK)
		has(t, life, ".life", "Conflict resolved: Give "+c.Label()+" to agents again")
		has(t, life, ".life", "The price is new.")
		hasNot(t, life, `.life:contains("says the same again")`)
	}
	given(true)
	decide := func(keep, says string) {
		t.Helper()
		at := "/knowledge/cases/" + c.ID
		retire := `form[action$="/retire"]`
		want(t, "without a reason", edie.Post(t, at+"/retire", with(hiddenOf(t, page(t, edie.Get(t, at),
			http.StatusOK), retire), "keep", keep)), http.StatusUnprocessableEntity)
		want(t, "decide", edie.Post(t, at+"/retire", with(hiddenOf(t, page(t, edie.Get(t, at), http.StatusOK), retire),
			"keep", keep, "reason", "It is of last year.")), http.StatusSeeOther)
		has(t, page(t, edie.Get(t, at), http.StatusOK), ".life", says)
	}
	decide("0", "retired")
	given(false)
	decide("1", "It is of last year.")
	given(true)
	late := page(t, edie.Post(t, "/knowledge/cases/"+c.ID+"/retire",
		url.Values{"version": {"1"}, "keep": {"0"}, "reason": {"It is too late."}}), http.StatusConflict)
	has(t, late, `textarea[name="reason"]`, "It is too late.")
	source, err := s.Knowledge.Sources(t.Context())
	if err != nil || len(source) != 1 {
		t.Fatal(source, err)
	}
	at := "/knowledge/documents/" + source[0].ID
	has(t, page(t, edie.Post(t, at, url.Values{"do": {"withdraw"}}), http.StatusUnprocessableEntity), "main", "Say why")
	want(t, "withdraw", edie.Post(t, at, url.Values{"do": {"withdraw"},
		"reason": {"It is old."}}), http.StatusSeeOther)
	given(false)
	has(t, page(t, edie.Get(t, "/knowledge/conflicts"), http.StatusOK), "#conflicts",
		c.Label()+" rests on fees.md#Our fees, which is no longer in use.")
	has(t, page(t, edie.Get(t, "/knowledge/cases/"+c.ID), http.StatusOK), ".notice", "until a person decides")
	decide("1", "Conflict resolved: Give")
	given(true)
	hasNot(t, page(t, edie.Get(t, "/knowledge/conflicts"), http.StatusOK), "#conflicts .result")
	decide("0", "retired")
	given(false)
	hasNot(t, page(t, edie.Get(t, "/knowledge/cases/"+c.ID), http.StatusOK), `.notice:contains("until a person")`)
	approve(waits, waits, http.StatusSeeOther) // the page says so now
}

func ofSource(t *testing.T, s *apptest.Site, source string) []knowledge.Case {
	t.Helper()
	list, _, err := s.Knowledge.Cases(t.Context(), knowledge.Filter{Source: source})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
