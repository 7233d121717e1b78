package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/interaction"
)

// with is a whole submission with one part put in its place.
func with(field, value string) string {
	parts := map[string]string{"agent": `"pension-advisor"`, "consultation": `{"question":"q"}`, "guidance": `"g"`}
	parts[field] = value
	var out []string
	for _, name := range []string{"agent", "consultation", "guidance", field} {
		if v := parts[name]; v != "" {
			out = append(out, fmt.Sprintf("%q:%s", name, v))
		}
		delete(parts, name)
	}
	return "{" + strings.Join(out, ",") + "}"
}

// A body that is no JSON, or is not to be read, has a status of its own and no fields.
func TestUnreadableBodies(t *testing.T) {
	k := open(t)
	for name, c := range map[string]struct {
		body    string
		options []option
		want    int
		says    string
	}{
		"empty":          {"", nil, 400, "empty"},
		"blank":          {" \n", nil, 400, "empty"},
		"cut off":        {`{"agent":"x"`, nil, 400, "line 1, column 12"},
		"not JSON":       {"agent: x", nil, 400, "line 1, column 1"},
		"trailing comma": {"{\n  \"agent\": \"é\",\n}", nil, 400, "line 3, column 1"},
		"two values":     {small + small, nil, 400, "not JSON"},
		"NaN":            {`{"agent":NaN}`, nil, 400, "not JSON"},
		"single quotes":  {`{'agent':'x'}`, nil, 400, "not JSON"},
		"not UTF-8":      {"{\"agent\":\"\xff\"}", nil, 400, "UTF-8"},
		"UTF-16":         {"\xff\xfe{\x00}\x00", nil, 400, "UTF-8"},
		"a form": {"agent=x", []option{header("Content-Type", "application/x-www-form-urlencoded")}, 415,
			"Content-Type: application/json"},
		"XML": {"<x/>", []option{header("Content-Type", "application/xml")}, 415, "JSON"},
		"Latin-1": {small, []option{header("Content-Type", "application/json; charset=iso-8859-1")}, 415,
			"UTF-8"},
		"broken media type": {small, []option{header("Content-Type", "/;;")}, 415, "JSON"},
		"too large":         {with("guidance", `"`+strings.Repeat("x", 2<<20)+`"`), nil, 413, "Shorten"},
	} {
		t.Run(name, func(t *testing.T) {
			a := k.post(c.body, c.options...)
			if a.Code != c.want || a.Header().Get("Content-Type") != "application/problem+json" ||
				len(a.fields()) != 0 {
				t.Errorf("%d %.300s", a.Code, a.Body)
			}
			if want := map[int]string{400: "bad_request", 413: "too_large",
				415: "unsupported_media_type"}[c.want]; a.json["code"] != want {
				t.Errorf("code is %v, want %s", a.json["code"], want)
			}
			if detail, _ := a.json["detail"].(string); !strings.Contains(detail, c.says) {
				t.Errorf("%q does not say %q", detail, c.says)
			}
		})
	}
	if n := k.count("interaction"); n != 0 {
		t.Errorf("%d stored", n)
	}
}

func TestAcceptedMediaTypes(t *testing.T) {
	k := open(t)
	for _, ct := range []string{"application/json", "application/json; charset=UTF-8", "application/vnd.x+json", ""} {
		if a := k.post(small, header("Content-Type", ct)); a.Code != http.StatusAccepted {
			t.Errorf("%q: %d %s", ct, a.Code, a.Body)
		}
	}
	if a := k.post(small, header("Accept", "text/html")); a.Code != http.StatusAccepted ||
		!strings.HasPrefix(a.Header().Get("Content-Type"), "application/json") {
		t.Errorf("Accept text/html: %d %s", a.Code, a.Header())
	}
}

// Every wrong field is named by pointer, all at once.
func TestWrongBodies(t *testing.T) {
	k := open(t)
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"a list":              {`[]`, []string{"#"}},
		"a text":              {`"x"`, []string{"#"}},
		"null":                {`null`, []string{"#"}},
		"nothing":             {`{}`, []string{"#/consultation"}},
		"null where required": {with("guidance", "null"), []string{"#/guidance"}},
		"no question":         {with("consultation", `{}`), []string{"#/consultation/question"}},
		"blank question":      {with("consultation", `{"question":" "}`), []string{"#/consultation/question"}},
		"empty guidance":      {with("guidance", `""`), []string{"#/guidance"}},
		"number for text":     {with("guidance", "7"), []string{"#/guidance"}},
		"object for text":     {with("guidance", `{"a":1}`), []string{"#/guidance"}},
		"text for object":     {with("consultation", `"q"`), []string{"#/consultation"}},
		"text for list":       {with("steps", `"x"`), []string{"#/steps"}},
		"list for object":     {with("metadata", `[]`), []string{"#/metadata"}},
		"customer a list": {with("consultation", `{"question":"q","customer":[]}`),
			[]string{"#/consultation/customer"}},
		"used a number": {with("knowledge_used", `["a",7]`), []string{"#/knowledge_used/1"}},
		"used unknown field": {with("knowledge_used", `[{"id":"a","score":1}]`),
			[]string{"#/knowledge_used/0/score"}},
		"used version 0": {with("knowledge_used", `[{"id":"a","version":0}]`),
			[]string{"#/knowledge_used/0/version"}},
		"used version 1.5": {with("knowledge_used", `[{"id":"a","version":1.5}]`),
			[]string{"#/knowledge_used/0/version"}},
		"no time":       {with("expires_at", `"tomorrow"`), []string{"#/expires_at"}},
		"empty time":    {with("expires_at", `""`), []string{"#/expires_at"}},
		"a day":         {with("expires_at", `"2030-01-01"`), []string{"#/expires_at"}},
		"unknown field": {with("colour", `1`), []string{"#/colour"}},
		"unknown nested": {with("consultation", `{"question":"q","channel":"web"}`),
			[]string{"#/consultation/channel"}},
		"other letter case":  {with("Guidance", `"g2"`), []string{"#/Guidance"}},
		"pointer is escaped": {with("a/b~c", `1`), []string{"#/a~1b~0c"}},
		"twice": {
			`{"agent":"a","agent":"pension-advisor","consultation":{"question":"q"},"guidance":"g"}`,
			[]string{"#/agent"}},
		"twice in the customer": {with("consultation", `{"question":"q","customer":{"x":{"y":1,"y":2}}}`),
			[]string{"#/consultation/customer/x/y"}},
		"customer wrong": {with("consultation",
			`{"question":"q","customer":{"age":"58","literacy":"fair","pensions":[{"kind":"isa","value":3}]}}`),
			[]string{"#/consultation/customer/age", "#/consultation/customer/pensions/0/kind",
				"#/consultation/customer/pensions/0/value", "#/consultation/customer/literacy"}},
		"all at once": {`{"agent":7,"consultation":{"customer":{"age":-1},"extra":1},"guidance":[],"x":1}`,
			[]string{"#/agent", "#/consultation/extra", "#/guidance", "#/x", "#/consultation/question",
				"#/consultation/customer/age"}},
		"too deep": {with("metadata", strings.Repeat(`{"a":`, 100)+"1"+strings.Repeat("}", 100)),
			[]string{"#/metadata" + strings.Repeat("/a", 64)}},
		"long guidance": {with("guidance", `"`+strings.Repeat("x", interaction.MaxGuidance+1)+`"`),
			[]string{"#/guidance"}},
		"large customer": {with("consultation", `{"question":"q","customer":{"x":"`+strings.Repeat("x", 64<<10)+`"}}`),
			[]string{"#/consultation/customer"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := k.post(c.body)
			if a.Code != http.StatusUnprocessableEntity ||
				a.Header().Get("Content-Type") != "application/problem+json" {
				t.Fatalf("%d %.300s", a.Code, a.Body)
			}
			if diff := cmp.Diff(c.want, a.fields()); diff != "" {
				t.Error(diff)
			}
			if a.Body.Len() > 4000 {
				t.Errorf("the answer repeats what was sent: %d bytes", a.Body.Len())
			}
		})
	}
	if n := k.count("interaction"); n != 0 {
		t.Errorf("%d stored", n)
	}
}

func TestUnknownFieldIsHelpedAlong(t *testing.T) {
	a := open(t).post(with("knowledgeUsed", `[]`))
	if !strings.Contains(a.Body.String(), "did you mean knowledge_used") {
		t.Errorf("%s", a.Body)
	}
}

// Acceptance 5: hostile and very long text goes in as data and comes back as data.
func TestHostileText(t *testing.T) {
	k := open(t)
	nasty :=
		`<script>alert(1)</script><img src=x onerror=alert(1) hx-get=/admin hx-trigger=load> \u202Eevil\u202C \u2066x\u2069 \u0000\u0007 \ud83d\ude00 '; DROP TABLE review;--`
	text := nasty + strings.Repeat("ü", 100_000)
	a := k.post(with("guidance", `"`+text+`"`))
	if a.Code != http.StatusAccepted {
		t.Fatalf("%d %.300s", a.Code, a.Body)
	}
	id := a.json["id"].(string)
	k.decide(id, "approve")
	k.clock.Advance(time.Minute)
	if err := k.jobs.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	got := k.call("GET", "/api/guidance/"+id, "")
	final, _ := got.json["final_text"].(string)
	in, err := k.in.Get(ctx, id)
	if err != nil || final != in.Guidance || !strings.Contains(final, "<script>alert(1)</script>") ||
		!strings.Contains(final, "\u202Eevil\u202C") || !strings.Contains(final, "\x00\a") {
		t.Errorf("final text of %d bytes: %.200q, %v", len(final), final, err)
	}
	if ct := got.Header().Get("Content-Type"); ct != "application/json" {
		t.Errorf("content type %q", ct)
	}
}

func TestLongestText(t *testing.T) {
	k := open(t)
	longest := strings.Repeat("x", interaction.MaxGuidance)
	body := fmt.Sprintf(`{"agent":"pension-advisor","consultation":{"question":"q"},"guidance":%q,"reasoning":%q}`,
		longest, longest)
	if a := k.post(body); a.Code != http.StatusAccepted {
		t.Fatalf("%d %.300s", a.Code, a.Body)
	}
	escaped := strings.Repeat(`\u0627`, interaction.MaxGuidance/2) // two bytes each, six when escaped
	if a := k.post(with("guidance", `"`+escaped+`"`)); a.Code != http.StatusAccepted {
		t.Fatalf("escaped: %d %.300s", a.Code, a.Body)
	}
}

// Whatever is sent, the answer is JSON: an acceptance, or a problem of the client's with a message.
func FuzzSubmit(f *testing.F) {
	for _, s := range []string{small, full, `{}`, `[]`, `null`, `{"agent":`, with("guidance", `""`), with("x", "1"),
		with("knowledge_used", `[{"id":"a","version":2},"b"]`),
		with("consultation", `{"question":"q","customer":{"age":5e1,"pensions":[{"kind":"dc","features":["a"]}]}}`),
		"\xff", `{"agent":"a","agent":"b"}`} {
		f.Add([]byte(s))
	}
	k := open(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		k.t = t
		a := k.post(string(body))
		switch a.Code {
		case http.StatusAccepted:
			if a.json["id"] == nil {
				t.Fatalf("%q: %s", body, a.Body)
			}
		case 400, 403, 413, 415, 422:
			if a.json["detail"] == "" || a.json["status"] != float64(a.Code) {
				t.Fatalf("%q: %d %s", body, a.Code, a.Body)
			}
		default:
			t.Fatalf("%q: %d %s", body, a.Code, a.Body)
		}
	})
}
