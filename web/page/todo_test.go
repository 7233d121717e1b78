package page_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

func TestAnExpertHasFourAreasAndReachesEveryPageByLinks(t *testing.T) {
	site := apptest.Open(t)
	edie := site.SignedIn(t, account.Expert)
	doc := page(t, edie.Get(t, "/todo"), http.StatusOK)
	if n := doc.Find("#nav a").Length(); n != 4 {
		t.Errorf("%d areas: %s", n, doc.Find("#nav").Text())
	}
	reached, queue := map[string]bool{"/todo": true}, []string{"/todo"}
	for len(queue) > 0 {
		doc := page(t, edie.Get(t, queue[0]), http.StatusOK)
		queue = queue[1:]
		for _, a := range doc.Find("a[href]").EachIter() {
			path, _, _ := strings.Cut(a.AttrOr("href", ""), "#")
			bare, query, _ := strings.Cut(path, "?")
			if !strings.HasPrefix(path, "/") || reached[path] || strings.HasPrefix(path, "/help") ||
				strings.Contains(query, "cursor") || bare == "/search" {
				continue
			}
			reached[path] = true
			if query == "" && path != "/" {
				queue = append(queue, path)
			}
		}
	}
	for _, want := range []string{"/compliance", "/compliance?list=mine", "/compliance?list=ruled",
		"/compliance?list=ratings", "/compliance/rubric", "/compliance/rubric?kind=taxonomy",
		"/compliance/checks", "/compliance/checks/new", "/compliance/judges", "/learning", "/learning/sessions",
		"/learning/reflections", "/practice", "/feedback/examples", "/feedback/nightly",
		"/knowledge", "/knowledge?kind=cases", "/knowledge/conflicts", "/knowledge/quarantine", "/knowledge/documents",
		"/knowledge/growth", "/knowledge/history", "/knowledge/file",
		"/datasets", "/datasets/new", "/ask", "/inbox", "/preferences", "/account"} {
		if !reached[want] {
			t.Errorf("no link leads to %s", want)
		}
	}
	if reached["/progress"] {
		t.Error("an expert is led to the progress of reviews")
	}
}

func TestToDoNamesWhatWaitsAndBeginsWithOneKey(t *testing.T) {
	site := split(t)
	_, caseID := unsettled(t, site)
	edie := site.SignedIn(t, account.Expert)
	doc := page(t, edie.Get(t, "/todo"), http.StatusOK)
	has(t, doc, "#todo-sum", "1 case within its target")
	has(t, doc, `.queue-row a[href="/compliance/`+caseID+`"]`, "Borderline case")
	if at := doc.Find("#start"); at.AttrOr("href", "") != "/compliance/"+caseID ||
		at.AttrOr("data-key", "") != "Enter" {
		t.Errorf("the start leads to %q by %q", at.AttrOr("href", ""), at.AttrOr("data-key", ""))
	}
	both := site.SignedIn(t, account.Expert, account.Supervisor, account.Admin)
	nav := page(t, both.Get(t, "/compliance/checks"), http.StatusOK).Find("#nav")
	for _, area := range []string{"Reviews", "To do", "Datasets", "Rules and cases", "Standards", "Statistics",
		"Administration"} {
		if !strings.Contains(nav.Text(), area) {
			t.Errorf("somebody with several roles has no %s in %q", area, nav.Text())
		}
	}
	if at := strings.TrimSpace(nav.Find("[aria-current]").Text()); at != "Standards" {
		t.Errorf("checks are marked as %q", at)
	}
}

// What waits for one's agreement is on To do, and in the number beside it.
func TestToDoCountsWhatWaitsForAgreement(t *testing.T) {
	site := apptest.Open(t)
	eva, fay := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Expert)
	counted := func(who *apptest.Client) string {
		doc := page(t, who.Get(t, "/todo"), http.StatusOK)
		n, _, _ := strings.Cut(strings.TrimSpace(doc.Find(`#nav a[href="/todo"] .count`).Text()), " ")
		if rows := doc.Find("main .queue-row").Length(); n != "" && n != strconv.Itoa(rows) {
			t.Errorf("%s beside To do, and %d rows", n, rows)
		}
		sum := 0
		doc.Find("#todo-sum a:not(.soft)").Each(func(_ int, a *goquery.Selection) {
			k, _ := strconv.Atoi(strings.Fields(a.Text())[0])
			sum += k
		})
		if n != "" && n != strconv.Itoa(sum) {
			t.Errorf("%s beside To do, and %d in the line above the list", n, sum)
		}
		return n
	}
	before := counted(fay)
	want(t, "ask", eva.Post(t, "/compliance/checks/INACCURATE_FACT/switch", url.Values{"on": {"no"}, "version": {"0"},
		"book": {"0"}, "reason": {"The Budget changed the figures."}}), http.StatusSeeOther)
	if mine, theirs := counted(eva), counted(fay); before != "" || mine != "" || theirs != "1" {
		t.Errorf("%q before; then %q for who asked and %q for the other", before, mine, theirs)
	}
}

func TestASkippedCaseIsNotHandedOutAgain(t *testing.T) {
	site := split(t)
	_, caseID := unsettled(t, site)
	eva := site.SignedIn(t, account.Expert)
	has(t, page(t, eva.Get(t, "/compliance/"+caseID), http.StatusOK),
		`button[formaction="/compliance/`+caseID+`/skip"]`, "Skip")
	if r := eva.Post(t, "/compliance/"+caseID+"/skip", nil); r.Header.Get("Location") != "/todo" {
		t.Errorf("skip leads to %q", r.Header.Get("Location"))
	}
	has(t, page(t, eva.Get(t, "/compliance"), http.StatusOK), ".queue-row", "skipped")
	if r := eva.Post(t, "/compliance/next", nil); r.Header.Get("Location") != "/todo" {
		t.Errorf("next leads to %q", r.Header.Get("Location"))
	} else {
		has(t, page(t, eva.Get(t, "/todo"), http.StatusOK), "#notice", "that you haven't skipped")
	}
	if r := site.SignedIn(t, account.Expert).Post(t, "/compliance/next",
		nil); r.Header.Get("Location") != "/compliance/"+caseID {
		t.Errorf("another expert is led to %q", r.Header.Get("Location"))
	}
}

// A skipped case comes last in To do, says so, and is taken up again from there unless a colleague has it by now.
func TestASkippedCaseIsTakenUpAgain(t *testing.T) {
	site := split(t)
	_, caseID := unsettled(t, site)
	eva, fay := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Expert)
	for _, who := range []*apptest.Client{eva, fay} {
		who.Post(t, "/compliance/"+caseID+"/skip", nil)
	}
	todo := page(t, eva.Get(t, "/todo"), http.StatusOK)
	has(t, todo, ".queue-row .q-why", "skipped")
	has(t, todo, "#todo-sum", "you skipped 1 case")
	again := todo.Find(".queue-row .q-why form").AttrOr("action", "")
	if r := eva.Post(t, again, nil); r.Header.Get("Location") != "/compliance/"+caseID {
		t.Errorf("taking it up again leads to %q", r.Header.Get("Location"))
	}
	hasNot(t, page(t, eva.Get(t, "/todo"), http.StatusOK), ".queue-row .q-why form")
	if r := fay.Post(t, again, nil); r.Status != http.StatusConflict ||
		!strings.Contains(r.Body, eva.Account.Name+" is working on this case") {
		t.Errorf("a colleague has it, and the answer is %d %.200s", r.Status, r.Body)
	}
	if r := eva.Post(t, "/compliance/next", nil); r.Header.Get("Location") != "/compliance/"+caseID {
		t.Errorf("next leads to %q once it is taken up again", r.Header.Get("Location"))
	}
}

// What a count of To do leads to is what it counts.
func TestTheOverdueCountOpensTheOverdueCases(t *testing.T) {
	site := split(t)
	_, caseID := unsettled(t, site)
	eva := site.SignedIn(t, account.Expert)
	for _, when := range []struct{ says, late, inTime string }{{"1 case within its target", "", caseID},
		{"1 overdue case", caseID, ""}} {
		at := page(t, eva.Get(t, "/todo"), http.StatusOK).Find("#todo-sum a").First()
		if at.Text() != when.says {
			t.Errorf("To do says %q, want %q", at.Text(), when.says)
		}
		for list, want := range map[string]string{at.AttrOr("href", ""): caseID, "/compliance?list=overdue": when.late,
			"/compliance?list=in_time": when.inTime} {
			if got := strings.TrimPrefix(page(t, eva.Get(t, list),
				http.StatusOK).Find(".queue-row .q-task a").AttrOr("href", ""), "/compliance/"); got != want {
				t.Errorf("%s lists %q, want %q", list, got, want)
			}
		}
		site.Clock.Advance(25 * time.Hour)
		eva = site.Enter(t, eva.Account)
	}
}

// One expert has answered where two are asked, and there is no other: the list and the case say so, and an
// administrator has a notice.
func TestACaseWithoutAnotherExpertIsNoDeadEnd(t *testing.T) {
	site := split(t)
	customer := dcCustomer()
	vulnerable := true
	customer.Customer.Vulnerable = &vulnerable
	id := bring(t, site, steering, customer)
	cases, _, err := site.Borderline.ForInteraction(t.Context(), id)
	if err != nil || len(cases) != 1 || cases[0].Wanted != 2 {
		t.Fatal(cases, err)
	}
	path := "/compliance/" + cases[0].ID
	eva, root := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Admin)
	doc := page(t, eva.Get(t, path), http.StatusOK)
	eva.Post(t, path+"/answer", with(hidden(doc, "#answer"), answered...))
	hasNot(t, page(t, eva.Get(t, "/compliance"), http.StatusOK), "#borderline .notice") // she can settle it yet
	if r := eva.Post(t, path+"/keep", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("keep: %d", r.Status)
	}
	has(t, page(t, eva.Get(t, "/compliance"), http.StatusOK), "#borderline .notice",
		"1 case has no expert left to decide it")
	for range 2 {
		if n, err := site.Borderline.TellStuck(t.Context()); err != nil || n != 1 {
			t.Fatal(n, err)
		}
	}
	doc = page(t, root.Get(t, "/inbox"), http.StatusOK)
	if n := doc.Find(`.notice-list a[href="` + path + `"]`).Length(); n != 1 {
		t.Errorf("%d notices", n)
	}
	has(t, page(t, root.Get(t, "/compliance"), http.StatusOK), `#stuck a[href="`+path+`"]`, "waiting")
	doc = page(t, root.Get(t, path), http.StatusOK)
	has(t, doc, ".notice", "You decide: rule on it, or close it as unresolved.")
	has(t, doc, ".case-known form#rule", "Verdict")
	again := page(t, root.Post(t, path+"/close", url.Values{"reason": {" "}}), http.StatusUnprocessableEntity)
	has(t, again, `#problem a[href="#reason"]`, "Why")
	if r := eva.Post(t, path+"/close", url.Values{"reason": {"x"}}); r.Status != http.StatusForbidden {
		t.Errorf("an expert closes a case: %d", r.Status)
	}
	fay := site.SignedIn(t, account.Expert)
	hasNot(t, page(t, eva.Get(t, "/compliance"), http.StatusOK), "#borderline .notice")
	doc = page(t, fay.Get(t, path), http.StatusOK)
	fay.Post(t, path+"/answer", with(hidden(doc, "#answer"), answered...))
	if r := fay.Post(t, path+"/keep", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("keep: %d", r.Status)
	}
	has(t, page(t, eva.Get(t, path), http.StatusOK), "#ruling",
		"Decided by "+eva.Account.Name+" and "+fay.Account.Name+", who agree")
}

// What is listed and isn't in the number beside To do is named in the line above the list, too.
func TestToDoNamesDisputedLabels(t *testing.T) {
	s := apptest.Open(t)
	d, _, _ := disputedSet(t, s)
	cy := s.SignedIn(t, account.Expert)
	has(t, page(t, cy.Get(t, "/todo"), http.StatusOK), `#todo-sum a.soft[href="/datasets/`+d.ID+`/adjudicate"]`,
		"1 text of DB transfers to rule on")
}
