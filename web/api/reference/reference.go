// Package reference is the page of the API, made from its description: each operation with its fields, answers and
// examples to copy.
package reference

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/labstack/echo/v4"

	"preceptor/views/apidocs"
	"preceptor/views/layout"
	"preceptor/web/render"
)

// Example is what the description doesn't say of an operation: its place on the page, and what a call may send.
type Example struct {
	Place            int
	Query, Key, Body string
}

// Page answers with the page, made from the description once. example gives what is sent by an operation's id.
func Page(spec *huma.OpenAPI, example func(id string) Example) echo.HandlerFunc {
	described := sync.OnceValue(func() apidocs.View { return describe(spec, example) })
	return func(c echo.Context) error {
		return render.Page(c, nil,
			apidocs.Page(layout.Frame{Title: "The API", Path: c.Request().URL.Path, Wide: true}, described()))
	}
}

func describe(spec *huma.OpenAPI, example func(id string) Example) apidocs.View {
	v := apidocs.View{Version: spec.Info.Version, Intro: spec.Info.Description, SpecHref: "/api/openapi.json"}
	for path, item := range spec.Paths {
		for method, op := range map[string]*huma.Operation{http.MethodGet: item.Get, http.MethodPost: item.Post,
			http.MethodDelete: item.Delete} {
			if op != nil {
				v.Operations = append(v.Operations, operationView(method, path, op, example(op.OperationID)))
			}
		}
	}
	slices.SortFunc(v.Operations, func(a, b apidocs.Operation) int {
		return example(a.ID).Place - example(b.ID).Place
	})
	schemas := spec.Components.Schemas.Map()
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		v.Schemas = append(v.Schemas, schemaView(name, schemas[name]))
	}
	return v
}

func operationView(method, path string, op *huma.Operation, e Example) apidocs.Operation {
	scope, _ := op.Extensions["x-scope"].(string)
	o := apidocs.Operation{ID: op.OperationID, Method: method, Path: path, Summary: op.Summary, Doc: op.Description,
		Scope: scope, Curl: e.curl(method, path), Others: e.others(method, path)}
	if op.RequestBody != nil {
		o.Body = typeView(op.RequestBody.Content["application/json"].Schema)
	}
	for _, p := range op.Parameters {
		o.Parameters = append(o.Parameters,
			apidocs.Field{Name: p.Name, In: p.In, Type: typeView(p.Schema), Doc: p.Description, Required: p.Required})
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		r := op.Responses[status]
		view := apidocs.Response{Status: status, Means: r.Description}
		for _, media := range r.Content {
			view.Type = typeView(media.Schema)
		}
		o.Responses = append(o.Responses, view)
	}
	return o
}

func schemaView(name string, s *huma.Schema) apidocs.Schema {
	free, _ := s.AdditionalProperties.(bool)
	v := apidocs.Schema{Name: name, Doc: s.Description, Free: free}
	for _, field := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[field]
		v.Fields = append(v.Fields, apidocs.Field{Name: field, Type: typeView(p), Doc: p.Description,
			Required: slices.Contains(s.Required, field)})
	}
	slices.SortStableFunc(v.Fields, func(a, b apidocs.Field) int {
		return map[bool]int{true: 0, false: 1}[a.Required] - map[bool]int{true: 0, false: 1}[b.Required]
	})
	return v
}

func typeView(s *huma.Schema) apidocs.Type {
	if s == nil {
		return apidocs.Type{}
	}
	if s.Ref != "" {
		name := strings.TrimPrefix(s.Ref, "#/components/schemas/")
		return apidocs.Type{Words: name, Ref: name}
	}
	if len(s.OneOf) > 0 {
		var parts []string
		for _, one := range s.OneOf {
			parts = append(parts, typeView(one).Words)
		}
		return apidocs.Type{Words: strings.Join(parts, " or ")}
	}
	if len(s.Enum) > 0 {
		return apidocs.Type{Words: "one of " + strings.ReplaceAll(strings.Trim(fmt.Sprint(s.Enum), "[]"), " ", ", ")}
	}
	if s.Type == huma.TypeArray {
		of := typeView(s.Items)
		return apidocs.Type{Words: "list of " + of.Words, Ref: of.Ref}
	}
	if s.Format == "date-time" {
		return apidocs.Type{Words: "time (RFC 3339)"}
	}
	if s.Type == huma.TypeObject && len(s.Properties) > 0 {
		return apidocs.Type{Words: "object with " + strings.Join(slices.Sorted(maps.Keys(s.Properties)), ", ")}
	}
	return apidocs.Type{Words: map[string]string{huma.TypeString: "text", huma.TypeBoolean: "true or false",
		huma.TypeInteger: "whole number",
		huma.TypeNumber:  "number", huma.TypeObject: "object", "": "anything"}[s.Type]}
}

// address is where an example calls, with what stands for an id.
func (e Example) address(path, anID string) string {
	return strings.NewReplacer("{id}", anID, "{agent_type}", "tutor", "{agent}", "AGENT", "{kind}",
		"interactions").Replace(path) + e.Query
}

// curl is a call to copy. The token and the address stand in variables, so that no secret ends up in a history.
func (e Example) curl(method, path string) string {
	call := `curl -sS "$PRECEPTOR` + e.address(path, "$ID") + `" -H "Authorization: Bearer $PRECEPTOR_TOKEN"`
	switch method {
	case http.MethodGet:
		return call
	case http.MethodDelete:
		return call + " -X DELETE"
	}
	call += " \\\n  -H 'Content-Type: application/json'"
	if key := e.Key; key != "" {
		call += ` -H "Idempotency-Key: ` + key + `"`
	}
	return call + " \\\n  -d '" + e.Body + "'"
}

// others are the same call with what Python and Node come with.
func (e Example) others(method, path string) []apidocs.Example {
	headers := []string{`"Content-Type": "application/json"`}
	if e.Body == "" {
		headers = nil
	}
	if key := e.Key; key != "" {
		headers = append(headers, `"Idempotency-Key": "`+key+`"`)
	}
	rest := ""
	for _, h := range headers {
		rest += ",\n             " + h
	}
	python := "import json, os, urllib.request\n\nrequest = urllib.request.Request(\n    os.environ[\"PRECEPTOR\"] + " +
		strconv.Quote(e.address(path, "ID")) +
		",\n    headers={\"Authorization\": \"Bearer \" + os.environ[\"PRECEPTOR_TOKEN\"]" + rest + "}"
	node := "const answer = await fetch(process.env.PRECEPTOR + " + strconv.Quote(e.address(path, "ID")) +
		", {\n  headers: {\"Authorization\": `Bearer ${process.env.PRECEPTOR_TOKEN}`" + rest + "}"
	if method == http.MethodDelete {
		python += ",\n    method=\"DELETE\""
		node += ",\n  method: \"DELETE\""
	}
	if e.Body != "" {
		python += ",\n    data=r\"\"\"" + e.Body + "\"\"\".encode()"
		node += ",\n  method: \"POST\",\n  body: JSON.stringify(" + e.Body + ")"
	}
	return []apidocs.Example{
		{In: "Python", Code: python + ")\nprint(json.load(urllib.request.urlopen(request)))"},
		{In: "Node", Code: node + "\n});\nconsole.log(answer.status, await answer.json());"},
	}
}
