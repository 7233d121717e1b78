package openai_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"preceptor/internal/fault"
	"preceptor/internal/llm"
	"preceptor/internal/llm/llmtest"
	"preceptor/internal/llm/openai"
)

func reply(text string) string {
	content, _ := json.Marshal(text)
	return fmt.Sprintf(`{"id":"x","object":"chat.completion","model":"m-1","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":%s}}],
		"usage":{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}}`, content)
}

func open(c llm.Config) (llm.Generator, error) { return openai.NewGenerator(c) }

func TestContract(t *testing.T) { llmtest.Contract(t, open, reply) }

func TestWhatIsAsked(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "not-ours")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
	var key string
	s := llmtest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		key = r.Header.Get("Authorization")
		llmtest.Body(reply(llmtest.Good))(w, r)
	})
	g, err := open(llm.Config{BaseURL: s.URL, Model: "m-1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Generate(t.Context(), llm.Request{System: "S", Prompt: "P", SchemaName: "verdict", Schema: llmtest.Schema, MaxTokens: 99}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(key, "not-ours") {
		t.Error("a key was taken from the environment")
	}
	asked, _ := json.Marshal(s.Last(t))
	for _, want := range []string{`"model":"m-1"`, `"max_tokens":99`, `"strict":true`, `"name":"verdict"`, `"role":"system"`, `"content":"P"`} {
		if !strings.Contains(string(asked), want) {
			t.Errorf("the request lacks %s: %s", want, asked)
		}
	}
}

func TestRefusalAndCut(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		kind fault.Kind
	}{
		"refused":    {`{"model":"m","choices":[{"finish_reason":"stop","message":{"role":"assistant","refusal":"no"}}]}`, fault.Invalid},
		"cut off":    {`{"model":"m","choices":[{"finish_reason":"length","message":{"role":"assistant","content":"{"}}]}`, fault.Unavailable},
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
	return llmtest.Body(`{"object":"list","model":"e","data":[` + strings.Join(data, ",") + `],"usage":{"prompt_tokens":1,"total_tokens":1}}`)
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
			e, err := openai.NewEmbedder(llm.Config{BaseURL: s.URL, EmbedModel: "e", EmbedDims: c.dims, Attempts: 2, Timeout: 300 * time.Millisecond, Backoff: time.Millisecond})
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
