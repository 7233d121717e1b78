package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"preceptor/internal/account"
)

// TestTheCaseStaysInView: beside a long draft the question stays in view; nothing jumps when the next case takes the
// place of one; on a phone the draft begins on the first screen; the list of keys is that of the page.
func TestTheCaseStaysInView(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	site, failed, passed := desk(t, 2)
	b := open(t, true)
	b.size(1440, 700, "light")
	b.enter(site, "/reviews/"+passed[1], account.Supervisor) // the last: what follows is the first
	b.says("#claim", "You're reviewing this")
	top := `document.querySelector("h1").getBoundingClientRect().top`
	before := eval[float64](b, top)
	b.press("a")
	b.at("/reviews/" + failed)
	b.says("#toast", "sends in")
	if after := eval[float64](b, top); after != before {
		t.Errorf("the heading jumped from %v to %v", before, after)
	}
	b.until("the question stays beside a long draft", `(() => {
		document.querySelector(".draft").style.blockSize = "3000px"; scrollTo(0, 1200);
		return [".case-who", ".case-known"].every(s => (r => r.top >= 50 && r.top < 60)(document.querySelector(s).getBoundingClientRect()));
	})()`)
	b.press("?")
	keys := eval[[]string](b, `[...document.querySelectorAll("#keys dt:not([hidden]) .sr")].map(e => e.textContent)`)
	is := map[string]bool{}
	for _, k := range keys {
		is[k] = true
	}
	for key, want := range map[string]bool{"e": true, "r": true, "u": true, "a": false, "f": false, "n": false,
		"Enter": false} {
		if is[key] != want {
			t.Errorf("the list of keys %v: %s is there: %v, want %v", keys, key, is[key], want)
		}
	}
	b.press(kb.Escape)

	b.size(360, 740, "light")
	for _, id := range []string{failed, passed[0]} {
		b.run(chromedp.Navigate(site.URL+"/reviews/"+id), chromedp.WaitReady(chromedp.CSS("#main")))
		b.says("#claim", "You're reviewing this")
		b.until("the draft begins on the first screen",
			`document.querySelector(".draft").getBoundingClientRect().top + 24 < document.querySelector(".desk-foot").getBoundingClientRect().top`)
		b.fits("a case on a phone")
	}
	b.click("#reject")
	b.until("the form is open and its first field has the focus",
		`document.activeElement.id === "code-0" && (r => r.top > 0 && r.bottom < innerHeight)(document.activeElement.getBoundingClientRect())`)
	b.quiet("looking")
}
