package browsertest

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	votes "preceptor/internal/feedback"
	"preceptor/internal/feedback/link"
	"preceptor/internal/platform/config"
)

// anotherSite is a page of somebody else, on a port of its own, that shows the widget as help tells, under a policy of
// its own as strict as help says it may be.
func anotherSite(t *testing.T, at net.Listener, home, mark string) {
	t.Helper()
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; img-src data:; script-src "+home+"; frame-src "+
			home)
		fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>A shop</title><link rel="icon" href="data:,"></head>
			<body><main id="main"><h1>Our shop</h1><p>Plants make sugar from light.</p><div %s data-title="Did this help?"></div></main>
			<script src="%s/static/widget.js" defer></script></body></html>`, mark, home)
	}))
	_ = srv.Listener.Close()
	srv.Listener = at
	srv.Start()
	t.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
}

// port is an address that is free, and stays taken.
func port(t *testing.T) (at net.Listener, origin string) {
	t.Helper()
	at, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return at, "http://" + at.Addr().String()
}

// within is a frame of another origin in a tab's page: the page around it can't look in, and a test has to.
type within struct {
	*tab
	mu sync.Mutex
	at runtime.ExecutionContextID
}

// frameOf follows the frame of an origin, from document to document.
func (b *tab) frameOf(origin string) *within {
	b.t.Helper()
	f := &within{tab: b}
	b.must(chromedp.Listen(b.ctx, func(ev any) {
		if made, ok := ev.(*runtime.EventExecutionContextCreated); ok && made.Context.Origin == origin &&
			made.Context.Name == "" {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.at = made.Context.ID
		}
	}))
	return f
}

// asked evaluates a script in the frame; an error is one of a document that is just leaving.
func asked[T any](f *within, js string) (T, error) {
	f.mu.Lock()
	at := f.at
	f.mu.Unlock()
	return chromedp.Run(f.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise, func(p *runtime.EvaluateParams) {
		p.ContextID = at
	}))
}

// inside waits for a script to be true in the frame.
func (f *within) inside(what, js string) {
	f.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		yes, err := asked[bool](f, js)
		if err == nil && yes {
			return
		}
		if time.Now().After(deadline) {
			text, _ := asked[string](f, "document.body.innerText")
			f.shot("failed-" + f.t.Name())
			f.t.Fatalf("waited in vain until %s; %v; the frame says %q, the browser %q", what, err, text,
				f.complaints())
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// tabTo presses Tab until the focus is on what a selector finds in the frame.
func (f *within) tabTo(selector string) {
	f.t.Helper()
	var seen []string
	for range 25 {
		f.press(kb.Tab)
		if yes, err := asked[bool](f,
			fmt.Sprintf("document.hasFocus() && document.activeElement.matches(%q)", selector)); err == nil && yes {
			return
		}
		on, _ := asked[string](f, "document.activeElement.outerHTML.slice(0, 90)")
		seen = append(seen, on)
	}
	f.t.Fatalf("no way to %s by Tab: %q", selector, seen)
}

// TestTheWidgetOnAnotherSite has a customer vote, rate and comment in the widget by keyboard, on a site that the
// operator named; on one that was not named nothing is shown.
func TestTheWidgetOnAnotherSite(t *testing.T) {
	shop, named := port(t)
	other, foreign := port(t)
	site := apptest.Open(t, func(c *config.Config) { c.WidgetOrigins = []string{named} })
	_, token, err := site.Accounts.CreateToken(t.Context(), "tutor", "pension", []account.Scope{account.Feedback},
		time.Time{}, audit.System("test"))
	if err != nil {
		t.Fatal(err)
	}
	id, err := site.Feedback.Log(t.Context(),
		votes.Observation{AgentID: token.AgentID, AgentName: token.AgentName, AgentType: "tutor",
			Query: "What is photosynthesis?", Response: "Plants make sugar from light."})
	if err != nil {
		t.Fatal(err)
	}
	link, _, err := site.Links.New(t.Context(), link.Request{SubjectID: id, UserID: "u1"}, audit.System("test"))
	if err != nil {
		t.Fatal(err)
	}
	mark := fmt.Sprintf("data-preceptor-feedback=%q", link)
	anotherSite(t, shop, site.URL, mark)
	anotherSite(t, other, site.URL, mark)
	kept := func(what string, is func(v votes.Vote) bool) {
		t.Helper()
		list, err := site.Feedback.VotesOf(t.Context(), id, 10)
		if err != nil || len(list) != 1 || list[0].UserID != "u1" || list[0].Channel != votes.ChannelWidget ||
			!is(list[0]) {
			t.Fatalf("%s: the votes are %+v, %v", what, list, err)
		}
	}

	b := open(t, true)
	b.size(1000, 700, "light")
	f := b.frameOf(site.URL)
	b.run(chromedp.Navigate(named+"/"), chromedp.WaitReady(chromedp.CSS("iframe")))
	b.until("the frame said how high it is",
		`(() => { const f = document.querySelector("iframe"); return f && f.style.blockSize !== "7rem" && f.offsetHeight >= 40; })()`)
	if title := eval[string](b, `document.querySelector("iframe").title`); title != "Did this help?" {
		t.Errorf("the frame is called %q", title)
	}
	before := eval[float64](b, `document.querySelector("iframe").offsetHeight`)
	b.accessible("the named site")
	f.accessible("the widget, fresh")

	f.tabTo(`button[name=vote][value="1"]`)
	b.enterKey()
	f.inside("the vote is kept",
		`document.readyState === "complete" && document.body.innerText.includes("Thank you. Your feedback is saved")`)
	kept("a thumb", func(v votes.Vote) bool { return v.Kind == votes.Thumbs && v.Norm == 1 })
	b.until("the frame grew for more", fmt.Sprintf(`document.querySelector("iframe").offsetHeight > %v`, before))
	f.accessible("the widget, voted")
	f.tabTo("summary")
	b.enterKey()
	f.inside("there is room for words", `document.querySelector("details").open`)
	f.tabTo("input[name=rating]")
	b.press(kb.ArrowLeft) // from no answer to the ten before it
	f.tabTo("textarea")
	b.press("Clear, <b>thanks</b>.")
	f.accessible("the widget, open")
	b.shot("widget-elsewhere")
	f.tabTo("#send")
	if _, err := asked[string](f, `document.documentElement.dataset.was = "1"`); err != nil {
		t.Fatal(err)
	}
	b.enterKey()
	f.inside("the words are kept",
		`document.readyState === "complete" && !document.documentElement.dataset.was && document.body.innerText.includes("Thank you. Your feedback is saved") && document.querySelector("textarea").value.includes("thanks")`)
	kept("a rating with words", func(v votes.Vote) bool {
		return v.Kind == votes.Rating && v.Value == 10 && v.Text == "Clear, <b>thanks</b>."
	})
	for _, look := range looks {
		b.size(look.width, 700, look.scheme)
		b.fits("the named site, " + look.name)
		f.inside("the frame does not scroll sideways, "+look.name,
			"document.documentElement.scrollWidth <= document.documentElement.clientWidth")
	}
	b.quiet("the named site")

	b.run(chromedp.Navigate(foreign + "/"))
	deadline := time.Now().Add(patience)
	for !slices.ContainsFunc(b.complaints(), func(s string) bool { return strings.Contains(s, "frame-ancestors") }) {
		if time.Now().After(deadline) {
			t.Fatalf("a site that nobody named was not refused: %q", b.complaints())
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.until("the frame that was refused is gone",
		`document.readyState === "complete" && !document.querySelector("iframe")`)
	b.shot("widget-refused")
}

// accessible fails the test for everything axe finds in the frame.
func (f *within) accessible(where string) {
	f.t.Helper()
	found, err := asked[string](f,
		axe+
			`;axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations.map(v => v.id + ": " + v.help + " at " + v.nodes[0].target.join(" "))))`)
	if err != nil || found != "[]" {
		f.t.Errorf("%s: axe: %s, %v", where, found, err)
	}
}
