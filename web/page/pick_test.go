package page_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/erase"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
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

// A click on a question of the preview narrows the rule or widens it, at once and for questions like that one, without
// the customer's own words; once the form is sent it is a label.
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
	again := pressed(t, ann, doc, "Undo", fee)
	if applies(again, moving, "transfer") || !applies(again, table, "tax_free_cash") {
		t.Error("the click can't be undone")
	}
	if r := ann.Post(t, "/reviews/"+first+"/teach?pick=nowhere", url.Values{}); r.Status != http.StatusNotFound {
		t.Errorf("a question that isn't there: %d", r.Status)
	}
	if got := labelsOf(t, site); len(got) != 0 {
		t.Errorf("of a form that may yet be left: %+v", got)
	}
	form = with(filled(t, doc, "#decide"), "text", revisedBy, "reason", "The table was missing.")
	want(t, "revise", ann.Post(t, "/reviews/"+first+"/revise", form), http.StatusSeeOther)
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	apply, got := 0, labelsOf(t, site)
	for _, l := range got {
		if l.Applies {
			apply++
		}
		if l.Rule == "" || strings.Contains(l.Question, "Zebedee") {
			t.Errorf("label %+v", l)
		}
	}
	if len(got) != 3 || apply != 2 {
		t.Errorf("labels %+v", got)
	}
}

func labelsOf(t *testing.T, site *apptest.Site) (out []knowledge.Label) {
	t.Helper()
	if err := site.Knowledge.EachLabel(t.Context(), func(l knowledge.Label) error {
		out = append(out, l)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// A question that somebody picked while they answered another customer goes with its own customer: out of drafts,
// decisions, lessons and their steps, rules in every version, labels and the audit log. Another customer's question in
// the same words stays.
func TestAnErasureReachesQuestionsThatWerePicked(t *testing.T) {
	site := apptest.Open(t)
	ann, edie := site.SignedIn(t, account.Supervisor, account.Admin), site.SignedIn(t, account.Expert)
	ask := func(question, name string) string {
		c := dcCustomer()
		c.Question, c.TaskType, c.Customer.Name = question, "tax_free_cash", name
		return bring(t, site, passing, c)
	}
	const canary = "Can I spend my tax free lump sum on a quxiblor with Zebedee?"
	const same = "Does the lump sum come before the rest?"
	theirs := ask(canary, "Zebedee Quarrington")
	erased := ask(same, "Zebedee Quarrington")
	ask(same, "Rosamund Pike")
	about := func() (string, url.Values) {
		id := ask("How much can I take without tax?", "")
		form := filled(t, show(t, ann, id, "?mode=revise"), "#decide")
		doc := page(t, ann.Post(t, "/reviews/"+id+"/teach", with(form, "text", revisedBy)), http.StatusOK)
		form = with(filled(t, doc, "#decide"), "text", revisedBy, "reason", "The table was missing.")
		for _, pick := range []string{theirs, erased} {
			doc = page(t, ann.Post(t, "/reviews/"+id+"/teach?pick="+pick, form), http.StatusOK)
			form = with(filled(t, doc, "#decide"), "text", revisedBy, "reason", "The table was missing.")
		}
		return id, form
	}
	open, late := about() // left as a draft
	me := review.Person{ID: ann.Account.ID, Name: ann.Account.Name}
	draft := review.Draft{CaseID: open, Version: 1, Mode: review.Revise, Text: revisedBy,
		Stated: teach.Keep(teach.Read(late))}
	if _, err := site.Reviews.SaveDraft(t.Context(), me, draft); err != nil {
		t.Fatal(err)
	}
	decided, form := about()
	want(t, "revise", ann.Post(t, "/reviews/"+decided+"/revise", form), http.StatusSeeOther)
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	list, err := site.Learning.List(t.Context(), learning.Filter{State: learning.Waiting})
	if err != nil || len(list.Items) == 0 {
		t.Fatalf("lessons %+v, %v", list.Items, err)
	}
	l := list.Items[0]
	rule, err := site.Learning.Accept(t.Context(), l.ID, nil, l.Version,
		knowledge.Person{ID: edie.Account.ID, Name: edie.Account.Name, Roles: []string{"expert"}})
	if err != nil || len(rule.Statement.When) < 3 {
		t.Fatalf("%+v, %v", rule.Statement, err)
	}
	site.Drain(t)
	if got := labelsOf(t, site); len(got) != 2 {
		t.Errorf("labels %+v", got)
	}
	if places := standsIn(t, site, "quxiblor"); len(places) < 8 {
		t.Fatalf("planted only in %v", places)
	}
	if _, err := site.Erase.Erase(t.Context(), erase.Request{How: interaction.ByName, Subject: "Zebedee Quarrington",
		Why: "Request 9", By: ann.Account.Actor()}); err != nil {
		t.Fatal(err)
	}
	site.Drain(t)
	if places := standsIn(t, site, "quxiblor"); len(places) > 0 {
		t.Errorf("left in %v", places)
	}
	if places := standsIn(t, site, `"of":"`+erased); len(places) > 0 {
		t.Errorf("the same words of two customers are left in %v", places)
	}
	if !slices.Contains(standsIn(t, site, same), "interaction.question") {
		t.Error("another customer's question in the same words is gone")
	}
	now, err := site.Knowledge.Rule(t.Context(), rule.ID)
	if err != nil || now.Status != knowledge.Active || len(now.Statement.When) == 0 || len(labelsOf(t, site)) != 0 {
		t.Errorf("the rule: %s %+v, %v", now.Status, now.Statement, err)
	}
	if report, err := audit.Verify(t.Context(), site.DB, nil); err != nil || report.Bad != nil {
		t.Errorf("the audit log: %+v, %v", report, err)
	}
	show(t, ann, open, "?mode=revise") // the form can be gone on with

	// A page that was open at the time brings nothing back.
	draft.Text += "."
	if _, err := site.Reviews.SaveDraft(t.Context(), me, draft); !fault.Is(err, fault.Invalid) {
		t.Errorf("a draft of before: %v", err)
	}
	has(t, page(t, ann.Post(t, "/reviews/"+open+"/revise", late), http.StatusUnprocessableEntity), "main", "was erased")
	stated := teach.Read(late).Statements()[0]
	if _, err := site.Knowledge.Vet(t.Context(), knowledge.Vetting{Statement: stated}); !fault.Is(err, fault.Invalid) {
		t.Errorf("a rule of before: %v", err)
	}
	if places := standsIn(t, site, "quxiblor"); len(places) > 0 {
		t.Errorf("came back in %v", places)
	}
}

// standsIn are the columns that have a text.
func standsIn(t *testing.T, site *apptest.Site, text string) (places []string) {
	t.Helper()
	rows, err := site.DB.Reader().Query(`SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'entry_vector%'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			t.Fatal(err)
		}
		var n int
		if err := site.DB.Reader().QueryRow(`SELECT count(*) FROM "`+table+`" WHERE instr(CAST("`+column+
			`" AS TEXT), ?) > 0`, text).Scan(&n); err == nil && n > 0 {
			places = append(places, table+"."+column)
		}
	}
	return places
}
