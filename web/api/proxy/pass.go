package proxy

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/interaction"
	"preceptor/internal/signal/turn"
)

// handedOn are the headers of an answer that are the caller's: what describes the body, and when to try again. Others
// are between us and the provider (connections, cookies), or ours to set.
var handedOn = []string{"Content-Type", "Content-Length", "Content-Encoding", "Retry-After", "Retry-After-Ms",
	"X-Should-Retry"}

// handedOnToo begin headers with a provider's limits and names.
var handedOnToo = []string{"X-Ratelimit-", "Openai-"}

func copyHead(to, from http.Header) {
	for name, values := range from {
		if slices.Contains(handedOn, name) || slices.ContainsFunc(handedOnToo, func(p string) bool {
			return strings.HasPrefix(name, p)
		}) {
			to[name] = values
		}
	}
}

// pass hands an answer on as it comes, part by part, and shows seen what passes; nil sees nothing. An answer that
// breaks off is broken off for the caller too.
func (p *proxy) pass(c echo.Context, res *http.Response, seen *capture) error {
	copyHead(c.Response().Header(), res.Header)
	stream := strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream")
	if stream {
		unbuffered(c)
	}
	c.Response().WriteHeader(res.StatusCode)
	part := make([]byte, 32<<10)
	for {
		n, err := res.Body.Read(part)
		if n > 0 {
			if lerr := lift(c, patience); lerr != nil {
				return lerr
			}
			if _, werr := c.Response().Write(part[:n]); werr != nil {
				return nil // the caller has gone
			}
			_ = http.NewResponseController(c.Response()).Flush() // a caller that has gone shows at the next part
			if seen != nil {
				seen.add(part[:n])
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			if seen != nil && res.StatusCode == http.StatusOK {
				seen.end(stream)
			}
			return nil
		case err != nil && c.Request().Context().Err() != nil:
			return nil
		case err != nil:
			p.Log.Warn("an answer of the model's server broke off", "error", err.Error())
			panic(http.ErrAbortHandler)
		}
	}
}

// unbuffered asks a proxy in front of us to hand a stream on as it comes.
func unbuffered(c echo.Context) { c.Response().Header().Set("X-Accel-Buffering", "no") }

// sessionHeader names the conversation, for callers that can't set metadata.
const sessionHeader = "X-Preceptor-Session"

// record stores the turn that an answer ends. The caller may have gone already.
func (p *proxy) record(c echo.Context, x *exchange, seen *capture) {
	if x.lastUser() < 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request().Context()), 10*time.Second)
	defer cancel()
	err := p.Record(ctx, turn.Turn{AgentID: x.token.AgentID, Agent: x.token.AgentName,
		Session: x.session(c.Request().Header), User: x.name("user"),
		Query: first(x.query(), turn.MaxText), Response: first(seen.text, turn.MaxText),
		Model: first(seen.model, turn.MaxName), Steps: x.steps(), Source: turn.ByProxy})
	if err != nil {
		p.Log.Error("record a turn that came through the proxy", "agent", x.token.AgentID, "error", err.Error())
	}
}

// memory is what was put in.
type memory struct {
	Prompt string
	Tokens int
	Items  []struct{ ID string }
}

// recallHeader tells the caller how many tokens were put in, or that it failed.
const recallHeader = "X-Preceptor-Recall"

// recall asks what is known of the user's last message: cases, rules, notes. A model that answers without memory is
// better than none, so a failure is told and logged, and the call goes on.
func (p *proxy) recall(c echo.Context, r *request, budget int) (m memory) {
	query := first(r.query(), interaction.MaxQuestion)
	if budget <= 0 || strings.TrimSpace(query) == "" {
		return m
	}
	ctx := c.Request().Context()
	messages, _ := r.talk()
	err := p.Ask.Into(ctx, c.Request().Header.Get("Authorization"), http.MethodPost, "/api/recall",
		map[string]any{"query": query, "messages": messages, "user_id": r.name("user"), "model": r.name("model"),
			"token_budget": budget}, &m)
	if err != nil {
		if ctx.Err() == nil {
			p.Log.Error("recall for a call of a model", "error", err.Error())
		}
		c.Response().Header().Set(recallHeader, "failed")
		return memory{}
	}
	c.Response().Header().Set(recallHeader, strconv.Itoa(m.Tokens))
	return m
}
