package api_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

func TestDescription(t *testing.T) {
	k := open(t)
	a := k.call(http.MethodGet, "/api/openapi.json", "", header("Authorization", ""))
	if a.Code != http.StatusOK || a.Header().Get("Content-Type") != "application/openapi+json" || a.json["openapi"] != "3.1.0" {
		t.Fatalf("%d %v", a.Code, a.Header())
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
			if o["security"] == nil || o["x-scope"] == "" || o["summary"] == "" || (o["requestBody"] != nil) != (method == "post") {
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
	for _, want := range []string{"POST /api/guidance", "GET /api/guidance/{id}", "GET /api/guidance", "POST /api/recall", "POST /api/advise",
		"scope submit", "scope recall", "Idempotency-Key", "Customer", "Pension", "value_gbp", "application/problem+json", "knowledge_used"} {
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

// The calls that the page offers for copying work as they stand.
func TestExamplesWork(t *testing.T) {
	k := open(t)
	body := regexp.MustCompile(`(?s)-d '(.*)'$`)
	tried, id := 0, k.log(photosynthesis)
	page(t, k).Find("pre").Each(func(_ int, s *goquery.Selection) {
		call := s.Text()
		path := regexp.MustCompile(`\$PRECEPTOR(/[^"?]*)`).FindStringSubmatch(call)[1]
		m := body.FindStringSubmatch(call)
		if m == nil {
			return
		}
		if !json.Valid([]byte(m[1])) {
			t.Fatalf("%s: the example is not JSON: %s", path, m[1])
		}
		if a := k.call(http.MethodPost, path, strings.ReplaceAll(m[1], "THE-ID-THAT-CAME-BACK", id)); !slices.Contains([]int{200, 201, 202}, a.Code) {
			t.Errorf("%s: %d %s", path, a.Code, a.Body)
		}
		tried++
	})
	if tried < 8 {
		t.Errorf("%d examples with a body, want 8 or more", tried)
	}
}
