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
		body, query, accept string
		packed              bool
	}{
		"long":                   {long, "", "gzip, br", true},
		"long, of a filter":      {long, "?state=done", "gzip", true},
		"short":                  {"<p>Done</p>", "", "gzip", false},
		"taken plain":            {long, "", "", false},
		"with words of its link": {long, "?q=mackerel", "gzip", false},
	} {
		t.Run(name, func(t *testing.T) {
			req := httptest.NewRequest(http.MethodGet, "/reviews"+c.query, nil)
			req.Header.Set("Accept-Encoding", c.accept)
			rec := ask(t, req, func(e echo.Context) error { return render.Page(e, http.StatusOK, text(c.body)) }, false)
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
