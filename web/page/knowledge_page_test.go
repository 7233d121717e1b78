package page_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/rule"
)

// known puts a rule and cases into the base, as a person would have.
type known struct {
	rule  knowledge.Rule
	cases []knowledge.Case
}

func know(t *testing.T, s *apptest.Site, by account.Account) (k known) {
	t.Helper()
	actor := audit.Actor{Kind: audit.Person, ID: by.ID, Name: by.Name}
	err := s.DB.Write(t.Context(), func(tx *db.Tx) (err error) {
		for i, says := range []string{"giving up a final salary pension", "taking a quarter tax free",
			"leaving a pot to a daughter"} {
			c, err := s.Knowledge.AddCaseTx(tx,
				knowledge.Case{Source: knowledge.FromReview, Origin: fmt.Sprint("o", i),
					Task:     []string{"db_transfer", "tax_free_cash", "death_benefits"}[i],
					Domain:   knowledge.RiskDisclosure,
					Exemplar: i == 0, Approved: true, By: actor, Reason: "approved",
					CaseText: knowledge.CaseText{Title: "About " + says, Situation: "asks about " + says,
						Guidance: "What to know of " + says + "."}})
			if err != nil {
				return err
			}
			k.cases = append(k.cases, c)
		}
		text := knowledge.RuleOf(
			rule.Statement{When: []rule.Condition{
				{Kind: rule.Field, Name: "pensions", Op: rule.Has, Values: []string{"db"}}},
				Do: rule.Act{Kind: rule.Other, Text: "say what is given up"}, Because: "it can't be had back"},
			pack.Of(pack.Pension))
		text.Title, text.Confidence, text.Provisional, text.FCACompliant, text.Supporting = "Say what is given up", .8,
			true, true, []string{k.cases[0].ID}
		k.rule, err = s.Knowledge.AddRuleTx(tx,
			knowledge.Rule{Domain: knowledge.RiskDisclosure, By: actor, Reason: "from a correction", RuleText: text})
		if err != nil {
			return err
		}
		k.rule, err = s.Knowledge.SetRuleStatusTx(tx, k.rule.ID, knowledge.Active,
			knowledge.Change{By: actor, Reason: "It is right."})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// shownTo brings a draft that was shown an item, and has it approved.
func shownTo(t *testing.T, s *apptest.Site, ann *apptest.Client, itemID string) string {
	t.Helper()
	caseID := bring(t, s, passing+" "+corrected, dbCustomer())
	if err := s.DB.Write(t.Context(), func(tx *db.Tx) error {
		_, err := s.Knowledge.RecordUsageTx(tx, caseID, "", []knowledge.Used{{ID: itemID, Cited: true}})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	form := seen(t, page(t, ann.Get(t, "/reviews/"+caseID), http.StatusOK), `form[action$="/approve"]`)
	if r := ann.Post(t, "/reviews/"+caseID+"/approve", form); r.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d %.500s", r.Status, r.Body)
	}
	agree(t, s, caseID)
	return caseID
}

func TestKnowledgeIsBrowsedFilteredAndSearched(t *testing.T) {
	s := apptest.Open(t)
	edie := s.SignedIn(t, account.Expert)
	ann := s.SignedIn(t, account.Supervisor)
	k := know(t, s, edie.Account)
	shownTo(t, s, ann, k.rule.ID)
	s.Drain(t)

	doc := page(t, ann.Get(t, "/knowledge"), http.StatusOK)
	for _, text := range []string{"R-1", "Say what is given up", "provisional", "in use", "Risk disclosure",
		"confidence: 0.80", "points (", "n = 1", "used once in 30 days"} {
		has(t, doc, ".result", text)
	}
	has(t, doc, ".tabs", "Needs attention")
	hasNot(t, page(t, ann.Get(t, "/knowledge/more"), http.StatusOK), `a[href="/knowledge/file"]`)
	has(t, page(t, edie.Get(t, "/knowledge/more"), http.StatusOK), `a[href="/knowledge/file"]`, "Export and import")
	has(t, page(t, ann.Get(t, "/knowledge?provisional=1"), http.StatusOK), ".result", "R-1")
	has(t, page(t, ann.Get(t, "/knowledge?status=quarantined"), http.StatusOK), ".empty", "No rule matches")
	has(t, page(t, ann.Get(t, "/knowledge?domain=pension_education"), http.StatusOK), ".empty", "No rule matches")

	doc = page(t, ann.Get(t, "/knowledge?kind=cases"), http.StatusOK)
	if n := doc.Find(".result").Length(); n != 3 {
		t.Errorf("%d cases", n)
	}
	has(t, doc, ".result", "not used in 30 days")
	has(t, doc, ".result", "no effect known yet")
	for query, n := range map[string]int{"task=db_transfer": 1, "exemplar=1": 1, "source=document": 0, "flagged=1": 0,
		"domain=risk_disclosure": 3, "status=retired": 0} {
		if got := page(t, ann.Get(t, "/knowledge?kind=cases&"+query),
			http.StatusOK).Find(".result").Length(); got != n {
			t.Errorf("%s finds %d, want %d", query, got, n)
		}
	}
	doc = page(t, ann.Get(t, "/knowledge?kind=cases&task=tax_free_cash&exemplar=1"), http.StatusOK)
	if v, _ := doc.Find("#task option[selected]").Attr("value"); v != "tax_free_cash" ||
		doc.Find("#exemplar[checked]").Length() != 1 {
		t.Errorf("the form has forgotten the address: %q", v)
	}

	doc = page(t, ann.Get(t, "/knowledge?q=final+salary+pension"), http.StatusOK)
	has(t, doc, ".result", "R-1")
	has(t, doc, ".result .why", "similar meaning")
	has(t, doc, "main", "also match")
	doc = page(t, ann.Get(t, "/knowledge?kind=cases&q=final+salary+pension&task=db_transfer"), http.StatusOK)
	has(t, doc, ".result", "About giving up a final salary pension")
	has(t, page(t, ann.Get(t, "/knowledge?kind=cases&q=daughter&status=retired"), http.StatusOK), ".empty",
		"No case matches")
	has(t, page(t, ann.Get(t, "/knowledge?q=qqqq+zzzz"), http.StatusOK), ".empty", "No close matches in use")
	want(t, "a bad cursor", ann.Get(t, "/knowledge?cursor=x"), http.StatusUnprocessableEntity, "not one of ours")
}

func TestTheListOfRulesHasPages(t *testing.T) {
	s := apptest.Open(t)
	ann := s.SignedIn(t, account.Supervisor)
	if err := s.DB.Write(t.Context(), func(tx *db.Tx) error {
		for i := range 55 {
			if _, err := s.Knowledge.AddRuleTx(tx,
				knowledge.Rule{Status: knowledge.Retired, Domain: knowledge.RiskDisclosure,
					RuleText: knowledge.RuleText{Principle: fmt.Sprintf("When %d, act because so", i),
						Confidence: .5}}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	doc := page(t, ann.Get(t, "/knowledge?domain=risk_disclosure"), http.StatusOK)
	next := doc.Find(`.pager a[rel=next]`).AttrOr("href", "")
	if doc.Find(".result").Length() != 50 || !strings.Contains(next, "domain=risk_disclosure") {
		t.Fatalf("%d rules, then %q", doc.Find(".result").Length(), next)
	}
	if n := page(t, ann.Get(t, next), http.StatusOK).Find(".result").Length(); n != 5 {
		t.Errorf("the second page has %d", n)
	}
}

func TestARulesPageTellsItsWholeLife(t *testing.T) {
	s := apptest.Open(t)
	edie, ann := s.SignedIn(t, account.Expert), s.SignedIn(t, account.Supervisor)
	k := know(t, s, edie.Account)
	s.Clock.Advance(10 * time.Minute)
	caseID := shownTo(t, s, ann, k.rule.ID)
	doc := page(t, ann.Get(t, "/knowledge/rules/"+k.rule.ID), http.StatusOK)
	first := doc.Find(".life > li").First()
	if text := first.Text(); !strings.Contains(text, "Given for 1 draft") || !strings.Contains(text, "approved") {
		t.Errorf("the newest is %q", text)
	}
	if first.Find(`a[href="/reviews/`+caseID+`"]`).Length() != 1 {
		t.Error("the draft is not linked")
	}
	has(t, doc, ".life", "Version 1: written")
	has(t, doc, ".life", "Version 2: in use")
	has(t, doc, ".life", edie.Account.Name)
	has(t, doc, "[aria-label='About the rule'] dd", edie.Account.Name)
	has(t, doc, "[aria-labelledby=credit]", "Supervisors' decisions")
	has(t, doc, "[aria-labelledby=credit] dd", "1 of 1 (typical")
	has(t, doc, "[aria-labelledby=credit] dd", "95% CI")
	expert := page(t, edie.Get(t, "/knowledge/rules/"+k.rule.ID), http.StatusOK)
	hasNot(t, expert, `.life a[href^="/reviews/"]`) // what is on the desk is for supervisors

	doc = page(t, ann.Get(t, "/knowledge/cases/"+k.cases[0].ID), http.StatusOK)
	has(t, doc, ".life", "Version 1: written")
	has(t, doc, "aside", "R-1")
	has(t, doc, "aside", "not used in 30 days")
}

// Of what people wrote to one customer a section for all can be written.
func TestASectionIsWrittenOfAReleasedText(t *testing.T) {
	s := apptest.Open(t)
	edie, ann := s.SignedIn(t, account.Expert), s.SignedIn(t, account.Supervisor)
	k := know(t, s, edie.Account)
	address := "/knowledge/cases/" + k.cases[1].ID
	write := page(t, edie.Get(t, address), http.StatusOK).Find(`a[href^="/knowledge/section?case="]`)
	if write.Text() == "" || !strings.Contains(write.Text(), "Write it as a section") {
		t.Fatalf("the case offers %q", write.Text())
	}
	hasNot(t, page(t, ann.Get(t, address), http.StatusOK), `a[href^="/knowledge/section"]`)
	form := filled(t, page(t, edie.Get(t, write.AttrOr("href", "")), http.StatusOK), `form[action="/knowledge/section"]`)
	if form.Get("text") != "What to know of taking a quarter tax free." || form.Get("of") != k.cases[1].ID {
		t.Errorf("the form begins with %q and goes back to %q", form.Get("text"), form.Get("of"))
	}
	r := edie.Post(t, "/knowledge/section", with(form, "title", "A quarter tax free", "when", "Can I take a quarter?"))
	if made := r.Header.Get("Location"); r.Status != http.StatusSeeOther || made == address {
		t.Errorf("%d %s", r.Status, made)
	}
	if old, err := s.Knowledge.Case(t.Context(), k.cases[1].ID); err != nil || old.Version != 1 {
		t.Errorf("the case itself: %+v %v", old, err)
	}
}

func TestTheGrowth(t *testing.T) {
	s := apptest.Open(t)
	edie, ann := s.SignedIn(t, account.Expert), s.SignedIn(t, account.Supervisor)
	has(t, page(t, ann.Get(t, "/knowledge/growth"), http.StatusOK), ".empty", "Nothing has been learned yet")
	k := know(t, s, edie.Account)
	s.Clock.Advance(50 * time.Hour)
	ann = s.Enter(t, ann.Account)
	shownTo(t, s, ann, k.rule.ID)
	doc := page(t, ann.Get(t, "/knowledge/growth"), http.StatusOK)
	has(t, doc, ".page-body", "After 1 decision (100% approved unchanged), the model expects 0 cases and 0 rules. "+
		"There are 3 cases from decided drafts and 1 rule.")
	if n := doc.Find("svg.chart[role=img] polyline").Length(); n != 4 {
		t.Errorf("%d lines", n)
	}
	if n := doc.Find("table tbody tr").Length(); n < 3 || n > 4 {
		t.Errorf("%d rows in the table", n)
	}
}

// sendBase sends a file with a reason, as the page's form does.
func sendBase(t *testing.T, c *apptest.Client, content, reason string) apptest.Response {
	t.Helper()
	const cut = "----cut"
	part := func(name, file, value string) string {
		return "--" + cut + "\r\nContent-Disposition: form-data; name=\"" + name + "\"" + file + "\r\n\r\n" + value +
			"\r\n"
	}
	body := part("reason", "", reason) + part("file", "; filename=\"base.jsonl\"\r\nContent-Type: application/jsonl",
		content) + "--" + cut + "--\r\n"
	return c.Do(t, http.MethodPost, "/knowledge/file/import", "multipart/form-data; boundary="+cut, body,
		"Sec-Fetch-Site", "same-origin")
}

func TestTheWholeBaseGoesOutAndComesIn(t *testing.T) {
	from, to := apptest.Open(t), apptest.Open(t)
	edie, eve, ann := from.SignedIn(t, account.Expert), to.SignedIn(t, account.Admin),
		from.SignedIn(t, account.Supervisor)
	k := know(t, from, edie.Account)
	want(t, "a supervisor", ann.Get(t, "/knowledge/file"), http.StatusForbidden)
	has(t, page(t, edie.Get(t, "/knowledge/file"), http.StatusOK), "main", "Download")
	out := edie.Post(t, "/knowledge/file/export", url.Values{})
	if out.Status != http.StatusOK || !strings.Contains(out.Header.Get("Content-Disposition"), ".jsonl") ||
		strings.Count(out.Body, "\n") != 5 {
		t.Fatalf("%d %v %.300s", out.Status, out.Header, out.Body)
	}

	doc := page(t, sendBase(t, eve, out.Body, " "), http.StatusUnprocessableEntity)
	has(t, doc, "#reason-error", "Say why")
	doc = page(t, sendBase(t, eve, "", "From the other office."), http.StatusUnprocessableEntity)
	has(t, doc, "#file-error", "Choose another file")
	if doc.Find("#reason").AttrOr("value", "") != "From the other office." {
		t.Error("the reason is lost")
	}
	if r := sendBase(t, eve, strings.Replace(out.Body, "daughter", "son", 1),
		"Why not?"); r.Status != http.StatusSeeOther {
		t.Fatalf("%d %.300s", r.Status, r.Body)
	}
	doc = settled(t, to, eve, "/knowledge/file")
	has(t, doc, "#run", "Nothing was imported")
	has(t, doc, "#run table", "SHA-256")
	if doc.Find("#reason").AttrOr("value", "") != "Why not?" {
		t.Error("the reason of a refused file is lost")
	}
	if r := sendBase(t, eve, out.Body, "From the other office."); r.Status != http.StatusSeeOther {
		t.Fatalf("%d %.300s", r.Status, r.Body)
	}
	doc = settled(t, to, eve, "/knowledge/file")
	has(t, doc, "#run", "4 items imported")
	if doc.Find("#reason").AttrOr("value", "") != "" {
		t.Error("the reason of a file that came in stays")
	}
	has(t, page(t, eve.Get(t, "/knowledge/rules/"+k.rule.ID), http.StatusOK), ".sentence", "say what is given up")
	if again := eve.Post(t, "/knowledge/file/export", url.Values{}); !strings.Contains(again.Body, k.rule.Principle) ||
		!strings.Contains(again.Body, `"candidate"`) {
		t.Errorf("the rule that came in does not wait: %.400s", again.Body)
	}
}

// The one search finds rules by their own words, also those that wait, and says which aren't in use.
func TestTheSearchFindsRulesByTheirWords(t *testing.T) {
	s := apptest.Open(t)
	ann := s.SignedIn(t, account.Supervisor)
	for text, status := range map[string]string{"Cruse helps people who are bereaved.": knowledge.Candidate,
		"You can put the telephone down.": knowledge.Active} {
		addRule(t, s, rule.Statement{When: saysRisk.When, Do: rule.Act{Kind: rule.Include, Text: text}}, status)
	}
	for typed, idle := range map[string]int{"cruse": 1, "telephone down": 0} {
		doc := page(t, ann.Get(t, "/search?q="+url.QueryEscape(typed)), http.StatusOK)
		one := doc.Find(`.result:has(a[href^="/knowledge/rules/"])`)
		if one.Length() != 1 || one.Find(`.badge:contains("not in use")`).Length() != idle {
			t.Errorf("%s: %d rules, %s", typed, one.Length(), one.Text())
		}
	}
}
