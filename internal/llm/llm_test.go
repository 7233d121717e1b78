package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"preceptor/internal/llm"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/llm/llmtest"
	"preceptor/internal/platform/fault"
)

func TestOpen(t *testing.T) {
	for _, provider := range []string{"", "embedded", " Embedded "} {
		g, e, err := llm.Open(llm.Config{Provider: provider})
		if err != nil || g != nil || e == nil || e.Name() != embedded.Version {
			t.Errorf("Open(%q) = %v, %v, %v", provider, g, e, err)
		}
	}
	if _, _, err := llm.Open(llm.Config{Provider: "nobody", Model: "m"}); !fault.Is(err, fault.Invalid) {
		t.Errorf("an unknown provider: %v", err)
	}
}

func TestOpenTakesTheProvidersEmbedder(t *testing.T) {
	llm.Register("textonly", llm.Provider{Generator: func(llm.Config) (llm.Generator, error) {
		return llmtest.New(), nil
	}})
	if _, e, err := llm.Open(llm.Config{Provider: "textonly"}); err != nil || e.Name() != embedded.Version {
		t.Errorf("without an embedding model the embedded one answers: %v, %v", e, err)
	}
	if _, _, err := llm.Open(llm.Config{Provider: "textonly", EmbedModel: "x"}); !fault.Is(err, fault.Invalid) {
		t.Errorf("an embedding model of a provider that has none: %v", err)
	}
}

func TestStatusFault(t *testing.T) {
	later := http.Header{"Retry-After": {"7"}}
	for _, c := range []struct {
		status int
		kind   fault.Kind
		wait   time.Duration
	}{{429, fault.Limited, 7 * time.Second}, {503, fault.Unavailable, 7 * time.Second}, {401, fault.Invalid, 0},
		{403, fault.Invalid, 0}, {404, fault.Invalid, 0}, {418, fault.Invalid, 0},
		{408, fault.Unavailable, 7 * time.Second}} {
		err := llm.StatusFault("x", c.status, later)
		if fault.KindOf(err) != c.kind || fault.RetryAfter(err) != c.wait {
			t.Errorf("%d: %v after %v", c.status, fault.KindOf(err), fault.RetryAfter(err))
		}
	}
	date := http.Header{"Retry-After": {time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)}}
	if w := fault.RetryAfter(llm.StatusFault("x", 429, date)); w < 50*time.Minute || w > time.Hour {
		t.Errorf("a date is waited for %v", w)
	}
	for _, nonsense := range []string{"soon", "-5", "NaN", "1e99"} {
		if w := fault.RetryAfter(llm.StatusFault("x", 429, http.Header{"Retry-After": {nonsense}})); w != 0 {
			t.Errorf("%q is waited for %v", nonsense, w)
		}
	}
}

func TestCheckAnswer(t *testing.T) {
	schema := json.RawMessage(
		`{"type":"object","properties":{"n":{"type":"integer"},"list":{"type":"array","items":{"type":"string"}},"ok":{"type":"boolean"},"in":{"type":"object","required":["x"]}},"required":["n"]}`)
	for text, ok := range map[string]bool{
		`{"n":1}`: true, `{"n":1,"list":["a"],"ok":false,"in":{"x":1},"more":1}`: true,
		`{"n":1.5}`: false, `{}`: false, `{"n":null}`: false, `[1]`: false, `{"n":1,"list":[1]}`: false,
		`{"n":1,"list":"a"}`: false,
		`{"n":1,"ok":"yes"}`: false, `{"n":1,"in":{}}`: false, `{"n":1} and more`: false, ``: false, `null`: false,
	} {
		if err := llm.CheckAnswer("m", schema, text); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := llm.CheckAnswer("m", nil, "prose"); err != nil {
		t.Errorf("without a schema: %v", err)
	}
}

func FuzzCheckAnswer(f *testing.F) {
	f.Add(string(llmtest.Schema), llmtest.Good)
	f.Add(`{"type":5,"required":[1],"properties":{"a":1},"enum":[[1]]}`, `{"a":[[]]}`)
	f.Fuzz(func(t *testing.T, schema, text string) {
		_ = llm.CheckAnswer("m", json.RawMessage(schema), text)
	})
}

func TestDoStopsWhenTheCallerLeaves(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	_, err := llm.Do(ctx, llm.NewCaller("x", llm.Config{Attempts: 100, Backoff: time.Millisecond}),
		func(context.Context) (int, error) {
			if n++; n == 2 {
				cancel()
			}
			return 0, errors.New("no connection")
		})
	if err == nil || n != 2 {
		t.Errorf("%d tries, %v", n, err)
	}
}

func TestScript(t *testing.T) {
	s := llmtest.New("first", errors.New("second"), map[string]int{"third": 3}).On("named", "n1", "n2")
	ask := func(name string) string {
		r, err := s.Generate(t.Context(), llm.Request{SchemaName: name, Prompt: "p"})
		if err != nil {
			return "error"
		}
		return r.Text
	}
	var got []string
	for _, name := range []string{"", "named", "", "named", "named", "", ""} {
		got = append(got, ask(name))
	}
	want := []string{"first", "n1", "error", "n2", "n2", `{"third":3}`, "error"}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("answer %d is %q, want %q", i, got[i], want[i])
		}
	}
	if len(s.Asked()) != 7 {
		t.Errorf("%d requests are remembered", len(s.Asked()))
	}
}

// An answer that came and does not do leaves the breaker closed; a server that is down opens it, and the message says
// why.
func TestContentDoesNotOpenTheBreaker(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"empty answers": {fault.Wrap(fault.Unavailable, llm.ErrContent, "The model gave an empty answer."),
			"The model gave an empty answer."},
		"down": {fault.New(fault.Unavailable, "It did not answer."),
			"keeps failing and is left alone for a while. Try again in a minute. The last time: It did not answer."},
	} {
		caller := llm.NewCaller("m", llm.Config{Attempts: 1})
		var err error
		for range 8 {
			_, err = llm.Do(t.Context(), caller, func(context.Context) (int, error) { return 0, c.err })
		}
		if !strings.HasSuffix(fault.Message(err), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDecodeReadsFencedJSON(t *testing.T) {
	for _, text := range []string{`{"a":1}`, "```json\n{\"a\":1}\n```", " ```\n{\"a\":1}\n```\n"} {
		var v struct{ A int }
		if err := (llm.Response{Text: text}).Decode(&v); err != nil || v.A != 1 {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"", "```", "``````", "```json```", "Sure: {}"} {
		if err := (llm.Response{Text: text}).Decode(&struct{}{}); !fault.Is(err, fault.Unavailable) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
