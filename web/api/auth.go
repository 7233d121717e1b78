package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humaecho"
	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/platform/fault"
	"preceptor/web/render"
	"preceptor/web/session"
)

type callKey struct{}

// call is one request that was let in.
type call struct {
	echo.Context
	token account.Token
}

// admit lets in requests whose token has the scope. The server's gate has usually looked already; then it is not asked
// for again.
func (h *handlers) admit(scope account.Scope) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		c := humaecho.Unwrap(ctx)
		in := func(c echo.Context) error {
			t, _ := session.CurrentToken(c)
			next(huma.WithValue(ctx, callKey{}, &call{Context: c, token: t}))
			return nil
		}
		var err error
		if t, ok := session.CurrentToken(c); ok && t.Has(scope) {
			err = in(c)
		} else {
			err = session.RequireToken(h.Accounts, scope)(in)(c)
		}
		if err != nil {
			if err := render.Fault(c, err); err != nil {
				h.Log.Error("answer with an error", "request", render.RequestID(c), "error", err.Error())
			}
		}
	}
}

func callOf(ctx context.Context) *call { return ctx.Value(callKey{}).(*call) }

// ownAgent checks that a body speaks for the token's agent. An empty name means the token's; one that the agent had is
// as good.
func (c *call) ownAgent(name string) error {
	if name == "" || c.token.Named(name) {
		return nil
	}
	return fault.New(fault.Denied, "This token belongs to the agent %s and can't act for another. Use the other "+
		"agent's token, or send this agent's name.", c.token.AgentName)
}
