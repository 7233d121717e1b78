package api_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/delivery"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/link"
	"preceptor/internal/feedback/nightly"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook/hooktest"
	"preceptor/internal/platform/job"
	"preceptor/internal/policy"
	"preceptor/internal/privacy"
	"preceptor/internal/review"
	"preceptor/internal/search"
	"preceptor/internal/signal"
	"preceptor/web/api"
	"preceptor/web/render"
)

var ctx = context.Background()

var ann = review.Person{ID: "ann", Name: "Ann"}

// desk is the API over a real database, with an agent's token.
type desk struct {
	t       testing.TB
	e       *echo.Echo
	db      *db.DB
	clock   *dbtest.Clock
	jobs    *job.Queue
	in      *interaction.Store
	reviews *review.Queue
	assess  review.Assessment // of every text
	people  *account.Directory
	trials  *experiment.Store
	token   string // of pension-advisor, with every scope
	asked   knowledge.Query
}

func open(t testing.TB) *desk {
	t.Helper()
	k := &desk{t: t, clock: dbtest.NewClock(), e: echo.New()}
	k.db = dbtest.NewAt(t, k.clock)
	log := slog.New(slog.DiscardHandler)
	k.jobs = job.New(k.db, log)
	k.assess = review.Assessment{Passed: true, Confidence: 1}
	k.in = interaction.New(k.db, k.jobs,
		hooktest.Late(&interaction.Hooks{Read: func(string, interaction.Consultation) interaction.Follow {
			return func(tx *db.Tx, it *interaction.Interaction) error { return k.reviews.EnqueueTx(tx, it, k.assess) }
		}}), log)
	k.reviews = review.New(k.db, k.jobs, k.in, review.Policy{}, hooktest.Late(&review.Hooks{
		Assess:    func(string, *interaction.Interaction) review.Assessment { return k.assess },
		PolicyFor: func(*db.Tx, string) (policy.Policy, error) { return policy.Default(), nil },
	}), log)
	k.people = account.New(k.db)
	k.token = k.newToken("pension-advisor", time.Time{}, account.Submit, account.Recall, account.Feedback)
	k.e.HTTPErrorHandler = func(err error, c echo.Context) { _ = render.Fault(c, err) }
	k.trials = experiment.New(k.db, func(*db.Tx, string) (experiment.RuleFacts, error) {
		return experiment.RuleFacts{}, fault.New(fault.NotFound, "There is no such rule.")
	}, nil)
	base := knowledge.New(k.db, search.New(k.db), embedded.New(), knowledge.Options{})
	signals := signal.New(k.db, k.jobs, nil, base, nil, embedded.New(), privacy.New(),
		hooktest.Late(&signal.Hooks{PackOf: k.people.PackTx}), log)
	book := feedback.New(k.db, k.in, embedded.New(), feedback.Settings{}, hooktest.Late(&feedback.Hooks{
		Clean: func(_ feedback.Subject, text string) string {
			return text
		}, Registered: k.people.AgentNamedTx, Names: k.people.NamesTx}), log)
	api.Mount(k.e, api.Deps{Accounts: k.people, Interactions: k.in, Reviews: k.reviews, Log: log,
		Version: "1.2.3",
		Preferences: preference.New(k.db,
			hooktest.Late(&preference.Hooks{Hide: func(text string, _ ...string) string { return text }})),
		Experiments: k.trials,
		PromptFile:  func(context.Context, string) (nightly.PromptFile, error) { return nightly.PromptFile{}, nil },
		Feedback:    book, Links: link.Of(k.db, book),
		Rules: func(_ context.Context, agentID string) ([]knowledge.Rule, error) {
			return []knowledge.Rule{{ID: "r1", Number: 12, Version: 3, AgentID: agentID, Domain: "guidance",
				RuleText: knowledge.RuleText{Principle: "When …", Confidence: 0.9}},
				{ID: "r2", Number: 13, Version: 1, Domain: "guidance",
					RuleText: knowledge.RuleText{Principle: "Untested", Confidence: knowledge.Untried}}}, nil
		},
		Recall: func(_ context.Context, q knowledge.Query, _ string) (*knowledge.Recall, knowledge.Withhold, error) {
			k.asked = q
			return &knowledge.Recall{Prompt: "## Similar Cases (from Case Base)", Tokens: 7,
				Items: []knowledge.Item{{Kind: "rule", ID: "r1", Number: 12, Version: 3, Score: 0.9,
					Why: []string{"DB pension"}, Text: "When …"}}}, knowledge.Withhold{}, nil
		}, Signals: signals,
		Escalation: func(context.Context, string) (api.Escalation, error) {
			return api.Escalation{ReviewShare: 1, ExpertShare: policy.DefaultExpertShare}, nil
		},
		Escalated: func(context.Context, string) (*api.Escalated, error) { return nil, nil },
		Validate: func(_ context.Context, text string, asked interaction.Consultation) compliance.Verdict {
			return compliance.NewChecker(nil).Check(text, asked.Situation())
		},
		Delivery: func(context.Context, string, string) (delivery.Standing, error) {
			return delivery.Standing{}, nil
		},
		Address: func(path string) string { return path }})
	return k
}

func (k *desk) newToken(agent string, expires time.Time, scopes ...account.Scope) string {
	k.t.Helper()
	plain, _, err := k.people.CreateToken(ctx, agent, "pension", scopes, expires, audit.System("test"))
	if err != nil {
		k.t.Fatal(err)
	}
	return plain
}

// answer is what came back.
type answer struct {
	*httptest.ResponseRecorder
	json map[string]any
}

// fields is an error as it came back: each field as "#/pointer" or "parameter".
func (a answer) fields() (out []string) {
	list, _ := a.json["errors"].([]any)
	for _, one := range list {
		f := one.(map[string]any)
		if p, ok := f["pointer"].(string); ok {
			out = append(out, p)
		} else {
			out = append(out, f["parameter"].(string))
		}
	}
	return out
}

type option func(*http.Request)

func header(name, value string) option {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

func as(token string) option { return header("Authorization", "Bearer "+token) }

func (k *desk) call(method, path, body string, options ...option) answer {
	k.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if method == http.MethodGet {
		r.Body = http.NoBody
	} else {
		r.Header.Set("Content-Type", "application/json")
	}
	as(k.token)(r)
	for _, o := range options {
		o(r)
	}
	w := httptest.NewRecorder()
	k.e.ServeHTTP(w, r)
	a := answer{ResponseRecorder: w}
	b, _ := io.ReadAll(w.Result().Body)
	if kind := w.Header().Get("Content-Type"); strings.Contains(kind, "json") && !strings.Contains(kind, "jsonl") {
		if err := json.Unmarshal(b, &a.json); err != nil {
			k.t.Fatalf("%s %s answered %d with broken JSON: %v\n%.300s", method, path, w.Code, err, b)
		}
	}
	return a
}

func (k *desk) post(body string, options ...option) answer {
	k.t.Helper()
	return k.call(http.MethodPost, "/api/guidance", body, options...)
}

const small = `{"agent":"pension-advisor","consultation":{"question":"How much is tax free?"},"guidance":"A quarter, usually."}`

// submit hands in small and returns its id.
func (k *desk) submit(options ...option) string {
	k.t.Helper()
	a := k.post(small, options...)
	if a.Code != http.StatusAccepted {
		k.t.Fatalf("submit: %d %s", a.Code, a.Body)
	}
	return a.json["id"].(string)
}

func (k *desk) decide(id, kind string) *review.Decision {
	k.t.Helper()
	item, err := k.reviews.Get(ctx, id)
	if err != nil {
		k.t.Fatal(err)
	}
	dec, err := k.reviews.Decide(ctx,
		review.Input{ID: id, By: ann, Kind: kind, Version: item.Version, TextHash: item.TextHash,
			Text: "A quarter, up to a limit.", Reason: "The limit is missing.", ReasonCode: "wrong_facts",
			Feedback: "Mention the limit."})
	if err != nil {
		k.t.Fatal(err)
	}
	return dec
}

func (k *desk) count(table string) (n int) {
	k.t.Helper()
	if err := k.db.Reader().QueryRow(`SELECT COUNT(*) FROM ` + table).Scan(&n); err != nil {
		k.t.Fatal(err)
	}
	return n
}
