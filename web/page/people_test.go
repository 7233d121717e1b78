package page_test

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/comment"
	"preceptor/internal/policy"
	"preceptor/internal/review"
)

// Whoever is blocked, or is no supervisor any more, holds nothing: what they worked on, were assigned and approved
// first is in the queue.
func TestWhatABlockedPersonHeldGoesBack(t *testing.T) {
	for how, form := range map[string]url.Values{"disable": nil, "roles": {"roles": {"expert"}}} {
		t.Run(how, func(t *testing.T) {
			site := apptest.Open(t)
			ann, ben, boss := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor),
				site.SignedIn(t, account.Admin)
			me := review.Person{ID: ann.Account.ID, Name: ann.Account.Name}
			held := bring(t, site, passing, dcCustomer())
			claimed, assigned, signed := bring(t, site, passing, dcCustomer()), bring(t, site, passing, dcCustomer()),
				bring(t, site, failing, dbCustomer())
			if err := site.Reviews.Claim(t.Context(), claimed, me); err != nil {
				t.Fatal(err)
			}
			if _, err := site.Reviews.Assign(t.Context(),
				review.Assignment{IDs: []string{assigned}, To: me.ID, By: me}); err != nil {
				t.Fatal(err)
			}
			revise(t, ann, signed)
			approve(t, ann, held)
			has(t, page(t, boss.Get(t, "/admin/people/"+me.ID), http.StatusOK), "main",
				"takes back 1 first approval of "+me.Name+
					": each of those reviews then needs two new approvals, and giving access back doesn't "+
					"restore them. "+
					"1 decision of "+me.Name+" not sent yet will be undone, and the drafts go back to the queue. "+
					"2 reviews assigned to or open with")
			has(t, page(t, ben.Get(t, "/inbox"), http.StatusOK), ".notice-row", "A review needs a second approval")
			if r := boss.Post(t, "/admin/people/"+me.ID+"/"+how, form); r.Status != http.StatusSeeOther {
				t.Fatalf("%d %.300s", r.Status, r.Body)
			}
			item, err := site.Reviews.Get(t.Context(), held)
			if err != nil || item.State != "waiting" {
				t.Errorf("what was held is %s, %v", item.State, err)
			}
			why := map[string]string{"disable": " blocked ", "roles": " removed "}[how]
			has(t, show(t, ben, held, ""), ".history, main", boss.Account.Name+why+me.Name)
			for what, id := range map[string]string{"claimed": claimed, "assigned": assigned,
				"approved first": signed} {
				item, err := site.Reviews.Get(t.Context(), id)
				if err != nil || item.State != "waiting" || item.Claim.By.ID != "" || item.AssignedTo.ID != "" ||
					item.First.ID != "" {
					t.Errorf("what they %s: %s, claimed by %q, assigned to %q, first %q, %v", what, item.State,
						item.Claim.By.Name, item.AssignedTo.Name, item.First.Name, err)
				}
			}
			has(t, show(t, ben, signed, "?mode=revise"), ".bar", "Needs 2 approvals: yours is the first")
			has(t, show(t, ben, assigned, ""), ".case-known", me.Name+", who can no longer decide")
			unread := notices(t, site, ben.Account)
			if len(unread) != 1 || unread[0].Kind != comment.Lapsed {
				t.Errorf("the second approver is told %+v", unread)
			}
			told := boss.Account.Name + why + me.Name
			if how == "roles" {
				told += " from the supervisors"
			}
			told += "; the draft needs a new decision"
			mine := notices(t, site, ann.Account)
			if !slices.ContainsFunc(mine, func(n comment.Notice) bool {
				return n.Kind == comment.Voided && n.Task == told
			}) {
				t.Errorf("whose decision was undone is told %+v", mine)
			}
			lapsed := 0
			if err := site.Reviews.WalkDecided(t.Context(), time.Time{}, site.Clock.Now().Add(time.Hour),
				func(s review.Settled) {
					if s.Lapsed() {
						lapsed++
					}
				}); err != nil || lapsed != 2 {
				t.Errorf("%d decisions lapsed, %v", lapsed, err)
			}
			decide(t, site, signed, ben.Account, review.Input{Kind: review.Reject, ReasonCode: "wrong_facts"})
			site.Clock.Advance(time.Minute)
			site.Drain(t)
			if left := notices(t, site, ben.Account); len(left) != 0 {
				t.Errorf("the review is decided, and what asked for a new approval is unread: %+v", left)
			}
			if text := page(t, boss.Get(t, "/admin/people/"+me.ID),
				http.StatusOK).Find("main").Text(); strings.Contains(text, "takes back") {
				t.Error("there is nothing left to take back, and the page says so")
			}
		})
	}
}

// The invitation ticks no role: who is invited as what is a choice.
func TestAnInvitationTicksNoRole(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	none := func(doc *goquery.Document) {
		t.Helper()
		if n := doc.Find(`#add input[name="roles"]`).Length(); n != len(account.Roles) ||
			doc.Find(`#add input[name="roles"][checked]`).Length() != 0 {
			t.Errorf("of %d roles %d are ticked", n, doc.Find(`#add input[name="roles"][checked]`).Length())
		}
	}
	none(page(t, boss.Get(t, "/admin/people"), http.StatusOK))
	doc := page(t, boss.Post(t, "/admin/people", url.Values{"name": {"Una New"}, "email": {"una@example.com"}}),
		http.StatusUnprocessableEntity)
	has(t, doc, "#add", "Choose at least one role")
	none(page(t, boss.Follow(t, "/admin/people",
		url.Values{"name": {"Una New"}, "email": {"una@example.com"}, "roles": {"expert"}}), http.StatusOK))
}

// An administrator whose role doesn't count yet can't agree, and isn't offered to.
func TestAgreeIsShownToWhoCan(t *testing.T) {
	site := apptest.Open(t)
	boss, other := site.SignedIn(t, account.Admin), site.SignedIn(t, account.Manager)
	// from now on a new role waits for a day
	approve(t, site.SignedIn(t, account.Supervisor), bring(t, site, passing, dcCustomer()))
	if _, err := site.Accounts.SetRoles(t.Context(), other.Account.ID, []account.Role{account.Manager, account.Admin},
		boss.Account.Actor(), ""); err != nil {
		t.Fatal(err)
	}
	p := policy.Default()
	p.Share = 0
	v, err := site.Policies.Propose(t.Context(), p, 0, "why", boss.Account.Actor())
	if err != nil {
		t.Fatal(err)
	}
	offered := func(who *apptest.Client) int {
		return page(t, who.Get(t, "/admin/policies/"+strconv.Itoa(v.Policy.Version)),
			http.StatusOK).Find(`form[action$="/agree"]`).Length()
	}
	if offered(other) != 0 {
		t.Error("an administrator since a minute ago is offered to agree")
	}
	site.Clock.Advance(25 * time.Hour)
	if offered(site.Enter(t, other.Account)) != 1 {
		t.Error("a day later the administrator isn't")
	}
}

// Nobody is offered what they can't do, and a token is revoked in two steps that say what follows.
func TestDangerousActsSayWhatFollows(t *testing.T) {
	site := apptest.Open(t)
	boss, other := site.SignedIn(t, account.Admin), site.Account(t, account.Admin)
	own := page(t, boss.Get(t, "/admin/people/"+boss.Account.ID), http.StatusOK)
	hasNot(t, own, `form[action$="/disable"]`)
	has(t, own, "main", "You can't block yourself. Another administrator can.")
	if page(t, boss.Get(t, "/admin/people/"+other.ID), http.StatusOK).Find(`form[action$="/disable"]`).Length() != 1 {
		t.Error("another administrator can't be blocked")
	}
	site.Token(t, account.Submit)
	agents := page(t, boss.Get(t, "/admin/agents"), http.StatusOK)
	hasNot(t, agents, `details[open] form[action$="/revoke"]`)
	has(t, agents, `details form[action$="/revoke"]`,
		"Requests with it are refused at once, for good. It hasn't been used yet.")
}
