package app_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/comment"
	"preceptor/internal/interaction"
	"preceptor/internal/review"
)

// inUse makes the first decision of a firm on a case of its own, so that p.id is still open.
func (p *pair) inUse(t *testing.T) {
	t.Helper()
	first := p.advise(t, "Could I put my pensions together in one place?", 310_000)
	p.revise(t, first)
}

var joinLink = regexp.MustCompile(`/join/[\w-]{43}`)

// join makes a person by an invitation, and opens the link in the place of that person.
func join(t *testing.T, site *apptest.Site, boss *apptest.Client, email string, roles ...string) *apptest.Client {
	t.Helper()
	made := boss.Follow(t, "/admin/people", url.Values{"name": {"Made Up"}, "email": {email}, "roles": roles})
	a, err := site.Accounts.ByEmail(t.Context(), email)
	if err != nil {
		t.Fatal(err)
	}
	return openLink(t, site, joinLink.FindString(made.Body), a)
}

func openLink(t *testing.T, site *apptest.Site, link string, who account.Account) *apptest.Client {
	t.Helper()
	c := site.Nobody(t)
	c.Account = who
	if r := c.Post(t, link, url.Values{"password": {"seven boats in the harbour"}}); link == "" ||
		r.Status != http.StatusSeeOther {
		t.Fatalf("open the link %q: %d %s", link, r.Status, notices(r.Body))
	}
	return c
}

func (p pair) wantNothingReleased(t *testing.T) {
	t.Helper()
	p.settle(t)
	if status, text := p.status(t, p.id); status != interaction.Waiting || text != "" {
		t.Errorf("the transfer went out: %s, %q", status, text)
	}
	list, err := p.Reviews.DecisionsFor(t.Context(), p.id)
	if err != nil || len(list) != 0 {
		t.Errorf("decisions %v, %v", list, err)
	}
}

func (p pair) told(t *testing.T, c *apptest.Client, kind string) int {
	t.Helper()
	page, err := p.Comments.Notices(t.Context(), comment.Inbox{Account: c.Account.ID})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, one := range page.Items {
		if one.Kind == kind {
			n++
		}
	}
	return n
}

// One administrator plays two people who were made up, two whose passwords were reset, and themselves: no way releases
// a transfer of a defined benefit on the same day, and those who decide hear of each.
func TestOneAdministratorDoesNotSignTwice(t *testing.T) {
	for name, hands := range map[string]func(t *testing.T, p pair, boss *apptest.Client) [2]*apptest.Client{
		"two made-up people": func(t *testing.T, p pair, boss *apptest.Client) [2]*apptest.Client {
			return [2]*apptest.Client{join(t, p.Site, boss, "a@example.org", "supervisor"),
				join(t, p.Site, boss, "b@example.org", "supervisor")}
		},
		"two resets": func(t *testing.T, p pair, boss *apptest.Client) (hands [2]*apptest.Client) {
			for i, c := range []*apptest.Client{p.supervisor, p.second} {
				r := boss.Follow(t, "/admin/people/"+c.Account.ID+"/link", nil)
				hands[i] = openLink(t, p.Site, joinLink.FindString(r.Body), c.Account)
				if r := c.Get(t, "/account"); r.Status == http.StatusOK {
					t.Error("the person whose password was reset is still signed in")
				}
			}
			return hands
		},
		"a role for oneself and one made-up person": func(t *testing.T, p pair,
			boss *apptest.Client) [2]*apptest.Client {
			boss.Post(t, "/admin/people/"+boss.Account.ID+"/roles", url.Values{"roles": {"admin", "supervisor"}})
			return [2]*apptest.Client{boss, join(t, p.Site, boss, "a@example.org", "supervisor")}
		},
		"a role for somebody who is there, given twice": func(t *testing.T, p pair,
			boss *apptest.Client) (hands [2]*apptest.Client) {
			for i, roles := range [][]string{{"expert", "supervisor"}, {"expert"}, {"expert", "supervisor"}} {
				if r := boss.Post(t, "/admin/people/"+p.expert.Account.ID+"/roles",
					url.Values{"roles": roles}); r.Status != http.StatusSeeOther {
					t.Fatalf("change %d: %d", i, r.Status)
				}
			}
			return [2]*apptest.Client{p.expert, join(t, p.Site, boss, "a@example.org", "supervisor")}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := openPair(t)
			p.inUse(t)
			boss := p.SignedIn(t, account.Admin)
			other := p.SignedIn(t, account.Admin)
			bystander := p.SignedIn(t, account.Supervisor)
			pair := hands(t, p, boss)
			for _, c := range pair {
				r := c.Post(t, "/reviews/"+p.id+"/approve", p.form(t))
				if r.Status != http.StatusForbidden || !strings.Contains(r.Body, "takes effect") {
					t.Errorf("approve: %d %s", r.Status, notices(r.Body))
				}
				if r := c.Get(t, "/ask"); r.Status != http.StatusOK ||
					!strings.Contains(r.Body, "Not in effect yet: ") {
					t.Errorf("the page does not say that the role is new: %d", r.Status)
				}
			}
			p.wantNothingReleased(t)
			for _, who := range []*apptest.Client{other, bystander} {
				if p.told(t, who, comment.Granted)+p.told(t, who, comment.LinkMade) == 0 {
					t.Error("colleagues were not told")
				}
			}
			// A day later, when nobody objected, they are supervisors like others.
			p.Clock.Advance(24 * time.Hour)
			for i, a := range []string{review.Pending, review.Held} {
				who := p.Enter(t, pair[i].Account) // the session has run out
				if r := who.Post(t, "/reviews/"+p.id+"/approve", p.form(t)); r.Status != http.StatusSeeOther {
					t.Fatalf("a day later: %d %s", r.Status, notices(r.Body))
				}
				if list, err := p.Reviews.DecisionsFor(t.Context(), p.id); err != nil || list[len(list)-1].State != a {
					t.Errorf("%v, %v; want %s", list, err, a)
				}
			}
		})
	}
}

// A policy takes two administrators, and the second is not made for the occasion.
func TestOneAdministratorDoesNotAgreeToTheirOwnPolicy(t *testing.T) {
	p := openPair(t)
	p.inUse(t)
	boss := p.SignedIn(t, account.Admin)
	puppet := join(t, p.Site, boss, "a@example.org", "admin")
	policy, err := p.Policies.Current(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	policy.Share = 0.1
	v, err := p.Policies.Propose(t.Context(), policy, policy.Version, "Fewer.", boss.Account.Actor())
	if err != nil {
		t.Fatal(err)
	}
	if r := puppet.Post(t, "/admin/policies/"+v.ID+"/agree", nil); r.Status != http.StatusForbidden {
		t.Errorf("the new administrator agrees: %d %s", r.Status, notices(r.Body))
	}
	if p.told(t, boss, comment.Granted) != 0 {
		t.Error("who did it is told of it")
	}
}
