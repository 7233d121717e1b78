package client_test

import (
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/client"
	"preceptor/internal/app/apptest"
)

// schema is what we look at of a schema of the description.
type schema struct {
	Ref        string            `json:"$ref"`
	Type       any               `json:"type"` // a name, or names of which null may be one
	Format     string            `json:"format"`
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
	Items      *schema           `json:"items"`
	OneOf      []schema          `json:"oneOf"`
}

type media struct {
	Content map[string]struct{ Schema schema }
}

type operation struct {
	OperationID string
	RequestBody *media
	Responses   map[string]media
	Parameters  []struct{ Name, In string }
}

type description struct {
	t          *testing.T
	Paths      map[string]map[string]operation
	Components struct{ Schemas map[string]schema }
}

func describe(t *testing.T, site *apptest.Site) *description {
	t.Helper()
	d := &description{t: t}
	if err := json.Unmarshal([]byte(site.Nobody(t).Get(t, "/api/openapi.json").Body), d); err != nil ||
		len(d.Paths) < 10 {
		t.Fatalf("%d paths, %v", len(d.Paths), err)
	}
	return d
}

// tap keeps the request of a call and answers it without a server.
type tap struct {
	request *http.Request
}

func (p *tap) RoundTrip(r *http.Request) (*http.Response, error) {
	p.request = r
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}")),
		Request: r}, nil
}

// Every method asks an operation that there is, with its method, path and headers, and its types fit the schemas.
func TestMethodsAndTypesAreAsDescribed(t *testing.T) {
	d := describe(t, apptest.Open(t))
	wants := map[string]string{"SubmitGuidance": "submit-guidance", "Guidance": "get-guidance",
		"Withdraw": "withdraw-guidance", "Advise": "advise",
		"Recall": "recall", "RecordTurn": "record-turn",
		"EndSession": "end-session", "Session": "get-session", "Vote": "submit-feedback", "Outcome": "add-outcome"}
	wire := &tap{}
	c := client.New("https://preceptor.example/", "token")
	c.HTTP = &http.Client{Transport: wire}
	v := reflect.ValueOf(c)
	for i := range v.NumMethod() {
		name, method := v.Type().Method(i).Name, v.Method(i)
		sent, answer := method.Type().In(1), method.Type().Out(0)
		arg := reflect.New(sent).Elem()
		if sent.Kind() == reflect.String {
			arg.SetString("a b/c")
		} else if key := arg.FieldByName("IdempotencyKey"); key.IsValid() {
			key.SetString("4711")
		}
		args := []reflect.Value{reflect.ValueOf(t.Context()), arg}
		for i := 2; i < method.Type().NumIn(); i++ {
			args = append(args, reflect.ValueOf("why"))
		}
		if out := method.Call(args); !out[1].IsNil() {
			t.Fatalf("%s: %v", name, out[1])
		}
		r := wire.request
		op := d.Paths[strings.Replace(r.URL.EscapedPath(), "a%20b%2Fc", "{id}", 1)][strings.ToLower(r.Method)]
		if op.OperationID != wants[name] || op.OperationID == "" {
			t.Errorf("%s asks %s %s, which is %q", name, r.Method, r.URL, op.OperationID)
			continue
		}
		takesKey := slices.ContainsFunc(op.Parameters, func(p struct{ Name, In string }) bool {
			return p.Name == "Idempotency-Key" && p.In == "header"
		})
		if r.Header.Get("Authorization") != "Bearer token" || takesKey != (r.Header.Get("Idempotency-Key") == "4711") {
			t.Errorf("%s sends %v", name, r.Header)
		}
		if sent.Kind() == reflect.Struct {
			d.fits(name+" sends", sent, op.RequestBody.Content["application/json"].Schema, true)
		}
		for status, response := range op.Responses {
			if status[0] == '2' {
				d.fits(name+" gets", answer, response.Content["application/json"].Schema, false)
			}
		}
		d.fits(name+" fails with", reflect.TypeFor[client.Error](),
			op.Responses["422"].Content["application/problem+json"].Schema, false)
	}
	if v.NumMethod() != len(wants) {
		t.Errorf("%d methods, want %d", v.NumMethod(), len(wants))
	}
}

var kinds = map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer",
	reflect.Float64: "number", reflect.Slice: "array",
	reflect.Map: "object", reflect.Struct: "object"}

// fits compares a type with a schema, all the way down. What is sent must have all that is required, and always.
func (d *description) fits(at string, typ reflect.Type, s schema, sent bool) {
	d.t.Helper()
	for s.Ref != "" {
		s = d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
	}
	optional := typ.Kind() == reflect.Pointer
	if optional {
		typ = typ.Elem()
	}
	if typ.Kind() == reflect.Interface {
		return // anything
	}
	if typ == reflect.TypeFor[time.Time]() {
		if s.Format != "date-time" {
			d.t.Errorf("%s: a time, where the API has %v %s", at, s.Type, s.Format)
		}
		return
	}
	if !s.is(kinds[typ.Kind()]) {
		d.t.Errorf("%s: %s, where the API has %v", at, typ, s.Type)
		return
	}
	switch typ.Kind() {
	case reflect.Slice:
		if s.Items != nil {
			d.fits(at+"[]", typ.Elem(), *s.Items, sent)
		}
	case reflect.Struct:
		d.structure(at, typ, s, sent)
	}
}

func (d *description) structure(at string, typ reflect.Type, s schema, sent bool) {
	d.t.Helper()
	always := map[string]bool{}
	for i := range typ.NumField() {
		name, option, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		field, known := s.Properties[name]
		if !known {
			d.t.Errorf("%s: the API has no field %q", at, name)
			continue
		}
		always[name] = option == ""
		d.fits(at+"."+name, typ.Field(i).Type, field, sent)
		const neutral = "feedback_value" // 0 is a vote
		if sent && option == "" && name != neutral && !slices.Contains(s.Required, name) {
			d.t.Errorf("%s.%s goes out although it is empty", at, name)
		}
	}
	for _, name := range s.Required {
		if sent && !always[name] {
			d.t.Errorf("%s: %q is required, and left out or left out when empty", at, name)
		}
	}
}

// is reports whether a value of this type may stand there.
func (s schema) is(kind string) bool {
	if len(s.OneOf) > 0 {
		return slices.ContainsFunc(s.OneOf, func(one schema) bool { return one.is(kind) })
	}
	names, many := s.Type.([]any)
	return s.Type == nil || s.Type == kind || many && slices.Contains(names, any(kind))
}
