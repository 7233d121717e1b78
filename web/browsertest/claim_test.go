package browsertest

import (
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/review"
)

// claimed are the cases that somebody works on.
func claimed(t *testing.T, site *apptest.Site, ids []string) (out []string) {
	t.Helper()
	for _, id := range ids {
		item, err := site.Reviews.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if item.Claim.By.ID != "" {
			out = append(out, id)
		}
	}
	return out
}

// TestLeavingAReviewEndsAnIdleClaim: by a key, by the browser's own back, by another page, by closing the tab, and
// before the claim was there.
func TestLeavingAReviewEndsAnIdleClaim(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	site, passed := plainDesk(t, 4)
	b := open(t, true)
	b.enter(site, "/reviews/"+passed[0], account.Supervisor)
	settle := func(what string, want ...string) {
		t.Helper()
		deadline := time.Now().Add(10 * time.Second)
		for !slices.Equal(claimed(t, site, passed), want) {
			if time.Now().After(deadline) {
				t.Fatalf("%s: claimed are %v, want %v", what, claimed(t, site, passed), want)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	b.says("#claim", "You're reviewing this")
	for _, id := range passed[1:3] {
		b.press("j")
		b.at("/reviews/" + id)
		b.says("#claim", "You're reviewing this")
		settle("after j", id)
	}
	b.run(chromedp.NavigateBack())
	b.at("/reviews/" + passed[1])
	b.says("#claim", "You're reviewing this")
	settle("after back", passed[1])
	b.run(chromedp.Navigate(site.URL + "/reviews/" + passed[3]))
	b.says("#claim", "You're reviewing this")
	settle("after another address", passed[3])
	b.press("k") // gone on before three seconds are over
	b.at("/reviews/" + passed[2])
	b.run(chromedp.Navigate(site.URL + "/inbox"))
	time.Sleep(4 * time.Second)
	settle("after going past")
	b.quiet("leaving reviews")
}

// TestARenewalTurnsNoKeyOff: after a pause Ctrl is the key that renews the claim, and Ctrl+Enter sends the form all the
// same.
func TestARenewalTurnsNoKeyOff(t *testing.T) {
	site, passed := plainDesk(t, 2)
	b := open(t, true)
	b.enter(site, "/reviews/"+passed[0]+"?mode=skip", account.Supervisor)
	b.says("#claim", "You're reviewing this")
	b.write("#reason", "I know the customer")
	b.until("the reason is saved", `document.querySelector("[data-saved]").textContent !== ""`)
	eval[any](b, `(() => {
		const sent = window.fetch;
		window.fetch = (to, how) => String(to).endsWith("/renew")
			? new Promise(done => { window.renew = () => done(sent(to, how)); }) : sent(to, how);
		return 0;
	})()`)
	b.later(70 * time.Second)
	b.run(chromedp.KeyEvent(kb.Control))
	b.until("the renewal is under way", `window.renew !== undefined`)
	b.ctrlEnter()
	b.at("/reviews/" + passed[1])
	eval[any](b, `(window.renew(), 0)`)
	item, err := site.Reviews.Get(t.Context(), passed[0])
	if err != nil || len(item.Skips) != 1 {
		t.Errorf("skipped %d times (%v), want once", len(item.Skips), err)
	}
	b.quiet("sending while the claim is renewed")
}

// TestTheBarFollowsAClaim: when a colleague begins a review that one is looking at, and when they decide it, nothing
// that one could press is left.
func TestTheBarFollowsAClaim(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	site, passed := plainDesk(t, 1)
	b := open(t, true)
	b.enter(site, "/reviews/"+passed[0]+"?mode=revise", account.Supervisor)
	b.says("#claim", "You're reviewing this")
	b.write("#text", "Half of a sentence that stays")
	ben := site.Account(t, account.Supervisor)
	me := review.Person{ID: ben.ID, Name: ben.Name}
	item, err := site.Reviews.Get(t.Context(), passed[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := site.Reviews.Unclaim(t.Context(), passed[0], item.Claim.By); err != nil {
		t.Fatal(err)
	}
	if err := site.Reviews.Claim(t.Context(), passed[0], me); err != nil {
		t.Fatal(err)
	}
	b.says(".bar", ben.Name+" is reviewing this.")
	b.until("nothing sends", `document.querySelector("#send, #approve, #reject") === null`)
	b.until("what was typed is there", `document.querySelector("#text").value === "Half of a sentence that stays"`)
	if err := site.Reviews.Unclaim(t.Context(), passed[0], me); err != nil {
		t.Fatal(err)
	}
	b.says(".bar", "Send revision and next")
	if err := site.Reviews.Claim(t.Context(), passed[0], me); err != nil {
		t.Log(err) // the page was quicker
		return
	}
	if _, err := site.Reviews.Decide(t.Context(),
		review.Input{ID: passed[0], By: me, Kind: review.Approve, Version: item.Version,
			TextHash: item.TextHash}); err != nil {
		t.Fatal(err)
	}
	b.until("the decision stands in the bar's place",
		`document.querySelector("#send") === null && document.querySelector("#stop") !== null`)
	b.quiet("the bar of a claim")
}
