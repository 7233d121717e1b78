package main

import (
	"net/url"

	"preceptor/internal/platform/config"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
	"preceptor/web/api/mcp/pipe"
)

// mcpCmd speaks the Model Context Protocol over standard input and output, for clients that start their servers
// themselves.
type mcpCmd struct {
	Server    string `required:"" placeholder:"URL" help:"The running server, such as https://preceptor.example.org."`
	TokenFile string `name:"token-file" placeholder:"FILE" help:"The file with the agent's token; or set PRECEPTOR_TOKEN."`
}

// Run hands messages on until standard input ends.
func (c *mcpCmd) Run(t *terminal.Terminal) error {
	token, err := config.ReadSecret("PRECEPTOR_TOKEN", c.TokenFile, "--token-file")
	if err != nil {
		return err
	}
	u, err := url.Parse(c.Server)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return fault.New(fault.Invalid, "--server needs an address such as https://preceptor.example.org.")
	}
	if !token.Set() {
		return fault.New(fault.Invalid, "There is no token. Set PRECEPTOR_TOKEN, or use --token-file.")
	}
	ended := make(chan error, 1)
	go func() { ended <- pipe.HandAll(t.Ctx, u.JoinPath("mcp").String(), token.Reveal(), t.In, t.Out) }()
	select {
	case <-t.Ctx.Done(): // standard input may stay open for ever
		return t.Ctx.Err()
	case err := <-ended:
		return err
	}
}
