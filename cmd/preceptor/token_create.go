package main

import (
	"fmt"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
)

type tokenCmd struct {
	Create tokenCreateCmd `cmd:"" help:"Create a token for an agent; only the token goes to standard output."`
}

type tokenCreateCmd struct {
	config.File
	Agent   string        `required:"" placeholder:"NAME" help:"The agent; created if it does not exist."`
	Scope   string        `required:"" placeholder:"S[,S]" help:"submit, recall or feedback; separate several with commas."`
	Pack    string        `placeholder:"PACK" help:"The domain of a new agent: ${packs}. By default the one in which all agents work."`
	Expires time.Duration `placeholder:"DURATION" help:"How long it works, such as 2160h; by default it doesn't expire."`
}

// Run prints the token, once: only its hash is kept.
func (c *tokenCreateCmd) Run(t *terminal.Terminal) error {
	scopes, err := account.ParseScopes(c.Scope)
	if err != nil {
		return err
	}
	var until time.Time
	switch {
	case c.Expires < 0:
		return fault.New(fault.Invalid, "--expires is in the past.")
	case c.Expires > 0:
		until = time.Now().Add(c.Expires)
	}
	return with(t, c.With, "/admin/agents", func(a *app.App) error {
		of, err := a.Accounts.PackFor(t.Ctx, c.Agent, c.Pack)
		if err != nil {
			return err
		}
		plain, token, err := a.Accounts.CreateToken(t.Ctx, c.Agent, of, scopes, until, terminal.Operator)
		if err != nil {
			return err
		}
		t.Say("A token for %s (pack %s). It is shown only once; store it with your secrets.", token.AgentName,
			token.Pack)
		_, err = fmt.Fprintln(t.Out, plain)
		return err
	})
}
