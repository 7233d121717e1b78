// Package mcp is the door for agents that speak the Model Context Protocol: tools, resources and a prompt, over
// streamable HTTP at /mcp.
//
// Every tool is an operation of the JSON API, asked inside the process with the caller's own token: scopes, checks,
// answers and the log are the API's, and so is the schema of a tool's arguments, taken from the description that the
// API publishes. A refusal is a tool's error (isError) with the problem's detail and its fields, so that a model can
// mend its call. Arguments go on as they came: the token says whose they are.
//
// What it promises. Without a valid token nothing is answered but 401. There are no sessions: each POST stands for
// itself with its own token, so there is none to bound, to steal or to outlive a revoked token. A request of a web page
// (Origin) is taken from our own address, or on this machine, and from nowhere else, so that a name rebound to this
// machine opens nothing.
//
// The calls of a batch, at most 20, are answered one after another, each as if it came alone.
//
// What it decided against: streams from the server (nothing here takes long, and polling get_decision costs little), a
// second description of arguments in Go types, resources of single rules (recall chooses), and $ref in a tool's schema,
// which not every client can read.
package mcp

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/labstack/echo/v4"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"preceptor/internal/platform/fault"
	"preceptor/web/api/inproc"
	"preceptor/web/session"
)

const instructions = "Preceptor keeps what people taught this agent, and has people decide on its answers. Call " +
	"recall before you answer. " +
	"Send an answer that needs approval with submit_guidance, and use no text for a customer but the final_text of " +
	"get_decision."

// door answers what the protocol asks, by the API.
type door struct {
	ask  inproc.Ask
	spec *huma.OpenAPI
}

// Mount puts /mcp in place. spec describes the operations that ask reaches; publicURL is the origin people type, ""
// when it is our address.
func Mount(e *echo.Echo, spec *huma.OpenAPI, ask inproc.Ask, publicURL, version string) {
	d := &door{ask: ask, spec: spec}
	s := sdk.NewServer(&sdk.Implementation{Name: "preceptor", Title: "Preceptor", Version: version},
		&sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{}})
	d.addTools(s)
	d.addResources(s)
	h := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true,
		DisableLocalhostProtection: true, // it refuses what a proxy on this machine hands on; ours is below
	})
	e.POST("/mcp", func(c echo.Context) error {
		r := c.Request()
		if !trusted(r, publicURL) {
			return fault.New(fault.Denied,
				"This request comes from another website. Connect from a program, or from a page of this server.")
		}
		return serve(c, h)
	})
}

// trusted reports whether a request comes from a program, from a page of ours, or from a page of this machine to this
// machine.
func trusted(r *http.Request, publicURL string) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || publicURL != "" && strings.EqualFold(origin, strings.TrimSuffix(publicURL, "/")) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || !session.Local(r) {
		return false
	}
	from := r.Clone(r.Context())
	from.Host = u.Host
	return session.Local(from)
}

// call asks an operation for whoever sent the request.
func (d *door) call(ctx context.Context, extra *sdk.RequestExtra, method, path string, body []byte) ([]byte, error) {
	return d.ask(ctx, extra.Header.Get("Authorization"), method, path, body)
}

// missing tells an operation that has nothing for this agent, or that its token has no scope for, from a failure.
func missing(err error) bool {
	r, ok := errors.AsType[*inproc.Refusal](err)
	return ok && (r.Status == http.StatusNotFound || r.Status == http.StatusForbidden)
}
