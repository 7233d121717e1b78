package proxy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
	"preceptor/internal/interaction"
	"preceptor/internal/lists"
	"preceptor/internal/signal/turn"
	"preceptor/web/api"
)

// guidanceHeader tells the caller under which id an answer waits.
const guidanceHeader = "X-Preceptor-Guidance"

// hold submits the answer as guidance and gives the caller what was released, or that it waits.
func (p *proxy) hold(c echo.Context, res *http.Response, x *exchange) error {
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxSeen))
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "The model's answer broke off, so nothing was submitted. Try again.")
	}
	var a completion
	if err := json.Unmarshal(raw, &a); err != nil || len(a.Choices) == 0 || a.Choices[0].Message == nil {
		return fault.Wrap(fault.Unavailable, err, "The model's answer can't be read, so nothing was submitted. Try again.")
	}
	a.Choices = a.Choices[:1]
	m := a.Choices[0].Message
	if m.calls() {
		m.Content, m.Refusal = nil, nil
		return p.give(c, x, a)
	}
	text := m.text()
	if text == "" {
		return fault.New(fault.Unavailable, "The model gave an empty answer, so nothing was submitted. Try again.")
	}
	id, err := p.submit(c, x, text, a.Model)
	if err != nil {
		return refused(err)
	}
	c.Response().Header().Set(guidanceHeader, id)
	a.ID = "chatcmpl-" + id
	final, status, err := p.await(c, id, x.mode.Wait)
	if err != nil {
		return refused(err)
	}
	m.Content, m.Refusal = final, nil
	if final == nil {
		word := fmt.Sprintf("This answer was not released (%s). Guidance: %s.", status, id)
		if pending[status] {
			word = fmt.Sprintf("Waiting for review. A supervisor has to approve this answer before you can use it. Guidance: %s.", id)
		}
		if m.Content = &word; x.structured() {
			m.Content, m.Refusal = nil, &word
		}
	}
	stop := "stop"
	a.Choices[0].FinishReason = &stop
	return p.give(c, x, a)
}

// submit hands the text in, as an agent does by POST /api/guidance.
func (p *proxy) submit(c echo.Context, x *exchange, text, model string) (id string, err error) {
	var receipt struct{ ID string }
	err = p.ask(c, http.MethodPost, "/api/guidance", map[string]any{"agent": x.token.AgentName, "guidance": text, "model": model,
		"consultation":   map[string]string{"question": first(x.query(), interaction.MaxQuestion)},
		"knowledge_used": append([]string{}, lists.Map(x.memory.Items, func(i struct{ ID string }) string { return i.ID })...),
		"steps":          append([]turn.Step{}, x.steps()...)}, &receipt)
	return receipt.ID, err
}

// pending are the statuses in which guidance may still be released.
var pending = map[string]bool{interaction.Drafting: true, interaction.Waiting: true, interaction.Held: true}

// await looks, ever more seldom, until the guidance is released, can't be any more, or the time is up. final is nil unless it is released.
func (p *proxy) await(c echo.Context, id string, wait time.Duration) (final *string, status string, err error) {
	if err := lift(c, wait+patience); err != nil {
		return nil, "", err
	}
	ctx := c.Request().Context()
	until := time.Now().Add(wait)
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		var g struct {
			Status string  `json:"status"`
			Final  *string `json:"final_text"`
		}
		if err := p.ask(c, http.MethodGet, "/api/guidance/"+id, nil, &g); err != nil {
			return nil, "", err
		}
		left := time.Until(until)
		if !pending[g.Status] || left <= 0 {
			return g.Final, g.Status, nil
		}
		select {
		case <-ctx.Done():
			return nil, "", ctx.Err()
		case <-time.After(min(pause, left)):
		}
	}
}

// refused is the API's refusal as a fault of its kind, with its words. What failed there is logged there.
func refused(err error) error {
	if r, ok := errors.AsType[*api.Refusal](err); ok {
		for _, kind := range []fault.Kind{fault.Invalid, fault.Denied, fault.NotFound, fault.Conflict, fault.Limited, fault.Unavailable} {
			if kind.Status() == r.Status {
				return fault.New(kind, "%s", r.Problem.Text())
			}
		}
	}
	return err
}

// give writes the answer in the form that was asked for: whole, or as a stream of one part.
func (p *proxy) give(c echo.Context, x *exchange, a completion) error {
	if !x.streams() {
		a.Object = "chat.completion"
		return c.JSON(http.StatusOK, a)
	}
	c.Response().Header().Set("Content-Type", "text/event-stream")
	c.Response().WriteHeader(http.StatusOK)
	usage, end := a.Usage, a.Choices[0].FinishReason
	a.Object, a.Usage = "chat.completion.chunk", nil
	delta := a.Choices[0].Message
	for i := range delta.ToolCalls {
		delta.ToolCalls[i]["index"] = i // parts of a stream say it, and whole answers don't
	}
	parts := []completion{a, a}
	parts[0].Choices = []choice{{Delta: delta}}
	parts[1].Choices = []choice{{Delta: &said{}, FinishReason: end}}
	var options struct {
		Usage bool `json:"include_usage"`
	}
	if x.read("stream_options", &options); options.Usage {
		last := a
		last.Choices, last.Usage = []choice{}, usage
		parts = append(parts, last)
	}
	for _, part := range parts {
		b, err := json.Marshal(part)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(c.Response(), "data: %s\n\n", b); err != nil {
			return err
		}
	}
	_, err := io.WriteString(c.Response(), "data: [DONE]\n\n")
	return err
}
