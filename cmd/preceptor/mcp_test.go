package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"preceptor/internal/platform/fault"
)

// The command as another process, spoken to by the official client, before a server of ours.
func TestMCPAsAnotherProcess(t *testing.T) {
	dir := t.TempDir()
	binary, file, key := filepath.Join(dir, "preceptor"), base(t), filepath.Join(dir, "token")
	if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	token := must(t, "", "token", "create", "--db", file, "--agent", "helper", "--pack", "general", "--scope", "submit,recall").out
	if err := os.WriteFile(key, []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, "serve", "--db", file, "--addr", "127.0.0.1:0")
	defer s.stop()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	cs, err := client.Connect(t.Context(),
		&sdk.CommandTransport{Command: exec.Command(binary, "mcp", "--server", s.url, "--token-file", key)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer cs.Close()
	res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: "submit_guidance", Arguments: map[string]any{
		"consultation": map[string]any{"question": "May I?"}, "guidance": "You\nmay."}})
	if err != nil || res.IsError || !strings.Contains(res.Content[0].(*sdk.TextContent).Text, `"status":"waiting"`) {
		t.Errorf("submit_guidance: %+v %v", res, err)
	}
	if res, err = cs.CallTool(t.Context(),
		&sdk.CallToolParams{Name: "give_feedback",
			Arguments: map[string]any{"interaction_id": "x", "user_id": "u", "feedback_value": 1}}); err != nil ||
		!res.IsError {
		t.Errorf("give_feedback without the scope: %+v %v", res, err)
	}
	if r, err := cs.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "preceptor://rules"}); err != nil ||
		!strings.Contains(r.Contents[0].Text, `"items"`) {
		t.Errorf("rules: %v %v", r, err)
	}
}

// What keeps a message from its answer is said to whoever waits for it.
func TestMCPSaysWhatIsWrong(t *testing.T) {
	const messages = `{"jsonrpc":"2.0","id":7,"method":"ping"}` + "\n\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	file := base(t)
	token := strings.TrimSpace(must(t, "", "token", "create", "--db", file, "--agent", "helper", "--pack", "general", "--scope",
		"recall").out)
	s := start(t, "serve", "--db", file, "--addr", "127.0.0.1:0")
	defer s.stop()
	for _, c := range []struct{ name, token, server, says string }{
		{"a wrong token", "pcp_wrong", s.url, "The token is missing"},
		{"no server", token, "http://127.0.0.1:1", "can't be reached"},
		{"another address", token, s.url + "/help", "405"},
		{"all is well", token, s.url + "/", ""},
	} {
		t.Setenv("PRECEPTOR_TOKEN", c.token)
		r := must(t, messages, "mcp", "--server", c.server)
		var answer struct {
			ID    int
			Error struct{ Message string }
		}
		if err := json.Unmarshal([]byte(r.out), &answer); err != nil || answer.ID != 7 ||
			!strings.Contains(answer.Error.Message, c.says) || c.says == "" && answer.Error.Message != "" {
			t.Errorf("%s: %q %v", c.name, r.out, err)
		}
	}
	t.Setenv("PRECEPTOR_TOKEN", "")
	for _, args := range [][]string{{"mcp", "--server", s.url}, {"mcp", "--server", "preceptor"}, {"mcp"}} {
		if r := preceptor(t, messages, args...); r.code != fault.Invalid.ExitCode() || r.out != "" {
			t.Errorf("%v: %+v", args, r)
		}
	}
}
