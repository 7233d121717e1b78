// Package pipe hands Model Context Protocol messages on from standard input to /mcp of a running server, and its
// answers back. The server has no sessions, so there is nothing to keep between messages but the protocol's version.
package pipe

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	maxMessage = 4 << 20      // bytes of one message, either way
	versioned  = "2026-07-28" // from here on messages say their version, and headers repeat what they ask
)

// pipe is the way to the server.
type pipe struct {
	client  http.Client
	address string
	token   string
	out     io.Writer
	version string // as the server answered to initialize
}

// HandAll hands on one message after another, until there are no more: nothing that the server does takes long.
func HandAll(ctx context.Context, address, token string, in io.Reader, out io.Writer) error {
	p := &pipe{address: address, token: token, out: out}
	p.client.Timeout = 2 * time.Minute
	p.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxMessage)
	for lines.Scan() {
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 {
			if err := p.hand(ctx, line); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

// message is what we look at of a message.
type message struct {
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

// hand sends one message and writes what is answered. A request that fails on the way is answered with an error that
// says why.
func (p *pipe) hand(ctx context.Context, line []byte) error {
	var m message
	_ = json.Unmarshal(line, &m) // what is no message is for the server to refuse
	answer, err := p.post(ctx, m, line)
	if err != nil {
		if len(m.ID) == 0 || m.Method == "" {
			return nil // nobody waits
		}
		answer, _ = json.Marshal(map[string]any{"jsonrpc": "2.0", "id": m.ID,
			"error": map[string]any{"code": -32000, "message": err.Error()}})
	}
	if len(answer) == 0 {
		return nil
	}
	if m.Method == "initialize" {
		var a message
		_ = json.Unmarshal(answer, &a) // an error says no version
		p.version = a.Result.Version
	}
	_, err = fmt.Fprintf(p.out, "%s\n", answer)
	return err
}

func (p *pipe) post(ctx context.Context, m message, line []byte) ([]byte, error) {
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
	b, err := io.ReadAll(io.LimitReader(res.Body, maxMessage))
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
func (p *pipe) head(m message) http.Header {
	h := http.Header{}
	h.Set("Authorization", "Bearer "+p.token)
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
	if version >= versioned {
		h.Set("Mcp-Method", m.Method)
		h.Set("Mcp-Name", cmp.Or(m.Params.Name, m.Params.URI))
	}
	return h
}
