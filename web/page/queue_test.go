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
	"preceptor/internal/interaction"
	"preceptor/internal/review"
)

// frailCustomer is a customer for whom two supervisors must sign.
func frailCustomer() interaction.Consultation {
	c := dcCustomer()
	yes := true
	c.Customer.Vulnerable, c.Customer.Name, c.Question = &yes, "Zebedee Ogilvie", "May I buy a trawler?"
	return c
}

func rowsOf(doc *goquery.Document) []string {
	return doc.Find(".queue-row").Map(func(_ int, s *goquery.Selection) string {
		return strings.TrimPrefix(strings.Split(s.Find("a").AttrOr("href", ""), "?")[0], "/reviews/")
	})
}

func ticks(t *testing.T, doc *goquery.Document, ids ...string) url.Values {
	t.Helper()
	v := url.Values{"filter": {doc.Find("#ticked input[name=filter]").AttrOr("value", "")}}
	doc.Find("#ticked input[name=id]").Each(func(_ int, s *goquery.Selection) {
		for _, id := range ids {
			if value := s.AttrOr("value", ""); strings.HasPrefix(value, id+":") {
				v.Add("id", value)
			}
		}
	})
	if len(v["id"]) != len(ids) {
		t.Fatalf("ticked %v of %v", v["id"], ids)
	}
	return v
}

// follow posts a form and loads the page that the answer leads to.
func follow(t *testing.T, c *apptest.Client, path string, form url.Values) *goquery.Document {
	t.Helper()
	return page(t, c.Follow(t, path, form), http.StatusOK)
}

// A manager chooses which fields of the metadata lists show; supervisors see them and find by them, and who may not read
// what customers ask sees none.
func TestColumnsOfTheQueue(t *testing.T) {
	site := apptest.Open(t)
	if _, err := site.Interactions.Submit(t.Context(), interaction.Submission{AgentID: "a", AgentName: "advisor",
		Guidance: passing, Consultation: dcCustomer(),
		Metadata: json.RawMessage(`{"case_ref":"AB-77","queue":"retail","long":"` + strings.Repeat("x", 90) + `"}`)}, nil); err != nil {
		t.Fatal(err)
	}
	bring(t, site, passing, dcCustomer())
	sue, mo := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Manager)
	doc := page(t, mo.Get(t, "/reviews"), http.StatusOK)
	has(t, doc, "label[for=columns]", "Fields of agents' metadata")
	if r := mo.Post(t, "/reviews/columns", url.Values{"columns": {"a b c d"}}); r.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(r.Body, "At most 3 names") && !strings.Contains(r.Body, "at most 3 names") {
		t.Errorf("four: %d", r.Status)
	}
	doc = follow(t, mo, "/reviews/columns", url.Values{"columns": {"case_ref, long"}})
	if v := doc.Find("#columns").AttrOr("value", ""); v != "case_ref, long" {
		t.Errorf("chosen: %q", v)
	}
	if said := words(doc, ".queue-row"); strings.Contains(said, "AB-77") {
		t.Errorf("a manager sees %s", said)
	}
	doc = page(t, sue.Get(t, "/reviews?q=case_ref%3Dab-77"), http.StatusOK)
	hasNot(t, doc, "#columns")
	has(t, doc, ".queue-row .q-task", "case_ref AB-77")
	if said := words(doc, ".queue-row"); len(rowsOf(doc)) != 1 || strings.Contains(said, "retail") ||
		strings.Contains(said, strings.Repeat("x", 40)) {
		t.Errorf("%d rows: %s", len(rowsOf(doc)), said)
	}
	if r := sue.Post(t, "/reviews/columns", url.Values{"columns": {"queue"}}); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor chooses: %d", r.Status)
	}
}

func TestEveryFilterOfTheQueueWorksWithoutAScript(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	flagged, frail, plain := bring(t, site, failing, dbCustomer()), bring(t, site, passing, frailCustomer()),
		bring(t, site, passing, dcCustomer())
	doc := page(t, ann.Get(t, "/reviews"), http.StatusOK)
	code := doc.Find("#f-flag option").Eq(1).AttrOr("value", "")
	if code == "" {
		t.Fatal("no flag can be chosen")
	}
	for query, want := range map[string][]string{
		"flag=" + code: {flagged}, "q=trawl": {frail}, "q=trawler+zebedee": {frail}, "eyes=two": nil,
		"age=fresh&task=tax_free_cash": {frail, plain},
		"age=late":                     {}, "assigned=nobody&q=trawler": {frail}, "reviewer=" + ann.Account.ID: {},
		"agent=gone":             {},
		"age=nonsense&q=trawler": {frail}, "assigned=team": {},
	} {
		doc := page(t, ann.Get(t, "/reviews?"+query), http.StatusOK)
		got := rowsOf(doc)
		if want != nil && strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
		if len(got) == 0 && doc.Find(".empty h2").Length() != 1 {
			t.Errorf("%s: an empty list says nothing", query)
		}
	}
	has(t, page(t, ann.Get(t, "/reviews?q=nowhere"), http.StatusOK), ".empty", "No matches")
	doc = page(t, ann.Get(t, "/reviews?q=trawler"), http.StatusOK)
	if href := doc.Find(".queue-row a").AttrOr("href", ""); href != "/reviews/"+frail+"?q=trawler" {
		t.Errorf("the case's page loses the filter: %s", href)
	}
	has(t, page(t, ann.Get(t, "/reviews/"+frail+"?q=trawler"), http.StatusOK), ".case-nav", "1 / 1")
	r := ann.Post(t, "/reviews/next", url.Values{"filter": {"?q=trawler"}})
	if r.Header.Get("Location") != "/reviews/"+frail+"?q=trawler" {
		t.Errorf("start reviewing leads to %s", r.Header.Get("Location"))
	}
}

func TestPeerRequest3_AssigningFromTheList(t *testing.T) {
	site := apptest.Open(t)
	ann, ben, meg := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor),
		site.SignedIn(t, account.Manager)
	first, second := bring(t, site, passing, dcCustomer()), bring(t, site, passing, dcCustomer())

	doc := page(t, ann.Get(t, "/reviews?tick=all"), http.StatusOK)
	if n := doc.Find("#ticked input[name=id][checked]").Length(); n != 2 {
		t.Errorf("%d rows are ticked, want all", n)
	}
	doc = follow(t, ann, "/reviews/assign", with(ticks(t, doc, first, second), "to", ann.Account.ID))
	has(t, doc, "#notice", "2 reviews assigned to you.")
	has(t, doc, ".queue-group", "Assigned to you")
	has(t, doc, ".queue-sum", "2 assigned to you")
	if got := rowsOf(page(t, ben.Get(t, "/reviews?assigned=nobody"), http.StatusOK)); len(got) != 0 {
		t.Errorf("assigned to nobody: %v", got)
	}
	doc = page(t, ben.Get(t, "/reviews"), http.StatusOK)
	refused := ben.Post(t, "/reviews/assign", with(ticks(t, doc, first), "to", ben.Account.ID))
	has(t, page(t, refused, http.StatusConflict), "main", "1 assigned to "+ann.Account.Name)

	seen := page(t, meg.Get(t, "/reviews"), http.StatusOK)
	hasNot(t, seen, ".queue-row a[href^='/reviews']") // where cases stand leads to a page to read
	hasNot(t, seen, "#start")
	hasNot(t, seen, "#rail")
	hasNot(t, seen, "#q")
	if strings.Contains(words(seen, ".queue"), "without tax") || strings.Contains(words(seen, ".queue"), "61, DC") {
		t.Error("a manager reads what a customer asked, or who they are")
	}
	doc = follow(t, meg, "/reviews/assign", with(ticks(t, seen, first), "to", ben.Account.ID))
	has(t, doc, "#notice", "1 review assigned to "+ben.Account.Name)
	has(t, page(t, ben.Get(t, "/inbox"), http.StatusOK), "#main", "assigned")
	page(t, meg.Post(t, "/reviews/skip", ticks(t, seen, first)), http.StatusForbidden)
	if r := meg.Get(t, "/reviews/"+first); r.Header.Get("Location") != "/interactions/"+first {
		t.Errorf("a manager: %d %s", r.Status, r.Header)
	}
	page(t, meg.Post(t, "/reviews/assign", url.Values{"to": {ben.Account.ID}}), http.StatusUnprocessableEntity)
	page(t, meg.Post(t, "/reviews/assign", with(ticks(t, seen, first), "to", meg.Account.ID)),
		http.StatusUnprocessableEntity)
	doc = follow(t, meg, "/reviews/assign", with(ticks(t, seen, first), "to", "nobody"))
	has(t, doc, "#notice", "1 review assigned to nobody")
	if r := ann.Get(t, "/reviews/assign"); r.Header.Get("Location") != "/reviews" {
		t.Errorf("the form's address loaded again leads to %q", r.Header.Get("Location"))
	}
}

func TestPeerRequest10_SkippingSeveralAndResetting(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	first, second, third := bring(t, site, passing, dcCustomer()), bring(t, site, passing, dcCustomer()),
		bring(t, site, passing, dcCustomer())
	doc := page(t, ann.Get(t, "/reviews"), http.StatusOK)
	form := ticks(t, doc, first, second)
	again := page(t, ann.Post(t, "/reviews/skip", form), http.StatusUnprocessableEntity)
	has(t, again, "main > .notices", "Nothing was changed") // which outlives the list, drawn anew as others work
	has(t, again, "#skip-reason-error", "Give a reason")
	if n := again.Find("#ticked input[name=id][checked]").Length(); n != 2 {
		t.Errorf("%d ticks are kept, want 2", n)
	}
	approve := seen(t, page(t, ben.Get(t, "/reviews/"+second), http.StatusOK), `form[action$="/approve"]`)
	if r := ben.Post(t, "/reviews/"+second+"/approve", approve); r.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d", r.Status)
	}
	for _, id := range []string{first, third} { // one of them was handed to Ben
		ben.Post(t, "/reviews/"+id+"/unclaim", nil)
	}
	doc = follow(t, ann, "/reviews/skip", with(form, "reason", "Pensions day."))
	has(t, doc, "#notice", "1 review skipped. 1 left out: 1 already decided.")
	doc = page(t, ann.Get(t, "/reviews"), http.StatusOK)
	if got := rowsOf(doc); len(got) != 2 {
		t.Errorf("%d rows: what was skipped stays to be seen", len(got))
	}
	form = ticks(t, doc, first)
	refused := ann.Post(t, "/reviews/skip", with(form, "reason", "again"))
	has(t, page(t, refused, http.StatusConflict), "main", "Nothing skipped. 1 left out: 1 already skipped by you.")
	doc = follow(t, ann, "/reviews/skips/reset", nil)
	has(t, doc, "#notice", "1 review comes back to you.")
}

func TestPeerRequest18_TheEmptyQueueIsTruthful(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	frail := bring(t, site, passing, frailCustomer())
	form := seen(t, page(t, ann.Get(t, "/reviews/"+frail), http.StatusOK), `form[action$="/approve"]`)
	if r := ann.Post(t, "/reviews/"+frail+"/approve", form); r.Status != http.StatusSeeOther {
		t.Fatalf("sign: %d", r.Status)
	}
	doc := page(t, ann.Get(t, "/reviews"), http.StatusOK)
	has(t, doc, ".empty", "1 is waiting for a second supervisor, not you")
	has(t, page(t, ann.Get(t, "/reviews?state=signed"), http.StatusOK), ".queue-row", "1 of 2 approved")
	has(t, page(t, ben.Get(t, "/reviews"), http.StatusOK), ".queue-row", "1 of 2 approved")
	has(t, follow(t, ann, "/reviews/next", nil), "#notice", "1 review is waiting for a second supervisor, not you.")
	if r := ben.Post(t, "/reviews/next", nil); r.Header.Get("Location") != "/reviews/"+frail {
		t.Fatalf("Ben gets %s", r.Header.Get("Location"))
	}
	has(t, page(t, ann.Get(t, "/reviews"), http.StatusOK), ".empty", "not for you")
	other := bring(t, site, passing, dcCustomer())
	if r := ben.Post(t, "/reviews/"+other+"/claim", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("claim: %d", r.Status)
	}
	has(t, page(t, site.SignedIn(t, account.Supervisor).Get(t, "/reviews"), http.StatusOK), ".empty",
		"2 reviews are waiting, all being reviewed by others")
}

func TestPeerRequest19_AgesAreColouredByTheTargetAndCanBeFiltered(t *testing.T) {
	site := apptest.Open(t)
	a := site.Account(t, account.Supervisor)
	old := bring(t, site, passing, dcCustomer())
	site.Clock.Advance(20 * time.Hour)
	middle := bring(t, site, passing, dcCustomer())
	site.Clock.Advance(5 * time.Hour)
	young := bring(t, site, passing, dcCustomer())
	ann := site.Enter(t, a)
	doc := page(t, ann.Get(t, "/reviews"), http.StatusOK)
	var tones []string
	doc.Find(".q-age").Each(func(_ int, s *goquery.Selection) { tones = append(tones, s.AttrOr("data-tone", "")) })
	if strings.Join(tones, ",") != "red,amber," {
		t.Errorf("tones %q", tones)
	}
	has(t, doc, ".queue-sum", "Oldest arrived 25 h ago · target 24 h")
	for age, want := range map[string]string{review.Late: old, review.Aging: middle, review.Fresh: young} {
		if got := rowsOf(page(t, ann.Get(t, "/reviews?age="+age), http.StatusOK)); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v, want %s", age, got, want)
		}
	}
}

func TestSavedFiltersOnThePage(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	bring(t, site, passing, dcCustomer())
	doc := follow(t, ann, "/reviews/filters",
		url.Values{"filter": {"?task=tax_free_cash&age=fresh&tick=all"}, "name": {"Cash today"}})
	has(t, doc, "#notice", "saved as “Cash today”")
	has(t, doc, ".saved summary", "Cash today")
	link := doc.Find(".saved-list a").AttrOr("href", "")
	if link != "/reviews?age=fresh&task=tax_free_cash" {
		t.Errorf("the filter leads to %s", link)
	}
	change := doc.Find(".saved-list form").AttrOr("action", "")
	doc = follow(t, ann, change, url.Values{"act": {"pin"}})
	has(t, doc, ".saved-list", "opens first")
	if r := ann.Get(t, "/reviews"); r.Header.Get("Location") != link {
		t.Errorf("the queue opens with %q", r.Header.Get("Location"))
	}
	doc = page(t, ann.Get(t, link), http.StatusOK)
	if clear := doc.Find(".queue-filters .clear").AttrOr("href", ""); clear != "/reviews?all=yes" {
		t.Errorf("Clear leads to %q, which leads back", clear)
	}
	page(t, ann.Get(t, "/reviews?all=yes"), http.StatusOK)
	doc = follow(t, ann, change, url.Values{"act": {"rename"}, "name": {"Cash"}})
	has(t, doc, ".saved-list", "Cash")
	page(t, ann.Post(t, change, url.Values{"act": {"rename"}, "name": {" "}}), http.StatusUnprocessableEntity)
	ben := site.SignedIn(t, account.Supervisor)
	page(t, ben.Post(t, change, url.Values{"act": {"rename"}, "name": {"mine"}}), http.StatusNotFound)
	for range 2 {
		follow(t, ann, change, url.Values{"act": {"delete"}})
	}
	has(t, page(t, ann.Get(t, "/reviews"), http.StatusOK), ".saved", "None yet")
	page(t, ann.Post(t, "/reviews/filters", url.Values{"filter": {""}, "name": {"empty"}}),
		http.StatusUnprocessableEntity)
}

func TestDoneSaysWhatWhoAndWhen(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	form := seen(t, page(t, ann.Get(t, "/reviews/"+id), http.StatusOK), `form[action$="/approve"]`)
	if r := ann.Post(t, "/reviews/"+id+"/approve", form); r.Status != http.StatusSeeOther {
		t.Fatal(r.Status)
	}
	doc := page(t, ann.Get(t, "/reviews?state=done"), http.StatusOK)
	has(t, doc, ".queue-row", "approved by you")
	has(t, doc, ".queue-row", "sends in 30 s")
	hasNot(t, doc, "#ticked")
	has(t, page(t, ben.Get(t, "/reviews?state=done&reviewer="+ann.Account.ID), http.StatusOK), ".queue-row",
		"approved by "+ann.Account.Name)
	if got := rowsOf(page(t, ben.Get(t, "/reviews?state=done&reviewer="+ben.Account.ID), http.StatusOK)); len(
		got) != 0 {
		t.Errorf("Ben decided %v", got)
	}
}

func TestOneSearchAsFarAsRolesAllow(t *testing.T) {
	site := apptest.Open(t)
	ann, ed, meg := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Expert),
		site.SignedIn(t, account.Manager)
	id := bring(t, site, passing, frailCustomer())
	doc := page(t, ann.Get(t, "/search?q=zebedee"), http.StatusOK)
	if href := doc.Find("#found-cases ~ .results a").AttrOr("href", ""); href != "/reviews/"+id {
		t.Errorf("found %q", href)
	}
	for who, c := range map[string]*apptest.Client{"an expert": ed, "a manager": meg} {
		if got := words(page(t, c.Get(t, "/search?q=zebedee"), http.StatusOK), "#main"); strings.Contains(got,
			"trawler") {
			t.Errorf("%s finds what a customer asked", who)
		}
	}
	if r := ann.Post(t, "/reviews/"+id+"/reject",
		with(seen(t, show(t, ann, id, "?mode=reject"), "#decide"), "reason_code", "wrong_facts", "reason",
			"Not what was asked.")); r.Status != http.StatusSeeOther {
		t.Fatalf("reject: %d", r.Status)
	}
	if href := page(t, meg.Get(t, "/search?q=zebedee"), http.StatusOK).Find("#found-cases ~ .results a").AttrOr("href",
		""); href != "/interactions/"+id {
		t.Errorf("of what is decided a manager finds %q", href)
	}
	name := strings.Fields(meg.Account.Name)[0]
	has(t, page(t, ann.Get(t, "/search?q="+url.QueryEscape(name)), http.StatusOK), "#main", meg.Account.Name)
	hasNot(t, page(t, ed.Get(t, "/search?q="+url.QueryEscape(name)), http.StatusOK), "#found-people")
	if r := ann.Get(t, "/search?q="+id); r.Header.Get("Location") != "/reviews/"+id {
		t.Errorf("a case's id leads to %q", r.Header.Get("Location"))
	}
	for _, q := range []string{"", "R-999", "%22%27%3B--", strings.Repeat("x", 5000), "%F0%9F%98%80", "%00"} {
		page(t, ann.Get(t, "/search?q="+q), http.StatusOK)
	}
	doc = page(t, ann.Get(t, "/search?q="+url.QueryEscape(`<script>alert(1)</script>`)), http.StatusOK)
	hasNot(t, doc, "#main script")
}

// Who hands a review on is looking at it: that is no reason against it, and where nothing was assigned no page says
// that it was.
func TestAReviewIsHandedOnFromItsPage(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	ids := []string{bring(t, site, passing, dcCustomer()), bring(t, site, passing, dcCustomer())}
	if err := site.Reviews.Claim(t.Context(), ids[0],
		review.Person{ID: ann.Account.ID, Name: ann.Account.Name}); err != nil {
		t.Fatal(err)
	}
	has(t, show(t, ann, ids[0], ""), `.bar [data-key="g"]`, "Assign")
	doc := show(t, ann, ids[0], "?mode=assign")
	has(t, doc, ".bar #send", "Assign and next")
	form := with(seen(t, doc, "#decide"), "to", ben.Account.ID, "reason", "You know this scheme: is the figure right?")
	r := ann.Post(t, "/reviews/"+ids[0]+"/assign", form)
	if r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/reviews/"+ids[1] {
		t.Fatalf("%d, goes on to %q, want the next review", r.Status, r.Header.Get("Location"))
	}
	has(t, page(t, ann.Get(t, "/reviews/"+ids[1]), http.StatusOK), "#notice", "1 review assigned to "+ben.Account.Name)
	item, err := site.Reviews.Get(t.Context(), ids[0])
	if err != nil || item.Claim.By.ID != "" || item.AssignedTo.ID != ben.Account.ID {
		t.Fatalf("claimed by %+v, assigned to %+v, %v", item.Claim.By, item.AssignedTo, err)
	}
	doc = show(t, ben, ids[0], "")
	has(t, doc, ".case-head", "Assigned to you")
	has(t, doc, ".case-known", "You know this scheme: is the figure right?")

	if err := site.Reviews.Claim(t.Context(), ids[0],
		review.Person{ID: ben.Account.ID, Name: ben.Account.Name}); err != nil {
		t.Fatal(err)
	}
	form.Set("reason", "Mine, please.")
	form.Set("to", ann.Account.ID)
	doc = page(t, ann.Post(t, "/reviews/"+ids[0]+"/assign", form), http.StatusConflict)
	has(t, doc, ".notices", "being reviewed by "+ben.Account.Name)
	has(t, doc, "#decide #reason", "Mine, please.")
	ticked := ticks(t, page(t, ann.Get(t, "/reviews?state=others"), http.StatusOK), ids[0])
	page(t, ann.Post(t, "/reviews/assign", with(ticked, "to", ann.Account.ID)), http.StatusConflict)
	has(t, page(t, ann.Post(t, "/reviews/"+ids[1]+"/assign",
		with(seen(t, show(t, ann, ids[1], "?mode=assign"), "#decide"), "to", "")), http.StatusUnprocessableEntity),
		"#decide", "Choose who to assign it to")
}

// A notice that asks for something is read once that is done, for everybody whom it asked; what others are still asked
// stays.
func TestANoticeThatWasActedOnIsRead(t *testing.T) {
	site := apptest.Open(t)
	ann, ben, eve := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor),
		site.SignedIn(t, account.Supervisor)
	signed, assigned, other := bring(t, site, failing, dbCustomer()), bring(t, site, passing, dcCustomer()),
		bring(t, site, passing, dcCustomer())
	unread := func(c *apptest.Client) int {
		n, err := site.Comments.Unread(t.Context(), c.Account.ID)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	revise(t, ann, signed) // Ben and Eve are asked for the second approval
	by := review.Person{ID: ann.Account.ID, Name: ann.Account.Name}
	for _, id := range []string{other, assigned} {
		if _, err := site.Reviews.Assign(t.Context(),
			review.Assignment{IDs: []string{id}, To: ben.Account.ID, By: by, Lead: true}); err != nil {
			t.Fatal(err)
		}
	}
	if unread(ben) != 2 || unread(eve) != 1 {
		t.Fatalf("Ben has %d unread, Eve %d", unread(ben), unread(eve))
	}
	approve(t, ben, signed)
	approve(t, ben, assigned)
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	if unread(ben) != 1 || unread(eve) != 0 {
		t.Errorf("Ben has %d unread, want the one for the other review; Eve %d", unread(ben), unread(eve))
	}
}
