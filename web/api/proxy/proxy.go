// Package proxy is the door for agents that speak OpenAI's protocol: they change the base URL and the key, and nothing
// else.
//
// A call goes on to the provider of the operator's settings with the operator's key. What recall knows of the user's
// last message is put in as one more message, after those for the system, within a budget of its own; it says nothing
// about the form of an answer, so JSON modes and tools work as before. Every other byte of the body goes on as it came.
// Then, by the agent's mode:
//
//   - observe: the answer passes as it comes, errors, 429 with Retry-After and streams included; a stream that breaks
//     off breaks off here too. A whole answer is recorded as a turn, with the tools used since the user's last message;
//     one that an error or a filter ended, or that has no end, isn't. An answer that calls tools is the middle of a
//     turn and is not recorded.
//   - hold: the answer is asked for whole and submitted as guidance, with its calls of tools as actions. The caller
//     waits for the release as long as the mode says, and is else told that it waits, by what id, in words that end as
//     a filtered answer does, or in a JSON mode as a refusal. Only what was released is given, calls with their ids
//     and, unedited, to the byte. Calls pass, without the text beside them, where people let all their tools pass and
//     the caller forced none. The same call, sent again while its answer waits, is a retry: it gets its standing.
//
// What it promises. The key of a call is a token with the scopes submit and recall, and opens this program alone; the
// provider's key goes to the provider alone. No text, key or address is logged. The provider is reached by the rules of
// webhooks: a name must be public, or named by PRECEPTOR_WEBHOOK_ALLOW. An address, or localhost, that the operator
// wrote into the base URL is reached as written. Off unless PRECEPTOR_PROXY is set, because whoever has a token spends
// on the operator's key.
//
// What it decided against: /v1/responses (it keeps conversations at the provider), trying again (clients do), the
// user's next message as a reaction (it answers the text, and seldom judges it), and passing on headers that choose an
// account at the provider.
package proxy

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/delivery"
	"preceptor/internal/platform/fault"
	"preceptor/internal/signal/turn"
	"preceptor/web/api/inproc"
	"preceptor/web/session"
)

// Deps is what the proxy works with.
type Deps struct {
	BaseURL string
	Key     string // sent to BaseURL; "" sends none
	Off     string // why there is no proxy, and which setting changes that; "" when there is one
	Client  *http.Client
	Ask     inproc.Ask
	Record  func(ctx context.Context, t turn.Turn) error
	Mode    func(ctx context.Context, agentID string) (Mode, error)
	Calls   Calls
	Log     *slog.Logger
}

// Mode is how an agent's calls are treated.
type Mode struct {
	Hold   bool                   // answers wait for review
	Waits  func(tool string) bool // whether a call of this tool does; nil: all do
	Wait   time.Duration          // how long a caller waits for the release of a held answer
	Budget int                    // tokens of what is put in; 0 puts nothing in
}

// patience is how long the provider may take to begin an answer, and a caller to take a part of it.
const patience = 10 * time.Minute

type proxy struct {
	Deps
	under under
}

// Mount puts the routes in place.
func Mount(e *echo.Echo, d Deps) {
	p := &proxy{Deps: d, under: under{list: map[string]*held{}}}
	e.POST("/v1/chat/completions", p.chat)
	e.GET("/v1/models", p.models)
}

// admit lets in whose token may do both halves of what the proxy does.
func (p *proxy) admit(c echo.Context) (account.Token, error) {
	t, _ := session.CurrentToken(c)
	switch {
	case !t.Has(account.Submit) || !t.Has(account.Recall):
		return t, fault.New(fault.Denied,
			"The proxy needs a token with the scopes submit and recall. Create one under Administration, Agents.")
	case p.Off != "":
		return t, fault.New(fault.Unavailable, "%s", p.Off)
	}
	return t, lift(c, patience)
}

// lift gives an answer that long from now to be written.
func lift(c echo.Context, d time.Duration) error {
	err := http.NewResponseController(c.Response()).SetWriteDeadline(time.Now().Add(d))
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

func (p *proxy) models(c echo.Context) error {
	if _, err := p.admit(c); err != nil {
		return err
	}
	res, err := p.send(c.Request().Context(), c.Request(), "models", nil)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	return p.pass(c, res, nil)
}

func (p *proxy) chat(c echo.Context) error {
	token, err := p.admit(c)
	if err != nil {
		return err
	}
	raw, err := io.ReadAll(c.Request().Body)
	if err != nil {
		return err
	}
	r, err := readRequest(raw)
	if err != nil {
		return err
	}
	mode, err := p.Mode(c.Request().Context(), token.AgentID)
	if err != nil {
		return err
	}
	x := &exchange{request: r, memory: p.recall(c, r, mode.Budget), token: token, mode: mode}
	if mode.Hold {
		return p.hold(c, x)
	}
	res, err := p.send(c.Request().Context(), c.Request(), "chat/completions", r.with(x.memory.Prompt, false))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	seen := &capture{}
	if err := p.pass(c, res, seen); err != nil || !seen.whole {
		return err
	}
	p.record(c, x, seen)
	return nil
}

// exchange is one call on its way.
type exchange struct {
	*request
	memory memory
	token  account.Token
	mode   Mode
}

// send asks the provider. Of the caller's headers only what describes the body goes on.
func (p *proxy) send(ctx context.Context, from *http.Request, path string, body []byte) (*http.Response, error) {
	address, err := url.JoinPath(p.BaseURL, path)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "PRECEPTOR_LLM_BASE_URL isn't a valid address.")
	}
	r, err := http.NewRequestWithContext(ctx, from.Method, address, bytes.NewReader(body))
	if err != nil {
		return nil, fault.New(fault.Unavailable, "PRECEPTOR_LLM_BASE_URL isn't a valid address.")
	}
	for _, name := range []string{"Content-Type", "Accept", "Openai-Beta"} {
		if v := from.Header.Get(name); v != "" {
			r.Header.Set(name, v)
		}
	}
	r.Header.Set("User-Agent", "preceptor")
	if p.Key != "" {
		r.Header.Set("Authorization", "Bearer "+p.Key)
	}
	res, err := p.Client.Do(r)
	if err == nil {
		return res, nil
	}
	if why := delivery.Refusal(err); why != "" {
		return nil, fault.New(fault.Unavailable, "The model's server was not called. %s", why)
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // without the address, which may hold a key
	}
	return nil, fault.Wrap(fault.Unavailable, err, "We couldn't reach the model's server. Try again.")
}
