// Package api is the JSON API for agents, under /api: hand in guidance, read what became of it, ask for knowledge, ask
// our own advisor.
//
// huma gives it the routes, the parameters and the OpenAPI 3.1 description, made from the Go types below; the pages of
// the description (/api/docs) are our own, because huma's load from a foreign host.
//
// What it promises. A token can hand in and read, and never decide: no route here reaches a decision. Text that a
// person has not released is not answered, to nobody. An agent sees its own guidance; another's is not found. Every
// error, whoever finds it, is application/problem+json with a pointer to each wrong field. The schema that is published
// is the one that is enforced (check): names are exact, and a field that it does not know is refused, except inside
// customer, metadata and response_metadata. Who may use which route stands in web/routes.go; each operation asks for
// its scope here as well, so that the API stays shut if a line there is wrong.
//
// What it decided against: huma's own validation of bodies (it matches names in any letter case, echoes what was sent,
// and names places by dotted paths), reading a token from anywhere but the Authorization header, and names of people in
// answers to agents (the kind of actor says enough).
package api

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humaecho"
	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/compliance"
	"preceptor/internal/delivery"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/link"
	"preceptor/internal/feedback/nightly"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/review"
	"preceptor/internal/signal"
	"preceptor/web/api/reference"
)

// maxBody is the longest body that is read, in bytes: a text of 200 kB has room even when every character is escaped.
const maxBody = 2 << 20

// Deps is what the API works with.
type Deps struct {
	Accounts     *account.Directory
	Interactions *interaction.Store
	Reviews      *review.Queue
	Recall       func(ctx context.Context, q knowledge.Query, user string) (*knowledge.Recall, knowledge.Withhold,
		error)
	// in force: the agent's own and those of all
	Rules func(ctx context.Context, agentID string) ([]knowledge.Rule, error)
	// what holds for an agent's unsettled drafts
	Escalation  func(ctx context.Context, agentID string) (Escalation, error)
	Escalated   func(ctx context.Context, id string) (*Escalated, error)
	Validate    func(ctx context.Context, text string, asked interaction.Consultation) compliance.Verdict
	Delivery    func(ctx context.Context, agentID, guidanceID string) (delivery.Standing, error)
	Feedback    *feedback.Book
	Links       *link.Links // for feedback
	Preferences *preference.Store
	Experiments *experiment.Store
	Signals     *signal.Store
	// lines for a prompt that a person accepted
	PromptFile func(ctx context.Context, agentID string) (nightly.PromptFile, error)
	// the whole address of a page of ours
	Address func(path string) string
	// of the program, for the description
	Version string
	Log     *slog.Logger
}

// handlers are the operations.
type handlers struct {
	Deps
	schemas huma.Registry
}

// Mount puts the API's routes, its description and its page in place, and returns the description.
func Mount(e *echo.Echo, d Deps) *huma.OpenAPI {
	if d.Version == "" {
		d.Version = "development"
	}
	asJSON := huma.Format{Marshal: marshal, Unmarshal: json.Unmarshal}
	schemas := huma.NewMapRegistry(reference.SchemaPrefix, reference.SchemaName)
	a := humaecho.New(e, huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{Title: "Preceptor", Version: d.Version,
				Description: "Submit guidance, get a supervisor's decision, and get the text that may go to the " +
					"customer."},
			Servers: []*huma.Server{{URL: "/", Description: "This server: paths start at its root."}},
			Components: &huma.Components{
				Schemas: schemas,
				SecuritySchemes: map[string]*huma.SecurityScheme{"token": {Type: "http", Scheme: "bearer",
					Description: "An agent's token, created under Administration, Agents, or with preceptor token " +
						"create."}},
			},
		},
		// the second is for +json
		Formats:                      map[string]huma.Format{"application/json": asJSON, "json": asJSON},
		DefaultFormat:                "application/json",
		Transformers:                 []huma.Transformer{asProblem},
		RejectUnknownQueryParameters: true,
	})
	h := &handlers{Deps: d, schemas: schemas}
	h.mount(a)
	delete(schemas.Map(), "ErrorModel") // huma's own, which nothing answers with
	spec := sync.OnceValues(func() ([]byte, error) { return json.MarshalIndent(a.OpenAPI(), "", "  ") })
	e.GET("/api/openapi.json", func(c echo.Context) error {
		b, err := spec()
		if err == nil {
			err = c.Blob(http.StatusOK, "application/openapi+json", b)
		}
		return err
	})
	e.GET("/openapi.json", func(c echo.Context) error {
		return c.Redirect(http.StatusMovedPermanently, "/api/openapi.json")
	})
	e.GET("/api/docs", reference.Page(a.OpenAPI(), reference.ExampleOf))
	return a.OpenAPI()
}

// marshal leaves <, > and & as they are: the answer is JSON, and nobody shall mistake it for HTML.
func marshal(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
