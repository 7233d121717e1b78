package anthropic_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"preceptor/internal/fault"
	"preceptor/internal/llm"
	"preceptor/internal/llm/anthropic"
	"preceptor/internal/llm/llmtest"
)

func reply(text string) string { return stopped(text, "end_turn") }

func stopped(text, reason string) string {
	content, _ := json.Marshal(text)
	return fmt.Sprintf(`{"id":"x","type":"message","role":"assistant","model":"m-1","content":[{"type":"text","text":%s}],"stop_reason":%q,
		"usage":{"input_tokens":11,"output_tokens":7}}`, content, reason)
}

func open(c llm.Config) (llm.Generator, error) { return anthropic.NewGenerator(c) }

func TestContract(t *testing.T) { llmtest.Contract(t, open, reply) }

func TestWhatIsAsked(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "not-ours")
	var key string
	s := llmtest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		key = r.Header.Get("X-Api-Key")
		llmtest.Body(reply(llmtest.Good))(w, r)
	})
	g, err := open(llm.Config{BaseURL: s.URL, Model: "m-1", APIKey: "ours"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Generate(t.Context(), llm.Request{System: "S", Prompt: "P", SchemaName: "verdict", Schema: llmtest.Schema, MaxTokens: 99}); err != nil {
		t.Fatal(err)
	}
	if key != "ours" {
		t.Errorf("the key was %q", key)
	}
	asked, _ := json.Marshal(s.Last(t))
	for _, want := range []string{`"model":"m-1"`, `"max_tokens":99`, `"type":"json_schema"`, `"text":"P"`, `"text":"S"`} {
		if !strings.Contains(string(asked), want) {
			t.Errorf("the request lacks %s: %s", want, asked)
		}
	}
}

func TestRefusalAndCut(t *testing.T) {
	for reason, kind := range map[string]fault.Kind{"refusal": fault.Invalid, "max_tokens": fault.Unavailable} {
		s := llmtest.Serve(t, llmtest.Body(stopped("x", reason)))
		g, _ := open(llm.Config{BaseURL: s.URL, Model: "m", APIKey: "k", Attempts: 1})
		if _, err := g.Generate(t.Context(), llm.Request{Prompt: "P"}); !fault.Is(err, kind) {
			t.Errorf("%s: %v", reason, err)
		}
	}
}

func TestNamesWhatIsMissing(t *testing.T) {
	for _, c := range []llm.Config{{APIKey: "k"}, {Model: "m"}} {
		if _, err := anthropic.NewGenerator(c); !fault.Is(err, fault.Invalid) {
			t.Errorf("%v", err)
		}
	}
}
