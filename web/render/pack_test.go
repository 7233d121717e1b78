package render_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"preceptor/web/render"
)

func TestLongPagesArePacked(t *testing.T) {
	long := strings.Repeat("<p>A line of a page that repeats itself.</p>", 200)
	for name, c := range map[string]struct {
		body, query, accept, site string
		packed                    bool
	}{
		"long":                   {long, "", "gzip, br", "same-origin", true},
		"typed into the bar":     {long, "", "gzip", "none", true},
		"long, of a filter":      {long, "?state=done", "gzip", "same-origin", true},
		"short":                  {"<p>Done</p>", "", "gzip", "same-origin", false},
		"taken plain":            {long, "", "", "same-origin", false},
		"with words of its link": {long, "?q=mackerel", "gzip", "same-origin", false},
		"from another site":      {long, "?task=mackerel", "gzip", "cross-site", false},
		"from nobody knows":      {long, "", "gzip", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			req := httptest.NewRequest(http.MethodGet, "/reviews"+c.query, nil)
			req.Header.Set("Accept-Encoding", c.accept)
			req.Header.Set("Sec-Fetch-Site", c.site)
			rec := ask(t, req, func(e echo.Context) error { return render.Page(e, nil, text(c.body)) }, false)
			if got := rec.Header().Get("Content-Encoding") == "gzip"; got != c.packed {
				t.Fatalf("packed: %v", got)
			}
			if !strings.Contains(strings.Join(rec.Header().Values("Vary"), ","), "Accept-Encoding") {
				t.Errorf("Vary %q", rec.Header().Values("Vary"))
			}
			var body io.Reader = rec.Body
			if c.packed {
				if rec.Body.Len()*4 > len(c.body) {
					t.Errorf("%d bytes of %d", rec.Body.Len(), len(c.body))
				}
				zr, err := gzip.NewReader(body)
				if err != nil {
					t.Fatal(err)
				}
				body = zr
			}
			if got, err := io.ReadAll(body); err != nil || string(got) != c.body {
				t.Errorf("%d bytes came out of %d, %v", len(got), len(c.body), err)
			}
		})
	}
}
