package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/review"
)

// What the page of a case shows follows who works on it and where the experts stand: an open page and one loaded anew
// say the same.
func TestAnOpenPageFollowsWhoWorksOnIt(t *testing.T) {
	judged, site := split(t), split(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	unsure, _ := unsettled(t, judged)
	unsettled(t, site) // experts take one, and no more without being asked
	asked := bring(t, site, passing, dcCustomer())
	form := with(hidden(show(t, ann, asked, ""), "#refer form"), "note", "Is the middle a steer?")
	if r := ann.Post(t, "/reviews/"+asked+"/refer", form); r.Status != http.StatusSeeOther {
		t.Fatalf("refer: %d %.300s", r.Status, r.Body)
	}
	plain := bring(t, site, passing, dcCustomer())
	signed := bring(t, site, pressing, dcCustomer())
	decide(t, site, signed, ann.Account, review.Input{Kind: review.Approve,
		Overrule: []review.Overruling{{Code: "PRESSURE", Reason: "The scheme sets the date."}}})
	for what, c := range map[string]struct{ id, held, freed, bar string }{
		"asked": {asked, "It can't be approved until they rule.", "Meanwhile, you can revise or reject it.",
			"#why-not"},
		"unsure": {unsure, "With the compliance experts", "With the compliance experts", "#reject"},
		"plain":  {plain, "You can review it once they release it", "", "#approve"},
		"signed": {signed, "You approved it first", "You approved it first", ".bar"},
	} {
		t.Run(what, func(t *testing.T) {
			ann, ben := ann, ben
			if what == "unsure" {
				ann, ben = judged.SignedIn(t, account.Supervisor), judged.SignedIn(t, account.Supervisor)
			}
			free := show(t, ann, c.id, "")
			if r := ben.Post(t, "/reviews/"+c.id+"/claim", nil); r.Status != http.StatusSeeOther {
				t.Fatalf("claim: %d", r.Status)
			}
			held := show(t, ann, c.id, "")
			same(t, told(t, ann, c.id, free), held)
			has(t, held, "#case-notices", ben.Account.Name+" is reviewing this")
			has(t, held, "#case-notices", c.held)
			hasNot(t, held, `#case-notices:contains("you can revise or reject")`)
			if what == "signed" {
				hasNot(t, held, `#case-notices:contains("You can review it")`)
			}
			if r := ben.Post(t, "/reviews/"+c.id+"/unclaim", nil); r.Status != http.StatusSeeOther {
				t.Fatalf("release: %d", r.Status)
			}
			doc := told(t, ann, c.id, held)
			same(t, doc, show(t, ann, c.id, ""))
			hasNot(t, doc, `#case-notices:contains("is reviewing this")`)
			has(t, doc, c.bar, "")
			has(t, doc, "#case-notices", c.freed)
			if doc.Find("#refer").Length() != map[string]int{"plain": 1}[what] {
				t.Error("one can't ask the experts as on a page loaded anew")
			}
		})
	}
	free := show(t, ann, plain, "")
	if r := ben.Post(t, "/reviews/"+plain+"/refer", with(hidden(show(t, ben, plain, ""), "#refer form"),
		"note", "And this?")); r.Status != http.StatusSeeOther {
		t.Fatalf("refer: %d", r.Status)
	}
	has(t, told(t, ann, plain, free), "#case-notices", "With the compliance experts")
}

// told is what an open page is told when the queue has changed.
func told(t *testing.T, c *apptest.Client, id string, open *goquery.Document) *goquery.Document {
	t.Helper()
	in := url.Values{"mode": {""}, "standing": {open.Find("#claim > input[name=standing]").AttrOr("value", "")},
		"turn": {open.Find(".claim-host > input[name=turn]").AttrOr("value", "")}}
	return page(t, c.Do(t, http.MethodGet, "/reviews/"+id+"/claim?"+in.Encode(), "", "", "HX-Request", "true"),
		http.StatusOK)
}

// same makes sure that each part that the news brings reads as on the page loaded anew.
func same(t *testing.T, news, page *goquery.Document) {
	t.Helper()
	for _, part := range []string{"#claim", "#case-nav", "#case-notices", "#bar"} {
		got, want := strings.Fields(words(news, part)), strings.Fields(words(page, part))
		if news.Find(part).Length() != 1 || strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: the open page reads %q, one loaded anew %q", part, got, want)
		}
	}
}
