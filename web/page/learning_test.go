package page_test

import (
	"bufio"
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

const corrected = "You have a final salary pension. Warning: a transfer gives up a guaranteed income for life, and " +
	"most people are better off keeping it. " +
	"Because it is worth more than £30,000, the law asks you to take advice from an FCA-regulated financial adviser " +
	"before you transfer. Free, impartial guidance is available from MoneyHelper and Pension Wise."

// stated is what correct teaches.
const stated = "A transfer gives up a guaranteed income for life."

// waitsForAcceptance is the address of the lesson with that text in the board's column of those that wait for an
// expert.
func waitsForAcceptance(t *testing.T, board *goquery.Document, text string) string {
	t.Helper()
	card := board.Find("[aria-labelledby=col-accept] .lesson-card").
		FilterFunction(func(_ int, c *goquery.Selection) bool { return strings.Contains(c.Text(), text[:30]) })
	link, ok := card.Find("a").First().Attr("href")
	if !ok {
		t.Fatalf("no lesson %q waits for acceptance: %s", text, words(board, "#board"))
	}
	return link
}

// correct revises a failing draft and returns the case's id.
func correct(t *testing.T, site *apptest.Site, ann *apptest.Client) string {
	t.Helper()
	id := bring(t, site, failing, dbCustomer())
	form := with(seen(t, page(t, ann.Get(t, "/reviews/"+id+"?mode=revise"), http.StatusOK), "#decide"), "text",
		corrected,
		"reason", "It tells her to transfer and never says what she gives up.",
		"teach.0.kind", "include", "teach.0.on", "1", "teach.0.text", stated,
		"when.90.kind", "field", "when.90.name", "pensions", "when.90.how", "has", "when.90.value", "db", "when.90.on",
		"1", "because", "it can't be had back")
	if r := ann.Post(t, "/reviews/"+id+"/revise", form); r.Status != http.StatusSeeOther {
		t.Fatalf("revise: %d %.900s", r.Status, r.Body)
	}
	agree(t, site, id)
	return id
}

// agree has a second supervisor sign what a first one signed.
func agree(t *testing.T, site *apptest.Site, id string) {
	t.Helper()
	bo := site.SignedIn(t, account.Supervisor)
	form := seen(t, page(t, bo.Get(t, "/reviews/"+id), http.StatusOK), `form[action$="/approve"]`)
	if r := bo.Post(t, "/reviews/"+id+"/approve", form); r.Status != http.StatusSeeOther {
		t.Fatalf("the second approval: %d %.900s", r.Status, r.Body)
	}
}

func TestACorrectionBecomesARule(t *testing.T) {
	site := apptest.Open(t)
	ann, edie := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Expert)
	has(t, page(t, edie.Get(t, "/learning"), http.StatusOK), ".empty", "Nothing has been learned yet")
	has(t, page(t, edie.Get(t, "/knowledge"), http.StatusOK), ".empty", "No rules yet")
	for range 3 { // approved guidance to try a principle on
		id := bring(t, site, passing+" "+corrected, dbCustomer())
		form := seen(t, page(t, ann.Get(t, "/reviews/"+id), http.StatusOK), `form[action$="/approve"]`)
		if r := ann.Post(t, "/reviews/"+id+"/approve", form); r.Status != http.StatusSeeOther {
			t.Fatalf("approve: %d", r.Status)
		}
		agree(t, site, id)
	}
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	id := correct(t, site, ann)
	site.Drain(t)

	board := page(t, edie.Get(t, "/learning"), http.StatusOK)
	link := waitsForAcceptance(t, board, stated)
	// hers, and the checks' own of the missing warning
	has(t, page(t, edie.Get(t, "/todo"), http.StatusOK), "#todo-sum", "2 rules")
	hasNot(t, page(t, ann.Get(t, "/reviews/"+id), http.StatusOK), "#rail li:first-child .rail-lesson")
	// while it can be taken back, those who decide don't see it
	hasNot(t, page(t, ann.Get(t, "/learning"), http.StatusOK),
		`[aria-labelledby=col-accept] .lesson-card a[href="`+link+`"]`)
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	has(t, page(t, ann.Get(t, "/reviews/"+id), http.StatusOK), "#rail .rail-lesson", "waiting for acceptance")
	if seen := waitsForAcceptance(t, page(t, ann.Get(t, "/learning"), http.StatusOK), stated); seen != link {
		t.Errorf("a supervisor sees %s of what went out, want %s", seen, link)
	}

	forAnn := page(t, ann.Get(t, link), http.StatusOK)
	hasNot(t, forAnn, `form[action$="/accept"]`)
	has(t, forAnn, ".lesson-side", "Waiting for an expert")
	if r := ann.Post(t, link+"/accept", url.Values{"version": {"1"}}); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor accepts: %d", r.Status)
	}

	doc := page(t, edie.Get(t, link), http.StatusOK)
	has(t, doc, ".drafted", "struck through")
	has(t, doc, ".drafted del", "You should transfer it")
	has(t, doc, ".story", "Compliant")
	version := doc.Find(`form[action$="/accept"] input[name=version]`).AttrOr("value", "")
	const wording = "A transfer gives up a guaranteed income for life, and it can't be had back."
	form := with(untouched(doc, `form[action$="/accept"]`), "teach.0.text", wording)
	stale := page(t, edie.Post(t, link+"/accept", with(form, "version", "1")), http.StatusConflict)
	has(t, stale, "#teach-0-text", wording)
	bad := page(t,
		edie.Post(t, link+"/accept", with(form, "version", version, "teach.0.text",
			"You should buy an annuity now because it is guaranteed to be the best choice.")),
		http.StatusUnprocessableEntity)
	has(t, bad, ".teach-row.wrong", "would not pass the compliance check")
	has(t, bad, "#teach-0-text", "You should buy an annuity now")
	page(t, edie.Post(t, link+"/reject", url.Values{"reason": {" "}}), http.StatusUnprocessableEntity)
	accepted := edie.Post(t, link+"/accept", with(form, "teach.0.text", wording))
	if accepted.Status != http.StatusSeeOther {
		t.Fatalf("accept: %d %.600s", accepted.Status, accepted.Body)
	}
	doc = page(t, edie.Get(t, accepted.Header.Get("Location")), http.StatusOK)
	has(t, doc, "#notice", "in use from the next draft. This is the next one that waits.")
	next := page(t, edie.Get(t, "/learning"), http.StatusOK).Find("[aria-labelledby=col-accept] .lesson-card a").
		First().AttrOr("href", "")
	if accepted.Header.Get("Location") != next || next == link {
		t.Errorf("after accepting %s, %s opens, and %s waits", link, accepted.Header.Get("Location"), next)
	}
	has(t, doc, "#accept", "Should the advisor follow this")
	// The check's own lesson has nobody's words: the question and the draft stand first, and the history is below.
	has(t, doc, "[aria-labelledby=said] > .drafted", "What could I do with the £310,000")
	has(t, doc, "[aria-labelledby=said] > .drafted", "You should transfer it")
	hasNot(t, doc, "#history blockquote, #history .draft")
	doc = page(t, edie.Get(t, link), http.StatusOK)
	has(t, doc, ".lesson-head .badge", "in use")
	rule := doc.Find(`a[href^="/knowledge/rules/"]`).First().AttrOr("href", "")
	doc = page(t, ann.Get(t, rule), http.StatusOK)
	has(t, doc, ".sentence", "gives up a guaranteed income for life")
	has(t, doc, ".versions", "Version 2")
	has(t, page(t, ann.Get(t, "/knowledge"), http.StatusOK), ".result", "in use")
	has(t, page(t, ann.Get(t, "/knowledge?kind=cases"), http.StatusOK), ".result", "A supervisor's decision")
	has(t, page(t, ann.Get(t, "/knowledge?q=transfer+gives+up+guaranteed"), http.StatusOK), ".results", "R-")
}

func TestUndoWithdrawsTheLesson(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	correct(t, site, ann)
	undo := page(t, ann.Get(t, "/reviews/recent"), http.StatusOK).Find("form").AttrOr("action", "")
	if r := ann.Post(t, undo, nil); r.Status != http.StatusSeeOther {
		t.Fatalf("undo: %d", r.Status)
	}
	site.Drain(t)
	has(t, page(t, site.SignedIn(t, account.Expert).Get(t, "/learning"), http.StatusOK), "[aria-labelledby=settled]",
		"withdrawn")
	hasNot(t, page(t, ann.Get(t, "/learning"), http.StatusOK), "[aria-labelledby=settled] li")
}

// Who is asked is said, whether one chose or not; a form that comes back names each agent once.
func TestAskingSaysWhoIsAsked(t *testing.T) {
	site := apptest.Open(t)
	tom := site.SignedIn(t, account.Expert)
	for _, name := range []string{"pension-advisor", "annuity-advisor"} {
		if _, err := site.Accounts.EnsureAgent(t.Context(), name, "pension"); err != nil {
			t.Fatal(err)
		}
	}
	for name, doc := range map[string]*goquery.Document{
		"annuity-advisor": page(t, tom.Get(t, "/ask"), http.StatusOK),
		"pension-advisor": page(t, tom.Post(t, "/ask", url.Values{"agent": {"pension-advisor"}}),
			http.StatusUnprocessableEntity),
	} {
		has(t, doc, "#asked-agent p", "You're asking "+name+".")
		has(t, doc, "#asked-agent [aria-current]", name)
		if n := doc.Find("#asked-agent a").Length(); n != 2 {
			t.Errorf("%d agents to choose from, want two", n)
		}
	}
}

func TestAskingTheAdvisor(t *testing.T) {
	site := apptest.Open(t)
	tom, ann, mo := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Supervisor),
		site.SignedIn(t, account.Manager)
	if _, err := site.Accounts.EnsureAgent(t.Context(), "pension-advisor", "pension"); err != nil {
		t.Fatal(err)
	}
	form := url.Values{"question": {"Can I take some of my pot & leave the rest?"}, "age": {"sixty"},
		"pension_kind": {"dc", "", "", ""}, "pension_value": {"£42,000", "", "", ""}, "vulnerable": {"yes"}}
	doc := page(t, tom.Post(t, "/ask", form), http.StatusUnprocessableEntity)
	has(t, doc, "#age-error", "for example 58")
	has(t, doc, "#question", "Can I take some of my pot & leave the rest?")
	if doc.Find(`input[name=pension_value]`).First().AttrOr("value", "") != "£42,000" ||
		doc.Find("#vulnerable[checked]").Length() != 1 {
		t.Error("what was typed is lost")
	}
	form.Set("age", "60")
	r := tom.Post(t, "/ask", form)
	if r.Status != http.StatusSeeOther {
		t.Fatalf("ask: %d", r.Status)
	}
	path := r.Header.Get("Location")
	has(t, page(t, tom.Get(t, path), http.StatusOK), ".steps [aria-current]", "The advisor drafts")
	site.Drain(t)
	waiting := tom.Get(t, path)
	has(t, page(t, waiting, http.StatusOK), ".steps [aria-current]", "Waiting for a supervisor")
	in, err := site.Interactions.Get(t.Context(), strings.TrimPrefix(path, "/ask/"))
	if err != nil {
		t.Fatal(err)
	}
	if in.Guidance == "" || strings.Contains(waiting.Body, in.Guidance[:min(40, len(in.Guidance))]) {
		t.Error("the draft is shown before anybody read it")
	}
	page(t, mo.Get(t, path), http.StatusNotFound)
	has(t, page(t, ann.Get(t, path), http.StatusOK), "#answer", "Open the review")
	has(t, page(t, tom.Get(t, "/ask"), http.StatusOK), "[aria-labelledby=mine]", "with a supervisor")

	form = with(seen(t, page(t, ann.Get(t, "/reviews/"+in.ID+"?mode=revise"), http.StatusOK), "#decide"), "text",
		passing, "reason", "Clearer.", "feedback",
		"When somebody asks about taking part of a pot, say how tax works because it surprises people.")
	if r := ann.Post(t, "/reviews/"+in.ID+"/revise", form); r.Status != http.StatusSeeOther {
		t.Fatalf("revise: %d %.500s", r.Status, r.Body)
	}
	agree(t, site, in.ID) // the customer is marked vulnerable
	has(t, page(t, tom.Get(t, path), http.StatusOK), ".steps [aria-current]", "Held for a moment")
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	has(t, page(t, tom.Get(t, path), http.StatusOK), ".answer", "Free, impartial guidance")
}

func TestHostileWordsAreInertThroughTheWholeProgram(t *testing.T) {
	site := apptest.Open(t)
	ann, edie := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Expert, account.Admin)
	const evil = `<script>alert(1)</script><img src=x onerror=alert(2)><b hx-get="/evil" hx-trigger="load">x</b>"' onmouseover="alert(3)"` + "\u202e"
	c := dbCustomer()
	c.Question, c.Customer.Goal, c.Customer.Name = evil, evil, evil
	c.Customer.Extra = map[string]any{evil: evil}
	id := bring(t, site, failing+" "+evil, c)
	form := with(seen(t, page(t, ann.Get(t, "/reviews/"+id+"?mode=revise"), http.StatusOK), "#decide"), "text",
		corrected+evil, "reason", evil, "feedback", "When the customer has a DB pension, warn "+evil+
			" because it is lost")
	paths := []string{"/reviews", "/reviews/" + id, "/reviews/" + id + "?mode=revise", "/learning", "/knowledge",
		"/knowledge?kind=cases", "/knowledge?q=" + url.QueryEscape(evil), "/reviews?task=" + url.QueryEscape(evil),
		"/reviews/recent", "/overview", "/nav?at=" + url.QueryEscape(evil)}
	look := func(who *apptest.Client, path string) {
		doc := page(t, who.Get(t, path), http.StatusOK)
		for _, s := range []string{"script:not([src])", "img[src=x]", "[onerror]", "[onmouseover]", `[hx-get="/evil"]`,
			"style", "[style]"} {
			if n := doc.Find(s).Length(); n > 0 {
				t.Errorf("%s has %d of %s", path, n, s)
			}
		}
		doc.Find(`a[href^="/learning/"], a[href^="/knowledge/cases/"]`).
			EachWithBreak(func(i int, e *goquery.Selection) bool {
				paths = append(paths, e.AttrOr("href", ""))
				return i < 1
			})
	}
	for _, path := range paths[:3] {
		look(ann, path)
	}
	if r := ann.Post(t, "/reviews/"+id+"/revise", form); r.Status != http.StatusSeeOther {
		look422 := page(t, r, http.StatusUnprocessableEntity)
		hasNot(t, look422, "script:not([src])")
	}
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	both := site.SignedIn(t, account.Supervisor, account.Expert, account.Admin)
	done := map[string]bool{}
	for i := 0; i < len(paths) && i < 40; i++ {
		if !done[paths[i]] {
			done[paths[i]] = true
			look(both, paths[i])
		}
	}
	_ = edie
}

func TestHomeHelpOverviewAndGallery(t *testing.T) {
	site := apptest.Open(t)
	for role, home := range map[account.Role]string{account.Supervisor: "/reviews", account.Expert: "/todo",
		account.Manager: "/overview", account.Admin: "/admin"} {
		c := site.SignedIn(t, role)
		if r := c.Get(t, "/"); r.Status != http.StatusSeeOther || r.Header.Get("Location") != home {
			t.Errorf("%s: %d to %q, want %s", role, r.Status, r.Header.Get("Location"), home)
		}
		has(t, page(t, c.Get(t, "/help"), http.StatusOK), ".results", "Keyboard shortcuts")
		has(t, page(t, c.Get(t, "/help/keys"), http.StatusOK), ".prose h1", "Keyboard shortcuts")
		page(t, c.Get(t, "/help/nothing"), http.StatusNotFound)
		who := "experts decide"
		if role == account.Expert || role == account.Admin {
			who = "you decide"
		}
		has(t, page(t, c.Get(t, "/learning"), http.StatusOK), ".lead", who)
	}
	nobody := site.Nobody(t)
	doc := page(t, nobody.Get(t, "/sign-in"), http.StatusOK)
	doc = page(t, nobody.Get(t, doc.Find(".foot a").AttrOr("href", "")), http.StatusOK)
	doc = page(t, nobody.Get(t, doc.Find(".result a").First().AttrOr("href", "")), http.StatusOK)
	has(t, doc, ".prose h1", "")
	hasNot(t, doc, "#nav, #live")
	mo := site.SignedIn(t, account.Manager)
	doc = page(t, mo.Get(t, "/overview"), http.StatusOK)
	has(t, doc, ".figures", "no decisions yet")
	has(t, doc, ".empty", "No decisions in this period yet")
	ann := site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	ann.Post(t, "/reviews/"+id+"/approve",
		seen(t, page(t, ann.Get(t, "/reviews/"+id), http.StatusOK), `form[action$="/approve"]`))
	doc = page(t, mo.Get(t, "/overview"), http.StatusOK)
	has(t, doc, ".figures", "n = 1 decision; 95% CI")
	if doc.Find(".chart-card svg.plot").Length() == 0 || doc.Find("table").Length() < 2 {
		t.Error("the picture or its table is missing")
	}
	page(t, ann.Get(t, "/overview"), http.StatusForbidden)
}

func TestEventsNameWhatChanged(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	lines := listen(ctx, t, site, ann, "/events?topics=reviews,nonsense", "")
	id := bring(t, site, passing, dcCustomer())
	await(t, lines, "event: reviews")
	if id == "" {
		t.Fatal()
	}
	again := listen(ctx, t, site, ann, "/events?topics=learning,reviews", "7")
	await(t, again, "event: reviews")
	await(t, again, "event: learning")
	if r := site.Nobody(t).Head(ctx, t, http.MethodGet, "/events"); r.Status != http.StatusSeeOther {
		t.Errorf("nobody listens: %d", r.Status)
	}
}

// A stream is no way to stay: it ends with its session, before it says anything more.
func TestEventsEndWithTheSession(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	lines := listen(ctx, t, site, ann, "/events?topics=reviews", "")
	bring(t, site, passing, dcCustomer())
	await(t, lines, "event: reviews")
	if r := ann.Post(t, "/sign-out", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("sign-out: %d", r.Status)
	}
	bring(t, site, passing, dcCustomer())
	for line := range lines {
		if line == "event: reviews" {
			t.Error("told of a change after the sign-out")
		}
	}
	if ctx.Err() != nil {
		t.Error("the stream went on")
	}
}

// listen opens a stream and passes on its lines.
func listen(ctx context.Context, t *testing.T, site *apptest.Site, c *apptest.Client, path, last string) <-chan string {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, site.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, cookie := range c.Cookies() {
		req.AddCookie(cookie)
	}
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if ct := res.Header.Get("Content-Type"); ct != "text/event-stream" {
		t.Fatalf("the stream is %q", ct)
	}
	t.Cleanup(func() { res.Body.Close() })
	lines := make(chan string, 100)
	ready := make(chan struct{})
	go func() {
		defer close(lines)
		s := bufio.NewScanner(res.Body)
		for first := true; s.Scan(); first = false {
			if first {
				close(ready)
			}
			lines <- s.Text()
		}
	}()
	<-ready
	return lines
}

func await(t *testing.T, lines <-chan string, want string) {
	t.Helper()
	for line := range lines {
		if line == want {
			return
		}
		if strings.HasPrefix(line, "event: ") && strings.Contains(line, "nonsense") {
			t.Error("a topic that does not exist was announced")
		}
	}
	t.Fatalf("the stream ended without %q", want)
}
