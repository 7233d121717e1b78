package proxy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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
	kept
	guidance  string // "" where it passes
	calls     []call
	refusal   *http.Response
	body      []byte // of refusal
	elsewhere bool   // another server is asking the model
	err       error
	ready     chan struct{}
}

// kept is what is kept of an answer that waits, for those who ask for it again.
type kept struct {
	Answer completion
	End    string `json:",omitempty"` // why a message with calls ends
	Cut    bool   `json:",omitempty"` // the model stopped at its limit of length
}

// Calls are the answers that callers may ask for again, on any server: a client that waits in vain sends the same once
// more. They are forgotten after two days.
type Calls struct {
	Find func(ctx context.Context, key string) (c interaction.HeldCall, found bool, err error)
	Keep func(ctx context.Context, c interaction.HeldCall) error
	Drop func(ctx context.Context, c interaction.HeldCall) error
	// Lease keeps other servers from what is called name.
	Lease func(ctx context.Context, name string) (release func(), ok bool, err error)
}

// under are the calls that this server is making, by what was sent.
type under struct {
	mu   sync.Mutex
	list map[string]*held
}

// join is the answer to what was sent, and whether it is the caller's to make.
func (u *under) join(key string) (a *held, mine bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if a := u.list[key]; a != nil {
		return a, false
	}
	a = &held{ready: make(chan struct{})}
	u.list[key] = a
	return a, true
}

func (u *under) leave(key string, a *held) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.list, key)
	close(a.ready)
}

// otherServer is how often it's looked whether another server has its answer.
const otherServer = 200 * time.Millisecond

// answer is that of the call: the one that waits already, or a new one.
func (p *proxy) answer(c echo.Context, x *exchange, key string) (*held, error) {
	ctx := c.Request().Context()
	for {
		a, mine := p.under.join(key)
		if mine {
			func() {
				defer p.under.leave(key, a) // whatever happens
				a.err = p.once(context.WithoutCancel(ctx), c, x, key, a)
			}()
		}
		select {
		case <-a.ready:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if !a.elsewhere {
			return a, a.err
		}
		select {
		case <-time.After(otherServer):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// once fills in what is kept under the key, or asks the model and keeps what waits.
func (p *proxy) once(ctx context.Context, c echo.Context, x *exchange, key string, a *held) error {
	release, ok, err := p.Calls.Lease(ctx, "call "+key)
	if a.elsewhere = err == nil && !ok; !ok {
		return err
	}
	defer release()
	was, found, err := p.Calls.Find(ctx, key)
	switch {
	case err != nil:
		return err
	case found:
		if a.guidance = was.InteractionID; was.Answer == "" { // erased
			return nil
		}
		if err := json.Unmarshal([]byte(was.Answer), &a.kept); err != nil {
			return err
		}
		_, a.calls, err = wire(*a.Answer.Choices[0].Message)
		return err
	}
	if err := p.submit(ctx, c, x, a); err != nil || a.guidance == "" {
		return err
	}
	b, err := json.Marshal(a.kept)
	if err == nil {
		err = p.Calls.Keep(ctx, interaction.HeldCall{Key: key, InteractionID: a.guidance, Answer: string(b)})
	}
	if err != nil { // it waits all the same; a retry is a call of its own
		p.Log.Error("an answer that waits can't be found again", "guidance", a.guidance, "error", err.Error())
	}
	return nil
}

// wire is a message as it is written, and its calls: what would be given is what is looked at, however the answer came.
func wire(m said) (text []byte, calls []call, err error) {
	if text, err = json.Marshal(m); err == nil {
		calls = callsOf(gjson.ParseBytes(text))
	}
	return text, calls, err
}

// hold has the model's answer submitted as guidance, once for a call and its retries, and gives the caller what was
// released, or that it waits. A caller that hangs up leaves the answer to its retry.
func (p *proxy) hold(c echo.Context, x *exchange) error {
	sum := sha256.Sum256(append([]byte(x.token.ID+"\n"), x.raw...))
	key := hex.EncodeToString(sum[:])
	a, err := p.answer(c, x, key)
	switch {
	case err != nil:
		return err
	case a.refusal != nil:
		copyHead(c.Response().Header(), a.refusal.Header)
		return c.Blob(a.refusal.StatusCode, a.refusal.Header.Get("Content-Type"), a.body)
	case a.guidance == "":
		return p.give(c, x, a.Answer)
	}
	c.Response().Header().Set(guidanceHeader, a.guidance)
	g, err := p.await(c, a.guidance, x.mode.Wait)
	if err != nil { // nobody knows, and a retry asks about the same guidance
		return refused(err)
	}
	if !pending[g.Status] {
		if err := p.Calls.Drop(context.WithoutCancel(c.Request().Context()),
			interaction.HeldCall{Key: key, InteractionID: a.guidance}); err != nil {
			return err
		}
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
			m = a.Answer.Choices[0].Message.with(a.calls, g.Actions)
			m.Content, m.Refused, end = g.Final, g.Refused, a.End
			if len(g.Actions) == 0 {
				end = "stop"
			}
		}
		if a.Cut && g.Decision.Kind != review.Revise {
			end = cut
		}
	}
	out := a.Answer
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
	if err := json.Unmarshal(raw, &a.Answer); err != nil || len(a.Answer.Choices) == 0 ||
		a.Answer.Choices[0].Message == nil {
		return fault.Wrap(fault.Unavailable, err,
			"We couldn't read the model's answer, so nothing was submitted. Try again.")
	}
	a.Answer.Choices = a.Answer.Choices[:1]
	m := a.Answer.Choices[0].Message
	said, _ := heard(gjson.GetBytes(raw, "choices.0.message"))
	m.Content, m.Refusal, m.Refused = nil, nil, nil
	if _, a.calls, err = wire(*m); err != nil {
		return err
	}
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
	a.Cut, a.End = reason == cut, reason
	if reason != "stop" && reason != "function_call" {
		a.End = "tool_calls"
	}
	messages, left := x.talk()
	why = append(why, endings[reason])
	if left > 0 {
		why = append(why, fmt.Sprintf("The conversation is longer: its oldest %d messages are not shown.", left))
	}
	var receipt struct{ ID string }
	err = p.Ask.Into(ctx, c.Request().Header.Get("Authorization"), http.MethodPost, "/api/guidance",
		map[string]any{"agent": x.token.AgentName, "guidance": text, "actions": actions, "model": a.Answer.Model,
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
	Refused  []refusedCall         `json:"refused_actions"`
	Decision struct{ Kind string } `json:"decision"`
}

// has reports whether an answer with these calls was released: each of them was approved or refused at its place.
func (g standing) has(calls []call) bool {
	seen := map[int]bool{}
	at := func(i int, name string) bool {
		twice := seen[i]
		seen[i] = true
		return !twice && i >= 0 && i < len(calls) && calls[i].name == name
	}
	for _, a := range g.Actions {
		if !at(a.Index, a.Name) {
			return false
		}
	}
	for _, r := range g.Refused {
		if !at(r.Index, r.Name) {
			return false
		}
	}
	return len(seen) == len(calls) && (g.Final != nil || len(g.Actions) > 0)
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
