package mcp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/signal/turn"
)

// bearer sends a token with every request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// connect is the official client, with a token.
func connect(t *testing.T, s *apptest.Site, token string) *sdk.ClientSession {
	t.Helper()
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	cs, err := c.Connect(t.Context(),
		&sdk.StreamableClientTransport{Endpoint: s.URL + "/mcp", HTTPClient: &http.Client{Transport: bearer(token)}},
		nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cs.Close() })
	return cs
}

func call(t *testing.T, cs *sdk.ClientSession, name string, args any) (text string, isError bool) {
	t.Helper()
	res, err := cs.CallTool(context.Background(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return res.Content[0].(*sdk.TextContent).Text, res.IsError
}

func TestTheOfficialClient(t *testing.T) {
	site := apptest.Open(t)
	cs := connect(t, site, site.Token(t, account.Scopes...))
	list, err := cs.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		schema, _ := json.Marshal(tool.InputSchema)
		if strings.Contains(string(schema), "$ref") || strings.Contains(string(schema), `"agent":`) ||
			tool.Description == "" {
			t.Errorf("%s: %s %q", tool.Name, schema, tool.Description)
		}
	}
	for _, want := range []string{"recall", "submit_guidance", "get_decision", "observe", "give_feedback",
		"list_rules"} {
		if !slices.Contains(names, want) {
			t.Errorf("no tool %s among %v", want, names)
		}
	}

	if text, bad := call(t, cs, "recall", map[string]any{"query": "Can I take cash from my pension?"}); bad ||
		!strings.Contains(text, `"prompt"`) {
		t.Errorf("recall: %s", text)
	}
	if text, bad := call(t, cs, "list_rules", nil); bad || !strings.HasPrefix(text, `{"items":[`) {
		t.Errorf("list_rules: %s", text)
	}
	text, bad := call(t, cs, "submit_guidance",
		map[string]any{"consultation": map[string]any{"question": "Can I take cash?"},
			"guidance": "You can usually take a quarter of it tax-free."})
	var receipt struct{ ID, Status string }
	if err := json.Unmarshal([]byte(text), &receipt); bad || err != nil || receipt.Status != "waiting" {
		t.Fatalf("submit_guidance: %s", text)
	}
	if text, bad := call(t, cs, "get_decision", map[string]any{"id": receipt.ID}); bad ||
		!strings.Contains(text, `"status":"waiting"`) || !strings.Contains(text, `"agent":"pension-advisor"`) {
		t.Errorf("get_decision: %s", text)
	}

	text, bad = call(t, cs, "observe",
		map[string]any{"query": "How many?", "response": "Two.",
			"steps": []any{map[string]any{"tool": "sql", "input": "SELECT 1"}}})
	var seen struct{ ID string }
	if err := json.Unmarshal([]byte(text), &seen); bad || err != nil {
		t.Fatalf("observe: %s", text)
	}
	var source string
	if err := site.DB.Read(t.Context(), func(tx *db.Tx) error {
		return db.One(tx, "test", `SELECT source FROM turn WHERE id = $1`, seen.ID).Scan(&source)
	}); err != nil || source != turn.ByMCP {
		t.Errorf("the turn came by %q, %v", source, err)
	}

	p, err := cs.GetPrompt(t.Context(),
		&sdk.GetPromptParams{Name: "with_memory", Arguments: map[string]string{"question": "Can I take cash?"}})
	if err != nil || !strings.HasSuffix(p.Messages[0].Content.(*sdk.TextContent).Text, "Can I take cash?") {
		t.Errorf("with_memory: %v %v", p, err)
	}
	r, err := cs.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "preceptor://rules"})
	if err != nil || !strings.HasPrefix(r.Contents[0].Text, `{"items":[`) {
		t.Errorf("rules: %v %v", r, err)
	}
}

// What is wrong is a tool's error that says what to mend, and never a broken connection.
func TestWhatIsRefused(t *testing.T) {
	site := apptest.Open(t)
	other, _, err := site.Accounts.CreateToken(t.Context(), "other", "general", account.Scopes, time.Time{},
		audit.System("test"))
	if err != nil {
		t.Fatal(err)
	}
	cs := connect(t, site, site.Token(t, account.Scopes...))
	text, _ := call(t, cs, "submit_guidance",
		map[string]any{"consultation": map[string]any{"question": "Can I take cash?"}, "guidance": "You can."})
	var receipt struct{ ID string }
	if err := json.Unmarshal([]byte(text), &receipt); err != nil {
		t.Fatal(err)
	}
	theirs, poor := connect(t, site, other), connect(t, site, site.Token(t, account.Feedback))
	for _, c := range []struct {
		name, tool string
		by         *sdk.ClientSession
		args       map[string]any
		says       string
	}{
		{"another agent's decision", "get_decision", theirs, map[string]any{"id": receipt.ID},
			"There is no such guidance"},
		{"no id", "get_decision", cs, map[string]any{}, "id: This argument is required."},
		{"an id that leads elsewhere", "get_decision", cs, map[string]any{"id": "../policy"}, "no such guidance"},
		{"an argument too many", "get_decision", cs, map[string]any{"id": receipt.ID, "agent": "other"},
			"agent: Unknown argument"},
		{"a missing field", "submit_guidance", cs, map[string]any{"guidance": "You can."}, "#/consultation"},
		{"an unknown field", "recall", cs, map[string]any{"query": "x", "colour": "red"}, "#/colour"},
		{"another agent's name", "recall", cs, map[string]any{"query": "x", "agent": "other"}, "belongs to the agent"},
		{"a scope that the token lacks", "recall", poor, map[string]any{"query": "x"}, "have the scope"},
	} {
		if text, bad := call(t, c.by, c.tool, c.args); !bad || !strings.Contains(text, c.says) {
			t.Errorf("%s: %v %q", c.name, bad, text)
		}
	}
	if _, err := poor.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "preceptor://rules"}); err == nil {
		t.Error("rules were read without the scope")
	}
}

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

func TestWhoMayConnect(t *testing.T) {
	site := apptest.Open(t)
	token := site.Token(t, account.Recall)
	accept := []string{"Accept", "application/json, text/event-stream"}
	for _, c := range []struct {
		name, token, body string
		header            []string
		want              int
	}{
		{"a token", token, ping, nil, http.StatusOK},
		{"none", "", ping, nil, http.StatusUnauthorized},
		{"a wrong one", token[:len(token)-1] + "x", ping, nil, http.StatusUnauthorized},
		{"a page of this machine", token, ping, []string{"Origin", "http://localhost:6274"}, http.StatusOK},
		{"a foreign page", token, ping, []string{"Origin", "https://evil.example"}, http.StatusForbidden},
		{"a page whose name was rebound to us", token, ping,
			[]string{"Origin", "http://evil.example", "Host", "evil.example"}, http.StatusForbidden},
		{"a page of nowhere", token, ping, []string{"Origin", "null"}, http.StatusForbidden},
		{"too much", token, strings.Repeat(" ", 3<<20) + ping, nil, http.StatusRequestEntityTooLarge},
	} {
		client := site.Nobody(t)
		if c.token != "" {
			client.Header.Set("Authorization", "Bearer "+c.token)
		}
		got := client.Do(t, http.MethodPost, "/mcp", "application/json", c.body, append(accept, c.header...)...)
		if got.Status != c.want {
			t.Errorf("%s: %d %s, want %d", c.name, got.Status, got.Body, c.want)
		}
		if c.want == http.StatusUnauthorized &&
			(got.Header.Get("Content-Type") != "application/problem+json" || got.Header.Get("WWW-Authenticate") == "") {
			t.Errorf("%s: %v %s", c.name, got.Header, got.Body)
		}
		if got.Header.Get("Mcp-Session-Id") != "" || len(got.Header["Set-Cookie"]) > 0 {
			t.Errorf("%s: a session was begun", c.name)
		}
	}
	if got := site.Nobody(t).Get(t, "/mcp"); got.Status != http.StatusMethodNotAllowed {
		t.Errorf("GET: %d", got.Status)
	}
}

// A call of a method that there is not is answered as JSON-RPC says, alone or in a batch, and a missing argument is
// refused.
func TestWhatThereIsNot(t *testing.T) {
	site := apptest.Open(t)
	token := site.Token(t, account.Scopes...)
	const unknown, told = `{"jsonrpc":"2.0","id":"a","method":"tools/destroy"}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`
	ask := func(body string, header ...string) apptest.Response {
		return site.Nobody(t).Do(t, http.MethodPost, "/mcp", "application/json", body,
			append(header, "Authorization", "Bearer "+token, "Accept", "application/json, text/event-stream")...)
	}
	for _, c := range []struct {
		body   string
		header []string
		status int
		says   []string
	}{
		{unknown, nil, 200, []string{`"code":-32601`, `"id":"a"`}},
		{`{"jsonrpc":"2.0","id":7,"method":"prompts"}`, []string{"Mcp-Protocol-Version", "2025-11-25"}, 200,
			[]string{`"code":-32601`, `"id":7`}},
		{"[" + ping + "," + unknown + "," + told + "]", nil, 200, []string{`"result":{}`, `"code":-32601`}},
		{"[" + told + "]", nil, 202, nil},
		{"[7]", nil, 200, []string{`"code":-32600`}},
		{"[" + ping + "]", []string{"Mcp-Protocol-Version", "2025-11-25"}, 400, []string{"batching is not supported"}},
		{`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"with_memory","arguments":{"question":" "}}}`,
			nil, 200, []string{`"code":-32602`, "question: This argument is required"}},
		{`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"with_memory"}}`, nil, 200,
			[]string{`"code":-32602`}},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_decision","arguments":{"id":null}}}`, nil,
			200, []string{`"isError":true`, "id: This argument is required"}},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_decision","arguments":{"id":""}}}`, nil,
			200, []string{`"isError":true`, "id: This argument is required"}},
	} {
		r := ask(c.body, c.header...)
		for _, want := range c.says {
			if !strings.Contains(r.Body, want) {
				t.Errorf("%s: %d %s, want %s", c.body, r.Status, r.Body, want)
			}
		}
		if r.Status != c.status {
			t.Errorf("%s: %d %s", c.body, r.Status, r.Body)
		}
	}
}
