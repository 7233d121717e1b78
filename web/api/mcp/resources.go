package mcp

import (
	"context"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"
)

// resources are what an agent may read as a whole; member is the text of the answer that is given, "" for the answer as
// it is.
var resources = []struct{ uri, name, about, kind, path, member string }{
	{"preceptor://rules", "Rules", "The rules in force for this agent.", "application/json", "/api/rules", ""},
	{"preceptor://learnings.md", "LEARNINGS.md", "What was learned from this agent's users.", "text/markdown",
		"/api/learnings.md", ""},
	{"preceptor://notes", "Notes", "What evaluators found recently, as a block for a prompt.", "text/plain",
		"/api/notes", "prompt"},
}

func (d *door) addResources(s *sdk.Server) {
	for _, one := range resources {
		s.AddResource(&sdk.Resource{URI: one.uri, Name: one.name, Description: one.about, MIMEType: one.kind},
			func(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
				b, err := d.call(ctx, r.Extra, http.MethodGet, one.path, nil)
				if missing(err) {
					return nil, sdk.ResourceNotFoundError(one.uri)
				}
				if err != nil {
					return nil, err
				}
				text := string(b)
				if one.member != "" {
					text = gjson.Get(text, one.member).Str
				}
				return &sdk.ReadResourceResult{
					Contents: []*sdk.ResourceContents{{URI: one.uri, MIMEType: one.kind, Text: text}}}, nil
			})
	}
	s.AddPrompt(&sdk.Prompt{Name: "with_memory", Title: "With memory",
		Description: "A question, after what is known that helps to answer it: cases, rules and notes.",
		Arguments: []*sdk.PromptArgument{{Name: "question", Description: "What the customer or user asks.",
			Required: true},
			{Name: "task_type", Description: "Limits the cases to this task; by default nothing is filtered."}}},
		d.withMemory)
}

// withMemory renders recall before the question.
func (d *door) withMemory(ctx context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	question := r.Params.Arguments["question"]
	if strings.TrimSpace(question) == "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams,
			Message: "question: This argument is required. Send what the customer or user asks."}
	}
	var known struct{ Prompt string }
	if err := d.ask.Into(ctx, r.Extra.Header.Get("Authorization"), http.MethodPost, "/api/recall",
		map[string]string{"query": question, "task_type": r.Params.Arguments["task_type"]}, &known); err != nil {
		return nil, err
	}
	text := strings.TrimLeft(known.Prompt+"\n\n"+question, "\n")
	return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}}},
		nil
}
