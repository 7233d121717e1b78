package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"preceptor/internal/config"
	"preceptor/internal/fault"
	"preceptor/internal/terminal"
)

// mcpCmd speaks the Model Context Protocol over standard input and output, for clients that start their servers themselves. It hands each
// message on to /mcp of a running server, which has no sessions, so that there is nothing to keep between them but the protocol's version.
type mcpCmd struct {
	Server    string `required:"" placeholder:"URL" help:"The running server, as https://preceptor.example.org."`
	TokenFile string `name:"token-file" placeholder:"FILE" help:"The file with the agent's token; or set PRECEPTOR_TOKEN."`
}

const (
	maxMCPMessage = 4 << 20      // bytes of one message, either way
	versionedMCP  = "2026-07-28" // from here on messages say their version, and headers repeat what they ask
)

// Run hands messages on until standard input ends.
func (c *mcpCmd) Run(t *terminal.Terminal) error {
	token, err := config.ReadSecret("PRECEPTOR_TOKEN", c.TokenFile, "--token-file")
	if err != nil {
		return err
	}
	u, err := url.Parse(c.Server)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return fault.New(fault.Invalid, "--server is an address such as https://preceptor.example.org.")
	}
	if !token.Set() {
		return fault.New(fault.Invalid, "There is no token. Set PRECEPTOR_TOKEN, or name its file with --token-file.")
	}
	p := &mcpPipe{address: u.JoinPath("mcp").String(), token: token, out: t.Out}
	p.client.Timeout = 2 * time.Minute
	p.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	ended := make(chan error, 1)
	go func() { ended <- p.handAll(t.Ctx, t.In) }()
	select {
	case <-t.Ctx.Done(): // standard input may stay open for ever
		return t.Ctx.Err()
	case err := <-ended:
		return err
	}
}

// mcpPipe is the way to the server.
type mcpPipe struct {
	client  http.Client
	address string
	token   config.Secret
	out     io.Writer
	version string // as the server answered to initialize
}

// handAll hands on one message after another: nothing that the server does takes long.
func (p *mcpPipe) handAll(ctx context.Context, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxMCPMessage)
	for lines.Scan() {
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 {
			if err := p.hand(ctx, line); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

// mcpMessage is what we look at of a message.
type mcpMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name string         `json:"name"`
		URI  string         `json:"uri"`
		Meta map[string]any `json:"_meta"`
	} `json:"params"`
	Result struct {
		Version string `json:"protocolVersion"`
	} `json:"result"`
}

// hand sends one message and writes what is answered. A request that fails on the way is answered with an error that says why.
func (p *mcpPipe) hand(ctx context.Context, line []byte) error {
	var m mcpMessage
	_ = json.Unmarshal(line, &m) // what is no message is for the server to refuse
	answer, err := p.post(ctx, m, line)
	if err != nil {
		if len(m.ID) == 0 || m.Method == "" {
			return nil // nobody waits
		}
		answer, _ = json.Marshal(map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": map[string]any{"code": -32000, "message": err.Error()}})
	}
	if len(answer) == 0 {
		return nil
	}
	if m.Method == "initialize" {
		var a mcpMessage
		_ = json.Unmarshal(answer, &a) // an error says no version
		p.version = a.Result.Version
	}
	_, err = fmt.Fprintf(p.out, "%s\n", answer)
	return err
}

func (p *mcpPipe) post(ctx context.Context, m mcpMessage, line []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.address, bytes.NewReader(line))
	if err != nil {
		return nil, err
	}
	r.Header = p.head(m)
	res, err := p.client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("the server can't be reached: %w", err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(io.LimitReader(res.Body, maxMCPMessage))
	if err != nil {
		return nil, fmt.Errorf("the server's answer broke off: %w", err)
	}
	var said struct{ JSONRPC, Detail string }
	_ = json.Unmarshal(b, &said)
	if res.StatusCode >= http.StatusMultipleChoices && said.JSONRPC == "" {
		return nil, fmt.Errorf("%s", cmp.Or(said.Detail, "the server answered "+res.Status))
	}
	var one bytes.Buffer
	if len(b) > 0 && json.Compact(&one, b) != nil { // a message is one line
		return nil, fmt.Errorf("the server's answer is not JSON")
	}
	return one.Bytes(), nil
}

// head are a message's headers.
func (p *mcpPipe) head(m mcpMessage) http.Header {
	h := http.Header{}
	h.Set("Authorization", "Bearer "+p.token.Reveal())
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json, text/event-stream")
	version := p.version
	if said, ok := m.Params.Meta["io.modelcontextprotocol/protocolVersion"].(string); ok {
		version = said
	}
	if version == "" {
		return h
	}
	h.Set("Mcp-Protocol-Version", version)
	if version >= versionedMCP {
		h.Set("Mcp-Method", m.Method)
		h.Set("Mcp-Name", cmp.Or(m.Params.Name, m.Params.URI))
	}
	return h
}
