package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/platform/config"
)

// One token can't take more than its share of the program, and its page says when it tried.
func TestATokenIsHeldToItsShare(t *testing.T) {
	site := apptest.Open(t, func(c *config.Config) { c.TokenRate = 1 })
	plain := site.Token(t, account.Scopes...)
	ask := func(token, path, body string) apptest.Response {
		return site.Nobody(t).Do(t, http.MethodPost, path, "application/json", body, "Authorization", "Bearer "+token,
			"Accept", "application/json, text/event-stream")
	}
	tool := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":{"query":"x"}}}`
	// Ten at once: four calls, and a batch that counts for one and for each of its five.
	for range 4 {
		if r := ask(plain, "/api/recall", `{"query":"x"}`); r.Status != http.StatusOK {
			t.Fatalf("within the share: %d %s", r.Status, r.Body)
		}
	}
	if r := ask(plain, "/mcp", "["+strings.Repeat(tool+",", 4)+tool+"]"); strings.Count(r.Body, `"jsonrpc"`) != 5 ||
		strings.Contains(r.Body, "isError") {
		t.Fatalf("a batch of five: %s", r.Body)
	}
	for path, body := range map[string]string{"/api/recall": `{"query":"x"}`, "/api/check": `{"guidance":"x"}`,
		"/mcp": tool, "/v1/chat/completions": `{}`} {
		if r := ask(plain, path, body); r.Status != http.StatusTooManyRequests || r.Header.Get("Retry-After") == "" {
			t.Errorf("%s beyond the share: %d %v", path, r.Status, r.Header)
		}
	}
	if r := ask(site.Token(t, account.Recall), "/api/recall", `{"query":"x"}`); r.Status != http.StatusOK {
		t.Errorf("another token: %d", r.Status)
	}
	if page := site.SignedIn(t, account.Admin).Get(t, "/admin/agents"); strings.Count(page.Body,
		"Limited 4 times since the start (too many requests)") != 1 {
		t.Error("the token's page doesn't say it")
	}
}

// Each door has its bound, and says it.
func TestEveryDoorHasABound(t *testing.T) {
	site := apptest.Open(t)
	plain := site.Token(t, account.Scopes...)
	text := func(n int) string { return strings.Repeat("x", n) }
	many := func(n int, one string) string { return "[" + strings.Repeat(one+",", n-1) + one + "]" }
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	seen := `{"type":"success","action":"a","user":"b","ctx":{},"conf":0.5,"ts":"2025-01-01T00:00:00Z"}`
	for _, c := range []struct {
		name, path, body string
		status           int
		says             string
	}{
		{"guidance to check", "/api/check", `{"guidance":"` + text(204_801) + `"}`, 422, "Shorten it by at least"},
		{"guidance in a list", "/api/check", `[{"guidance":"` + text(1_900_000) + `"}]`, 200, "Shorten it by at least"},
		{"a customer", "/api/check", `{"guidance":"Hi.","customer":{"a":"` + text(100_000) + `"}}`, 422,
			"Shorten it by at least"},
		{"a question", "/api/check", `{"guidance":"Hi.","question":"` + text(30_000) + `"}`, 422,
			"Shorten it by at least"},
		{"a text of any operation", "/api/recall", `{"query":"x","user_id":"` + text(300_000) + `"}`, 422,
			"Shorten it by at least"},
		{"mistakes", "/api/recall", `{"query":"x"` + func() (s string) {
			for i := range 500 {
				s += fmt.Sprintf(`,"a%d":1`, i)
			}
			return s
		}() + `}`, 422, "100 fields"},
		{"a list of any operation", "/api/evaluations",
			`{"results":` + many(1001, `{"evaluator_type":"e","issues":[]}`) + `}`, 422, "at most 1000"},
		{"issues", "/api/evaluations", `{"results":` +
			many(30, `{"evaluator_type":"e","issues":`+many(100, `"i"`)+`}`) + `}`, 422, "at most 2,000 issues"},
		{"reactions", "/api/reminders", `{"reactions":` + many(1001, `{"reaction":"x"}`) + `}`, 422, "at most 1000"},
		{"observations", "/api/observations", `{"file":{"session_id":"s","observations":` + many(1001, seen) +
			`,"proposals":[]}}`, 422, "at most 1000"},
		{"a batch", "/mcp", many(21, ping), 200, "1 to 20 calls"},
		{"no batch", "/mcp", "[]", 200, "1 to 20 calls"},
		{"half a call", "/mcp", ping[:len(ping)-1], 400, `"code":-32700`},
		{"no JSON", "/mcp", "hello", 400, `"jsonrpc":"2.0"`},
		{"a whole batch", "/mcp", many(20, ping), 200, `"result":{}`},
		{"a chat", "/v1/chat/completions", `{"messages":[{"role":"user","content":"` + text(5<<20) + `"}]}`, 413,
			"too large"},
		{"a body", "/api/guidance", `{"guidance":"` + text(3<<20) + `"}`, 413, "too large"},
	} {
		r := site.Nobody(t).Do(t, http.MethodPost, c.path, "application/json", c.body, "Authorization", "Bearer "+plain,
			"Accept", "application/json, text/event-stream")
		if r.Status != c.status || !strings.Contains(r.Body, c.says) {
			t.Errorf("%s: %d %.300s", c.name, r.Status, r.Body)
		}
	}
}
