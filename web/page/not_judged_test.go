package page_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
)

// What people let go that judges could not read stays known, and is shown to nobody as an example, whatever the trade;
// what they could read says nothing of it.
func TestWhatWasNotJudgedSaysSo(t *testing.T) {
	site := apptest.Open(t)
	ann, bob := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	for name, c := range map[string]struct {
		pack, text, says string
		exemplar         bool
	}{
		"German": {"pension",
			"Ihre Rente beginnt mit siebenundsechzig Jahren und wird jeden Monat auf Ihr Konto gezahlt.",
			"Not judged: It doesn't read as English", false},
		"Welsh": {"pension",
			"Bydd eich pensiwn yn dechrau pan fyddwch yn chwe deg saith oed ac yn cael ei dalu bob mis.",
			"Not judged: It doesn't read as English", false},
		"a shop": {"general", "The oak table is back in May. You can have it delivered.", "without change", true},
		"French": {"general",
			"La table en chêne sera de retour au mois de mai et nous pourrons vous la livrer chez vous.",
			"Not judged: It doesn't read as English", false},
		"English": {"pension", passing, "without change", true},
	} {
		agent, err := site.Accounts.EnsureAgent(t.Context(), name, c.pack)
		if err != nil {
			t.Fatal(err)
		}
		asked := dcCustomer()
		if asked.Pack = c.pack; c.pack == "general" {
			asked = interaction.Consultation{Pack: c.pack, Question: "When is it back?"}
		}
		rec, err := site.Interactions.Submit(t.Context(),
			interaction.Submission{AgentID: agent.ID, AgentName: agent.Name,
				By:           audit.Actor{Kind: audit.Agent, ID: agent.ID, Name: agent.Name},
				Consultation: asked, Guidance: c.text}, nil)
		if err != nil {
			t.Fatal(err)
		}
		site.Drain(t)
		if r := approve(t, ann, rec.ID); r.Status != http.StatusSeeOther {
			t.Fatalf("%s: %d %.600s", name, r.Status, r.Body)
		}
		if item, err := site.Reviews.Get(t.Context(), rec.ID); err != nil || item.First.ID != "" {
			if r := approve(t, bob, rec.ID); r.Status != http.StatusSeeOther {
				t.Fatalf("%s, second: %d, %v", name, r.Status, err)
			}
		}
		site.Clock.Advance(time.Minute)
		site.Drain(t)
		list, _, err := site.Knowledge.Cases(t.Context(), knowledge.Filter{AgentID: agent.ID})
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %+v, %v", name, list, err)
		}
		if k := list[0]; !k.Approved || k.Exemplar != c.exemplar || !strings.Contains(k.Outcome, c.says) ||
			strings.Contains(k.Outcome, "Not judged") != strings.HasPrefix(c.says, "Not judged") {
			t.Errorf("%s: exemplar %v, %q", name, k.Exemplar, k.Outcome)
		}
	}
}

// An expert reads why a person must look beside the judges, in the words that the supervisor reads, and not before
// their own answer.
func TestAnExpertReadsWhyAPersonMustLook(t *testing.T) {
	site := split(t)
	id, caseID := unsettled(t, site)
	eva, sam := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Supervisor)
	why := strings.TrimSpace(show(t, sam, id, "").Find("#because li").First().Text())
	if why == "" {
		t.Fatal("the supervisor reads no reason")
	}
	doc := page(t, eva.Get(t, "/compliance/"+caseID), http.StatusOK)
	hasNot(t, doc, "#because")
	form := with(hidden(doc, "#answer"), answered...)
	if r := eva.Post(t, "/compliance/"+caseID+"/answer", form); r.Status != http.StatusSeeOther {
		t.Fatalf("answer: %d %.500s", r.Status, r.Body)
	}
	has(t, page(t, eva.Get(t, "/compliance/"+caseID), http.StatusOK), "#panel #because", why)
}
