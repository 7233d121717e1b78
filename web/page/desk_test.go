package page_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
)

const passing = "From age 55 you can usually take up to a quarter of a defined contribution pot free of tax, and the " +
	"rest is taxed as income in the year you take it. " +
	"Taking money out leaves less for later, and what stays invested can fall as well as rise. Free, impartial " +
	"guidance is available from MoneyHelper and Pension Wise on 0800 138 3944."

const failing = "You have a final salary pension. You should transfer it soon and take the cash."

// bring submits a draft for a customer and returns its id.
func bring(t *testing.T, site *apptest.Site, guidance string, c interaction.Consultation) string {
	t.Helper()
	agent, err := site.Accounts.EnsureAgent(t.Context(), "pension-advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	rec, err := site.Interactions.Submit(t.Context(),
		interaction.Submission{AgentID: agent.ID, AgentName: agent.Name,
			By:           audit.Actor{Kind: audit.Agent, ID: agent.ID, Name: agent.Name},
			Consultation: c, Guidance: guidance, Reasoning: "Because it was asked."}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rec.ID
}

func dcCustomer() interaction.Consultation {
	age, value := 61, 80_000.0
	return interaction.Consultation{Question: "How much can I take without tax?", TaskType: "tax_free_cash",
		Customer: interaction.Customer{Age: &age, Literacy: "high",
			Pensions: []interaction.Pension{{Kind: "dc", ValueGBP: &value}}}}
}

func dbCustomer() interaction.Consultation {
	age, value := 58, 310_000.0
	return interaction.Consultation{Question: "What could I do with the £310,000 they've offered me?",
		TaskType: "db_transfer",
		Customer: interaction.Customer{Age: &age, Literacy: "low",
			Pensions: []interaction.Pension{{Kind: "db", ValueGBP: &value}}}}
}

// page parses an answer, after holding its status to what is wanted.
func page(t *testing.T, r apptest.Response, status int) *goquery.Document {
	t.Helper()
	if r.Status != status {
		t.Fatalf("status %d, want %d: %.600s", r.Status, status, r.Body)
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(r.Body))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// words are the text of what a selector finds, with single blanks.
func words(doc *goquery.Document, selector string) string {
	return strings.Join(strings.Fields(doc.Find(selector).Text()), " ")
}

func has(t *testing.T, doc *goquery.Document, selector, text string) {
	t.Helper()
	if got := words(doc, selector); !strings.Contains(got, text) {
		t.Errorf("%s says %q, want %q in it", selector, got, text)
	}
}

func hasNot(t *testing.T, doc *goquery.Document, selector string) {
	t.Helper()
	if n := doc.Find(selector).Length(); n > 0 {
		t.Errorf("there are %d of %s, want none", n, selector)
	}
}

// seen are the hidden fields of the form at a selector: what a browser without a script sends along.
func seen(t *testing.T, doc *goquery.Document, form string) url.Values {
	t.Helper()
	v := url.Values{}
	doc.Find(form + " input[type=hidden]").Each(func(_ int, s *goquery.Selection) {
		v.Set(s.AttrOr("name", ""), s.AttrOr("value", ""))
	})
	if v.Get("version") == "" || v.Get("text_hash") == "" {
		t.Fatalf("%s carries %v, want version and text_hash", form, v)
	}
	return v
}

func with(v url.Values, more ...string) url.Values {
	for i := 0; i+1 < len(more); i += 2 {
		v.Set(more[i], more[i+1])
	}
	return v
}

func TestTheQueueSaysWhatWaitsAndWhy(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	empty := page(t, ann.Get(t, "/reviews"), http.StatusOK)
	has(t, empty, ".empty", "Nothing is waiting")
	has(t, empty, "#rail", "None yet")

	bring(t, site, passing, dcCustomer())
	id := bring(t, site, failing, dbCustomer())
	site.Clock.Advance(25 * time.Hour)
	ann = site.Enter(t, ann.Account)
	doc := page(t, ann.Get(t, "/reviews"), http.StatusOK)
	if n := doc.Find(".queue-row").Length(); n != 2 {
		t.Fatalf("%d rows, want 2", n)
	}
	first := doc.Find(".queue-row").First()
	if href := first.Find("a").AttrOr("href", ""); href != "/reviews/"+id {
		t.Errorf("first is %s, want the draft that the check stopped, %s", href, id)
	}
	has(t, doc, ".queue-row:first-child", "58, DB £310k, literacy low")
	has(t, doc, ".queue-row:first-child .q-age[data-tone=red]", "25 h")
	has(t, doc, ".tabs [aria-current]", "Needs review 2")
	has(t, doc, "#nav", "Reviews 2 need review")

	has(t, page(t, ann.Get(t, "/reviews?task=tax_free_cash"), http.StatusOK), ".queue-row", "Tax-free cash")
	has(t, page(t, ann.Get(t, "/reviews?task=scams"), http.StatusOK), ".empty", "No matches")

	ben := site.SignedIn(t, account.Supervisor)
	for range 2 {
		if r := ben.Post(t, "/reviews/next", nil); r.Status != http.StatusSeeOther {
			t.Fatalf("next: %d", r.Status)
		}
	}
	doc = page(t, ann.Get(t, "/reviews"), http.StatusOK)
	if n := doc.Find(".queue-row").Length(); n == 0 {
		has(t, doc, ".empty", "being reviewed by others")
	} else if n != 1 {
		t.Errorf("%d rows are free for Ann, want at most 1", n)
	}
	has(t, page(t, ann.Get(t, "/reviews?state=others"), http.StatusOK), ".queue-row", ben.Account.Name)
}

func TestApproveWithoutAScript(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	first, second := bring(t, site, passing, dcCustomer()), bring(t, site, passing, dcCustomer())
	if r := ann.Post(t, "/reviews/next", nil); r.Header.Get("Location") != "/reviews/"+first {
		t.Fatalf("start reviewing leads to %q, want %s", r.Header.Get("Location"), first)
	}
	doc := page(t, ann.Get(t, "/reviews/"+first), http.StatusOK)
	has(t, doc, ".claim-host", "You're reviewing this")
	has(t, doc, ".case-nav", "1 / 2")
	has(t, doc, ".draft", "Free, impartial guidance")
	has(t, doc, "#confirmation", pack.Of(pack.Pension).Signs.Sentence())
	form := seen(t, doc, `form[action$="/approve"]`)
	r := ann.Post(t, "/reviews/"+first+"/approve", form)
	if r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/reviews/"+second {
		t.Fatalf("approve: %d to %q, want the next case", r.Status, r.Header.Get("Location"))
	}
	doc = page(t, ann.Get(t, "/reviews/"+first), http.StatusOK)
	has(t, doc, ".outcome", "approved it")
	has(t, doc, "#rail .rail-state", "sends in 30 s")
	hasNot(t, doc, `form[action$="/approve"]`)

	undo := doc.Find(`#rail form[action^="/decisions/"]`).AttrOr("action", "")
	if r := ann.Post(t, undo, nil); r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/reviews/"+first {
		t.Fatalf("undo: %d to %q", r.Status, r.Header.Get("Location"))
	}
	doc = page(t, ann.Get(t, "/reviews/"+first), http.StatusOK)
	has(t, doc, "#notice", "Undone. Nothing was sent.")
	has(t, doc, ".claim-host", "You're reviewing this")

	form = seen(t, doc, `form[action$="/approve"]`)
	if r := ann.Post(t, "/reviews/"+first+"/approve", form); r.Status != http.StatusSeeOther {
		t.Fatalf("approve again: %d", r.Status)
	}
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	if r := ann.Post(t, undo, nil); r.Header.Get("Location") != "/reviews/"+first {
		t.Errorf("too late: %d to %q", r.Status, r.Header.Get("Location"))
	}
	has(t, page(t, ann.Get(t, "/reviews/"+first), http.StatusOK), "#notice [role=alert]", "undone")
}

func TestARefusedRevisionComesBackAsItWasTyped(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	id := bring(t, site, failing, dbCustomer())
	doc := page(t, ann.Get(t, "/reviews/"+id), http.StatusOK)
	hasNot(t, doc, `form[action$="/approve"]`)
	has(t, doc, "#verdict", "It can't be approved")
	if doc.Find(".draft mark").Length() == 0 || doc.Find(".flags li").Length() == 0 {
		t.Error("nothing is marked in a draft that the check stopped")
	}
	doc = page(t, ann.Get(t, "/reviews/"+id+"?mode=revise"), http.StatusOK)
	has(t, doc, "#check", "Nothing has changed yet")
	has(t, doc, "#teach-told", "Nothing stated: nothing has changed yet")
	text := failing + "\n\nOne more <b>line</b> & a sign."
	form := with(seen(t, doc, "#decide"), "text", text, "reason", "It tells her what to do.", "teach.0.kind", "point",
		"teach.0.on", "1", "teach.0.text", " ",
		"teach.1.kind", "include", "teach.1.on", "1", "teach.1.text", "One more line & a sign.", "when.90.kind",
		"scope", "when.90.value", "universal", "when.90.on", "1")
	r := ann.Post(t, "/reviews/"+id+"/revise", form)
	doc = page(t, r, http.StatusUnprocessableEntity)
	if got := doc.Find("textarea[name=text]").Text(); strings.TrimPrefix(got, "\n") != text {
		t.Errorf("the text came back as %q", got)
	}
	if got := doc.Find("#reason").AttrOr("value", ""); got != "It tells her what to do." {
		t.Errorf("the reason came back as %q", got)
	}
	wrong := doc.Find(".teach-row.wrong")
	if wrong.Length() != 1 || !strings.Contains(wrong.Text(), "Write where to point the customer") {
		t.Errorf("%d rows are marked: %s", wrong.Length(), wrong.Text())
	}
	has(t, doc, "#teach-rows", "One more line & a sign.")
	if f := wrong.Find("textarea"); f.AttrOr("aria-invalid", "") != "true" ||
		doc.Find("[id='"+strings.Fields(f.AttrOr("aria-describedby", "x"))[0]+"']").Length() == 0 {
		t.Error("the field isn't joined to what is wrong with it")
	}
	if r.Header.Get("HX-Push-Url") != "false" {
		t.Error("the address of the form would become the page's")
	}

	doc = page(t, ann.Post(t, "/reviews/"+id+"/revise", with(form, "teach.0.text", "MoneyHelper gives free guidance.")),
		http.StatusUnprocessableEntity)
	has(t, doc, ".notices", "blocked")

	page(t, ann.Post(t, "/reviews/"+id+"/approve", with(seen(t, doc, "#decide"))), http.StatusUnprocessableEntity)
	if r := ann.Get(t, "/reviews/"+id+"/revise"); r.Status != http.StatusSeeOther {
		t.Errorf("loading the form's address again: %d, want a way back to the case", r.Status)
	}
}

// What is told of the lesson comes with the rows that are ticked, and not after them.
func TestWhatIsStatedIsToldAtOnce(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	doc := show(t, ann, id, "?mode=revise")
	has(t, doc, "#teach-told", "Nothing stated")
	form := with(filled(t, doc, "#decide"), "text", passing+"\n\nYou have 30 days to change your mind.")
	part := page(t, ann.Do(t, http.MethodPost, "/reviews/"+id+"/teach", "application/x-www-form-urlencoded", form.Encode(),
		"Sec-Fetch-Site", "same-origin", "HX-Request", "true"), http.StatusOK)
	has(t, part, ".teach-row:has(input[checked])", "30 days")
	has(t, part, "#teach-told[hx-swap-oob]", "30 days")
}

// A draft that is nothing but actions is revised in the fields of their arguments, which stand first; what changes is
// shown as of a text.
func TestAnActionIsRevisedInItsFields(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	agent, err := site.Accounts.EnsureAgent(t.Context(), "helper", "general")
	if err != nil {
		t.Fatal(err)
	}
	rec, err := site.Interactions.Submit(t.Context(), interaction.Submission{AgentID: agent.ID, AgentName: agent.Name,
		By:           audit.Actor{Kind: audit.Agent, ID: agent.ID, Name: agent.Name},
		Consultation: interaction.Consultation{Question: "Two copies, please.", Pack: "general"},
		Actions: interaction.Actions{{Name: "print", Does: "Prints a letter.",
			Arguments: json.RawMessage(`{"copies":2,"paper":"A4"}`)}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	doc := show(t, ann, rec.ID, "?mode=revise")
	hasNot(t, doc, "textarea#text")
	hasNot(t, doc, `#verdict:contains("English")`)
	if f := doc.Find("[autofocus]"); f.AttrOr("name", "") != "action.0.copies" {
		t.Errorf("the focus is on %q", f.AttrOr("name", ""))
	}
	form := with(filled(t, doc, "#decide"), "text", doc.Find("input[name=text]").AttrOr("value", ""),
		"action.0.copies", "3", "reason", "They asked for three.")
	part := page(t, ann.Do(t, http.MethodPost, "/reviews/"+rec.ID+"/check", "application/x-www-form-urlencoded",
		form.Encode(), "Sec-Fetch-Site", "same-origin", "HX-Request", "true"), http.StatusOK)
	has(t, part, "#check ins", "3")
	if r := ann.Post(t, "/reviews/"+rec.ID+"/revise", form); r.Status != http.StatusSeeOther {
		t.Fatalf("%d %.300s", r.Status, r.Body)
	}
	item, err := site.Reviews.Get(t.Context(), rec.ID)
	if err != nil || item.Decision == nil || string(item.Decision.Actions[0].Arguments) != `{"copies":3,"paper":"A4"}` {
		t.Errorf("%+v, %v", item.Decision, err)
	}
}

func TestTheCheckAnswersWhileTypingAndWithoutAScript(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	form := url.Values{"text": {"You should take all of it today.\r\n"}, "reason": {"typed"}}
	r := ann.Do(t, http.MethodPost, "/reviews/"+id+"/check", "application/x-www-form-urlencoded", form.Encode(),
		"Sec-Fetch-Site", "same-origin", "HX-Request", "true")
	part := page(t, r, http.StatusOK)
	hasNot(t, part, "#main")
	has(t, part, "#check", "Personal recommendation")
	has(t, part, "#check ins", "You should take all of it today.")
	whole := page(t, ann.Post(t, "/reviews/"+id+"/check", form), http.StatusOK)
	has(t, whole, "#check", "Personal recommendation")
	if got := whole.Find("#reason").AttrOr("value", ""); got != "typed" {
		t.Errorf("the reason came back as %q", got)
	}
}

func TestTheSecondDeciderIsToldWhoWasFirst(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	forAnn := seen(t, page(t, ann.Get(t, "/reviews/"+id), http.StatusOK), `form[action$="/approve"]`)
	forBen := seen(t, page(t, ben.Get(t, "/reviews/"+id+"?mode=revise"), http.StatusOK), "#decide")
	if r := ann.Post(t, "/reviews/"+id+"/approve", forAnn); r.Status != http.StatusSeeOther {
		t.Fatalf("Ann: %d", r.Status)
	}
	doc := page(t, ben.Post(t, "/reviews/"+id+"/revise",
		with(forBen, "text", passing+" And so on.", "reason", "my reason", "teach.0.kind", "other", "teach.0.on", "1",
			"teach.0.text", "my feedback", "when.90.kind", "scope", "when.90.value", "universal", "when.90.on", "1")),
		http.StatusConflict)
	has(t, doc, ".notices", ann.Account.Name)
	has(t, doc, ".notices", "approved")
	has(t, doc, "#kept-text", "And so on.")
	has(t, doc, "#kept-reason", "my reason")
	has(t, doc, "#kept-feedback", "My feedback")
}

func TestATextThatWasNotSeenCantBeApproved(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	form := seen(t, page(t, ann.Get(t, "/reviews/"+id), http.StatusOK), `form[action$="/approve"]`)
	page(t, ann.Post(t, "/reviews/"+id+"/approve", with(form, "text_hash", interaction.TextHash("another text"))),
		http.StatusConflict)
	page(t, ann.Post(t, "/reviews/"+id+"/approve", url.Values{}), http.StatusConflict)
	has(t, page(t, ann.Get(t, "/reviews/"+id), http.StatusOK), ".claim-host", "Unclaimed")
}

func TestRejectAndSkip(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	doc := page(t, ann.Get(t, "/reviews/"+id+"?mode=skip"), http.StatusOK)
	form := seen(t, doc, "#decide")
	page(t, ann.Post(t, "/reviews/"+id+"/skip", form), http.StatusUnprocessableEntity)
	if r := ann.Post(t, "/reviews/"+id+"/skip", with(form, "reason", "I know her.")); r.Header.Get(
		"Location") != "/reviews" {
		t.Errorf("the only case was skipped, and next is %q", r.Header.Get("Location"))
	}
	doc = page(t, ann.Get(t, "/reviews"), http.StatusOK)
	has(t, doc, ".queue-foot", "You skipped what is left")
	has(t, doc, ".queue-row", "Skipped by you")

	doc = page(t, ann.Get(t, "/reviews/"+id+"?mode=reject"), http.StatusOK)
	if n := doc.Find("#decide input[type=radio]").Length(); n != len(pack.Of(pack.Pension).Reasons) {
		t.Errorf("%d reasons, want %d", n, len(pack.Of(pack.Pension).Reasons))
	}
	form = seen(t, doc, "#decide")
	doc = page(t, ann.Post(t, "/reviews/"+id+"/reject", with(form, "reason", "typed here")),
		http.StatusUnprocessableEntity)
	has(t, doc, "#reason_code-error", "Choose a reason")
	has(t, doc, "#reason", "typed here")
	if r := ann.Post(t, "/reviews/"+id+"/reject",
		with(form, "reason_code", "wrong_facts")); r.Status != http.StatusSeeOther {
		t.Fatalf("reject: %d", r.Status)
	}
	doc = page(t, ann.Get(t, "/reviews/"+id), http.StatusOK)
	has(t, doc, ".outcome", "rejected it")
	has(t, doc, ".outcome", "Wrong facts or figures")
	has(t, page(t, ann.Get(t, "/reviews?state=done"), http.StatusOK), ".queue-row", "rejected by you")
}

func TestHoldingACase(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	has(t, page(t, ann.Get(t, "/reviews/"+id), http.StatusOK), ".claim-host", "Unclaimed")
	if r := ann.Post(t, "/reviews/"+id+"/claim", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("claim: %d", r.Status)
	}
	doc := page(t, ben.Get(t, "/reviews/"+id), http.StatusOK)
	has(t, doc, ".notices", ann.Account.Name+" is reviewing this")
	hasNot(t, doc, `form[action$="/approve"]`)
	page(t, ben.Post(t, "/reviews/"+id+"/claim", nil), http.StatusConflict)
	has(t, page(t, ben.Get(t, "/reviews/"+id+"/claim"), http.StatusOK), "#claim", ann.Account.Name+" is reviewing this")

	site.Clock.Advance(11 * time.Minute)
	has(t, page(t, ann.Get(t, "/reviews/"+id), http.StatusOK), ".claim-host", "Your 10 minutes are up")
	if r := ann.Do(t, http.MethodPost, "/reviews/"+id+"/renew", "", "", "Sec-Fetch-Site", "same-origin", "HX-Request",
		"true"); r.Status != http.StatusOK || !strings.Contains(r.Body, "re reviewing this") {
		t.Errorf("renew: %d %s", r.Status, r.Body)
	}
	if r := ann.Post(t, "/reviews/"+id+"/unclaim", nil); r.Status != http.StatusSeeOther {
		t.Errorf("give back: %d", r.Status)
	}
	has(t, page(t, ben.Get(t, "/reviews/"+id), http.StatusOK), ".claim-host", "Unclaimed")
}

func TestWhoMaySeeTheDesk(t *testing.T) {
	site := apptest.Open(t)
	id := bring(t, site, passing, dcCustomer())
	for role, want := range map[account.Role]int{account.Expert: http.StatusForbidden,
		account.Manager: http.StatusSeeOther, account.Admin: http.StatusSeeOther} { // to their own page of it
		if r := site.SignedIn(t, role).Get(t, "/reviews/"+id); r.Status != want {
			t.Errorf("%s: %d, want %d", role, r.Status, want)
		}
	}
	if r := site.Nobody(t).Get(t, "/reviews"); r.Status != http.StatusSeeOther ||
		!strings.HasPrefix(r.Header.Get("Location"), "/sign-in") {
		t.Errorf("nobody: %d to %q", r.Status, r.Header.Get("Location"))
	}
	page(t, site.SignedIn(t, account.Supervisor).Get(t, "/reviews/nothing"), http.StatusNotFound)
}
