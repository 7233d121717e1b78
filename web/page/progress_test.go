package page_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/review"
	"preceptor/views/ui"
)

// Progress per person: done, pending, against assigned (langfuse-docs #2064, doccano #1525, #114).
func TestPeerRequest4_ProgressOfEachPersonAgainstWhatIsAssigned(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := named(t, site, "Ann Archer", "ann@example.org", account.Supervisor),
		named(t, site, "Ben Carter", "ben@example.org", account.Supervisor)
	boss := named(t, site, "Morag Manager", "morag@example.org", account.Manager)
	var ids []string
	for range 5 {
		ids = append(ids, bring(t, site, passing, dcCustomer()))
	}
	if _, err := site.Reviews.Assign(t.Context(),
		review.Assignment{IDs: ids[:3], To: ann.Account.ID, By: person(boss.Account), Lead: true}); err != nil {
		t.Fatal(err)
	}
	decide(t, site, ids[0], ann.Account, review.Input{Kind: review.Approve})                           // assigned
	decide(t, site, ids[3], ann.Account, review.Input{Kind: review.Reject, ReasonCode: "wrong_facts"}) // not
	item, err := site.Reviews.Get(t.Context(), ids[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := site.Reviews.Skip(t.Context(), ids[1], person(ann.Account), item.Version,
		"I know the customer."); err != nil {
		t.Fatal(err)
	}
	signed := bring(t, site, passing, dbCustomer())
	decide(t, site, signed, ben.Account,
		review.Input{Kind: review.Revise, Text: passingDB, Reason: "Better.", Feedback: "Say what is given up."})

	doc := page(t, ann.Get(t, "/progress"), http.StatusOK)
	for label, want := range map[string]string{"Done today": "2", "Done this week": "2",
		"Assigned to you, waiting": "2", "Needs your second approval": "1", "Skipped by you, still waiting": "1"} {
		found := false
		for i := range doc.Find(".figure").Nodes {
			f := doc.Find(".figure").Eq(i)
			if f.Find("dt").Text() == label {
				found = true
				if got := f.Find("dd.value").Text(); got != want {
					t.Errorf("%s: %s, want %s", label, got, want)
				}
			}
		}
		if !found {
			t.Errorf("%q is not said", label)
		}
	}
	has(t, doc, ".figures", "1 approved, 1 rejected")
	skipped := page(t, ann.Get(t, doc.Find(`.figures a[href*="skips="]`).AttrOr("href", "")), http.StatusOK)
	if rows := skipped.Find(".queue-row"); rows.Length() != 1 {
		t.Errorf("%d reviews are listed as skipped", rows.Length())
	}
	has(t, skipped, `.queue-row a[href^="/reviews/`+ids[1]+`"]`, "")
	// What a colleague has open is in neither the figure nor its list.
	if err := site.Reviews.Claim(t.Context(), ids[1], person(ben.Account)); err != nil {
		t.Fatal(err)
	}
	if n := page(t, ann.Get(t, "/reviews?skips=me"), http.StatusOK).Find(".queue-row").Length(); n != 0 {
		t.Errorf("%d reviews are listed as skipped", n)
	}
	has(t, page(t, ann.Get(t, "/progress"), http.StatusOK), ".figures", "Skipped by you, still waiting0")
	if err := site.Reviews.Unclaim(t.Context(), ids[1], person(ben.Account)); err != nil {
		t.Fatal(err)
	}
	has(t, doc, ".figures", "1 of those assigned to you were done this week")
	hasNot(t, doc, "table") // others' figures are for those who lead

	doc = page(t, boss.Get(t, "/progress"), http.StatusOK)
	hasNot(t, doc, "#mine-title")
	if n := doc.Find("tbody tr").Length(); n != 2 {
		t.Errorf("%d lines, want one for each supervisor", n)
	}
	has(t, doc, "tbody tr:first-child", "Ann Archer 2211010021")
	doc = page(t, ben.Get(t, "/progress"), http.StatusOK) // who approved first has done it, and is told that it waits
	has(t, doc, ".figures", "1 revised; of those you decided first, 1 waits for a second approval")
	has(t, doc, "#progress-counts", "My statistics leaves out approvals that wait for a second")
	has(t, doc, "#progress-counts", "counts here at once, seeded checks too")
	lead := page(t, boss.Get(t, "/progress"), http.StatusOK)
	has(t, lead, "main", "Seeded checks count here as other reviews do. Statistics leaves out")
	has(t, lead, "main thead", "This week, assigned")
	for _, at := range []string{"/progress", "/stats/mine"} { // in the same words
		has(t, page(t, ben.Get(t, at), http.StatusOK), "main", ui.LeftOut)
	}
	if href := doc.Find("#progress-counts a").AttrOr("href", ""); ben.Get(t, href).Status != http.StatusOK {
		t.Errorf("%s is no page", href)
	}
	has(t, page(t, site.SignedIn(t, account.Expert).Get(t, "/progress"), http.StatusOK), ".empty",
		"You don't do reviews")

	// A new week begins on Monday; what waits, waits.
	site.Clock.Advance(7 * 24 * time.Hour)
	site.Drain(t)
	ann = site.Enter(t, ann.Account)
	doc = page(t, ann.Get(t, "/progress"), http.StatusOK)
	if got := doc.Find(".figure").Eq(1).Find("dd.value").Text(); got != "0" {
		t.Errorf("done this week: %s", got)
	}
	if got := doc.Find(".figure").Eq(2).Find("dd.value").Text(); got != "2" {
		t.Errorf("assigned: %s", got)
	}
}

func TestTeamsAreMadeByAdministrators(t *testing.T) {
	site := apptest.Open(t)
	admin := site.SignedIn(t, account.Admin)
	ann := named(t, site, "Ann Archer", "ann@example.org", account.Supervisor)
	has(t, page(t, admin.Get(t, "/admin/teams"), http.StatusOK), ".empty", "No teams yet")
	doc := page(t, admin.Post(t, "/admin/teams", with(url.Values{}, "name", "\u202e")), http.StatusUnprocessableEntity)
	has(t, doc, ".field-error", "only visible characters")
	if r := admin.Post(t, "/admin/teams", with(url.Values{}, "name", "Transfers")); r.Status != http.StatusSeeOther {
		t.Fatalf("make: %d %.300s", r.Status, r.Body)
	}
	doc = page(t, admin.Get(t, "/admin/teams"), http.StatusOK)
	has(t, doc, ".notice", "Transfers created")
	form := doc.Find(`section form.form`).First()
	action := form.AttrOr("action", "")
	v := with(url.Values{}, "version", form.Find("input[name=version]").AttrOr("value", ""), "name", "Transfers",
		"members", ann.Account.ID)
	if r := admin.Post(t, action, v); r.Status != http.StatusSeeOther {
		t.Fatalf("change: %d %.300s", r.Status, r.Body)
	}
	doc = page(t, admin.Get(t, "/admin/teams"), http.StatusOK)
	if n := doc.Find("input[name=members][checked]").Length(); n != 1 {
		t.Errorf("%d members are chosen", n)
	}
	// Somebody else's change is not overwritten, and what was chosen is still there.
	doc = page(t, admin.Post(t, action, with(v, "name", "Other")), http.StatusConflict)
	has(t, doc, ".notice", "it is now Transfers with Ann Archer")
	if got := doc.Find(`section form.form input[name=name]`).First().AttrOr("value", ""); got != "Other" {
		t.Errorf("the name came back as %q", got)
	}
	if r := admin.Post(t, action+"/close", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("close: %d", r.Status)
	}
	has(t, page(t, admin.Get(t, "/admin/teams"), http.StatusOK), ".empty", "No teams yet")
	if r := ann.Get(t, "/admin/teams"); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor: %d", r.Status)
	}
}
