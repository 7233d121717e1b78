package layout

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"
)

func draw(t *testing.T, c templ.Component) *goquery.Document {
	t.Helper()
	var b strings.Builder
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func person() *Person {
	return &Person{Name: "Ann", Email: "ann@example.org", Roles: []string{"expert"}}
}

func TestTheNavigationMarksWhereOneIs(t *testing.T) {
	items := []Item{{Label: "Reviews", Href: "/reviews", Count: 3, CountLabel: "need review"},
		{Label: "Learning", Href: "/learning"}, {Label: "Administration", Href: "/admin"}}
	for path, want := range map[string]string{"/reviews": "Reviews", "/reviews/i1": "Reviews",
		"/learning/x": "Learning", "/administrators": "", "/": ""} {
		doc := draw(t, Nav(Frame{Path: path, Nav: items}))
		got := strings.TrimSpace(doc.Find("[aria-current]").Text())
		if (want == "") != (got == "") || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q is marked, want %q", path, got, want)
		}
	}
	if doc := draw(t, Nav(Frame{Nav: items})); doc.Find(".count").Length() != 1 {
		t.Error("a count of nothing is shown")
	}
}

func TestThemeAndKeysAreOnTheRoot(t *testing.T) {
	doc := draw(t, Page(Frame{Person: person(), Theme: "dark", NoKeys: true, Dense: true, Title: "Reviews"}))
	root := doc.Find("html")
	if root.AttrOr("data-theme", "") != "dark" || root.AttrOr("class", "") != "nokeys" ||
		root.AttrOr("data-density", "") != "compact" || root.AttrOr("lang", "") == "" {
		t.Error("settings are missing on the root")
	}
	if got := doc.Find("title").Text(); got != "Reviews · Preceptor" {
		t.Error(got)
	}
	if _, ok := draw(t, Page(Frame{Person: person()})).Find("html").Attr("data-theme"); ok {
		t.Error("without a setting the machine's theme does not count")
	}
}

func TestAPageListensOnlyWhenItFollows(t *testing.T) {
	if draw(t, Page(Frame{Person: person()})).Find("#live").Length() != 0 {
		t.Error("a page that follows nothing holds a stream open")
	}
	doc := draw(t, Page(Frame{Person: person(), Topics: "reviews"}))
	if got := doc.Find("#live").AttrOr("hx-sse:connect", ""); !strings.HasPrefix(got, "/events?topics=reviews&at=") {
		t.Errorf("the stream is %q", got)
	}
	if draw(t, Bare(Frame{})).Find("nav, .menu, #live").Length() != 0 {
		t.Error("somebody who is not signed in has a navigation")
	}
}

func TestHtmxMayDoLittle(t *testing.T) {
	doc := draw(t, Bare(Frame{}))
	var config map[string]any
	if err := json.Unmarshal([]byte(doc.Find(`meta[name="htmx-config"]`).AttrOr("content", "")), &config); err != nil {
		t.Fatal(err)
	}
	if config["mode"] != "same-origin" || config["includeIndicatorCSS"] != false || config["extensions"] != "sse" {
		t.Errorf("%v", config)
	}
	doc.Find("script, link[rel=stylesheet]").Each(func(_ int, e *goquery.Selection) {
		if src := e.AttrOr("src", e.AttrOr("href", "")); !strings.HasPrefix(src, "/static/") {
			t.Errorf("%q is not ours", src)
		}
	})
}

func TestAProblemSaysWhatToDoNext(t *testing.T) {
	doc := draw(t, Problem(Frame{Person: person()},
		Fault{Status: 409, Message: "Ben approved it.", Fields: []string{"One <b>line</b>."}, RequestID: "r-1"}))
	for _, want := range []string{"Nothing was changed", "Ben approved it.", "One <b>line</b>.", "r-1"} {
		if !strings.Contains(doc.Find("main").Text(), want) {
			t.Errorf("%q is missing", want)
		}
	}
	if draw(t, Problem(Frame{}, Fault{Status: 401})).Find(`a[href="/sign-in"]`).Length() != 1 {
		t.Error("no way to sign in")
	}
	for status := 400; status < 600; status++ {
		if TitleOf(status) == "" {
			t.Errorf("%d has no title", status)
		}
	}
	if part := draw(t, ProblemFragment(Fault{Status: 500, RequestID: "r-2"})); !strings.Contains(
		part.Find(".notice[role=alert]").Text(), "r-2") {
		t.Error("the fragment of a defect does not carry its number")
	}
}
