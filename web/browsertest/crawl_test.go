package browsertest

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"preceptor/internal/app"
	"preceptor/internal/demo"
	"preceptor/internal/platform/config"
)

// id is a row's id in an address: pages that differ only by it are one kind of page.
var id = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)

// looks are the windows and schemes in which every page is looked at: the first two in make test, all of them where
// PRECEPTOR_LOOKS=all or PRECEPTOR_SHOTS asks for it, as before a release.
var looks = []struct {
	name, scheme string
	width        int64
}{{"light-wide", "light", 1440}, {"dark-narrow", "dark", 360}, {"dark-wide", "dark", 1440},
	{"light-narrow", "light", 360}}

func looked() int {
	if os.Getenv("PRECEPTOR_LOOKS") == "all" || os.Getenv("PRECEPTOR_SHOTS") != "" {
		return len(looks)
	}
	return 2
}

// lookOnce opens a page, one of many, and holds it to what all pages are held to: it has to fit in every look, a screen
// reader reads it in the first of them, where it has a frame, and axe, which takes a second, reads it in one; the pages
// take turns, unless all looks were asked for. A page is opened in the look in which the one before was left: to change
// the look of a page that is left makes Chromium lay it out and paint it for nobody, and some pages are as well opened
// narrow and made wide.
func (b *tab) lookOnce(address, ready, where string, nth int, framed bool) {
	b.t.Helper()
	n := looked()
	for k := range n {
		l := looks[(nth+k)%n]
		b.size(l.width, 900, l.scheme)
		if k == 0 {
			b.run(chromedp.Navigate(address), chromedp.WaitReady(chromedp.CSS(ready)))
		}
		if k == 0 {
			b.rendered(where)
		}
		if framed && (nth+k)%n == 0 {
			b.orderly(where)
		}
		b.fits(where + "-" + l.name)
		if n == len(looks) || k == 0 {
			b.accessible(where + "-" + l.name)
		}
		b.shot(where + "-" + l.name)
	}
}

// rendered finds template source that a page prints as text: @kind(o.Body), { v.Name }, templ.URL.
func (b *tab) rendered(where string) {
	b.t.Helper()
	if source := templateSource(eval[string](b, `document.body.innerText`)); source != "" {
		b.t.Errorf("%s prints template source: %s", where, source)
	}
}

var printed = regexp.MustCompile(`@[A-Za-z]\w*(\.\w+)?\(.{0,40}|\{ [a-z]\w*\.[A-Z]\w*.{0,40}|\btempl\.[A-Z]\w*`)

func templateSource(text string) string { return printed.FindString(text) }

func TestTemplateSourceIsKnown(t *testing.T) {
	for text, want := range map[string]bool{"@kind(o.Body)": true, "by @ui.Time(a.SeenAt, f.Now)": true,
		"{ v.Name }": true, "templ.URL(x)": true,
		"@carter (Ben)": false, "ann@example.org": false, `{ "id": 1 }`: false, "a template. Use it": false} {
		if got := templateSource(text) != ""; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestEveryPageOfTheDemo follows every link of a seeded demo as each of its people, and looks at one page of each kind.
// PRECEPTOR_SITE=http://127.0.0.1:8080 has it look at a demo that runs already.
func TestEveryPageOfTheDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("looks at every page; make check runs it")
	}
	t.Parallel() // beside the gallery, each in a tab: they wait for the browser half of the time
	first := open(t, true)
	site := os.Getenv("PRECEPTOR_SITE")
	if site == "" {
		site = demoSite(t)
	}
	first.run(chromedp.Navigate(site+"/sign-in"), chromedp.WaitReady(chromedp.CSS("form")))
	accounts := eval[[]string](first, `[...document.querySelectorAll("input[name=account]")].map(i => i.value)`)
	if len(accounts) == 0 {
		t.Fatal("nobody can sign in")
	}
	c := &crawler{site: site, seen: map[string]bool{}}
	for i, account := range accounts {
		t.Run(fmt.Sprint(i), func(t *testing.T) { c.crawl(t, account, fmt.Sprintf("site%d", i)) })
	}
	t.Logf("%d kinds of pages", len(c.seen))
	for _, kind := range []string{"/feedback", "/feedback/ID", "/feedback/examples", "/feedback/nightly",
		"/preferences", "/preferences/pairs", "/preferences/ranking", "/experiments", "/experiments/ID",
		"/stats/satisfaction", "/api/docs"} {
		if !c.seen[kind] {
			t.Errorf("nobody came to %s", kind)
		}
	}
}

// demoSite is the demo behind a socket, seeded, its jobs at rest.
func demoSite(t *testing.T) string {
	t.Helper()
	cfg, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	cfg.DB, cfg.Demo = filepath.Join(t.TempDir(), "demo.db"), true
	clock := demo.NewClock(time.Now().Add(-demo.Days * 24 * time.Hour))
	a, err := app.Open(context.Background(), cfg, app.WithClock(clock.Now), app.WithLog(slog.New(slog.DiscardHandler)),
		app.WithTerminal(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	began := time.Now()
	f, err := demo.Begin(t.Context(), seedServices(a), clock)
	if err == nil {
		err = f.Fill(t.Context(), func(int, int) {})
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("filled in %s", time.Since(began).Round(time.Second))
	h, err := a.Handler()
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(h)
	t.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
	return srv.URL
}

// seedServices are those with which `make demo` fills its file, but for the measuring of judges, which makes no page of
// another kind: a walk that saw no pairs, no experiments and no comments found nothing wrong with their pages.
func seedServices(a *app.App) demo.Services {
	return demo.Services{Accounts: a.Accounts, Interactions: a.Interactions, Reviews: a.Reviews, Knowledge: a.Knowledge,
		Learning: a.Learning, Jobs: a.Jobs, Credit: a.Credit, Signals: a.Signals,
		Planted: a.Planted, Policies: a.Policies, Approvals: a.Approvals, Comments: a.Comments, Datasets: a.Datasets,
		Versions: a.Versions,
		Feedback: a.Feedback, Preferences: a.Preferences, Experiments: a.Experiments, Together: a.DB.Write,
		Night: a.Nightly.Run}
}

// crawler is a walk over a site; what one person saw, the next one passes over, but for their home page.
type crawler struct {
	site   string
	seen   map[string]bool
	looked int
}

func (c *crawler) crawl(t *testing.T, account, prefix string) {
	b := open(t, true)
	b.size(1440, 900, "light")
	b.run(chromedp.Navigate(c.site+"/sign-in"), chromedp.WaitReady(chromedp.CSS("form")),
		chromedp.Click(chromedp.CSS(fmt.Sprintf(`form:has(input[value="%s"]) button`, account))),
		chromedp.WaitReady(chromedp.CSS(".nav")))
	todo := []string{"/", "/nowhere"}
	for n := 0; len(todo) > 0 && n < 250; {
		path := todo[0]
		todo = todo[1:]
		kind, ok := c.kind(path)
		if kind == "/" {
			kind += prefix
		}
		if !ok || c.seen[kind] {
			continue
		}
		c.seen[kind] = true
		if !b.html(path) {
			continue
		}
		n++
		name := prefix + strings.NewReplacer("/", "-", "?", "-", "=", "", "&",
			"-").Replace(strings.TrimSuffix(kind, prefix))
		b.lookOnce(c.site+path, "body", name, c.looked, true)
		c.looked++
		b.quiet(name, "/nowhere")
		if deaf := eval[[]string](b,
			`(() => { const told = (document.getElementById("live")?.getAttribute("hx-sse:connect") || "").split(/[=&,]/);
			return [...document.querySelectorAll("[hx-trigger*='from:#live']")].flatMap(e => [...e.getAttribute("hx-trigger").matchAll(/(\w+) from:#live/g)].map(m => m[1])).filter(t => !told.includes(t)); })()`); len(deaf) > 0 {
			t.Errorf("%s waits for news of %v and isn't told any", name, deaf)
		}
		todo = append(todo,
			eval[[]string](b,
				`[...document.querySelectorAll("a[href]")].filter(a => a.origin === location.origin).map(a => a.pathname + a.search)`)...)
	}
}

// kind is what pages have in common that need to be seen but once.
func (c *crawler) kind(path string) (string, bool) {
	u, err := url.Parse(path)
	if err != nil || strings.HasPrefix(path, "/api/openapi") {
		return "", false
	}
	q := url.Values{}
	for name, v := range u.Query() {
		switch name { // of the rest, no page of a list looks different
		case "mode", "state", "kind", "tab", "view":
			q.Set(name, v[0])
		}
	}
	kind := id.ReplaceAllString(u.Path, "ID")
	if len(q) > 0 {
		kind += "?" + q.Encode()
	}
	return kind, true
}

// html reports whether an address answers with a page and not with a file to keep.
func (b *tab) html(path string) bool {
	b.t.Helper()
	return eval[bool](b,
		fmt.Sprintf(`(() => { const stop = new AbortController(); return fetch(%q, { signal: stop.signal }).then(r => {
		const page = (r.headers.get("content-type") || "").startsWith("text/html") && !r.headers.get("content-disposition"); stop.abort(); return page; }); })()`, path))
}
