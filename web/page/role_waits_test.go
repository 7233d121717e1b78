package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// A role that takes effect a day later is said to who grants it and to who gets it, and that person's home is a page
// that opens.
func TestARoleThatWaitsIsSaidToBoth(t *testing.T) {
	s := apptest.Open(t)
	root := s.SignedIn(t, account.Admin)
	first := s.SignedIn(t, account.Supervisor)
	if r := approve(t, first, bring(t, s, passing, dcCustomer())); r.Status != http.StatusSeeOther {
		// from now on roles wait
		t.Fatalf("approve: %d", r.Status)
	}
	for _, role := range []account.Role{account.Expert, account.Manager, account.Admin} {
		who := s.SignedIn(t, account.Supervisor)
		r := root.Post(t, "/admin/people/"+who.Account.ID+"/roles", url.Values{"roles": {string(role)}})
		if r.Status != http.StatusSeeOther {
			t.Fatalf("%s: %d %.300s", role, r.Status, r.Body)
		}
		has(t, page(t, root.Get(t, r.Header.Get("Location")), http.StatusOK), "#notice", "takes effect on")
		home := who.Get(t, "/")
		if home.Status != http.StatusSeeOther {
			t.Fatalf("%s: %d", role, home.Status)
		}
		doc := page(t, who.Get(t, home.Header.Get("Location")), http.StatusOK)
		has(t, doc, "#notice", "Not in effect yet")
		has(t, page(t, who.Get(t, "/inbox"), http.StatusOK), ".notice-list",
			root.Account.Name+" gave you a new role. It takes effect after 24 hours")
	}
	// Taken back before it counts, there is nothing to object to any more.
	who, other := s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Admin)
	for _, roles := range [][]string{{"supervisor", "expert"}, {"supervisor"}} {
		if r := root.Post(t, "/admin/people/"+who.Account.ID+"/roles",
			url.Values{"roles": roles}); r.Status != http.StatusSeeOther {
			t.Fatalf("%s: %d %.300s", roles, r.Status, r.Body)
		}
		for c, says := range map[*apptest.Client]string{who: "gave you a new role",
			other: "new role to " + who.Account.Name} {
			if inbox := page(t, c.Get(t, "/inbox"), http.StatusOK); len(roles) == 2 {
				has(t, inbox, ".notice-list", says)
			} else {
				hasNot(t, inbox, `.notice-list li:contains("`+says+`")`)
			}
		}
	}
	doc := page(t, root.Follow(t, "/admin/people",
		url.Values{"name": {"Eve"}, "email": {"eve@example.org"}, "roles": {"supervisor"}}), http.StatusOK)
	has(t, doc, "main .notice", "takes effect 24 hours after they choose their password")
	// Every page says the same of when: of an invited person nobody knows the time, of another everybody does.
	const unknown = "Not in effect yet: supervisor, until 24 hours after they choose a password"
	has(t, doc, "main table", unknown)
	list := page(t, root.Get(t, "/admin/people?q=eve%40example.org"), http.StatusOK)
	has(t, list, "main table", unknown)
	has(t, page(t, root.Get(t, list.Find("main table th a").AttrOr("href", "")), http.StatusOK), "main", unknown)
	if text := list.Find("main").Text(); strings.Contains(text, "next click") ||
		!strings.Contains(text, "New roles take 24 hours to start") {
		t.Error("the page says that new roles work at once")
	}
	granted := s.Account(t, account.Expert)
	if r := root.Post(t, "/admin/people/"+granted.ID+"/roles",
		url.Values{"roles": {"expert", "manager"}}); r.Status != http.StatusSeeOther {
		t.Fatalf("%d", r.Status)
	}
	has(t, page(t, root.Get(t, "/admin/people/"+granted.ID), http.StatusOK), "main",
		"Not in effect yet: manager from 3 November 2026")
}

// A new password by an administrator's link stops every role for a day: the person's page says so before, the link when
// it was made, and whoever used it reads which role takes effect when, under a heading that doesn't deny it to them.
func TestAResetSaysThatEveryRoleStops(t *testing.T) {
	s := apptest.Open(t)
	root := s.SignedIn(t, account.Admin)
	first := s.SignedIn(t, account.Supervisor)
	if r := approve(t, first, bring(t, s, passing, dcCustomer())); r.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d", r.Status)
	}
	for role, path := range map[account.Role]string{account.Expert: "/compliance", account.Manager: "/overview",
		account.Supervisor: "/reviews"} {
		who := s.SignedIn(t, role)
		at := "/admin/people/" + who.Account.ID
		has(t, page(t, root.Get(t, at), http.StatusOK), "main", "none of their roles works for 24 hours")
		made := page(t, root.Follow(t, at+"/link", nil), http.StatusOK)
		has(t, made, "main .notice", "none of their roles works for 24 hours")
		_, link, _ := strings.Cut(words(made, "#fresh-link"), "/join/")
		if link = "/join/" + strings.Fields(link)[0]; who.Post(t, link,
			url.Values{"password": {apptest.Password}}).Status != http.StatusSeeOther {
			t.Fatalf("%s: the link doesn't work", role)
		}
		doc := page(t, s.SignIn(t, who.Account).Get(t, path), http.StatusForbidden)
		has(t, doc, "h1", "Your role isn't in effect yet")
		has(t, doc, "main", "a day after it was granted or the password was reset")
		has(t, doc, "#notice", "Not in effect yet: ")
	}
	doc := page(t, s.SignedIn(t, account.Manager).Get(t, "/admin/people"), http.StatusForbidden)
	has(t, doc, "h1", "You don't have access")
}
