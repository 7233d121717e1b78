package browsertest

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// now is when the samples are drawn that no browser sees.
var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func draw(t *testing.T, s Sample, w Words) *goquery.Document {
	t.Helper()
	var b bytes.Buffer
	if err := s.View(frame(s.Path(), now), w).Render(t.Context(), &b); err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	doc, err := goquery.NewDocumentFromReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

const payload = `<script>alert(1)</script><img src=x onerror=alert(2)><b hx-get="/evil" hx-trigger="load" data-hx-post="/evil" style="color:red">x</b></textarea></title>"' onmouseover="alert(3)" <hx-partial hx-target="body">` + "\u202e\u0000"

// hostile puts the payload wherever somebody may write.
func hostile() Words {
	return Words{Question: payload, Draft: "a " + payload, Revised: "b " + payload, Name: payload, Goal: payload,
		Agent: payload, Reason: payload, Feedback: payload, Principle: payload, Now: now}
}

func TestHostileWordsAreInertOnEveryPage(t *testing.T) {
	for _, s := range Samples() {
		doc, plain := draw(t, s, hostile()), draw(t, s, Plain(now))
		doc.Find("script").Each(func(_ int, e *goquery.Selection) {
			if !strings.HasPrefix(e.AttrOr("src", ""), "/static/") || e.Text() != "" {
				t.Errorf("%s: a script of somebody else: %s", s.Name, e.Text())
			}
		})
		for _, selector := range []string{"img[src=x]", "[onerror]", "[onmouseover]", "[style]", "[data-hx-post]",
			`[hx-get="/evil"]`, "hx-partial", "template"} {
			if n := doc.Find(selector).Length(); n > 0 {
				t.Errorf("%s: %d of %s", s.Name, n, selector)
			}
		}
		if a, b := doc.Find("*").Length(), plain.Find("*").Length(); a > b+40 {
			t.Errorf("%s: %d elements with hostile words, %d with plain ones", s.Name, a, b)
		}
	}
}

func TestNoPageHasInlineScriptOrStyle(t *testing.T) {
	for _, s := range Samples() {
		doc := draw(t, s, Plain(now))
		doc.Find("*").Each(func(_ int, e *goquery.Selection) {
			for _, a := range e.Get(0).Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" || strings.HasPrefix(a.Key, "hx-on") ||
					strings.HasPrefix(a.Val, "javascript:") || strings.HasPrefix(a.Val, "js:") {
					t.Errorf("%s: <%s %s=%q> can't work under the policy", s.Name, e.Get(0).Data, a.Key, a.Val)
				}
			}
		})
		if doc.Find("style").Length() > 0 {
			t.Errorf("%s has a style element", s.Name)
		}
	}
}

func TestEveryPageIsWellBuilt(t *testing.T) {
	for _, s := range Samples() {
		doc := draw(t, s, Plain(now))
		if n := doc.Find("h1").Length(); n != 1 {
			t.Errorf("%s: %d first headings", s.Name, n)
		}
		if doc.Find("main#main").Length() != 1 || doc.Find(`a.skip[href="#main"]`).Length() != 1 {
			t.Errorf("%s: the way to the content is missing", s.Name)
		}
		ids := map[string]bool{}
		doc.Find("[id]").Each(func(_ int, e *goquery.Selection) {
			id := e.AttrOr("id", "")
			if ids[id] {
				t.Errorf("%s: two elements are called %q", s.Name, id)
			}
			ids[id] = true
		})
		for _, attr := range []string{"for", "aria-labelledby", "aria-describedby"} {
			doc.Find("[" + attr + "]").Each(func(_ int, e *goquery.Selection) {
				for _, id := range strings.Fields(e.AttrOr(attr, "")) {
					if !ids[id] {
						t.Errorf("%s: %s=%q names nothing", s.Name, attr, id)
					}
				}
			})
		}
		doc.Find(`form[method="post"]`).Each(func(_ int, e *goquery.Selection) {
			if a := e.AttrOr("action", ""); !strings.HasPrefix(a, "/") {
				t.Errorf("%s: a form leads to %q", s.Name, a)
			}
		})
	}
}

// landmarks are the elements that a screen reader lists as places, with their roles.
var landmarks = []struct{ role, selector string }{
	{"region", "section[aria-label], section[aria-labelledby], [role=region]"},
	{"form", "form[aria-label], form[aria-labelledby]"},
	{"navigation", "nav"}, {"complementary", "aside"}, {"search", "search, [role=search]"},
}

// accessibleName is aria-labelledby's text, or aria-label.
func accessibleName(doc *goquery.Document, e *goquery.Selection) string {
	name := e.AttrOr("aria-label", "")
	if by := strings.Fields(e.AttrOr("aria-labelledby", "")); len(by) > 0 {
		name = ""
		for _, id := range by {
			name += " " + doc.Find("[id='"+id+"']").Text()
		}
	}
	return strings.Join(strings.Fields(name), " ")
}

// The browser's audit says the same after minutes; this says it at once. Where the server's and the browser's page
// differ, axe has the last word.
func TestLandmarksHaveNamesOfTheirOwn(t *testing.T) {
	for _, s := range Samples() {
		doc := draw(t, s, Plain(now))
		for _, l := range landmarks {
			seen := map[string]bool{}
			doc.Find(l.selector).Each(func(_ int, e *goquery.Selection) {
				if e.Closest("[hidden], dialog").Length() > 0 {
					return
				}
				name := accessibleName(doc, e)
				if name == "" {
					t.Errorf("%s: a place (%s) has no name: <%s class=%q>", s.Name, l.role, e.Get(0).Data,
						e.AttrOr("class", ""))
				}
				if seen[name] {
					t.Errorf("%s: two places (%s) are called %q", s.Name, l.role, name)
				}
				seen[name] = true
			})
		}
	}
}

// A form that a person fills in is a place to look for, unless it stands in one that has a name already, is folded away
// or belongs to one row of a list. A form of one button or one field gains nothing from a name.
func TestFormsToFillInHaveNames(t *testing.T) {
	const fields = "input:not([type=hidden], [type=submit]), select, textarea"
	for _, s := range Samples() {
		doc := draw(t, s, Plain(now))
		doc.Find("form").Each(func(_ int, e *goquery.Selection) {
			if accessibleName(doc, e) != "" ||
				e.ParentsFiltered("section[aria-label], section[aria-labelledby], aside, details, dialog, [popover], "+
					"[role=group], li, td").Length() > 0 {
				return
			}
			n := e.Find(fields).FilterFunction(func(_ int, f *goquery.Selection) bool {
				return f.ParentsUntilSelection(e).Filter("li, td, [role=group][aria-label]").Length() == 0
			}).Length()
			if n > 1 {
				t.Errorf("%s: the form to %s has %d fields and no name", s.Name, e.AttrOr("action", ""), n)
			}
		})
	}
}

// A table has a name, or its wrapper has; one in running text stands below its heading.
func TestTablesHaveNames(t *testing.T) {
	for _, s := range Samples() {
		doc := draw(t, s, Plain(now))
		doc.Find("table").Each(func(_ int, e *goquery.Selection) {
			if e.Find("caption").Length() == 0 && accessibleName(doc, e) == "" &&
				e.ParentsFiltered("[role=group][aria-label], [role=region][aria-label], .prose").Length() == 0 {
				t.Errorf("%s: a table has no name: %.60s", s.Name, strings.Join(strings.Fields(e.Text()), " "))
			}
		})
	}
}
