package browsertest

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"preceptor/static"
	"preceptor/views/layout"
)

// contentPolicy is what the server sends, so that the samples are held to it as well.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func frame(path string, now time.Time) layout.Frame {
	return layout.Frame{Title: "Gallery", Path: path, Wide: true, Demo: true, Now: now,
		Person: &layout.Person{Name: "Ann Archer", Email: "ann@example.org", Roles: []string{"supervisor", "admin"}},
		Nav: []layout.Item{{Label: "Reviews", Href: "/reviews", Count: 12, CountLabel: "need review"},
			{Label: "Learning", Href: "/learning", Count: 2, CountLabel: "wait for acceptance"},
			{Label: "Knowledge", Href: "/knowledge"}, {Label: "Ask", Href: "/ask"},
			{Label: "Overview", Href: "/overview"}, {Label: "Administration", Href: "/admin"}}}
}

// galleryServer serves the samples as the program would.
func galleryServer(t *testing.T) *httptest.Server {
	t.Helper()
	now := time.Now()
	mux := http.NewServeMux()
	mux.Handle("/static/", static.Handler())
	mux.HandleFunc("POST /reviews/{id}/unclaim", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	})
	for _, s := range Samples() {
		mux.HandleFunc("/"+s.Name, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", contentPolicy)
			if err := s.View(frame(s.Path(), now), Plain(now)).Render(r.Context(), w); err != nil {
				t.Error(err)
			}
		})
	}
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv
}

func TestEveryPageInEveryState(t *testing.T) {
	if testing.Short() {
		t.Skip("looks at every page; make check runs it")
	}
	t.Parallel() // beside the demo's pages
	b := open(t, false)
	srv := galleryServer(t)
	only := os.Getenv("PRECEPTOR_SHOTS_ONLY")
	for i, s := range Samples() {
		if !strings.Contains(s.Name, only) {
			continue
		}
		where := "gallery-" + s.Name
		// a customer's page has none
		framed := !strings.HasPrefix(s.Name, "feedback-link") && !strings.HasPrefix(s.Name, "feedback-widget")
		b.lookOnce(srv.URL+"/"+s.Name, "#main", where, i, framed)
		// a sample has no next case to load, and no claim to renew where the machine is slow
		b.quiet(where, "/reviews/ahead", "/claim")
	}
}

// TestChipsBreakBetweenWords: on a phone a chip in a table takes lines of whole words, however narrow its column.
func TestChipsBreakBetweenWords(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	b := open(t, false)
	srv := galleryServer(t)
	b.size(390, 844, "light")
	for _, name := range []string{"datasets", "datasets-items", "datasets-ruling", "datasets-version", "practice"} {
		b.run(chromedp.Navigate(srv.URL+"/"+name), chromedp.WaitReady(chromedp.CSS("#main")))
		broken := eval[[]string](b, `[...document.querySelectorAll(".table .badge")].flatMap(e => {
			const text = [...e.childNodes].findLast(n => n.nodeType === 3), list = [];
			for (const m of (text?.data ?? "").matchAll(/[\p{L}]+/gu)) {
				const r = document.createRange();
				r.setStart(text, m.index);
				r.setEnd(text, m.index + m[0].length);
				if (r.getClientRects().length > 1) list.push(m[0]);
			}
			return list;
		})`)
		if len(broken) > 0 {
			t.Errorf("%s breaks %q", name, broken)
		}
		b.fits(name)
		b.shot("chips-" + name)
	}
}
