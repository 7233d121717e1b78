package page_test

import (
	"net/http"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/interaction"
)

// What its author can't act on is not sent back: the page doesn't offer it, the server refuses it, and what was typed stays.
func TestADraftOfTheEmbeddedAdvisorIsNotSentBack(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	agent, err := site.Accounts.EnsureAgent(t.Context(), "pension-advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	id, err := site.Interactions.Advise(t.Context(), dcCustomer(), agent.ID, agent.Name, interaction.OriginAsk, ann.Account.Actor(), nil)
	if err != nil {
		t.Fatal(err)
	}
	site.Drain(t)
	doc := show(t, ann, id, "?mode=reject")
	hasNot(t, doc, `[href$="mode=return"]`)
	hasNot(t, show(t, ann, id, "?mode=return"), "#decide")
	form := with(seen(t, doc, "#decide"), "reason", "Say what the lump sum allowance is.")
	doc = page(t, ann.Post(t, "/reviews/"+id+"/return", form), http.StatusUnprocessableEntity)
	has(t, doc, ".notices", "can't act on notes")
	hasNot(t, doc, `[href$="mode=return"]`)
	has(t, doc, "#main", "Say what the lump sum allowance is.")
	has(t, show(t, ann, bring(t, site, passing, dcCustomer()), "?mode=reject"), `[href$="mode=return"]`, "Back to the agent") // an agent of its own can
}
