package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// The queue comes in groups with the reason for their order, also for the second supervisor; badge, tab and pager say
// the same; a row has one flag and a number; a filter says how many it chooses, and undo and next keep it.
func TestTheQueueComesInGroups(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	plain, blocked, signed, mine := bring(t, site, passing, dcCustomer()), bring(t, site, failing, dbCustomer()),
		bring(t, site, passing, frailCustomer()), bring(t, site, passing, dcCustomer())
	form := seen(t, page(t, ann.Get(t, "/reviews/"+signed), http.StatusOK), `form[action$="/approve"]`)
	if r := ann.Post(t, "/reviews/"+signed+"/approve", form); r.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d", r.Status)
	}
	ann.Post(t, "/reviews/"+plain+"/unclaim", nil)
	for _, id := range []string{blocked, mine} {
		ann.Post(t, "/reviews/"+id+"/unclaim", nil)
	}
	follow(t, ben, "/reviews/assign",
		with(ticks(t, page(t, ben.Get(t, "/reviews"), http.StatusOK), mine), "to", ben.Account.ID))

	doc := page(t, ben.Get(t, "/reviews"), http.StatusOK)
	var titles []string
	doc.Find(".queue-group").Each(func(_ int, s *goquery.Selection) {
		titles = append(titles, strings.TrimSpace(s.Contents().First().Text()))
		if why := s.Find(".soft").Text(); len(why) < 10 {
			t.Errorf("%s has no reason: %q", s.Text(), why)
		}
	})
	if got := strings.Join(titles, ", "); got != "Assigned to you, Needs your second approval, Blocked, Other" {
		t.Errorf("groups: %s", got)
	}
	if got := rowsOf(doc); strings.Join(got, " ") != strings.Join([]string{mine, signed, blocked, plain}, " ") {
		t.Errorf("in order: %v", got)
	}
	has(t, doc, ".tabs [aria-current] .count", "4")
	has(t, doc, `#nav a[href="/reviews"] .count`, "4")
	has(t, page(t, ben.Get(t, "/reviews/"+blocked), http.StatusOK), "#case-nav", "3 / 4")
	if flags := doc.Find(`.queue-row:has(a[href="/reviews/` + blocked + `"]) .badge[data-tone="red"]`).
		Length(); flags != 1 {
		t.Errorf("the blocked row has %d flags, want one", flags)
	}
	has(t, doc, `.queue-row:has(a[href="/reviews/`+blocked+`"]) .badge`, "+")

	one := page(t, ben.Get(t, "/reviews?task=tax_free_cash"), http.StatusOK)
	has(t, one, ".matches", "matches")
	to := ben.Post(t, "/reviews/next", url.Values{"filter": {"?task=tax_free_cash"}}).Header.Get("Location")
	if to != "/reviews/"+mine+"?task=tax_free_cash" {
		t.Fatalf("next leads to %s", to)
	}
	form = seen(t, page(t, ben.Get(t, to), http.StatusOK), `form[action$="/approve"]`)
	if to = ben.Post(t, "/reviews/"+mine+"/approve", form).Header.Get("Location"); !strings.HasSuffix(to,
		"?task=tax_free_cash") {
		t.Errorf("after the decision: %s", to)
	}
	undo := page(t, ben.Get(t, to), http.StatusOK).Find("#toast form")
	form = url.Values{"as": {ben.Account.ID}, "filter": {undo.Find("[name=filter]").AttrOr("value", "")}}
	if to = ben.Post(t, undo.AttrOr("action", ""), form).Header.Get("Location"); to != "/reviews/"+mine+
		"?task=tax_free_cash" {
		t.Errorf("undo leads to %s", to)
	}
	form = seen(t, page(t, ben.Get(t, "/reviews/"+signed), http.StatusOK), `form[action$="/approve"]`)
	if to = ben.Post(t, "/reviews/"+signed+"/approve", form).Header.Get("Location"); to != "/reviews/"+blocked {
		t.Errorf("after the second approval: %s, want the next one down the list, %s", to, blocked)
	}
}

// The verdict leads the draft; what is blocked has no key to approve it; the sentence that one confirms is beside the
// button.
func TestTheVerdictLeadsTheDraft(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	doc := page(t, ann.Get(t, "/reviews/"+bring(t, site, failing, dbCustomer())), http.StatusOK)
	has(t, doc, ".case-draft > .block-head:first-child #verdict strong", "Blocked: no DB warning")
	hasNot(t, doc, "[data-key=a]")
	has(t, doc, "[data-late=u]", "Nothing to undo")
	doc = page(t, ann.Get(t, "/reviews/"+bring(t, site, passing, dcCustomer())), http.StatusOK)
	has(t, doc, "#verdict strong", "No flags")
	has(t, doc, ".bar:has([data-key=a]) #confirmation", "By deciding, you confirm")
	has(t, doc, ".claim-host", "Starts in 3 seconds")
	if order := doc.Find(".case-known > *").Map(func(_ int, s *goquery.Selection) string {
		return s.AttrOr("id", "")
	}); len(order) < 2 || order[0] != "comments" || order[1] != "similar" {
		t.Errorf("the right column has %v", order)
	}
}

// A search marks its words and can be limited to one kind.
func TestASearchMarksItsWordsInOneKind(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	bring(t, site, passing, frailCustomer())
	doc := page(t, ann.Get(t, "/reviews?q=vulnerable"), http.StatusOK)
	has(t, doc, ".queue-row mark", "vulnerable")
	doc = page(t, ann.Get(t, "/search?q=vulnerable&kind=reviews"), http.StatusOK)
	has(t, doc, "#found-cases ~ .results mark", "vulnerable")
	has(t, doc, ".tabs [aria-current]", "Reviews")
	doc = page(t, ann.Get(t, "/search?q=vulnerable&kind=people"), http.StatusOK)
	hasNot(t, doc, "#found-cases")
}
