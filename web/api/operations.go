package api

import (
	"cmp"
	"context"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"preceptor/internal/account"
	"preceptor/internal/interaction"
	"preceptor/web/api/reference"
	"preceptor/web/render"
)

// mount registers the operations: what a token may do with which scope, where, and who answers. Their words are in
// operations.txt.
func (h *handlers) mount(a huma.API) {
	once(h, a, "submit-guidance", "/api/guidance", account.Submit, h.submit)
	give(h, a, "get-guidance", "/api/guidance/{id}", account.Submit, h.get)
	give(h, a, "withdraw-guidance", "/api/guidance/{id}", account.Submit, h.withdraw)
	give(h, a, "list-guidance", "/api/guidance", account.Submit, h.list)
	take(h, a, "recall", "/api/recall", account.Recall, h.recall)
	give(h, a, "list-rules", "/api/rules", account.Recall, h.rules)
	once(h, a, "advise", "/api/advise", account.Submit, h.advise)
	register(h, a, "check", "/api/check", account.Submit, checkBody{}, h.check)
	give(h, a, "get-policy", "/api/policy", account.Submit, h.policy)
	once(h, a, "log-interaction", "/api/feedback/interactions", account.Feedback, h.logInteraction)
	take(h, a, "submit-feedback", "/api/feedback/submit", account.Feedback, h.vote)
	give(h, a, "list-examples", "/api/feedback/examples", account.Feedback, h.examples)
	give(h, a, "agent-stats", "/api/feedback/stats/{agent_type}", account.Feedback, h.stats)
	give(h, a, "get-prompt", "/api/agents/{agent}/prompt", account.Recall, h.prompt)
	take(h, a, "make-feedback-link", "/api/feedback/links", account.Feedback, h.makeLink)
	take(h, a, "add-outcome", "/api/feedback/outcomes", account.Feedback, h.outcome)
	take(h, a, "add-experience", "/api/feedback/experiences", account.Feedback, h.addExperience)
	give(h, a, "positive-examples", "/api/feedback/experiences", account.Feedback, h.experiences)
	register(h, a, "export-feedback", "/api/feedback/export/{kind}", account.Feedback, nil, h.exportFeedback)
	take(h, a, "add-pair", "/api/preferences", account.Feedback, h.addPair)
	take(h, a, "choose", "/api/preferences/{id}/choices", account.Feedback, h.choose)
	take(h, a, "create-experiment", "/api/experiments", account.Feedback, h.experiment)
	take(h, a, "assign-arm", "/api/experiments/{id}/assignments", account.Feedback, h.assign)
	take(h, a, "record-outcome", "/api/experiments/{id}/outcomes", account.Feedback, h.trial)
	give(h, a, "get-variant", "/api/experiments/{id}/variant", account.Feedback, h.variant)
	take(h, a, "record-variant-outcome", "/api/experiments/{id}/outcome", account.Feedback, h.trial)
	take(h, a, "record-turn", "/api/turns", account.Feedback, h.recordTurn)
	take(h, a, "end-session", "/api/sessions/end", account.Feedback, h.endSession)
	give(h, a, "get-session", "/api/sessions/{id}", account.Feedback, h.getSession)
	take(h, a, "report-evaluations", "/api/evaluations", account.Feedback, h.report)
	give(h, a, "get-notes", "/api/notes", account.Recall, h.notes)
	register(h, a, "export-evaluations", "/api/evaluations", account.Feedback, nil, h.exportResults)
	take(h, a, "import-observations", "/api/observations", account.Feedback, h.importFile)
	register(h, a, "export-observations", "/api/observations/{id}", account.Feedback, nil, h.exportFile)
	take(h, a, "import-learnings", "/api/learnings", account.Feedback, h.importLearnings)
	give(h, a, "list-learnings", "/api/learnings", account.Feedback, h.learnings)
	register(h, a, "export-learnings", "/api/learnings.md", account.Feedback, nil, h.exportLearnings)
	take(h, a, "record-reactions", "/api/reminders", account.Feedback, h.react)
	give(h, a, "get-reminders", "/api/reminders", account.Feedback, h.reminders)
}

// register adds an operation, which is a POST with a body and a GET, or what its words say, without, with what all
// share: the token with its scope, the errors, and the body's schema. The body is declared to the description only:
// huma must not read it, because decode does.
func register[I, O any](h *handlers, a huma.API, id, path string, scope account.Scope, body any,
	handle func(context.Context, *I) (*O, error)) {
	about := reference.Operations[id]
	op := huma.Operation{OperationID: id, Method: cmp.Or(about.Words["method"], http.MethodGet), Path: path,
		Tags:    []string{about.Words["tag"]},
		Summary: about.Words["summary"], Description: about.Words["description"],
		Security: []map[string][]string{{"token": {}}}, Extensions: map[string]any{"x-scope": string(scope)},
		Middlewares: huma.Middlewares{h.admit(scope)}}
	for _, status := range about.Statuses("success") {
		op.DefaultStatus = status
	}
	statuses := append([]int{http.StatusUnauthorized, http.StatusForbidden, http.StatusUnprocessableEntity},
		about.Statuses("refusals")...)
	if body != nil {
		op.Method = http.MethodPost
		statuses = append(statuses, http.StatusBadRequest, http.StatusRequestEntityTooLarge,
			http.StatusUnsupportedMediaType)
	}
	problem := h.schemas.Schema(reflect.TypeFor[render.ProblemBody](), true, "")
	op.Responses = map[string]*huma.Response{}
	for _, status := range statuses {
		op.Responses[strconv.Itoa(status)] = &huma.Response{Description: http.StatusText(status),
			Content: map[string]*huma.MediaType{"application/problem+json": {Schema: problem}}}
	}
	huma.Register(a, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handle(ctx, in)
		if err != nil {
			return nil, h.fail(ctx, err)
		}
		return out, nil
	})
	if body == nil {
		return
	}
	a.OpenAPI().Paths[op.Path].Post.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		"application/json": {Schema: h.schemas.Schema(reflect.TypeOf(body), true, "")}}}
}

// output is an answer that is a body alone.
type output[A any] struct{ Body A }

// give registers an operation that takes parameters and answers with A.
func give[I, A any](h *handlers, a huma.API, id, path string, scope account.Scope,
	handle func(context.Context, *I) (A, error)) {
	register(h, a, id, path, scope, nil, func(ctx context.Context, in *I) (*output[A], error) {
		answer, err := handle(ctx, in)
		return &output[A]{answer}, err
	})
}

// take registers an operation that takes a body, and answers with A.
func take[I, B, A any](h *handlers, a huma.API, id, path string, scope account.Scope,
	handle func(context.Context, *call, *I, B) (A, error)) {
	var none B
	register(h, a, id, path, scope, none, func(ctx context.Context, in *I) (*output[A], error) {
		c := callOf(ctx)
		body, _, err := decode[B](h, c)
		if err != nil {
			return nil, err
		}
		answer, err := handle(ctx, c, in, body)
		return &output[A]{answer}, err
	})
}

// keyed are the parameters of an operation that happens once for a key.
type keyed struct {
	IdempotencyKey string `header:"Idempotency-Key" doc:"1 to 255 printable ASCII characters. The same key with the same body gives the same answer, for at least 24 hours; with another body it is refused."`
}

// once registers an operation that takes a body, and happens once for a key. Keys belong to the token; the key is nil
// when the client sent none.
func once[B, O any](h *handlers, a huma.API, id, path string, scope account.Scope,
	handle func(context.Context, *call, *interaction.Idempotency, B) (*O, error)) {
	var none B
	register(h, a, id, path, scope, none, func(ctx context.Context, in *keyed) (*O, error) {
		c := callOf(ctx)
		body, hash, err := decode[B](h, c)
		if err != nil {
			return nil, err
		}
		var key *interaction.Idempotency
		if c.Request().Header.Values("Idempotency-Key") != nil {
			key = &interaction.Idempotency{Owner: c.token.ID, Key: in.IdempotencyKey, BodyHash: hash}
		}
		return handle(ctx, c, key, body)
	})
}
