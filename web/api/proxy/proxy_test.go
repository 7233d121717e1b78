package proxy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/delivery"
	"preceptor/internal/platform/config"
	"preceptor/internal/signal/turn"
	"preceptor/web/api/inproc"
	"preceptor/web/api/proxy"
	"preceptor/web/render"
	"preceptor/web/session"
)

const key = "sk-of-the-operator"

// door is the proxy between a caller and a scripted provider.
type door struct {
	*apptest.Site
	url, token string
	answer     http.HandlerFunc
	mode       proxy.Mode
	deps       proxy.Deps

	under sync.WaitGroup // calls: a turn is recorded after its answer has arrived
	mu    sync.Mutex
	asked []sent
	turns []turn.Turn
	log   bytes.Buffer
}

// sent is what the provider was sent.
type sent struct {
	path, body string
	header     http.Header
}

func open(t *testing.T) *door {
	t.Helper()
	d := &door{Site: apptest.Open(t, func(c *config.Config) { c.Hold = 0 }), mode: proxy.Mode{Budget: 500}}
	d.token = d.Token(t, account.Submit, account.Recall)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		d.mu.Lock()
		d.asked = append(d.asked, sent{r.URL.Path, string(b), r.Header})
		d.mu.Unlock()
		d.answer(w, r)
	}))
	t.Cleanup(upstream.Close)
	h, err := d.Handler()
	if err != nil {
		t.Fatal(err)
	}
	inside := inproc.New(h, turn.ByProxy)
	d.deps = proxy.Deps{BaseURL: upstream.URL + "/v1", Key: key,
		Client: delivery.Client(delivery.Allow{Hosts: []string{"127.0.0.1"}}, 5*time.Second),
		Ask: func(ctx context.Context, authorization, method, path string, body []byte) ([]byte, error) {
			if path == "/api/recall" { // an empty base knows nothing
				return []byte(`{"prompt":"Relevant Rules: R-1","items":[]}`), nil
			}
			return inside(ctx, authorization, method, path, body)
		},
		Record: func(_ context.Context, one turn.Turn) error {
			d.turns = append(d.turns, one)
			return nil
		},
		Mode: func(context.Context, string) (proxy.Mode, error) { return d.mode, nil },
		Log:  slog.New(slog.NewTextHandler(&d.log, nil)),
		Calls: proxy.Calls{Find: d.Interactions.HeldCall, Keep: d.Interactions.KeepCall,
			Drop: d.Interactions.DropCall, Lease: d.DB.Lease},
	}
	d.serve(t)
	return d
}

// serve makes the proxy anew, of d.deps.
func (d *door) serve(t *testing.T) {
	e := echo.New()
	e.HTTPErrorHandler = func(err error, c echo.Context) { _ = render.Fault(c, err) }
	e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			d.under.Add(1)
			defer d.under.Done()
			return next(c)
		}
	})
	e.Use(render.Use(render.Views{}, d.deps.Log), session.RequireToken(d.Accounts, account.Scopes...))
	proxy.Mount(e, d.deps)
	srv := httptest.NewUnstartedServer(e)
	srv.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	srv.Start()
	t.Cleanup(srv.Close)
	d.url = srv.URL
}

// chat calls the model; a body that was cut is returned with the error.
func (d *door) chat(t *testing.T, body string, header ...string) (*http.Response, string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.url+"/v1/chat/completions",
		strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+d.token)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	d.under.Wait()
	return res, string(b), err
}

// last is what the provider was sent last.
func (d *door) last(t *testing.T) sent {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.asked) == 0 {
		t.Fatal("the provider was not asked")
	}
	return d.asked[len(d.asked)-1]
}

func says(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}
}

func completion(message string) string {
	return `{"id":"c1","object":"chat.completion","created":7,"model":"m-1","choices":[{"index":0,"message":` +
		message + `,"finish_reason":"stop"}],"usage":{"total_tokens":9}}`
}

var hello = completion(`{"role":"assistant","content":"Hello."}`)

const memory = `{"content":"Relevant Rules: R-1","role":"system"}`

// Every byte of a body but the message that is put in, and its place.
func TestABodyGoesOnAsItCame(t *testing.T) {
	d := open(t)
	d.answer = says(hello)
	for _, c := range []struct{ name, body, want string }{
		{"alone", `{"model":"m","messages":[{"role":"user","content":"Hi"}]}`,
			`{"model":"m","messages":[` + memory + `,{"role":"user","content":"Hi"}]}`},
		{"after the system's", "{ \"messages\" : [ {\"role\":\"system\",\"content\":\"Be kind.\"} ,\n " +
			"{\"role\":\"user\",\"content\":\"Hi\"} ] , \"x\":[1.0,{}], \"temperature\":0.10 }",
			"{ \"messages\" : [ {\"role\":\"system\",\"content\":\"Be kind.\"}," + memory +
				" ,\n {\"role\":\"user\",\"content\":\"Hi\"} ] , \"x\":[1.0,{}], \"temperature\":0.10 }"},
		{"as a developer's",
			`{"messages":[{"role":"developer","content":"a"},{"role":"user","content":[{"type":"text","text":"Hi"},{"type":"image_url","image_url":{"url":"data:,x"}}]}]}`,
			`{"messages":[{"role":"developer","content":"a"},` + strings.Replace(memory, `"system"`, `"developer"`, 1) +
				`,{"role":"user","content":[{"type":"text","text":"Hi"},{"type":"image_url","image_url":{"url":"data:,x"}}]}]}`},
		{"JSON mode",
			`{"messages":[{"role":"user","content":"Hi"}],"response_format":{"type":"json_schema","json_schema":{"name":"a","strict":true,"schema":{"type":"object"}}},"tools":[]}`,
			`{"messages":[` + memory +
				`,{"role":"user","content":"Hi"}],"response_format":{"type":"json_schema","json_schema":{"name":"a","strict":true,"schema":{"type":"object"}}},"tools":[]}`},
		{"no question", `{"messages":[]}`, `{"messages":[]}`},
		{"not ours to refuse", `{"messages":"Hi","model":3}`, `{"messages":"Hi","model":3}`},
		{"big", `{"messages":[{"role":"user","content":"` + strings.Repeat("é", 3<<20) + `"}]}`,
			`{"messages":[` + memory + `,{"role":"user","content":"` + strings.Repeat("é", 3<<20) + `"}]}`},
	} {
		res, body, err := d.chat(t, c.body, "Openai-Organization", "theirs", "Cookie", "a=b")
		if err != nil || res.StatusCode != http.StatusOK || body != hello {
			t.Errorf("%s: %d %s %v", c.name, res.StatusCode, body, err)
		}
		got := d.last(t)
		if got.body != c.want {
			t.Errorf("%s: sent %.300s", c.name, got.body)
		}
		if got.path != "/v1/chat/completions" || got.header.Get("Authorization") != "Bearer "+key ||
			got.header.Get("Cookie") != "" || got.header.Get("Openai-Organization") != "" {
			t.Errorf("%s: %s %v", c.name, got.path, got.header)
		}
	}
	for _, body := range []string{"", "[]", `{"messages":[`, `{"stream":true,"stream":false}`} {
		if res, got, _ := d.chat(t, body); res.StatusCode != http.StatusUnprocessableEntity ||
			!strings.Contains(got, `"type":"invalid_request_error"`) {
			t.Errorf("%q: %d %s", body, res.StatusCode, got)
		}
	}
}

func sse(parts ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, p := range parts {
			if p == "cut" {
				panic(http.ErrAbortHandler)
			}
			fmt.Fprintf(w, "data: %s\n\n", p)
			w.(http.Flusher).Flush()
		}
	}
}

func delta(d string) string {
	return `{"id":"c1","object":"chat.completion.chunk","model":"m-1","choices":[{"index":0,"delta":` + d + `}]}`
}

// finish is the last piece of a stream.
func finish(reason string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`
}

const question = `{"model":"m","user":"u7","metadata":{"session_id":"s1"},"messages":[{"role":"user","content":"Hi"}]}`

// What the provider answers is what the caller gets; what is a whole text is recorded.
func TestAnAnswerPassesUnharmed(t *testing.T) {
	d := open(t)
	tools := `[{"id":"t1","type":"function","function":{"name":"sql","arguments":"{}"}}]`
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		status int
		body   string // "" is not looked at
		cut    bool
		text   string // of the turn; "" when none is recorded
	}{
		{"plain", says(hello), 200, hello, false, "Hello."},
		{"stream", sse(delta(`{"role":"assistant","content":""}`), delta(`{"content":"Hel"}`),
			delta(`{"content":"lo."}`), "[DONE]"), 200, "", false, "Hello."},
		{"a stream without an end", sse(delta(`{"content":"Hel"}`)), 200, "", false, ""},
		{"a stream that ends in an error",
			sse(delta(`{"content":"Hel"}`), `{"error":{"message":"overloaded"}}`, "[DONE]"), 200, "", false, ""},
		{"a stream that ends in an error of one word", sse(delta(`{"content":"Hel"}`), `{"error":"overloaded"}`), 200,
			"", false, ""},
		{"a filtered stream", sse(delta(`{"content":"Hel"}`), finish("content_filter"), "[DONE]"), 200, "", false, ""},
		{"a filtered answer", says(strings.Replace(hello, `"stop"`, `"content_filter"`, 1)), 200, "", false, ""},
		{"a stream that ends without its mark",
			sse(delta(`{"content":"Hel"}`), delta(`{"content":"lo."}`), finish("stop")), 200, "", false, "Hello."},
		{"a stream at its limit", sse(delta(`{"content":"Hel"}`), finish("length"), "[DONE]"), 200, "", false, "Hel"},
		{"a pair that is split", sse(delta(`{"content":"Hi \ud83d"}`), delta(`{"content":"\ude00!"}`), "[DONE]"), 200,
			"", false, "Hi 😀!"},
		{"two pairs that are split", sse(delta(`{"content":"\ud83d"}`), delta(`{"content":"\ude00\ud83e"}`),
			delta(`{"content":"\udd16"}`), finish("stop")), 200, "", false, "😀🤖"},
		{"a stream of parts", sse(delta(`{"content":[{"type":"text","text":"Hel"}]}`),
			delta(`{"content":[{"type":"text","text":"lo.\n"}]}`), "[DONE]"), 200, "", false, "Hello.\n"},
		{"tool calls", says(completion(`{"role":"assistant","content":"Let me see.","tool_calls":` + tools + `}`)), 200,
			"", false, ""},
		{"streamed tool calls",
			sse(delta(`{"tool_calls":[{"index":0,"id":"t1","function":{"name":"sql","arguments":"{}"}}]}`), "[DONE]"),
			200, "", false, ""},
		{"no tool calls", says(completion(`{"role":"assistant","content":"Hello.","tool_calls":[]}`)), 200, "", false,
			"Hello."},
		{"429", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.Header().Set("X-Ratelimit-Remaining-Requests", "0")
			w.Header().Set("Set-Cookie", "a=b")
			w.Header().Set("Connection", "close")
			w.WriteHeader(429)
			_, _ = io.WriteString(w, `{"error":{"message":"slow down"}}`)
		}, 429, `{"error":{"message":"slow down"}}`, false, ""},
		{"500", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "broken", 500)
		}, 500, "broken\n", false, ""},
		{"not JSON", says("<html>"), 200, "<html>", false, ""},
		{"a cut stream", sse(delta(`{"content":"Hel"}`), "cut"), 200, "", true, ""},
		{"a short body", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "500")
			_, _ = io.WriteString(w, "{")
		}, 200, "", true, ""},
		{"elsewhere", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
		}, 302, "", false, ""},
	} {
		d.answer, d.turns = c.answer, nil
		res, body, err := d.chat(t, question)
		if res.StatusCode != c.status || c.body != "" && body != c.body || (err != nil) != c.cut {
			t.Errorf("%s: %d %q %v", c.name, res.StatusCode, body, err)
		}
		if c.status == 429 && (res.Header.Get("Retry-After") != "7" ||
			res.Header.Get("X-Ratelimit-Remaining-Requests") != "0" || res.Header.Get("Set-Cookie") != "") {
			t.Errorf("%s: %v", c.name, res.Header)
		}
		var got string
		if len(d.turns) > 0 {
			got = d.turns[0].Response
			if one := d.turns[0]; one.Query != "Hi" || one.Session != "s1" || one.User != "u7" || one.Model != "m-1" ||
				one.Agent != "pension-advisor" || one.Source != turn.ByProxy {
				t.Errorf("%s: %+v", c.name, one)
			}
		}
		if got != c.text {
			t.Errorf("%s: recorded %q", c.name, got)
		}
	}
	for _, secret := range []string{key, d.token, "Hello", "slow down", d.deps.BaseURL} {
		if strings.Contains(d.log.String(), secret) {
			t.Errorf("the log has %q: %s", secret, d.log.String())
		}
	}
}

// A stream comes part by part, and not at its end.
func TestAStreamIsNotHeldBack(t *testing.T) {
	d := open(t)
	read := make(chan bool)
	d.answer = func(w http.ResponseWriter, r *http.Request) {
		sse(delta(`{"content":"a"}`))(w, r)
		select {
		case <-read:
		case <-time.After(10 * time.Second):
			t.Error("the first part did not arrive before the second was sent")
		}
		sse(delta(`{"content":"b"}`), "[DONE]")(w, r)
	}
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, d.url+"/v1/chat/completions",
		strings.NewReader(`{"stream":true,"messages":[{"role":"user","content":"Hi"}]}`))
	r.Header.Set("Authorization", "Bearer "+d.token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := res.Body.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	close(read)
	if _, err := io.ReadAll(res.Body); err != nil {
		t.Error(err)
	}
}

// The turn that ends with a text has the tools that were used since the user spoke.
func TestToolsAreStepsOfTheTurn(t *testing.T) {
	d := open(t)
	d.answer = says(hello)
	call := func(id, args string) string {
		return `{"role":"assistant","content":null,"tool_calls":[{"id":"` + id +
			`","type":"function","function":{"name":"sql","arguments":` + args + `}}]}`
	}
	_, _, err := d.chat(t, `{"messages":[{"role":"user","content":"old"},`+call("t0", `"{}"`)+
		`,{"role":"tool","tool_call_id":"t0","content":"old"},{"role":"user","content":"How many?"},`+
		call("t1", `"{\"q\":\"SELECT 1\"}"`)+`,{"role":"tool","tool_call_id":"t1","content":"1"},`+
		call("t2", `"no JSON"`)+`,{"role":"tool","tool_call_id":"t2","content":[{"type":"text","text":"2"}]}]}`,
		"X-Preceptor-Session", "s2")
	if err != nil || len(d.turns) != 1 {
		t.Fatalf("%v %+v", err, d.turns)
	}
	got, _ := json.Marshal(d.turns[0].Steps)
	if want := `[{"tool":"sql","input":{"q":"SELECT 1"},"output":"1"},{"tool":"sql","input":"no JSON","output":"2"}]`; string(got) != want || d.turns[0].Query != "How many?" || d.turns[0].Session != "s2" {
		t.Errorf("%s %+v", got, d.turns[0])
	}
}

func TestWhatIsRefused(t *testing.T) {
	d := open(t)
	d.answer = says(hello)
	all := d.token
	for _, c := range []struct {
		name, token string
		change      func()
		status      int
		says        string
	}{
		{"no token", "", func() {}, 401, "authentication_error"},
		{"half the scopes", d.Token(t, account.Submit), func() {}, 403, "submit and recall"},
		{"off", all, func() { d.deps.Off = "Set PRECEPTOR_PROXY." }, 503, "Set PRECEPTOR_PROXY."},
		{"a private server", all, func() {
			d.deps.Client = delivery.Client(delivery.Allow{}, time.Second)
		}, 503, "PRECEPTOR_WEBHOOK_ALLOW"},
		{"a server that is gone", all, func() {
			d.deps.BaseURL = "http://127.0.0.1:1/v1?key=hidden"
		}, 503, "couldn't reach"},
		{"recall fails", all, func() {
			d.deps.Ask = func(context.Context, string, string, string, []byte) ([]byte, error) {
				return nil, errors.New("broken")
			}
		}, 200, "Hello."},
	} {
		before := d.deps
		c.change()
		d.serve(t)
		d.token = c.token
		res, body, _ := d.chat(t, question)
		if res.StatusCode != c.status || !strings.Contains(body, c.says) || strings.Contains(body, "hidden") {
			t.Errorf("%s: %d %s", c.name, res.StatusCode, body)
		}
		d.deps, d.token = before, all
	}
	if strings.Contains(d.log.String(), "hidden") {
		t.Error(d.log.String())
	}
}

func TestTheModelsAreTheProviders(t *testing.T) {
	d := open(t)
	d.answer = says(`{"data":[]}`)
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, d.url+"/v1/models", http.NoBody)
	r.Header.Set("Authorization", "Bearer "+d.token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if b, _ := io.ReadAll(res.Body); string(b) != `{"data":[]}` || d.last(t).path != "/v1/models" {
		t.Errorf("%s %v", b, d.last(t))
	}
}
