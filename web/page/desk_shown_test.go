package page_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/rule"
)

// typed is the answer to a form of a review while somebody types.
func typed(t *testing.T, c *apptest.Client, address string, form url.Values) *goquery.Document {
	t.Helper()
	return page(t, c.Do(t, http.MethodPost, address, "application/x-www-form-urlencoded", form.Encode(),
		"Sec-Fetch-Site", "same-origin", "HX-Request", "true"), http.StatusOK)
}

// What a rule wants said is missed in the text shown, as it is typed, and only while the rule is in use. The
// preview of such a rule doesn't say that the draft has it.
func TestARuleThatIsNotCarriedOutIsSaidOfTheTextShown(t *testing.T) {
	s := pensionDesk(t)
	const fine, note = "It is fine to put the telephone down without explaining.", "is not carried out"
	r := knowledge.Rule{Domain: "pension_education", Status: knowledge.Active, RuleText: knowledge.RuleOf(rule.Statement{
		When: []rule.Condition{{Kind: rule.Scope, Values: []string{rule.Universal}}},
		Do:   rule.Act{Kind: rule.Include, Place: rule.AtEnd, Text: fine}}, pack.Of("pension"))}
	if err := s.Knowledge.PrepareRule(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	if err := s.DB.Write(t.Context(), func(tx *db.Tx) (err error) {
		r, err = s.Knowledge.AddRuleTx(tx, r)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	ann := s.SignedIn(t, account.Supervisor)
	id := s.ask(t, "A man rang me about my pension. Is it a scam?", "C-1")
	at := "/reviews/" + id
	has(t, show(t, ann, id, ""), "#draft-notes", note)
	doc := show(t, ann, id, "?mode=revise")
	has(t, doc, "#check #draft-notes", note)
	form := with(seen(t, doc, "#decide"), "text", strings.TrimPrefix(doc.Find("#text").Text(), "\n"))
	has(t, typed(t, ann, at+"/check", form), "#draft-notes", note)
	teach := with(maps.Clone(form), "teach.0.kind", "include", "teach.0.place", rule.AtStart, "teach.0.on", "1",
		"teach.0.text", "They like to hurry you.", "when.90.kind", "scope", "when.90.value", "universal", "when.90.on", "1")
	part := typed(t, ann, at+"/preview", teach)
	has(t, part, "#teach-preview", "Stays as it is. This rule is not carried out: it says “They”, and")
	hasNot(t, part, `#teach-preview:contains("already in a draft")`)

	added := with(maps.Clone(form), "text", form.Get("text")+"\n\n"+fine)
	hasNot(t, typed(t, ann, at+"/check", added), "#draft-notes")
	hasNot(t, page(t, ann.Post(t, at+"/check", added), http.StatusOK), "#draft-notes")

	has(t, show(t, ann, id, ""), "#draft-notes", note)
	if err := s.DB.Write(t.Context(), func(tx *db.Tx) error {
		_, err := s.Knowledge.SetRuleStatusTx(tx, r.ID, knowledge.Quarantined,
			knowledge.Change{By: audit.System("test"), Reason: "It misled twice."})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	hasNot(t, show(t, ann, id, ""), "#draft-notes")
	hasNot(t, typed(t, ann, at+"/check", form), "#draft-notes")
}

// Beside a text, too, what changes in the actions is shown while it is typed, in the words that stand there afterwards.
func TestWhatChangesInTheActionsIsShownBeforeItIsSent(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	agent, err := site.Accounts.EnsureAgent(t.Context(), "helper", "general")
	if err != nil {
		t.Fatal(err)
	}
	rec, err := site.Interactions.Submit(t.Context(), interaction.Submission{AgentID: agent.ID, AgentName: agent.Name,
		By:           audit.Actor{Kind: audit.Agent, ID: agent.ID, Name: agent.Name},
		Guidance:     "We pay this out to you today.",
		Consultation: interaction.Consultation{Question: "Pay me please.", Pack: "general"},
		Actions: interaction.Actions{{Name: "pay_out", Arguments: json.RawMessage(`{"amount":2000}`),
			Schema: json.RawMessage(`{"properties":{"amount":{"type":"number","maximum":5000}}}`)}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := "/reviews/" + rec.ID
	doc := show(t, ann, rec.ID, "?mode=revise")
	has(t, doc, "#check", "Nothing has changed yet.")
	if f := doc.Find("[name='action.0.amount']"); f.AttrOr("hx-post", "") != at+"/check" {
		t.Error("what is typed there isn't followed")
	}
	form := with(seen(t, doc, "#decide"), "text", strings.TrimPrefix(doc.Find("#text").Text(), "\n"), "reason",
		"Too much.", "action.0.amount", "1500")
	part := typed(t, ann, at+"/check", form)
	has(t, part, "#check .changed summary", "What changed in the actions")
	has(t, part, "#check .changed del", "2000")
	has(t, part, "#check .changed ins", "1500")
	hasNot(t, part, "#check .unchanged")
	part = typed(t, ann, at+"/check", with(maps.Clone(form), "action.0.amount", "9000"))
	has(t, part, "#check .check-flag", "pay_out: It doesn't fit the schema: amount: 9000 is greater than 5000.")
	hasNot(t, part, "#check .unchanged")
	if r := ann.Post(t, at+"/revise", form); r.Status != http.StatusSeeOther {
		t.Fatalf("%d %.300s", r.Status, r.Body)
	}
	has(t, show(t, ann, rec.ID, ""), "#outcome .changed ins", "1500")
}
