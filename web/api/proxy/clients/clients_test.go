// Package clients drives the proxy with the official clients of OpenAI's API, against the program as another process
// and a scripted provider. It is a module of its own, so that no client becomes a dependency of the program. Run it
// with make clients.
package clients

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"
)

// provider answers by what the user's message begins with.
func provider(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	body := string(b)
	w.Header().Set("Content-Type", "application/json")
	whole := func(message, end string) {
		fmt.Fprintf(w,
			`{"id":"c","object":"chat.completion","created":1,"model":"m-1","choices":[{"index":0,"message":%s,"finish_reason":%q}]}`, message, end)
	}
	part := func(delta, end string) {
		fmt.Fprintf(w,
			"data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n", delta, end)
		w.(http.Flusher).Flush()
	}
	switch {
	case strings.Contains(body, "HELD"): // looks, pays, and then says so
		whole(agent(body))
	case r.URL.Path == "/v1/models":
		fmt.Fprint(w, `{"object":"list","data":[{"id":"m-1","object":"model","created":1,"owned_by":"us"}]}`)
	case strings.Contains(body, "LIMIT"):
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"error":{"message":"slow down","type":"requests","param":null,"code":"rate_limit_exceeded"}}`)
	case strings.Contains(body, "TOOL"):
		whole(
			`{"role":"assistant","content":null,"tool_calls":[{"id":"t1","type":"function","function":{"name":"sql","arguments":"{\"q\":1}"}}]}`, "tool_calls")
	case strings.Contains(body, "JSON"):
		if !strings.Contains(body, `"strict":true`) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		whole(`{"role":"assistant","content":"{\"n\":2}"}`, "stop")
	case strings.Contains(body, `"stream":true`):
		w.Header().Set("Content-Type", "text/event-stream")
		part(`{"role":"assistant","content":"Hel"}`, "null")
		if strings.Contains(body, "CUT") {
			panic(http.ErrAbortHandler)
		}
		part(`{"content":"lo."}`, "null")
		part(`{}`, `"stop"`)
		fmt.Fprint(w, "data: [DONE]\n\n")
	default:
		whole(`{"role":"assistant","content":"Hello."}`, "stop")
	}
}

// serve runs the program with the proxy on, and gives its address, a token, and the browser of somebody who decides.
func serve(t *testing.T) (address, token string, desk *http.Client) {
	t.Helper()
	model := httptest.NewServer(http.HandlerFunc(provider))
	t.Cleanup(model.Close)
	dir := t.TempDir()
	program, file := filepath.Join(dir, "preceptor"), filepath.Join(dir, "clients.db")
	build := exec.Command("go", "build", "-o", program, "./cmd/preceptor")
	build.Dir = filepath.Join("..", "..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v %s", err, out)
	}
	out, err := exec.Command(program, "token", "create", "--db", file, "--agent", "helper", "--pack", "general", "--scope",
		"submit,recall").Output()
	if err != nil {
		t.Fatal(err)
	}
	add := exec.Command(program, "account", "add", "--db", file, "--email", "sue@example.org", "--name", "Sue",
		"--role", "supervisor,expert,admin", "--password-stdin")
	add.Stdin = strings.NewReader(password + "\n")
	if said, err := add.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, said)
	}
	server := exec.Command(program, "serve", "--db", file, "--addr", "127.0.0.1:0", "--hold", "0", "--proxy",
		"--llm-base-url", model.URL+"/v1")
	server.Env = append(os.Environ(), "PRECEPTOR_LLM_API_KEY=sk-operator")
	said, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
	})
	found := make(chan string, 1)
	go func() {
		at := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
		lines := bufio.NewScanner(said)
		for lines.Scan() {
			if a := at.FindString(lines.Text()); a != "" && len(found) == 0 {
				found <- a
			}
		}
		close(found)
	}()
	if address = <-found; address == "" {
		t.Fatal("the program did not say where it is")
	}
	jar, _ := cookiejar.New(nil)
	desk = &http.Client{Jar: jar}
	post(t, desk, address+"/sign-in", url.Values{"email": {"sue@example.org"}, "password": {password}})
	return address, strings.TrimSpace(string(out)), desk
}

const password = "a lamp beside the window"

// post sends a form, and gives the page that it leads to.
func post(t *testing.T, c *http.Client, at string, form url.Values) string {
	t.Helper()
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, at, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	res, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, _ := io.ReadAll(res.Body)
	if res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s", at, res.StatusCode, b)
	}
	return string(b)
}

func TestClients(t *testing.T) {
	address, token, desk := serve(t)
	t.Run("go", func(t *testing.T) { official(t, address, token) })
	t.Run("node", func(t *testing.T) { node(t, address, token) })
	t.Run("python", func(t *testing.T) { python(t, address, token) })
	t.Run("held", func(t *testing.T) { held(t, address, token, desk) })
}

func asking(text string) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{Model: "m",
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage("Be kind."), openai.UserMessage(text)}}
}

func official(t *testing.T, address, token string) {
	c := openai.NewClient(option.WithBaseURL(address+"/v1"), option.WithAPIKey(token), option.WithMaxRetries(0))
	ctx := t.Context()
	if a, err := c.Chat.Completions.New(ctx, asking("Hi")); err != nil || a.Choices[0].Message.Content != "Hello." {
		t.Errorf("plain: %v %v", a, err)
	}
	if a, err := c.Chat.Completions.New(ctx, asking("TOOL")); err != nil ||
		a.Choices[0].Message.ToolCalls[0].Function.Arguments != `{"q":1}` {
		t.Errorf("tools: %v %v", a, err)
	}
	q := asking("JSON")
	q.ResponseFormat.OfJSONSchema =
		&shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: "n",
			Strict: openai.Bool(true),
			Schema: map[string]any{"type": "object",
				"properties": map[string]any{"n": map[string]any{"type": "integer"}}}}}
	if a, err := c.Chat.Completions.New(ctx, q); err != nil || a.Choices[0].Message.Content != `{"n":2}` {
		t.Errorf("a schema: %v %v", a, err)
	}
	stream := func(text string) (said string, err error) {
		s := c.Chat.Completions.NewStreaming(ctx, asking(text))
		for s.Next() {
			if parts := s.Current().Choices; len(parts) > 0 {
				said += parts[0].Delta.Content
			}
		}
		return said, s.Err()
	}
	if said, err := stream("Hi"); err != nil || said != "Hello." {
		t.Errorf("stream: %q %v", said, err)
	}
	if said, err := stream("CUT"); err == nil || said != "Hel" {
		t.Errorf("a cut stream: %q %v", said, err)
	}
	_, err := c.Chat.Completions.New(ctx, asking("LIMIT"))
	if e, ok := errors.AsType[*openai.Error](err); !ok || e.StatusCode != 429 || e.Message != "slow down" ||
		e.Response.Header.Get("Retry-After") != "7" {
		t.Errorf("429: %v", err)
	}
	if m, err := c.Models.List(ctx); err != nil || len(m.Data) != 1 || m.Data[0].ID != "m-1" {
		t.Errorf("models: %v %v", m, err)
	}
	wrong := openai.NewClient(option.WithBaseURL(address+"/v1"), option.WithAPIKey("sk-wrong"),
		option.WithMaxRetries(0))
	_, err = wrong.Chat.Completions.New(ctx, asking("Hi"))
	if e, ok := errors.AsType[*openai.Error](err); !ok || e.StatusCode != 401 || e.Type != "authentication_error" ||
		e.Message == "" {
		t.Errorf("a wrong key: %v", err)
	}
}

func node(t *testing.T, address, token string) {
	if exec.Command("node", "-e", "import('openai').catch(() => process.exit(1))").Run() != nil {
		t.Skip("node or its package openai is not there: npm install openai in web/api/proxy/clients")
	}
	cmd := exec.Command("node", "client.mjs")
	cmd.Env = append(os.Environ(), "OPENAI_BASE_URL="+address+"/v1", "OPENAI_API_KEY="+token)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// python replays what the client for Python puts on the wire: its headers, and its bodies with a blank nowhere.
func python(t *testing.T, address, token string) {
	host := strings.TrimPrefix(address, "http://")
	send := func(body string) string {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /v1/chat/completions HTTP/1.1\r\nHost: %s\r\nAccept-Encoding: gzip, deflate, br, "+
			"zstd\r\nConnection: keep-alive\r\nAccept: application/json\r\n"+
			"Content-Type: application/json\r\nUser-Agent: OpenAI/Python 2.8.1\r\nX-Stainless-Lang: "+
			"python\r\nX-Stainless-Package-Version: 2.8.1\r\nX-Stainless-OS: Linux\r\n"+
			"X-Stainless-Arch: x64\r\nX-Stainless-Runtime: CPython\r\nX-Stainless-Runtime-Version: "+
			"3.13.1\r\nAuthorization: Bearer %s\r\nX-Stainless-Async: false\r\n"+
			"x-stainless-retry-count: 0\r\nx-stainless-read-timeout: 600\r\nContent-Length: %d\r\n\r\n%s", host, token,
			len(body), body)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		var b bytes.Buffer
		if _, err := b.ReadFrom(res.Body); err != nil {
			t.Error(err)
		}
		return fmt.Sprintf("%d %s %s", res.StatusCode, res.Header.Get("Content-Type"), b.String())
	}
	for body, want := range map[string]string{
		`{"messages":[{"role":"user","content":"Hi"}],"model":"m"}`:                                                   `"content":"Hello."`,
		`{"messages":[{"role":"user","content":"Hi"}],"model":"m","stream":true}`:                                     "200 text/event-stream data: ",
		`{"messages":[{"role":"user","content":"TOOL"}],"model":"m","tools":[{"type":"function"}]}`:                   `"name":"sql"`,
		`{"messages":[{"role":"user","content":"LIMIT"}],"model":"m"}`:                                                "429 application/json",
		`{"messages":[{"role":"user","content":[{"type":"text","text":"Hi \u00e9"}]}],"model":"m","temperature":0.1}`: `"content":"Hello."`,
	} {
		if got := send(body); !strings.Contains(got, want) {
			t.Errorf("%s: %s", body, got)
		}
	}
}
