package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/template"
)

// Question is what a model is asked about data that others wrote.
type Question struct {
	Of           *template.Template
	System, Name string // the templates of its two parts, without their ending
	About, Vars  any    // what fills them
	Data         any
	Tell         string // what the data are, with %s for the line that they stand between
	SchemaName   string
	Schema       json.RawMessage
}

// Ask has the model answer. hide takes out of the data what it must not see.
func (q Question) Ask(ctx context.Context, gen Generator, hide func(string, ...string) string) (Response, error) {
	var system, question strings.Builder
	data, err := json.Marshal(q.Data)
	if err := errors.Join(err, q.Of.ExecuteTemplate(&system, q.System+".tmpl", q.About),
		q.Of.ExecuteTemplate(&question, q.Name+".tmpl", q.Vars)); err != nil {
		return Response{}, fmt.Errorf("llm: question %s: %w", q.Name, err)
	}
	mark, fenced := Fence(hide(string(data)))
	fmt.Fprintf(&question, "\n"+q.Tell+"\n%s\n", mark, fenced)
	return gen.Generate(ctx, Request{System: system.String(), Prompt: question.String(), SchemaName: q.SchemaName,
		Schema: q.Schema})
}
