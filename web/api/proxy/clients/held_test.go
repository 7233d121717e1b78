package clients

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/tidwall/gjson"
)

// agent is the model of an agent with two tools: it looks, pays, and then says so.
func agent(body string) (message, end string) {
	all := gjson.Get(body, "messages").Array()
	turn := len(gjson.Get(body, `messages.#(role=="user")#`).Array())
	if last := all[len(all)-1]; last.Get("role").Str == "tool" && strings.HasPrefix(last.Get("tool_call_id").Str, "pay") {
		return fmt.Sprintf(`{"role":"assistant","content":"Paid, turn %d."}`, turn), "stop"
	} else if last.Get("role").Str != "tool" {
		return fmt.Sprintf(`{"role":"assistant","content":"Let me see.","tool_calls":[{"id":"look%d","type":"function",`+
			`"function":{"name":"look","arguments":"{}"}}]}`, turn), "tool_calls"
	}
	return fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"pay%d","type":"function",`+
		`"function":{"name":"pay","arguments":"{ \"pounds\": %d }"}}]}`, turn, turn), "tool_calls"
}

var hidden = regexp.MustCompile(`<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"`)

// approve lets a draft go, with what its page holds.
func approve(t *testing.T, desk *http.Client, at string) {
	t.Helper()
	post(t, desk, at+"/claim", nil)
	res, err := desk.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, _ := io.ReadAll(res.Body)
	form := url.Values{}
	for _, found := range hidden.FindAllStringSubmatch(string(b), -1) {
		form.Set(found[1], found[2])
	}
	post(t, desk, at+"/approve", form)
}

// A conversation of ten turns, in each of which one tool passes and another waits at the desk, as the answer does; every
// second turn is streamed.
func held(t *testing.T, address, token string, desk *http.Client) {
	page := post(t, desk, address+"/learning/agents/"+agentID(t, desk, address), url.Values{"hold": {"true"},
		"tool_names": {"look"}, "learn": {"propose"}})
	if !strings.Contains(page, "Calls of look pass; all others wait.") {
		t.Fatal(page)
	}
	c := openai.NewClient(option.WithBaseURL(address+"/v1"), option.WithAPIKey(token), option.WithMaxRetries(0))
	q := openai.ChatCompletionNewParams{Model: "m"}
	for _, name := range []string{"look", "pay"} {
		q.Tools = append(q.Tools, openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{Name: name,
			Parameters: openai.FunctionParameters{"type": "object"}}))
	}
	ask := func(turn int) (openai.ChatCompletionMessage, string) {
		t.Helper()
		var res *http.Response
		if turn%2 == 0 {
			a, err := c.Chat.Completions.New(t.Context(), q, option.WithResponseInto(&res))
			if err != nil {
				t.Fatal(err)
			}
			return a.Choices[0].Message, res.Header.Get("X-Preceptor-Guidance")
		}
		s, all := c.Chat.Completions.NewStreaming(t.Context(), q, option.WithResponseInto(&res)), openai.ChatCompletionAccumulator{}
		for s.Next() {
			if !all.AddChunk(s.Current()) {
				t.Fatal("the client can't put the stream together")
			}
		}
		if s.Err() != nil {
			t.Fatal(s.Err())
		}
		return all.Choices[0].Message, res.Header.Get("X-Preceptor-Guidance")
	}
	released := func(turn int) openai.ChatCompletionMessage {
		t.Helper()
		m, id := ask(turn)
		if id == "" || len(m.ToolCalls) > 0 || !strings.Contains(m.Content, "Waiting for review") {
			t.Fatalf("turn %d: %q %+v", turn, id, m)
		}
		approve(t, desk, address+"/reviews/"+id)
		for range 100 { // it is released by a job
			if m, _ = ask(turn); !strings.Contains(m.Content, "Waiting for review") && !strings.Contains(m.Content, "held") {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		q.Messages = append(q.Messages, m.ToParam())
		return m
	}
	for turn := 1; turn <= 10; turn++ {
		q.Messages = append(q.Messages, openai.UserMessage(fmt.Sprintf("HELD %d", turn)))
		m, id := ask(turn)
		if id != "" || len(m.ToolCalls) != 1 || m.ToolCalls[0].Function.Name != "look" || m.Content != "" {
			t.Fatalf("turn %d: %q %+v", turn, id, m)
		}
		q.Messages = append(q.Messages, m.ToParam(), openai.ToolMessage("a balance", m.ToolCalls[0].ID))
		m = released(turn)
		if len(m.ToolCalls) != 1 || m.ToolCalls[0].ID != fmt.Sprint("pay", turn) ||
			m.ToolCalls[0].Function.Arguments != fmt.Sprintf(`{ "pounds": %d }`, turn) || m.Content != "" {
			t.Fatalf("turn %d: %+v", turn, m)
		}
		q.Messages = append(q.Messages, openai.ToolMessage("done", m.ToolCalls[0].ID))
		if m = released(turn); m.Content != fmt.Sprintf("Paid, turn %d.", turn) {
			t.Fatalf("turn %d: %+v", turn, m)
		}
	}
}

// agentID is the id of the only agent.
func agentID(t *testing.T, desk *http.Client, address string) string {
	t.Helper()
	for _, at := range []string{"/learning/sessions", "/admin/agents"} {
		res, err := desk.Get(address + at)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if found := regexp.MustCompile(`agents/([0-9a-f-]{36})`).FindSubmatch(b); found != nil {
			return string(found[1])
		}
	}
	t.Fatal("no page names the agent")
	return ""
}
