package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The values of a chart are read where the pointer stands, and by the arrow keys, within the width of a phone.
func TestAChartSaysItsValues(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	b := open(t, false)
	srv := galleryServer(t)
	b.size(360, 740, "light")
	for _, name := range []string{"stats-satisfaction", "stats-learning"} {
		b.run(chromedp.Navigate(srv.URL+"/"+name), chromedp.WaitReady(chromedp.CSS("#main")))
		const shown = `[...document.querySelectorAll("svg[data-plot] .tip")].filter(t => getComputedStyle(t).visibility === "visible").map(t => t.textContent).join("|")`
		if s := eval[string](b, shown); s != "" {
			t.Fatalf("%s: at first %q is shown", name, s)
		}
		b.run(chromedp.Focus(chromedp.CSS("svg[data-plot]")))
		last := eval[string](b, shown)
		b.press(kb.ArrowLeft)
		if s := eval[string](b, shown); s == "" || s == last {
			t.Errorf("%s: the arrow goes from %q to %q", name, last, s)
		}
		const outside = `[...document.querySelectorAll("svg[data-plot] .tip")].filter(t => { const r = t.getBoundingClientRect(); return r.width && (r.left < 0 || r.right > innerWidth); }).length`
		if n := eval[int](b, outside); n != 0 {
			t.Errorf("%s: %d values stand outside of the screen", name, n)
		}
		b.fits(name)
		b.shot(name + "-360")
	}
}
