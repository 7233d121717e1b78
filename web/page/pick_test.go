package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/erase"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/rule"
	"preceptor/web/teach"
)

const revisedBy = passing + "\n\nAsk your provider for its table of lump sums."

// pressed posts a form as the button beside a question does, without a script.
func pressed(t *testing.T, c *apptest.Client, doc *goquery.Document, label, question string) *goquery.Document {
	t.Helper()
	b := doc.Find("#teach-preview li").FilterFunction(func(_ int, s *goquery.Selection) bool {
		return strings.Contains(s.Find(".user-text").Text(), question)
	}).Find("button[formaction]").FilterFunction(func(_ int, s *goquery.Selection) bool {
		return strings.HasPrefix(strings.TrimSpace(s.Text()), label)
	})
	if b.Length() != 1 {
		t.Fatalf("%d buttons beside %q: %s", b.Length(), question, words(doc, "#teach-preview"))
	}
	form := with(filled(t, doc, "#decide"), "text", revisedBy)
	return page(t, c.Post(t, b.AttrOr("formaction", ""), form), http.StatusOK)
}

// A click on a question of the preview narrows the rule or widens it, at once and for questions like that one; it is a
// label, without the customer's own words, until it is taken back or the customer is erased.
func TestAClickNarrowsARuleAndWidensIt(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor, account.Admin)
	ask := func(question, task, name string) string {
		c := dcCustomer()
		c.Question, c.TaskType, c.Customer.Name = question, task, name
		return bring(t, site, passing, c)
	}
	const cruise = "Can I spend my tax free lump sum on a cruise with Zebedee?"
	const table = "How is the lump sum without tax worked out?"
	const fee = "Which fee do you charge when I move my pension to you?"
	ask(cruise, "tax_free_cash", "Zebedee Quarrington")
	ask(table, "tax_free_cash", "")
	ask(fee, "transfer", "")
	first := ask("How much can I take without tax?", "tax_free_cash", "")
	form := filled(t, show(t, ann, first, "?mode=revise"), "#decide")
	doc := page(t, ann.Post(t, "/reviews/"+first+"/teach",
		with(form, "text", revisedBy)), http.StatusOK)

	applies := func(doc *goquery.Document, question, task string) bool {
		t.Helper()
		list := teach.Read(filled(t, doc, "#decide")).Statements()
		if len(list) != 1 {
			t.Fatalf("stated %+v", list)
		}
		s := pack.Situation{Pack: "pension", Question: question, Task: task, Age: 61}
		return site.Knowledge.Match(t.Context(), list[0], s).State == rule.Met
	}
	const yacht = "May I buy a boat with my tax free lump sum and sail away on a cruise?"
	const moving = "What do you charge me as a fee if I move my pension over to you?"
	if !applies(doc, yacht, "tax_free_cash") || applies(doc, moving, "transfer") {
		t.Fatal("before the clicks the topic alone tells")
	}
	doc = pressed(t, ann, doc, "Not this one", cruise)
	has(t, doc, "#teach-preview h4", "not like “Can I spend my tax free lump sum on a cruise with …?”")
	if applies(doc, yacht, "tax_free_cash") || applies(doc, table, "tax_free_cash") {
		t.Errorf("after the first click: %s", words(doc, "#teach-preview h4"))
	}
	doc = pressed(t, ann, doc, "This one too", table) // it is much like the first, and the nearest counts
	doc = pressed(t, ann, doc, "This one too", fee)
	if applies(doc, yacht, "tax_free_cash") || !applies(doc, moving, "transfer") ||
		!applies(doc, table, "tax_free_cash") || !applies(doc, "How much can I take without tax?", "tax_free_cash") {
		t.Errorf("after the clicks: %s", words(doc, "#teach-preview h4"))
	}
	labels := func() (out []knowledge.FitLabel) {
		if err := site.Knowledge.EachLabel(t.Context(), func(l knowledge.FitLabel) error {
			out = append(out, l)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return out
	}
	got := labels()
	apply := 0
	for _, l := range got {
		if l.Applies {
			apply++
		}
		if l.By != ann.Account.ID || l.Rule == "" || strings.Contains(l.Question, "Zebedee") {
			t.Errorf("label %+v", l)
		}
	}
	if len(got) != 3 || apply != 2 {
		t.Fatalf("labels %+v", got)
	}
	again := pressed(t, ann, doc, "Undo", fee)
	if applies(again, moving, "transfer") || len(labels()) != 2 {
		t.Error("the click can't be undone")
	}
	if r := ann.Post(t, "/reviews/"+first+"/teach?pick=nowhere", url.Values{}); r.Status != http.StatusNotFound {
		t.Errorf("a question that isn't there: %d", r.Status)
	}
	if _, err := site.Erase.Erase(t.Context(), erase.Request{How: interaction.ByName, Subject: "Zebedee Quarrington",
		Why: "Request 9", By: ann.Account.Actor()}); err != nil {
		t.Fatal(err)
	}
	if got := labels(); len(got) != 1 {
		t.Errorf("after the erasure: %+v", got)
	}
	// The sentences have what was typed about the erased one, though others' questions were picked there.
	for _, about := range []string{"reviews/" + first, "learning/L1", "learning/L2"} {
		if err := site.Knowledge.Label(t.Context(), knowledge.FitLabel{About: about, InteractionID: "other",
			Rule: "When age is below 55, ask “B?” because Rosamund said so", Question: fee}); err != nil {
			t.Fatal(err)
		}
	}
	if err := site.DB.Write(t.Context(), func(tx *db.Tx) error {
		_, err := site.Knowledge.EraseLabelsTx(tx, first, []string{"L1"})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if got := labels(); len(got) != 1 || got[0].About != "learning/L2" {
		t.Errorf("after the erasure of where they were picked: %+v", got)
	}
}
