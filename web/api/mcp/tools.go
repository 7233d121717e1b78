package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// tools are what agents call, and the operations that answer.
var tools = []struct{ name, method, path string }{
	{"recall", http.MethodPost, "/api/recall"},
	{"submit_guidance", http.MethodPost, "/api/guidance"},
	{"request_approval", http.MethodPost, "/api/guidance"},
	{"get_decision", http.MethodGet, "/api/guidance/{id}"},
	{"withdraw_guidance", http.MethodDelete, "/api/guidance/{id}"},
	{"observe", http.MethodPost, "/api/turns"},
	{"report_evaluation", http.MethodPost, "/api/evaluations"},
	{"give_feedback", http.MethodPost, "/api/feedback/submit"},
	{"list_rules", http.MethodGet, "/api/rules"},
}

func (d *door) addTools(s *sdk.Server) {
	for _, t := range tools {
		item := d.spec.Paths[t.path]
		op, handle := item.Get, d.reader(item.Get)
		switch t.method {
		case http.MethodPost:
			op, handle = item.Post, d.writer(item.Post)
		case http.MethodDelete:
			op, handle = item.Delete, d.reader(item.Delete)
		}
		title, words := op.Summary, op.Summary+". "+op.Description
		if t.name == "request_approval" {
			title, words = "Request approval", "Asks people to approve actions, such as calls of your tools, "+
				"before you do them. Send them as actions, with or without a text for the customer, then ask "+
				"get_decision: once the status is released, do what its actions say, with those arguments. Until "+
				"then do nothing."
		}
		s.AddTool(&sdk.Tool{Name: t.name, Title: title, Description: words,
			InputSchema: d.schema(op),
			Annotations: &sdk.ToolAnnotations{ReadOnlyHint: t.method == http.MethodGet || t.name == "recall",
				OpenWorldHint: new(bool)}}, handle)
	}
}

// schema describes a tool's arguments: the operation's body or its parameters, but for the agent's name, which the
// token says.
func (d *door) schema(op *huma.Operation) *huma.Schema {
	if op.RequestBody != nil {
		s := d.inline(op.RequestBody.Content["application/json"].Schema)
		delete(s.Properties, "agent")
		s.Required = slices.DeleteFunc(slices.Clone(s.Required), func(name string) bool { return name == "agent" })
		return s
	}
	s := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Properties: map[string]*huma.Schema{}}
	for _, p := range op.Parameters {
		one := *p.Schema
		one.Description = p.Description
		s.Properties[p.Name] = &one
		if p.Required {
			s.Required = append(s.Required, p.Name)
		}
	}
	return s
}

// inline is a schema with what it refers to in its place. None of ours refers to itself.
func (d *door) inline(s *huma.Schema) *huma.Schema {
	if s == nil {
		return nil
	}
	for s.Ref != "" {
		s = d.spec.Components.Schemas.SchemaFromRef(s.Ref)
	}
	out := *s
	out.Items = d.inline(s.Items)
	out.Properties = map[string]*huma.Schema{}
	for name, p := range s.Properties {
		out.Properties[name] = d.inline(p)
	}
	out.OneOf = nil
	for _, one := range s.OneOf {
		out.OneOf = append(out.OneOf, d.inline(one))
	}
	if more, ok := s.AdditionalProperties.(*huma.Schema); ok {
		out.AdditionalProperties = d.inline(more)
	}
	return &out
}

// writer answers a tool by an operation that takes a body.
func (d *door) writer(op *huma.Operation) sdk.ToolHandler {
	return func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		body, err := arguments(r)
		if err != nil {
			return refused(err), nil
		}
		return d.answer(ctx, r, op, op.Path, body)
	}
}

// reader answers a tool by an operation that takes parameters.
func (d *door) reader(op *huma.Operation) sdk.ToolHandler {
	return func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		raw, err := arguments(r)
		if err != nil {
			return refused(err), nil
		}
		given, path, query := map[string]any{}, op.Path, url.Values{}
		if err := json.Unmarshal(raw, &given); err != nil {
			return refused(errObject), nil
		}
		for _, p := range op.Parameters {
			value := given[p.Name]
			delete(given, p.Name)
			ok := value != nil && value != ""
			switch {
			case !ok && p.Required:
				return refused(fmt.Errorf("%s: This argument is required. %s", p.Name, p.Description)), nil
			case !ok:
			case p.In == "path":
				path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(fmt.Sprint(value)))
			default:
				query.Set(p.Name, fmt.Sprint(value))
			}
		}
		for name := range given {
			return refused(fmt.Errorf("%s: Unknown argument. Leave it out", name)), nil
		}
		if len(query) > 0 {
			path += "?" + query.Encode()
		}
		return d.answer(ctx, r, op, path, nil)
	}
}

var errObject = fmt.Errorf("send the arguments as one JSON object")

// arguments are a call's, as they came; none is an empty object.
func arguments(r *sdk.CallToolRequest) ([]byte, error) {
	raw := strings.TrimSpace(string(r.Params.Arguments))
	switch {
	case raw == "" || raw == "null":
		return []byte("{}"), nil
	case raw[0] != '{':
		return nil, errObject
	}
	return []byte(raw), nil
}

// answer is an operation's answer as a tool's.
func (d *door) answer(ctx context.Context, r *sdk.CallToolRequest, op *huma.Operation, path string,
	body []byte) (*sdk.CallToolResult, error) {
	b, err := d.call(ctx, r.Extra, op.Method, path, body)
	if err != nil {
		return refused(err), nil
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: strings.TrimSpace(string(b))}},
		StructuredContent: json.RawMessage(b)}, nil
}

// refused is what went wrong, for the model that called.
func refused(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: err.Error()}}}
}
