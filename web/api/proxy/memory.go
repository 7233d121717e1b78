package proxy

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/web/api"
)

// memory is what was put in.
type memory struct {
	prompt string
	used   []string // ids
}

// recallHeader tells the caller how many tokens were put in, or that it failed.
const recallHeader = "X-Preceptor-Recall"

// recall asks what is known of the user's last message: the notes of evaluators within half of the budget, cases and rules in the rest.
// A model that answers without memory is better than none, so a failure is told and logged, and the call goes on.
func (p *proxy) recall(c echo.Context, r *request, budget int) (m memory) {
	query := first(r.query(), interaction.MaxQuestion)
	if budget <= 0 || strings.TrimSpace(query) == "" {
		return m
	}
	notes, err := p.notes(c, r.text("model"), budget/2)
	var known struct {
		Prompt string
		Items  []struct{ ID string }
	}
	if err == nil {
		err = p.ask(c, http.MethodPost, "/api/recall", map[string]any{"query": query, "token_budget": budget - knowledge.Tokens(notes)}, &known)
	}
	if err != nil {
		if c.Request().Context().Err() == nil {
			p.Log.Error("recall for a call of a model", "error", err.Error())
		}
		c.Response().Header().Set(recallHeader, "failed")
		return m
	}
	m.prompt = strings.TrimSpace(known.Prompt + "\n\n" + notes)
	for _, i := range known.Items {
		m.used = append(m.used, i.ID)
	}
	c.Response().Header().Set(recallHeader, strconv.Itoa(knowledge.Tokens(m.prompt)))
	return m
}

// notes are the agent's, as many whole lines as the budget holds; none where the API has none.
func (p *proxy) notes(c echo.Context, model string, budget int) (string, error) {
	var answer struct{ Prompt string }
	err := p.ask(c, http.MethodGet, "/api/notes?"+url.Values{"model": {model}}.Encode(), nil, &answer)
	if r, ok := errors.AsType[*api.Refusal](err); ok && r.Status == http.StatusNotFound {
		return "", nil
	}
	lines := strings.Split(answer.Prompt, "\n")
	for len(lines) > 0 && knowledge.Tokens(strings.Join(lines, "\n")) > budget {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n"), err
}

// ask asks an operation of the API with the caller's token.
func (p *proxy) ask(c echo.Context, method, path string, question, answer any) error {
	var body []byte
	if question != nil {
		var err error
		if body, err = json.Marshal(question); err != nil {
			return err
		}
	}
	b, err := p.Ask(c.Request().Context(), c.Request().Header.Get("Authorization"), method, path, body)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, answer)
}

// first is the beginning of s, of at most this many bytes.
func first(s string, bytes int) string {
	if len(s) <= bytes {
		return s
	}
	return strings.ToValidUTF8(s[:bytes], "")
}
