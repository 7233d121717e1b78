package api_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/feedback/experiment"
)

func TestDescription(t *testing.T) {
	k := open(t)
	a := k.call(http.MethodGet, "/openapi.json", "", header("Authorization", ""))
	if a.Code != http.StatusMovedPermanently || a.Header().Get("Location") != "/api/openapi.json" {
		t.Errorf("%d %v", a.Code, a.Header())
	}
	a = k.call(http.MethodGet, "/api/openapi.json", "", header("Authorization", ""))
	if a.Code != http.StatusOK || a.Header().Get("Content-Type") != "application/openapi+json" ||
		a.json["openapi"] != "3.1.0" {
		t.Fatalf("%d %v", a.Code, a.Header())
	}
	if servers, _ := a.json["servers"].([]any); len(servers) != 1 {
		t.Errorf("servers = %v", servers)
	}
	if info := a.json["info"].(map[string]any); info["version"] != "1.2.3" {
		t.Errorf("info = %v", info)
	}
	schemas := a.json["components"].(map[string]any)["schemas"].(map[string]any)
	for _, ref := range regexp.MustCompile(`#/components/schemas/(\w+)`).FindAllStringSubmatch(a.Body.String(), -1) {
		if schemas[ref[1]] == nil {
			t.Errorf("%s leads nowhere", ref[0])
		}
	}
	for name, s := range schemas {
		open := s.(map[string]any)["additionalProperties"]
		if want := name == "Customer" || name == "CheckBody"; open != want {
			t.Errorf("%s: additionalProperties is %v, want %v", name, open, want)
		}
	}
	for path, ops := range a.json["paths"].(map[string]any) {
		for method, op := range ops.(map[string]any) {
			o := op.(map[string]any)
			responses := o["responses"].(map[string]any)
			for _, status := range []string{"401", "403", "422"} {
				if responses[status] == nil {
					t.Errorf("%s %s does not tell of %s", method, path, status)
				}
			}
			if o["security"] == nil || o["x-scope"] == "" || o["summary"] == "" ||
				(o["requestBody"] != nil) != (method == "post") {
				t.Errorf("%s %s: %v", method, path, o)
			}
			if method == "post" && (responses["413"] == nil || responses["415"] == nil || responses["400"] == nil) {
				t.Errorf("%s %s does not tell what becomes of a broken body", method, path)
			}
		}
	}
}

func page(t *testing.T, k *desk) *goquery.Document {
	t.Helper()
	a := k.call(http.MethodGet, "/api/docs", "", header("Authorization", ""))
	if a.Code != http.StatusOK || !strings.HasPrefix(a.Header().Get("Content-Type"), "text/html") {
		t.Fatalf("%d %v", a.Code, a.Header())
	}
	doc, err := goquery.NewDocumentFromReader(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// The page shows every operation and schema, and its links lead somewhere.
func TestPage(t *testing.T) {
	k := open(t)
	doc := page(t, k)
	text := doc.Find("main").Text()
	for _, want := range []string{"POST /api/guidance", "GET /api/guidance/{id}", "GET /api/guidance",
		"POST /api/recall", "POST /api/advise",
		"scope submit", "scope recall", "Idempotency-Key", "Customer", "Pension", "value_gbp",
		"application/problem+json", "knowledge_used"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	doc.Find("a[href^='#']").Each(func(_ int, a *goquery.Selection) {
		href, _ := a.Attr("href")
		if doc.Find("[id='"+href[1:]+"']").Length() != 1 {
			t.Errorf("%s leads nowhere", href)
		}
	})
	if at := regexp.MustCompile(`@\w+\(|uuidgen`).FindString(text); at != "" {
		t.Errorf("the page prints %q", at)
	}
	if n := doc.Find("section > pre").Length(); doc.Find("details pre").Length() != 2*n {
		t.Error("an operation has no example in Python or Node")
	}
	if doc.Find("h1").Length() != 1 || doc.Find("[id]").Length() != len(unique(doc)) {
		t.Error("headings or ids are not as they should be")
	}
}

func unique(doc *goquery.Document) map[string]bool {
	ids := map[string]bool{}
	doc.Find("[id]").Each(func(_ int, s *goquery.Selection) { id, _ := s.Attr("id"); ids[id] = true })
	return ids
}

// A strict policy lets in nothing inline and nothing from elsewhere.
func TestPageNeedsNothingForeign(t *testing.T) {
	doc := page(t, open(t))
	doc.Find("*").Each(func(_ int, s *goquery.Selection) {
		for _, attr := range s.Nodes[0].Attr {
			foreign := strings.Contains(attr.Val, "//") && (attr.Key == "src" || attr.Key == "href")
			if foreign || attr.Key == "style" || strings.HasPrefix(attr.Key, "on") {
				t.Errorf("<%s %s=%q>", s.Nodes[0].Data, attr.Key, attr.Val)
			}
		}
	})
	if doc.Find("style, script:not([src]), iframe").Length() != 0 {
		t.Error("something is inline")
	}
}

// The calls that the page offers for copying work as they stand: all of them, those that only read as well.
func TestExamplesWork(t *testing.T) {
	k := open(t)
	parts := regexp.MustCompile(`(?s)^curl -sS "\$PRECEPTOR(/[^"]*)" -H "Authorization: Bearer \$PRECEPTOR_TOKEN"(.*)$`)
	body := regexp.MustCompile(`(?s)-d '(.*)'$`)
	session := k.session()
	ids := map[string]string{"/api/guidance/": k.submit(), "/api/experiments/": k.experiment(),
		"/api/preferences/": k.pair(), "/api/agents/": "", "/api/sessions/": session, "/api/observations/": session}
	tried, interaction := map[string]int{}, k.log(photosynthesis)
	page(t, k).Find("section > pre").Each(func(_ int, s *goquery.Selection) {
		call := parts.FindStringSubmatch(s.Text())
		if call == nil {
			t.Fatalf("this is no call: %s", s.Text())
		}
		method, sent, path := http.MethodGet, "", call[1]
		for prefix, id := range ids {
			if strings.HasPrefix(path, prefix) {
				path = strings.NewReplacer("$ID", id, "AGENT", "pension-advisor").Replace(path)
			}
		}
		var options []option
		if call[2] == " -X DELETE" {
			method = http.MethodDelete
		} else if call[2] != "" {
			m := body.FindStringSubmatch(call[2])
			if m == nil || !json.Valid([]byte(m[1])) {
				t.Fatalf("%s: nothing is sent, or it is not JSON: %s", path, call[2])
			}
			method, sent = http.MethodPost, strings.ReplaceAll(m[1], "THE-ID-THAT-CAME-BACK", interaction)
			if strings.Contains(call[2], "Idempotency-Key") {
				options = append(options, header("Idempotency-Key", path))
			}
		}
		// one experiment runs already, and no other can beside it
		if a := k.call(method, path, sent, options...); !slices.Contains([]int{200, 201, 202}, a.Code) &&
			(path != "/api/experiments" || a.Code != http.StatusConflict) {
			t.Errorf("%s %s: %d %s", method, path, a.Code, a.Body)
		}
		tried[method]++
	})
	sent := regexp.MustCompile(`(?s)data=r"""(.*)"""\.encode|body: JSON\.stringify\((.*)\)\n\}\);`)
	page(t, k).Find("details pre").Each(func(_ int, s *goquery.Selection) {
		if m := sent.FindStringSubmatch(s.Text()); m != nil && !json.Valid([]byte(m[1]+m[2])) {
			t.Errorf("this sends no JSON: %s", s.Text())
		}
	})
	if tried[http.MethodPost] < 12 || tried[http.MethodGet] < 6 || tried[http.MethodDelete] != 1 {
		t.Errorf("tried %v", tried)
	}
}

// session is one of the agent's that has ended.
func (k *desk) session() string {
	k.t.Helper()
	k.call(http.MethodPost, "/api/turns", `{"action":"split_file:a.go:2","reaction":"good"}`)
	id, _ := k.call(http.MethodPost, "/api/sessions/end", `{}`).json["id"].(string)
	return id
}

// experiment starts one that the desk's agent carries out itself.
func (k *desk) pair() string {
	k.t.Helper()
	a := k.call("POST", "/api/preferences", `{"source_id":"p","prompt":"Which?","first":{"text":"x","maker":"m"},`+
		`"second":{"text":"y","maker":"n"}}`)
	id, _ := a.json["id"].(string)
	return id
}

func (k *desk) experiment() string {
	k.t.Helper()
	mia := experiment.Person{ID: "mia", Name: "Mia"}
	e, err := k.trials.Create(ctx, experiment.Input{Name: "Prompt 4", Purpose: experiment.Prompt, Treatment: "prompt 4",
		Control: "prompt 3", Metric: experiment.Vote}, experiment.DefaultAim, mia)
	if err == nil {
		err = k.trials.Start(ctx, e.ID, mia)
	}
	if err != nil {
		k.t.Fatal(err)
	}
	return e.ID
}
