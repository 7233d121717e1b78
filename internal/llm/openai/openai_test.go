package openai_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"preceptor/internal/llm"
	"preceptor/internal/llm/llmtest"
	"preceptor/internal/llm/openai"
	"preceptor/internal/platform/fault"
)

func reply(text string) string {
	content, _ := json.Marshal(text)
	return fmt.Sprintf(
		`{"id":"x","object":"chat.completion","model":"m-1","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":%s}}],
		"usage":{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}}`, content)
}

func open(c llm.Config) (llm.Generator, error) { return openai.NewGenerator(c) }

func TestContract(t *testing.T) { llmtest.Contract(t, open, reply) }

const strict = `"response_format":{"type":"json_schema","json_schema":{"name":"verdict","strict":true,"schema":`

// The schema goes as it was written: a model writes its fields in that order.
func TestWhatIsAsked(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "not-ours")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
	s := llmtest.Serve(t, llmtest.Body(reply(llmtest.Good)))
	for _, c := range []struct {
		key, below string
		request    llm.Request
		body       string
	}{
		{"", "/v1", llm.Request{System: "S", Prompt: "P", SchemaName: "verdict", Schema: llmtest.Schema, MaxTokens: 99},
			`{"model":"m-1","messages":[{"role":"system","content":"S"},{"role":"user","content":"P"}],"max_tokens":99,` + strict + string(llmtest.Schema) + `}}}`},
		{"ours", "/v1/", llm.Request{Prompt: "P"},
			`{"model":"m-1","messages":[{"role":"user","content":"P"}],"max_tokens":2048}`},
		{"ours", "/v1/api.openai.com", llm.Request{Prompt: "P"},
			`{"model":"m-1","messages":[{"role":"user","content":"P"}],"max_completion_tokens":2048}`},
	} {
		g, err := open(llm.Config{BaseURL: s.URL + c.below, Model: "m-1", APIKey: c.key})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Generate(t.Context(), c.request); err != nil {
			t.Fatal(err)
		}
		path, head, body := s.Last()
		if want := strings.TrimSuffix(c.below, "/") + "/chat/completions"; path != want || body != c.body {
			t.Errorf("%s was sent %s, want %s", path, body, c.body)
		}
		if got := head.Get("Authorization"); got != "" && got != "Bearer "+c.key || got == "" && c.key != "" {
			t.Errorf("the key was %q", got)
		}
	}
}

func TestWhatIsEmbedded(t *testing.T) {
	s := llmtest.Serve(t, vectors("[3,0,4]", "[0,1,0]"))
	for dims, want := range map[int]string{
		0: `{"model":"e","input":["a","b"],"encoding_format":"float"}`,
		3: `{"model":"e","input":["a","b"],"dimensions":3,"encoding_format":"float"}`,
	} {
		e, _ := openai.NewEmbedder(llm.Config{BaseURL: s.URL, EmbedModel: "e", EmbedDims: dims})
		if _, err := e.Embed(t.Context(), []string{"a", "b"}); err != nil {
			t.Fatal(err)
		}
		if path, _, body := s.Last(); path != "/embeddings" || body != want {
			t.Errorf("%s was sent %s, want %s", path, body, want)
		}
	}
}

func TestRefusalAndCut(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		kind fault.Kind
	}{
		"refused": {
			`{"model":"m","choices":[{"finish_reason":"stop","message":{"role":"assistant","refusal":"no"}}]}`,
			fault.Invalid},
		"cut off": {
			`{"model":"m","choices":[{"finish_reason":"length","message":{"role":"assistant","content":"{"}}]}`,
			fault.Unavailable},
		"no choices": {`{"model":"m","choices":[]}`, fault.Unavailable},
	} {
		s := llmtest.Serve(t, llmtest.Body(c.body))
		g, _ := open(llm.Config{BaseURL: s.URL, Model: "m", Attempts: 1})
		if _, err := g.Generate(t.Context(), llm.Request{Prompt: "P"}); !fault.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func vectors(list ...string) http.HandlerFunc {
	var data []string
	for i, v := range list {
		data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, v))
	}
	return llmtest.Body(`{"object":"list","model":"e","data":[` + strings.Join(data, ",") +
		`],"usage":{"prompt_tokens":1,"total_tokens":1}}`)
}

func TestEmbeddings(t *testing.T) {
	for _, c := range []struct {
		name string
		dims int
		step http.HandlerFunc
		ok   bool
	}{
		{"good", 3, vectors("[3,0,4]", "[0,1,0]"), true},
		{"the length is taken from the answer", 0, vectors("[3,0,4]", "[0,1,0]"), true},
		{"wrong length", 4, vectors("[3,0,4]", "[0,1,0]"), false},
		{"two lengths", 0, vectors("[3,0,4]", "[0,1]"), false},
		{"one vector too few", 3, vectors("[3,0,4]"), false},
		{"one too many", 3, vectors("[3,0,4]", "[0,1,0]", "[1,0,0]"), false},
		{"NaN", 3, vectors("[NaN,0,4]", "[0,1,0]"), false},
		{"a number beyond float32", 3, vectors("[1e300,0,4]", "[0,1,0]"), false},
		{"zero", 3, vectors("[0,0,0]", "[0,1,0]"), false},
		{"nothing", 3, llmtest.Body("{}"), false},
		{"null", 3, llmtest.Body("null"), false},
		{"strings", 3, vectors(`["a","b","c"]`, "[0,1,0]"), false},
		{"without end", 3, llmtest.Flood(), false},
		{"stall", 3, llmtest.Stall(), false},
		{"500", 3, llmtest.Status(500), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := llmtest.Serve(t, c.step)
			e, err := openai.NewEmbedder(llm.Config{BaseURL: s.URL, EmbedModel: "e", EmbedDims: c.dims, Attempts: 2,
				Timeout: 300 * time.Millisecond, Backoff: time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.Embed(t.Context(), []string{"a", "b"})
			if !c.ok {
				if !fault.Is(err, fault.Unavailable) {
					t.Fatalf("got %v, %v", got, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != 2 || math.Abs(float64(got[0][0])-0.6) > 1e-6 || e.Dims() != 3 {
				t.Errorf("got %v, dims %d", got, e.Dims())
			}
		})
	}
}

func TestNamesWhatIsMissing(t *testing.T) {
	if _, err := openai.NewGenerator(llm.Config{}); !fault.Is(err, fault.Invalid) {
		t.Errorf("no model: %v", err)
	}
	if _, err := openai.NewEmbedder(llm.Config{}); !fault.Is(err, fault.Invalid) {
		t.Errorf("no embedding model: %v", err)
	}
}
