package anthropic_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"preceptor/internal/llm"
	"preceptor/internal/llm/anthropic"
	"preceptor/internal/llm/llmtest"
	"preceptor/internal/platform/fault"
)

func reply(text string) string { return stopped(text, "end_turn") }

func stopped(text, reason string) string {
	content, _ := json.Marshal(text)
	return fmt.Sprintf(
		`{"id":"x","type":"message","role":"assistant","model":"m-1","content":[{"type":"text","text":%s}],"stop_reason":%q,
		"usage":{"input_tokens":11,"output_tokens":7}}`, content, reason)
}

func open(c llm.Config) (llm.Generator, error) { return anthropic.NewGenerator(c) }

func TestContract(t *testing.T) { llmtest.Contract(t, open, reply) }

// The schema goes as it was written: a model writes its fields in that order.
func TestWhatIsAsked(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "not-ours")
	s := llmtest.Serve(t, llmtest.Body(reply(llmtest.Good)))
	g, err := open(llm.Config{BaseURL: s.URL, Model: "m-1", APIKey: "ours"})
	if err != nil {
		t.Fatal(err)
	}
	for want, r := range map[string]llm.Request{
		`{"model":"m-1","max_tokens":99,"system":[{"type":"text","text":"S"}],"messages":[{"role":"user","content":[{"type":"text","text":"P"}]}],` +
			`"output_config":{"format":{"type":"json_schema","schema":` + string(llmtest.Schema) +
			`}}}`: {System: "S", Prompt: "P", SchemaName: "verdict", Schema: llmtest.Schema, MaxTokens: 99},
		`{"model":"m-1","max_tokens":2048,"messages":[{"role":"user","content":[{"type":"text","text":"P"}]}]}`: {
			Prompt: "P"},
	} {
		if _, err := g.Generate(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		path, head, body := s.Last()
		if path != "/v1/messages" || body != want {
			t.Errorf("%s was sent %s, want %s", path, body, want)
		}
		if head.Get("X-Api-Key") != "ours" || head.Get("Anthropic-Version") != "2023-06-01" {
			t.Errorf("the headers were %v", head)
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
