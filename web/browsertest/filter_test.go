package browsertest

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestFilterBarsAreOneLine: at a desk's 1440 px no page's filters wrap, for a bar of two lines pushes the list down and
// looks broken.
func TestFilterBarsAreOneLine(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	b, srv, now := open(t, false), galleryServer(t), time.Now()
	b.size(1440, 900, "light")
	seen := map[string]bool{}
	for _, s := range Samples() {
		var html bytes.Buffer
		if err := s.View(frame(s.Path(), now), Plain(now)).Render(t.Context(), &html); err != nil {
			t.Fatal(err)
		}
		if seen[s.Path()] || !strings.Contains(html.String(), `class="queue-filters"`) &&
			!strings.Contains(html.String(), `class="segments where"`) {
			continue
		}
		seen[s.Path()] = true // one state of each page
		b.run(chromedp.Navigate(srv.URL + "/" + s.Name))
		b.until("the page is there", `document.readyState === "complete"`)
		for _, bar := range eval[[]string](b,
			`[...document.querySelectorAll(".queue-filters, .segments.where")].filter(bar => bar.clientHeight > 64 && bar.checkVisibility())
			.map(bar => bar.className + " is " + bar.clientHeight + " px high")`) {
			t.Errorf("%s: %s", s.Name, bar)
		}
	}
	if len(seen) < 4 {
		t.Errorf("only %d pages have filters", len(seen))
	}
}
