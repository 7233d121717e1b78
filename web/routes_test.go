package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
)

// rule says who may use the addresses under a prefix. It is written apart from routes.go on purpose: opening a part of
// the program to somebody takes a change in both.
type rule struct {
	prefix string
	method string // "" is any
	who    []account.Role
	open   bool // anybody
	path   bool // this very address, and none below
	token  bool // a bearer token, and no person
	early  bool // also people whose roles haven't taken effect
}

var desk = []account.Role{account.Supervisor, account.Manager, account.Admin}

var everybody = []account.Role{account.Supervisor, account.Expert, account.Manager, account.Admin}

// rules, the longest prefix first among those that match.
var rules = []rule{
	{prefix: "/healthz", open: true}, {prefix: "/readyz", open: true}, {prefix: "/static/", open: true},
	{prefix: "/metrics", open: true}, // from this machine, which the test is
	{prefix: "/sign-in", open: true}, {prefix: "/sign-out", open: true}, {prefix: "/demo/sign-in", open: true},
	{prefix: "/setup/", open: true}, {prefix: "/join/", open: true},
	{prefix: "/account", who: everybody, early: true}, {prefix: "/preferences", who: everybody},
	{prefix: "/preferences", path: true, method: http.MethodPost, who: everybody, early: true},
	{prefix: "/preferences/ranking", who: []account.Role{account.Manager, account.Admin}},
	{prefix: "/preferences/pairs", who: []account.Role{account.Manager, account.Admin}},
	{prefix: "/preferences/export", who: []account.Role{account.Manager, account.Admin}},
	{prefix: "/experiments", who: []account.Role{account.Manager, account.Admin}},
	{prefix: "/practice", who: []account.Role{account.Expert, account.Manager, account.Admin}},
	{prefix: "/practice/:id/propose", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/practice/:id/adopt", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/practice/:id/compare", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/admin", who: []account.Role{account.Admin}},
	{prefix: "/admin/policies", method: http.MethodGet, who: everybody, early: true},
	{prefix: "/admin/policies/propose", who: []account.Role{account.Admin}},
	{prefix: "/api/", token: true}, {prefix: "/mcp", token: true}, {prefix: "/v1/", token: true},
	{prefix: "/api/openapi", open: true}, {prefix: "/openapi.json", open: true}, {prefix: "/api/docs", open: true}, {prefix: "/api/schemas", open: true},
	{prefix: "/reviews", who: []account.Role{account.Supervisor}},
	{prefix: "/reviews", path: true, who: desk}, {prefix: "/reviews/assign", who: desk},
	{prefix: "/reviews/escalated", who: desk},
	{prefix: "/reviews/columns", who: []account.Role{account.Manager, account.Admin}},
	{prefix: "/reviews/filters", who: desk},
	{prefix: "/search", who: everybody, early: true},
	{prefix: "/decisions/", who: []account.Role{account.Supervisor}},
	{prefix: "/comments", who: []account.Role{account.Supervisor}},
	{prefix: "/inbox", who: everybody, early: true}, {prefix: "/progress", who: everybody, early: true},
	{prefix: "/learning", method: http.MethodGet, who: everybody},
	{prefix: "/learning/several", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/learning/reflections", who: []account.Role{account.Expert, account.Manager, account.Admin}},
	{prefix: "/datasets/:id/versions/:n/learn", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/compliance", method: http.MethodGet, who: everybody},
	{prefix: "/compliance", method: http.MethodPost, who: []account.Role{account.Expert}},
	{prefix: "/todo", who: []account.Role{account.Expert}},
	{prefix: "/compliance/next", who: []account.Role{account.Expert}},
	{prefix: "/compliance/ratings/", who: []account.Role{account.Expert}},
	{prefix: "/compliance/:id/", who: []account.Role{account.Expert}},
	{prefix: "/compliance/:id/close", who: []account.Role{account.Manager, account.Admin}},
	{prefix: "/compliance/:id/rule", who: []account.Role{account.Expert, account.Manager, account.Admin}},
	{prefix: "/compliance/:id/undo", who: []account.Role{account.Expert, account.Manager, account.Admin}},
	{prefix: "/compliance/rubric/settle", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/approvals", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/compliance/checks", method: http.MethodGet, who: everybody},
	{prefix: "/compliance/checks", method: http.MethodPost, who: []account.Role{account.Expert}},
	{prefix: "/compliance/checks/new", who: []account.Role{account.Expert}},
	{prefix: "/compliance/checks/:id/reword", who: []account.Role{account.Expert}},
	{prefix: "/compliance/checks/:id/:answer", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/compliance/judges", method: http.MethodGet,
		who: []account.Role{account.Expert, account.Manager, account.Admin}},
	{prefix: "/compliance/judges/", method: http.MethodPost, who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/learning/", method: http.MethodPost, who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/knowledge", who: everybody, early: true},
	{prefix: "/knowledge/file", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/knowledge/rules/:id/settle", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/knowledge/unanswered", method: http.MethodGet, who: everybody},
	{prefix: "/knowledge/unanswered/", method: http.MethodPost, who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/knowledge/documents/", method: http.MethodPost, who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/knowledge/section", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/knowledge/rules/:id/ask", who: []account.Role{account.Manager, account.Admin}},
	{prefix: "/knowledge/rules/:id/accept", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/knowledge/rules/:id/teach", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/knowledge/rules/:id/preview", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/knowledge/rules/:id/quarantine", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/knowledge/rules/:id/still-right", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/knowledge/cases/:id/retire", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/knowledge/conflicts/:id", method: http.MethodPost, who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/ask", who: everybody, early: true}, {prefix: "/help", open: true},
	{prefix: "/knowledge/rules/:id/edit", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/knowledge/rules/:id/rollback", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/knowledge/history", method: http.MethodPost, who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/interactions/:id", who: desk}, {prefix: "/reviews/:id", path: true, method: http.MethodGet, who: desk},
	{prefix: "/interactions/:id/recall", who: everybody},
	{prefix: "/interactions/:id/evidence", who: desk},
	{prefix: "/stats/packs", who: []account.Role{account.Manager, account.Admin}},
	{prefix: "/events", who: everybody, early: true}, {prefix: "/nav", who: everybody, early: true},
	{prefix: "/overview", who: []account.Role{account.Manager, account.Admin}},
	{prefix: "/stats", who: []account.Role{account.Manager, account.Admin}},
	{prefix: "/stats/mine", who: []account.Role{account.Supervisor}},
	{prefix: "/datasets", who: []account.Role{account.Expert, account.Manager, account.Admin}},
	{prefix: "/datasets/:id/items/", who: []account.Role{account.Manager, account.Admin}},
	{prefix: "/datasets/:id/items", path: true, method: http.MethodGet,
		who: []account.Role{account.Manager, account.Admin}},
	{prefix: "/datasets/:id/items/new", who: []account.Role{account.Expert, account.Manager, account.Admin}},
	{prefix: "/datasets/:id/items/:item/erase", who: []account.Role{account.Admin}},
	{prefix: "/datasets/:id/label", who: []account.Role{account.Expert}},
	{prefix: "/f/", open: true}, {prefix: "/widget/", open: true}, {prefix: "/talk/", open: true},
	{prefix: "/c/", open: true}, {prefix: "/chat", who: everybody, early: true},
	{prefix: "/feedback", path: true, who: []account.Role{account.Manager, account.Admin}},
	{prefix: "/feedback/", who: desk},
	{prefix: "/feedback/examples", who: everybody},
	{prefix: "/feedback/examples/:id/retire", who: []account.Role{account.Expert, account.Admin}},
	{prefix: "/feedback/nightly", who: everybody},
	{prefix: "/feedback/:id/outcome", who: []account.Role{account.Supervisor}},
	{prefix: "/feedback/links/end", who: []account.Role{account.Admin}},
	{prefix: "/exports", who: []account.Role{account.Supervisor, account.Manager, account.Admin}},
}

func ruleFor(method, path string) (best rule, ok bool) {
	if path == "/" {
		return rule{who: everybody, early: true}, true
	}
	for _, r := range rules {
		if strings.HasPrefix(path, r.prefix) && (!r.path || path == r.prefix) &&
			(r.method == "" || r.method == method) && len(r.prefix) >= len(best.prefix) {
			best, ok = r, true
		}
	}
	return best, ok
}

// fill replaces the parameters of a route by an id that nothing has.
func fill(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if strings.HasPrefix(p, ":") {
			parts[i] = "01900000-0000-7000-8000-000000000000"
		}
		if p == "*" {
			parts[i] = "none"
		}
	}
	return strings.Join(parts, "/")
}

func routesOf(t *testing.T, s *apptest.Site) []*echo.Route {
	t.Helper()
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	list := h.(*echo.Echo).Routes()
	slices.SortFunc(list, func(a, b *echo.Route) int { return strings.Compare(a.Path+a.Method, b.Path+b.Method) })
	if len(list) < 30 {
		t.Fatalf("only %d routes", len(list))
	}
	return list
}

// Every route × everybody: nobody, a program with a token, each role, somebody who was disabled.
func TestAccessMatrix(t *testing.T) {
	model := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})) // behind the proxy
	defer model.Close()
	site := apptest.Open(t, func(c *config.Config) { c.Proxy, c.LLM.BaseURL = true, model.URL })
	site.Account(t, account.Admin) // so that the admin below is not the last one
	plain := site.Token(t, account.Submit, account.Recall, account.Feedback)
	people := map[account.Role]account.Account{}
	for _, r := range everybody {
		people[r] = site.Account(t, r)
	}
	// Somebody with every role, none of which has taken effect: what every role may, they may.
	unready := site.Account(t, everybody...)
	if err := site.DB.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE account_role SET counts_at = $1
			WHERE account_id = $2`, tx.NowMs()+time.Hour.Milliseconds(), unready.ID)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	gone := site.Account(t, everybody...)
	disabled := site.Enter(t, gone)
	if _, err := site.Accounts.Disable(t.Context(), gone.ID, people[account.Admin].Actor()); err != nil {
		t.Fatal(err)
	}
	for _, route := range routesOf(t, site) {
		r, ok := ruleFor(route.Method, route.Path)
		if !ok {
			t.Errorf("%s %s is in no rule: say here who may use it", route.Method, route.Path)
			continue
		}
		nobody, agent := site.Nobody(t), site.Nobody(t)
		agent.Header.Set("Authorization", "Bearer "+plain)
		expect(t, "nobody", nobody, route, r.open)
		expect(t, "a token", agent, route, r.open || r.token)
		expect(t, "a disabled person", disabled, route, r.open)
		expect(t, "somebody whose roles haven't taken effect", site.Enter(t, unready), route, r.open || r.early)
		for role, a := range people {
			// A new session each time: some routes end it.
			expect(t, string(role), site.Enter(t, a), route, r.open || slices.Contains(r.who, role))
		}
	}
}

func expect(t *testing.T, who string, c *apptest.Client, route *echo.Route, allowed bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	res := c.Head(ctx, t, route.Method, fill(route.Path))
	turnedAway := res.Status == http.StatusUnauthorized || res.Status == http.StatusForbidden ||
		res.Status == http.StatusSeeOther && strings.HasPrefix(res.Header.Get("Location"), "/sign-in?")
	if route.Path == "/sign-in" && route.Method == http.MethodPost {
		// as an empty form is answered
		turnedAway = res.Status != http.StatusUnauthorized && res.Status != http.StatusTooManyRequests
	}
	if turnedAway == allowed || res.Status >= 500 && route.Path != "/readyz" {
		t.Errorf("%s %s as %s: %d, want allowed=%v", route.Method, route.Path, who, res.Status, allowed)
	}
}

// A token's scopes are its only rights: a path outside them is refused, and pages know no tokens.
func TestScopes(t *testing.T) {
	site := apptest.Open(t)
	c := site.Nobody(t)
	c.Header.Set("Authorization", "Bearer "+site.Token(t, account.Recall))
	for _, route := range routesOf(t, site) {
		if route.Path != "/api/guidance" {
			continue
		}
		if res := c.Do(t, route.Method, route.Path, "application/json", "{}"); res.Status != http.StatusForbidden {
			t.Errorf("%s with a recall token: %d", route.Path, res.Status)
		}
	}
}
