package browsertest

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// On paper nothing can be unfolded: the tables of charts are open there, within the paper's width, and folded again on
// the screen.
func TestTablesOfChartsArePrinted(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	b := open(t, false)
	srv := galleryServer(t)
	b.size(718, 1016, "light") // A4 with its margins
	for _, name := range []string{"stats", "stats-compliance", "overview"} {
		b.run(chromedp.Navigate(srv.URL+"/"+name), chromedp.WaitReady(chromedp.CSS("#main")))
		const open = `[...document.querySelectorAll(".chart-data .table")].filter(t => t.checkVisibility() && t.getBoundingClientRect().height > 20).length`
		if n := eval[int](b, open); n != 0 {
			t.Errorf("%s: %d tables are unfolded on the screen", name, n)
		}
		call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		if n := eval[int](b, open); n == 0 {
			t.Errorf("%s: no table is printed", name)
		}
		b.fits(name + " on paper")
		call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "screen"})
	}
}
