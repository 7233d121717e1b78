// Package llm is what the program asks of language models: text that fits a JSON schema (Generator) and vectors that
// put like meanings near each other (Embedder).
//
// Three providers register themselves here when their package is imported, as database drivers do: openai (any server
// that speaks its protocol, Ollama and vLLM included), anthropic (text only) and embedded (vectors only, no network).
// Without a provider there is no Generator, and every step that could use one has an embedded implementation of its own
// in the package that needs it; Open then returns nil for it, and callers ask for nothing.
//
// What it promises. Every call ends: within Config.Timeout per try, Config.Attempts tries, and at once while the
// breaker is open. Answers are bounded (MaxBody); an answer that does not parse, does not fit its schema or carries a
// vector of the wrong length or a number that is none is an error with a kind and never a panic: Limited (with
// RetryAfter) for 429, Unavailable for 5xx, time-outs, broken connections, malformed answers and an open breaker,
// Invalid for what trying again won't mend (a refused key, an unknown model). No prompt, answer or key is logged, and
// no message names one.
//
// What it decided against: streaming (nothing is shown before a person has read the whole), tool calls (a step is one
// question with one typed answer), and a model call inside a database transaction, which archtest and review keep out.
package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"sync"
	"time"

	"preceptor/internal/platform/fault"
)

// Generator answers one question with text, or with JSON that fits a schema.
type Generator interface {
	Generate(ctx context.Context, r Request) (Response, error)
	// Name is the provider and model, as "openai/gpt-5-mini"; it is stored with what was generated.
	Name() string
}

// Embedder gives each text a vector of length Dims, normalised to length 1.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Name is the provider, model and version; vectors of different names can't be compared.
	Name() string
	Dims() int
}

// IsLocal reports whether e answers at once and without a network, so that it may be asked inside a transaction.
func IsLocal(e Embedder) bool {
	l, ok := e.(interface{ Local() bool })
	return ok && l.Local()
}

// Request is one question.
type Request struct {
	System string
	Prompt string
	// SchemaName and Schema ask for JSON of that schema; text is asked for when Schema is empty.
	SchemaName string
	Schema     json.RawMessage
	// MaxTokens bounds the answer; 0 means 2,048.
	MaxTokens int
}

// Limit is how many tokens the answer may have.
func (r Request) Limit() int {
	if r.MaxTokens <= 0 {
		return 2048
	}
	return r.MaxTokens
}

// Response is its answer.
type Response struct {
	Text      string // JSON when a schema was asked for
	Model     string // which model answered, as the server named it
	InTokens  int
	OutTokens int
}

// Decode reads the JSON answer into v, and refuses one that is not JSON.
func (r Response) Decode(v any) error {
	if err := json.Unmarshal([]byte(unfenced(r.Text)), v); err != nil {
		return fault.Wrap(fault.Unavailable, err,
			"The model %s answered with something other than was asked for. Try again.", r.Model)
	}
	return nil
}

// unfenced is an answer without the code fence that a model may put around its JSON.
func unfenced(text string) string {
	t := strings.TrimSpace(text)
	if !strings.HasPrefix(t, "```") || !strings.HasSuffix(t, "```") || len(t) < 6 {
		return text
	}
	_, inner, ok := strings.Cut(t[:len(t)-3], "\n")
	if !ok {
		return text
	}
	return inner
}

// Config says which models answer; from PRECEPTOR_LLM_*.
type Config struct {
	Provider string // "", "embedded" (no model), "openai" or "anthropic"
	BaseURL  string // the provider's own when empty
	Model    string
	APIKey   string
	// EmbedModel asks for the provider's vectors (openai only); the embedded embedder answers when it is empty.
	EmbedModel string
	EmbedDims  int           // length of the provider's vectors; 0 takes what it gives
	Timeout    time.Duration // of one try; a minute when 0
	Attempts   int           // 3 when 0
	Backoff    time.Duration // before the second try, doubled each time, jittered; 500 ms when 0
}

func (c Config) withDefaults() Config {
	if c.Timeout <= 0 {
		c.Timeout = time.Minute
	}
	if c.Attempts <= 0 {
		c.Attempts = 3
	}
	if c.Backoff <= 0 {
		c.Backoff = 500 * time.Millisecond
	}
	return c
}

// Provider makes the parts of one provider; a nil function means that it has no such part.
type Provider struct {
	Generator func(Config) (Generator, error)
	Embedder  func(Config) (Embedder, error)
}

var (
	providersMu sync.Mutex
	providers   = map[string]Provider{}
)

// Register makes a provider known by name; called from the provider's init.
func Register(name string, p Provider) {
	providersMu.Lock()
	defer providersMu.Unlock()
	providers[name] = p
}

func provider(name string) (Provider, bool) {
	providersMu.Lock()
	defer providersMu.Unlock()
	p, ok := providers[name]
	return p, ok
}

// Providers lists the registered names, sorted.
func Providers() []string {
	providersMu.Lock()
	defer providersMu.Unlock()
	names := make([]string, 0, len(providers))
	for n := range providers {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Open returns the models that c names. The Generator is nil when no provider is set, and callers then use their
// embedded implementation; the Embedder is never nil without an error. The caller imports the providers it wants to
// know.
func Open(c Config) (Generator, Embedder, error) {
	c = c.withDefaults()
	c.Provider = strings.ToLower(strings.TrimSpace(c.Provider))
	gen, err := openGenerator(c)
	if err != nil {
		return nil, nil, err
	}
	emb, err := openEmbedder(c)
	if err != nil {
		return nil, nil, err
	}
	return gen, emb, nil
}

func openGenerator(c Config) (Generator, error) {
	if c.Provider == "" || c.Provider == "embedded" {
		return nil, nil
	}
	p, ok := provider(c.Provider)
	if !ok || p.Generator == nil {
		return nil, fault.New(fault.Invalid, "PRECEPTOR_LLM_PROVIDER is %q; it may be one of %s.", c.Provider,
			strings.Join(Providers(), ", "))
	}
	return p.Generator(c)
}

func openEmbedder(c Config) (Embedder, error) {
	name := "embedded"
	if c.EmbedModel != "" && c.Provider != "embedded" && c.Provider != "" {
		name = c.Provider
	}
	p, ok := provider(name)
	if !ok {
		return nil, fmt.Errorf("llm: the provider %q is not part of this program", name)
	}
	if p.Embedder == nil {
		return nil, fault.New(fault.Invalid,
			"The provider %q has no embeddings; leave PRECEPTOR_LLM_EMBED_MODEL empty to use the embedded ones.", name)
	}
	return p.Embedder(c)
}
