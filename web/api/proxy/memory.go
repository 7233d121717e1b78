package proxy

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/interaction"
)

// memory is what was put in.
type memory struct {
	Prompt string
	Tokens int
	Items  []struct{ ID string }
}

// recallHeader tells the caller how many tokens were put in, or that it failed.
const recallHeader = "X-Preceptor-Recall"

// recall asks what is known of the user's last message: cases, rules, notes. A model that answers without memory is better than none, so a
// failure is told and logged, and the call goes on.
func (p *proxy) recall(c echo.Context, r *request, budget int) (m memory) {
	query := first(r.query(), interaction.MaxQuestion)
	if budget <= 0 || strings.TrimSpace(query) == "" {
		return m
	}
	err := p.ask(c, http.MethodPost, "/api/recall", map[string]any{"query": query, "user_id": r.name("user"), "model": r.name("model"), "token_budget": budget}, &m)
	if err != nil {
		if c.Request().Context().Err() == nil {
			p.Log.Error("recall for a call of a model", "error", err.Error())
		}
		c.Response().Header().Set(recallHeader, "failed")
		return memory{}
	}
	c.Response().Header().Set(recallHeader, strconv.Itoa(m.Tokens))
	return m
}

// ask asks an operation of the API with the caller's token.
func (p *proxy) ask(c echo.Context, method, path string, question, answer any) error {
	var body []byte
	if question != nil {
		body, _ = json.Marshal(question) // ours, of texts and numbers
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
