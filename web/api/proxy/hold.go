package proxy

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/tidwall/gjson"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/review"
	"preceptor/web/api/inproc"
)

// These tell the caller under which id an answer waits, and its status: only where that is released is the content the
// answer's.
const guidanceHeader, statusHeader = "X-Preceptor-Guidance", "X-Preceptor-Status"

// held is an answer that waits at the desk, or one that calls tools which pass.
type held struct {
	completion
	guidance string // "" where it passes
	calls    []call
	end      string // why a message with calls ends
	cut      bool   // the model stopped at its limit of length
	refusal  *http.Response
	body     []byte // of refusal
	err      error
	ready    chan struct{}
	ends     *time.Timer // takes it off the list
}

// waiting are the held answers that a caller may ask for again, by what was sent: a client that waits in vain sends the
// same once more. They are kept in memory, so that after a restart the same call is a new one.
type waiting struct {
	mu   sync.Mutex
	list map[[sha256.Size]byte]*held
}

// mostWaiting and longest bound the list; beyond the first any goes, and a retry of that call is a new one.
const (
	mostWaiting = 10_000
	longest     = 48 * time.Hour
)

// join is the answer to what was sent, and whether it is the caller's to make.
func (w *waiting) join(key [sha256.Size]byte) (a *held, mine bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.list[key]; a != nil {
		return a, false
	}
	for k := range w.list {
		if len(w.list) < mostWaiting {
			break
		}
		w.list[k].ends.Stop()
		delete(w.list, k)
	}
	a = &held{ready: make(chan struct{})}
	a.ends = time.AfterFunc(longest, func() { w.leave(key, a) })
	w.list[key] = a
	return a, true
}

func (w *waiting) leave(key [sha256.Size]byte, a *held) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a.ends.Stop()
	if w.list[key] == a {
		delete(w.list, key)
	}
}

// hold has the model's answer submitted as guidance, once for a call and its retries, and gives the caller what was
// released, or that it waits. A caller that hangs up leaves the answer to its retry.
func (p *proxy) hold(c echo.Context, x *exchange) error {
	ctx, key := c.Request().Context(), sha256.Sum256(append([]byte(x.token.ID+"\n"), x.raw...))
	a, mine := p.waiting.join(key)
	if mine {
		func() {
			defer close(a.ready) // whatever happens
			a.err = p.submit(context.WithoutCancel(ctx), c, x, a)
		}()
	}
	select {
	case <-a.ready:
	case <-ctx.Done():
		return ctx.Err()
	}
	if a.guidance == "" {
		p.waiting.leave(key, a)
		switch {
		case a.err != nil:
			return a.err
		case a.refusal != nil:
			copyHead(c.Response().Header(), a.refusal.Header)
			return c.Blob(a.refusal.StatusCode, a.refusal.Header.Get("Content-Type"), a.body)
		}
		return p.give(c, x, a.completion)
	}
	c.Response().Header().Set(guidanceHeader, a.guidance)
	g, err := p.await(c, a.guidance, x.mode.Wait)
	if err == nil && !pending[g.Status] { // after a fault nobody knows, and a retry asks about the same guidance
		p.waiting.leave(key, a)
	}
	if err != nil {
		return refused(err)
	}
	c.Response().Header().Set(statusHeader, g.Status)
	m, end := said{Role: "assistant"}, "stop"
	switch {
	case !g.has(a.calls):
		word := words(fmt.Sprintf("This answer was not released (%s). Guidance: %s.", g.Status, a.guidance))
		if pending[g.Status] {
			word = words(
				fmt.Sprintf(
					"Waiting for review. A supervisor must approve this answer before you can use it. Guidance: %s.",
					a.guidance))
		}
		end = filtered
		if m.Content = &word; x.structured() {
			m.Content, m.Refusal = nil, (*string)(&word)
		}
	default:
		if m.Content = g.Final; len(a.calls) > 0 {
			m = a.Choices[0].Message.with(a.calls, g.Actions)
			m.Content, end = g.Final, a.end
		}
		if a.cut && g.Decision.Kind != review.Revise {
			end = cut
		}
	}
	out := a.completion
	out.ID, out.Choices = "chatcmpl-"+a.guidance, []choice{{Message: &m, FinishReason: &end}}
	return p.give(c, x, out)
}

// submit asks the model and submits its answer, as an agent does by POST /api/guidance. The text itself is not kept,
// the calls are; where these pass, nothing is submitted.
func (p *proxy) submit(ctx context.Context, c echo.Context, x *exchange, a *held) error {
	res, err := p.send(ctx, c.Request(), "chat/completions", x.with(x.memory.Prompt, true))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxSeen))
	if err != nil {
		return fault.Wrap(fault.Unavailable, err,
			"The model's answer was cut off, so nothing was submitted. Try again.")
	}
	if res.StatusCode >= http.StatusMultipleChoices {
		a.refusal, a.body = res, raw
		return nil
	}
	if err := json.Unmarshal(raw, &a.completion); err != nil || len(a.Choices) == 0 || a.Choices[0].Message == nil {
		return fault.Wrap(fault.Unavailable, err,
			"We couldn't read the model's answer, so nothing was submitted. Try again.")
	}
	a.Choices = a.Choices[:1]
	m := a.Choices[0].Message
	said, _ := heard(gjson.GetBytes(raw, "choices.0.message"))
	m.Content, m.Refusal = nil, nil
	kept, err := json.Marshal(m) // what would be given is what is looked at, however the answer is written
	if err != nil {
		return err
	}
	a.calls = callsOf(gjson.ParseBytes(kept))
	if len(a.calls) > 0 && !x.waits(a.calls) {
		return nil
	}
	var text string
	if err := json.Unmarshal([]byte(`"`+said+`"`), &text); err != nil || text == "" && len(a.calls) == 0 {
		return fault.New(fault.Unavailable, "The model gave an empty answer, so nothing was submitted. Try again.")
	}
	actions, why, err := x.actions(a.calls)
	if err != nil {
		return err
	}
	reason := gjson.GetBytes(raw, "choices.0.finish_reason").Str
	a.cut, a.end = reason == cut, reason
	if reason != "stop" && reason != "function_call" {
		a.end = "tool_calls"
	}
	messages, left := x.talk()
	why = append(why, endings[reason])
	if left > 0 {
		why = append(why, fmt.Sprintf("The conversation is longer: its oldest %d messages are not shown.", left))
	}
	var receipt struct{ ID string }
	err = p.Ask.Into(ctx, c.Request().Header.Get("Authorization"), http.MethodPost, "/api/guidance",
		map[string]any{"agent": x.token.AgentName, "guidance": text, "actions": actions, "model": a.Model,
			"reasoning": strings.TrimSpace(strings.Join(why, " ")),
			"consultation": map[string]any{"question": first(x.query(), interaction.MaxQuestion),
				"messages": messages, "thread": x.session(c.Request().Header)},
			"knowledge_used": append([]string{},
				lists.Map(x.memory.Items, func(i struct{ ID string }) string { return i.ID })...),
			"steps": x.steps()}, &receipt)
	a.guidance = receipt.ID
	return refused(err)
}

// endings are what a supervisor is told of an answer that isn't whole.
var endings = map[string]string{cut: "The model stopped at its length limit, so the end of this text is missing.",
	filtered: "The provider's content filter stopped the model, so the end of this text is missing."}

// pending are the statuses in which guidance may still be released.
var pending = map[string]bool{interaction.Drafting: true, interaction.Waiting: true, interaction.Held: true}

// standing is what became of a held answer so far.
type standing struct {
	Status   string                `json:"status"`
	Final    *words                `json:"final_text"` // nil unless it is released
	Actions  []approved            `json:"actions"`    // none unless they are
	Decision struct{ Kind string } `json:"decision"`
}

// has reports whether an answer with these calls was released.
func (g standing) has(calls []call) bool {
	return slices.EqualFunc(g.Actions, calls, func(a approved, c call) bool { return a.Name == c.name }) &&
		(g.Final != nil || len(calls) > 0)
}

// await looks, ever more seldom, until the guidance is released, can't be any more, or the time is up.
func (p *proxy) await(c echo.Context, id string, wait time.Duration) (g standing, err error) {
	if err := lift(c, wait+patience); err != nil {
		return g, err
	}
	ctx := c.Request().Context()
	until := time.Now().Add(wait)
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		g = standing{}
		if err := p.Ask.Into(ctx, c.Request().Header.Get("Authorization"), http.MethodGet, "/api/guidance/"+id, nil,
			&g); err != nil {
			return g, err
		}
		left := time.Until(until)
		if !pending[g.Status] || left <= 0 {
			return g, nil
		}
		select {
		case <-ctx.Done():
			return g, ctx.Err()
		case <-time.After(min(pause, left)):
		}
	}
}

// refused is the API's refusal as a fault of its kind, with its words. What failed there is logged there.
func refused(err error) error {
	if r, ok := errors.AsType[*inproc.Refusal](err); ok {
		for _, kind := range []fault.Kind{fault.Invalid, fault.Denied, fault.NotFound, fault.Conflict, fault.Limited,
			fault.Unavailable} {
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
	unbuffered(c)
	c.Response().WriteHeader(http.StatusOK)
	usage, end := a.Usage, a.Choices[0].FinishReason
	a.Object, a.Usage = "chat.completion.chunk", nil
	delta := *a.Choices[0].Message
	delta.ToolCalls = slices.Clone(delta.ToolCalls)
	for i, call := range delta.ToolCalls {
		call = maps.Clone(call)
		call["index"] = i // parts of a stream say it, and whole answers don't
		delta.ToolCalls[i] = call
	}
	parts := []completion{a, a}
	parts[0].Choices = []choice{{Delta: &delta}}
	parts[1].Choices = []choice{{Delta: &said{}, FinishReason: end}}
	if x.at["stream_options"].Get("include_usage").Type == gjson.True {
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
